"""Claims: what an attacker says that he has learned, one entry for each victim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import AttackError

__all__ = ["Claims", "says_nothing"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Claims:
    """What an attacker says of his victims.

    Parameters
    ----------
    about
        ``identity`` (``said`` has rows of the released file), ``membership`` (true or false), or the name of what he wants to
        know (values or classes).
    said
        One entry a victim. -1 (identity, codes), NaN (numbers), an empty text (classes) or None: he says nothing of that one.
    is_sure
        Of which victims he says it without doubt, by his own reckoning; None for nobody.
    low, high
        Ends of what he thinks possible, for numbers; None where he gives no interval.
    queries
        Questions that he asked.
    refused
        How often each rule refused him, by its name.
    not_worded
        Questions that the target has no words for, each in a few words: that attack was not held, it could not be tried.
    learned
        One sentence for the data steward, without values of records.
    figures
        Further numbers by name, such as the error of the estimates.
    """

    about: str
    said: NDArray[np.generic]
    is_sure: BoolArray | None = None
    low: FloatArray | None = None
    high: FloatArray | None = None
    queries: int = 0
    refused: Mapping[str, int] = field(default_factory=dict)
    not_worded: tuple[str, ...] = ()
    learned: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("is_sure", "low", "high"):
            part = getattr(self, name)
            if part is not None and len(part) != len(self.said):
                raise AttackError(f"Claims: '{name}' must have one entry a victim, {len(self.said)}, got {len(part)}.")

    def __len__(self) -> int:
        return len(self.said)


def says_nothing(said: NDArray[np.generic]) -> BoolArray:
    """Return of which victims nothing is said: -1 of whole numbers, NaN, an empty text or None."""
    if said.dtype.kind == "b":
        return np.zeros(len(said), bool)
    if said.dtype.kind in "iu":
        return np.asarray(said == -1, bool)
    if said.dtype.kind == "f":
        return np.asarray(np.isnan(said), bool)
    return np.array([value is None or value == "" for value in said.tolist()], bool)
