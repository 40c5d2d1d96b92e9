"""What an optimisation made: the data, and loss and risk before and after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from tacita.compare.post_masking import Stop
from tacita.compare.primed_score import ScoreParts
from tacita.core.streams import Seed
from tacita.data.microdata import Microdata

__all__ = ["Method", "Optimised"]

Method = Literal["gradient", "hill_climbing", "score"]


@dataclass(frozen=True, eq=False)
class Optimised:
    """Optimised data, and what the optimisation did to loss and risk.

    Parameters
    ----------
    data
        The optimised data, linked to the original as the masked data are.
    before, after
        Loss and risk of the masked and of the optimised data.
    method
        The search that was run.
    columns
        The columns that it worked on, those that an intruder knows first.
    known
        How many columns the intruder knows.
    changed_records, changed_values
        How much differs from the masked data.
    steps
        Steps of the search: values that were tried, or iterations of the gradient method.
    stopped
        Why it stopped.
    seconds
        How long it took, measuring included.
    seed
        Repeats the search; internal, as the seed of a mask is.
    """

    data: Microdata
    before: ScoreParts
    after: ScoreParts
    method: Method
    columns: tuple[str, ...]
    known: int
    changed_records: int
    changed_values: int
    steps: int
    stopped: Stop
    seconds: float
    seed: Seed

    @property
    def gain(self) -> float:
        """Percent by which Score' fell."""
        return 100 * (1 - self.after.score / self.before.score) if self.before.score else 0.0

    def rows(self) -> list[dict[str, Any]]:
        """Return one table row for each number: before, after and the change."""
        return [
            {"measure": name, "what": what, "before": old, "after": new, "change": new - old}
            for name, what in _WORDS.items()
            if (old := getattr(self.before, name)) is not None and (new := getattr(self.after, name)) is not None
        ]

    def as_plain(self) -> dict[str, Any]:
        """Return everything but the data, ready for JSON; without the seed, which must stay inside."""
        return {
            "method": self.method,
            "columns": list(self.columns),
            "known": list(self.columns[: self.known]),
            "changed": {"records": self.changed_records, "values": self.changed_values},
            "steps": self.steps,
            "stopped": self.stopped,
            "seconds": self.seconds,
            "before": self.before.as_plain(),
            "after": self.after.as_plain(),
            "gain": self.gain,
        }

    def __repr__(self) -> str:
        parts = ", ".join(
            f"{name} {getattr(self.before, name):.4g} -> {getattr(self.after, name):.4g}"
            for name in ("e", "il1", "il", "dld", "rid", "score")
        )
        return f"Optimised by {self.method} ({parts}; {self.stopped})"


_WORDS = {
    "e": "error of the moments, E",
    "il1": "mean relative error of the values, IL1'",
    "il": "information loss, IL'",
    "dld": "linked to the nearest original, DLD'",
    "rid": "rank intervals of the nearest original, ID'",
    "score": "Score'",
    "paired_dld": "linked to the own original",
    "paired_rid": "rank intervals of the own original",
}
