"""Traits: what a method claims about itself. Every claim is checked by the conformance suite."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any, Literal

from tacita.core.errors import ParameterError
from tacita.core.vocabulary import SCALES

__all__ = ["PROPERTIES", "Traits"]

PROPERTIES = {
    "marginals": "every column keeps exactly its own values, in another order",
    "means": "the mean of every column stays the same (to rounding of its values)",
    "ranks": "the order of the values in every column stays the same (ties may appear)",
    "rows": "every record that comes out went in unchanged",
    "k-anonymity": "every combination of the masked columns occurs at least k times",
    "zeros": "a value is zero afterwards exactly where it was zero before",
}
"""What a mask can claim to preserve, in words; the conformance suite has one check for each."""


_OF_MASKS = frozenset({"stochastic", "preserves", "keeps_rows", "reweights", "recodes", "suppresses"})
_OF_MEASURES = frozenset({"paired", "per_record", "better", "unit", "upper", "by_default", "of_file", "identifies"})


@dataclass(frozen=True, kw_only=True)
class Traits:
    """Claims of a method.

    Parameters
    ----------
    scales
        Scales of the columns it works on.
    stochastic
        Whether its result depends on the seed.
    preserves
        Names out of :data:`PROPERTIES` that hold for every input.
    keeps_rows
        Whether records stay as many as they were and in the same order.
    reweights
        Whether it gives the records new weights; all other masks leave the weight column as it is.
    suppresses
        For a mask: whether values may become missing.
    recodes
        Whether columns may get another scale, categories and hierarchy; all other masks leave the schema as it is.
    paired
        For a measure: whether it needs to know which masked record comes from which original.
    per_record
        For a measure: whether it also gives a value for each record.
    better
        For a measure: whether a lower or a higher value is better for the data owner.
    unit
        For a measure: the unit of its value, such as ``%``.
    upper
        For a measure: its largest possible value; None where it has none.
    by_default
        For a measure: whether it stands on every scorecard; the others are computed when they are named.
    of_file
        For a risk: whether it is one of the masked file alone, so that the original does not enter.
    identifies
        For a risk: whether its value is the percentage of records that an intruder identifies rightly, so that it can be
        the strongest attack of a card.
    """

    scales: Collection[str] = ("numeric",)
    stochastic: bool = False
    preserves: tuple[str, ...] = ()
    keeps_rows: bool = True
    reweights: bool = False
    recodes: bool = False
    suppresses: bool = False
    paired: bool = False
    per_record: bool = False
    better: Literal["lower", "higher"] = "lower"
    unit: str = ""
    upper: float | None = None
    by_default: bool = True
    of_file: bool = False
    identifies: bool = False

    def __post_init__(self) -> None:
        _check_words("scales", self.scales, SCALES)
        _check_words("preserves", self.preserves, PROPERTIES)
        object.__setattr__(self, "scales", frozenset(self.scales))

    def as_plain(self, kind: str) -> dict[str, Any]:
        """Return the traits that have meaning for a mask or a measure, ready for JSON; rules and protectors have none."""
        if kind in ("rule", "protector"):
            return {}
        found = asdict(self)
        found["scales"] = [scale for scale in SCALES if scale in self.scales]
        found["preserves"] = list(self.preserves)
        hidden = _OF_MEASURES if kind == "mask" else _OF_MASKS
        return {name: value for name, value in found.items() if name not in hidden}


def _check_words(name: str, words: Collection[str], known: Collection[str]) -> None:
    for word in words:
        if word not in known:
            raise ParameterError(f"Traits: '{name}' must be out of {', '.join(known)}, got '{word}'.")
