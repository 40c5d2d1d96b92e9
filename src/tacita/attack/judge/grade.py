"""Grade: what an attack achieved, how sure one can be of that, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from tacita.numeric.statistics.shares import interval_of_share

__all__ = ["MARGIN", "SURE", "Grade", "Standing"]

Standing = Literal["broken", "partly", "held", "not worded", "not run"]

MARGIN = 0.05
"""By how much an attack may beat guessing before a target counts as broken."""
SURE = 0.8
"""Share of sure claims that must be right before they count as disclosures."""


@dataclass(frozen=True, kw_only=True)
class Grade:
    """One attack on one target, held against the truth. All shares are between 0 and 1.

    Parameters
    ----------
    attack
        Registered name of the attack.
    target, defence
        What was attacked, and what protects it, in a few words.
    about
        What was claimed: ``identity``, ``membership``, or the name of a value.
    victims, of
        How many were attacked, and how many there are; fewer where a sample was attacked.
    success, low, high
        Share of the victims that were told rightly, and its 95 % interval.
    baseline
        Share that a guess without the release gets right.
    sure, sure_right
        How many claims the attacker called certain, and how many of these are right.
    queries, seconds
        What it cost.
    refused
        How often each rule refused him.
    not_worded
        Questions that the target has no words for.
    knows
        What the attacker has, in words.
    learned
        What he learned, in a sentence.
    figures
        Further numbers by name.
    reason
        Why it was not run; empty where it was.
    margin
        By how much an attack may beat guessing.
    """

    attack: str
    target: str
    defence: str = ""
    about: str = ""
    victims: int = 0
    of: int = 0
    success: float = 0.0
    low: float = 0.0
    high: float = 0.0
    baseline: float = 0.0
    sure: int = 0
    sure_right: int = 0
    queries: int = 0
    seconds: float = 0.0
    refused: Mapping[str, int] = field(default_factory=dict)
    not_worded: tuple[str, ...] = ()
    knows: str = ""
    learned: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)
    reason: str = ""
    margin: float = MARGIN

    @property
    def advantage(self) -> float:
        """How much more often than a guess the attack is right."""
        return self.success - self.baseline

    @property
    def counted(self) -> float:
        """What is compared with the margin: the advantage, by the upper end of its interval where a sample was attacked."""
        return (self.high if self.victims < self.of else self.success) - self.baseline

    @property
    def affected(self) -> int:
        """Victims that were told rightly and for sure, where such claims can be believed and are no luck; otherwise none."""
        if not self.sure or self.sure_right < SURE * self.sure:
            return 0
        low, _ = interval_of_share(self.sure_right / self.sure, self.sure)
        return self.sure_right if low > self.baseline + self.margin else 0

    @property
    def standing(self) -> Standing:
        """``broken``, ``partly`` (few victims, but these for sure), ``held``, ``not worded`` or ``not run``."""
        if self.reason:
            return "not run"
        if not self.victims or (self.not_worded and not self.queries):
            return "not worded" if self.not_worded else "not run"
        if self.counted > self.margin:
            return "broken"
        return "partly" if self.affected else "held"

    def as_plain(self) -> dict[str, Any]:
        """Return the grade ready for JSON."""
        plain = asdict(self)
        plain["refused"], plain["figures"] = dict(self.refused), dict(self.figures)
        plain["not_worded"] = list(self.not_worded)
        return {
            **plain,
            "advantage": self.advantage,
            "counted": self.counted,
            "affected": self.affected,
            "standing": self.standing,
        }

    def words(self) -> str:
        """Return the grade as a sentence for a data steward."""
        if self.standing == "not run":
            return f"{self.attack}: not run; {self.reason or 'there was no victim.'}"
        if self.standing == "not worded":
            return f"{self.attack}: the target has no words for it ({'; '.join(self.not_worded)})."
        told = f"{100 * self.success:.1f} % of {self.victims} victims told rightly, {100 * self.baseline:.1f} % by guessing"
        sure = f"; {self.affected} for sure" if self.affected else ""
        asked = f"; {self.queries} questions" if self.queries else ""
        stopped = f"; stopped by {', '.join(sorted(self.refused))}" if self.refused else ""
        return f"{self.attack}: {self.standing}; {told}{sure}{asked}{stopped}."
