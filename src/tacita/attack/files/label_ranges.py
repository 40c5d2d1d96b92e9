"""What a label says about a number: the ends of an interval, read as a person would read them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray

__all__ = ["EVERYTHING", "LabelRanges", "range_of_label", "ranges_of"]

EVERYTHING = frozenset({"*", "Total", "all", "any"})
"""Labels that stand for every value."""

_N = r"([-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)"
_PLAIN = re.compile(rf"^{_N}$")
_BETWEEN = re.compile(rf"^{_N}\s*(?:-|\u2013|to|\.\.)\s*{_N}$")
_BRACKETS = re.compile(rf"^([\[(])\s*{_N}\s*[,;]\s*{_N}\s*([\])])$")
_BELOW = re.compile(rf"^(?:below|under|less than|<)\s*{_N}$")
_AT_MOST = re.compile(rf"^(?:up to|at most|<=|\u2264)\s*{_N}$")
_FROM = re.compile(rf"^(?:(?:from|at least|>=|\u2265)\s*{_N}|{_N}\s*(?:or more|and more|and over|or over|\+))$")
_ABOVE = re.compile(rf"^(?:above|over|more than|>)\s*{_N}$")


class LabelRanges(NamedTuple):
    """Ends of what each label may stand for, both belonging to it, and which labels could be read."""

    low: FloatArray
    high: FloatArray
    is_read: BoolArray

    @property
    def middle(self) -> FloatArray:
        """The middle of each range; of one that is open its end; NaN where the label cannot be read or says nothing."""
        open_low, open_high = np.isinf(self.low), np.isinf(self.high)
        with np.errstate(invalid="ignore"):
            middle = (self.low + self.high) / 2
        middle = np.where(open_low, self.high, np.where(open_high, self.low, middle))
        return np.where(self.is_read & ~(open_low & open_high), middle, np.nan)

    @property
    def is_banded(self) -> bool:
        """Whether all labels can be read and one of them at least is more than a number."""
        return bool(self.is_read.all() and (self.low < self.high).any())


def range_of_label(label: str) -> tuple[float, float] | None:
    """Return the ends of what a label may stand for; None where it cannot be read.

    Whole numbers with a dash, ``18-29``, reach to just below the next whole number.

    Examples
    --------
    >>> range_of_label("below 18")[0], range_of_label("65 or more"), range_of_label("30")
    (-inf, (65.0, inf), (30.0, 30.0))
    >>> low, high = range_of_label("18-29")
    >>> low, 29.9 < high < 30
    (18.0, True)
    >>> range_of_label("north") is None
    True
    """
    text = label.strip()
    if text in EVERYTHING:
        return -np.inf, np.inf
    if found := _PLAIN.match(text):
        return float(found[1]), float(found[1])
    if found := _BETWEEN.match(text):
        low, high = float(found[1]), float(found[2])
        is_whole = low.is_integer() and high.is_integer()
        return (low, float(np.nextafter(high + 1, low)) if is_whole else high) if low <= high else None
    if found := _BRACKETS.match(text):
        low, high = float(found[2]), float(found[3])
        if low > high:
            return None
        return (
            low if found[1] == "[" else float(np.nextafter(low, np.inf)),
            high if found[4] == "]" else float(np.nextafter(high, -np.inf)),
        )
    if found := _BELOW.match(text):
        return -np.inf, float(np.nextafter(float(found[1]), -np.inf))
    if found := _AT_MOST.match(text):
        return -np.inf, float(found[1])
    if found := _FROM.match(text):
        return float(found[1] or found[2]), np.inf
    if found := _ABOVE.match(text):
        return float(np.nextafter(float(found[1]), np.inf)), np.inf
    return None


def ranges_of(labels: Sequence[str]) -> LabelRanges:
    """Return what each label may stand for; one that cannot be read may stand for everything."""
    ends = [range_of_label(label) for label in labels]
    both = np.array([(-np.inf, np.inf) if end is None else end for end in ends], float).reshape(-1, 2)
    return LabelRanges(both[:, 0], both[:, 1], np.array([end is not None for end in ends], bool))
