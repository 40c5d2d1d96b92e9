"""A campaign: every attack that applies is run against one target, and the whole gets a verdict."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, cast

from tacita.attack.attacker import Attacker
from tacita.attack.judge.answers import Answers
from tacita.attack.judge.grade import MARGIN, Grade
from tacita.attack.judge.graded import strongest_grade
from tacita.attack.judge.trial import attack_each
from tacita.core import registry
from tacita.core.errors import ParameterError, did_you_mean
from tacita.core.progress import task
from tacita.core.streams import Seed
from tacita.core.traits import AGAINST, Against

__all__ = ["Campaign", "CampaignState", "Stage", "applicable", "campaign", "worst_first"]

CampaignState = Literal["passed", "review", "failed", "not judged"]

Stage: TypeAlias = Callable[[], tuple[Any, Answers, "tuple[Any, Answers] | None"]]
"""Sets the scene anew for each attack: the target, the truth about its victims, and a control or None."""

_ORDER = {"broken": 0, "partly": 1, "held": 2, "not worded": 3, "not run": 4}


@dataclass(frozen=True, kw_only=True)
class Campaign:
    """What came out of all attacks on one target.

    Parameters
    ----------
    against
        What kind of thing was attacked.
    target
        What it is called.
    grades
        One for each attack: what hurt most; those that broke something first.
    margin
        By how much an attack may beat guessing.
    scenario
        What the attackers know, in words.
    seed
        Repeats it.
    notes
        What a reader should know of how it was done.
    """

    against: Against
    target: str
    grades: tuple[Grade, ...]
    margin: float = MARGIN
    scenario: str = ""
    seed: Seed = 1
    notes: tuple[str, ...] = ()

    @property
    def state(self) -> CampaignState:
        """``failed`` where an attack broke it, ``review`` where few victims were told for sure, otherwise ``passed``."""
        found = {one.standing for one in self.grades}
        if "broken" in found:
            return "failed"
        if "partly" in found:
            return "review"
        return "passed" if "held" in found else "not judged"

    @property
    def worst(self) -> Grade | None:
        """The attack that hurt most; None where none could be run."""
        return strongest_grade(self.run) if self.run else None

    @property
    def run(self) -> tuple[Grade, ...]:
        """The attacks that were run."""
        return tuple(one for one in self.grades if one.standing not in ("not run", "not worded"))

    def words(self) -> str:
        """Return the verdict in a sentence or two."""
        worst = self.worst
        if worst is None:
            return f"{self.target}: not judged; no attack could be run."
        count = f"{len(self.run)} attack{'s' if len(self.run) != 1 else ''} run"
        if self.state == "passed":
            points = 100 * max(worst.counted, 0.0)
            return (
                f"{self.target}: passed; {count}, none beats guessing by more than {100 * self.margin:g} points (the best, "
                f"{worst.attack}, by {points:.1f})."
            )
        return f"{self.target}: {self.state}; {count}. The strongest is {worst.words()}"

    def to_plain(self) -> dict[str, Any]:
        """Return everything ready for JSON."""
        return {
            "target": self.target,
            "against": self.against,
            "state": self.state,
            "margin": self.margin,
            "scenario": self.scenario,
            "seed": self.seed,
            "attacks": [one.as_plain() for one in self.grades],
            "notes": list(self.notes),
        }

    def to_json(self) -> str:
        """Return everything as JSON."""
        return json.dumps(self.to_plain(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def worst_first(grades: Iterable[Grade]) -> tuple[Grade, ...]:
    """Return grades in the order in which a steward reads them: what broke something, by how much, then what was not run."""
    return tuple(sorted(grades, key=lambda one: (_ORDER[one.standing], -one.counted, one.attack)))


def applicable(
    against: Against,
    *,
    faces: Collection[str] = (),
    attacks: Collection[str] | None = None,
    without: Collection[str] = (),
) -> list[Attacker]:
    """Return the attacks for a kind of target: those for everything of the kind, and those that its methods name.

    Parameters
    ----------
    against
        The kind of target.
    faces
        Attacks that the methods which made the target name.
    attacks
        Names of the only attacks to run; those for another kind of target are left out.
    without
        Names of attacks to leave out.

    Raises
    ------
    ParameterError
        When there is no attack of a name, or none of the chosen ones is for this kind of target.
    """
    every = {m.name: cast(type[Attacker], m) for m in registry.methods("attack")}
    for name in (*(attacks or ()), *without, *faces):
        if name not in every:
            raise ParameterError(f"There is no attack '{name}'.{did_you_mean(name, every)}")
    chosen = [
        attacker()
        for name, attacker in every.items()
        if attacker.traits.against == against
        and name not in without
        and (name in attacks if attacks is not None else attacker.traits.of_any or name in faces)
    ]
    if attacks and not chosen:
        raise ParameterError(f"None of the chosen attacks is against {AGAINST[against]}.")
    return chosen


def campaign(
    against: Against,
    stage: Stage,
    *,
    target: str,
    attackers: Iterable[Attacker],
    seed: Seed = 1,
    seconds: float = 600.0,
    margin: float = MARGIN,
    scenario: str = "",
    notes: Iterable[str] = (),
) -> Campaign:
    """Run attacks one after the other and grade each.

    Parameters
    ----------
    against, target
        What is attacked, and what it is called.
    stage
        Sets the scene; it is called anew for each attack, so that no attack finds what another left behind.
    attackers
        The attacks, from :func:`applicable`.
    seed
        Repeats it.
    seconds
        About how long all of it may take; attacks that would take longer than their part try a sample of the victims.
    margin
        By how much an attack may beat guessing.
    scenario, notes
        What is said beside it.
    """
    if not seconds > 0:
        raise ParameterError("A campaign: 'seconds' must be above 0.")
    chosen = list(attackers)
    share = seconds / max(len(chosen), 1)
    found: list[Grade] = []
    with task(f"Attacking {target}", len(chosen)) as running:
        for attacker in chosen:
            staged, answers, control = stage()
            time = share if control is None else share / 2
            each = attack_each(
                attacker, staged, answers, seed=seed, seconds=time, name=target, control=control, margin=margin
            )
            found.append(strongest_grade(each))
            running.advance(note=attacker.name)
    return Campaign(
        against=against,
        target=target,
        grades=tuple(replace(one, target=target) for one in worst_first(found)),
        margin=margin,
        scenario=scenario,
        seed=seed,
        notes=tuple(notes),
    )
