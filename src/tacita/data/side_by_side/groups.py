"""Groups of values: numbers of two files cut at the quantiles of the original, beside categories as they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.data.pairing import Pair
from tacita.data.side_by_side.categories import file_codes, shared_codes

__all__ = ["NumberGroups", "ValueGroups", "comparable_columns", "equal_groups", "value_groups"]

_NUMBERS = frozenset({"numeric"})


@dataclass(frozen=True)
class NumberGroups:
    """How numbers become groups.

    Parameters
    ----------
    cuts
        Sorted cut points; a group reaches up to a cut point and includes it.
    """

    cuts: FloatArray

    @classmethod
    def of(cls, values: FloatArray, bins: int) -> NumberGroups:
        """Return about ``bins`` groups of about equal size; with at most so many different values each has its own.

        A value that would fill a group alone has one: it begins beyond the next smaller value. Few values are cut half way.

        Examples
        --------
        >>> made = NumberGroups.of(np.array([0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), 3)
        >>> made.cuts.tolist(), made.codes(np.array([-1.0, 0.0, 0.1, 3.0, 9.0, np.nan])).tolist()
        ([0.0, 3.0], [0, 0, 1, 1, 2, 3])
        >>> NumberGroups.of(np.array([1.0, 1.0, 2.0]), 3).cuts.tolist()
        [1.5]
        """
        there = np.sort(values[~np.isnan(values)])
        different, counts = np.unique(there, return_counts=True)
        if len(different) <= bins:
            return cls(different[1:] / 2 + different[:-1] / 2)
        fills = counts * bins >= len(there)
        rest = np.repeat(different[~fills], counts[~fills])
        left = max(1, round(bins * len(rest) / len(there)))
        cuts = rest[np.ceil(np.arange(1, left) * len(rest) / left).astype(np.int64) - 1]
        ends = np.flatnonzero(fills)
        below = different[ends[ends > 0] - 1]
        cuts = np.unique(np.concatenate([cuts, different[ends], below]))
        return cls(cuts[cuts < different[-1]])

    @property
    def size(self) -> int:
        """Number of groups, missing among them, which is the last."""
        return len(self.cuts) + 2

    def codes(self, values: FloatArray) -> IntArray:
        """Return the group of each value. O(n log bins)."""
        codes = np.searchsorted(self.cuts, values, side="left")
        return np.asarray(np.where(np.isnan(values), self.size - 1, codes), np.int64)


@dataclass(frozen=True)
class ValueGroups:
    """One column of both files in groups 0, 1, 2, ... that mean the same in both; missing is a group of its own.

    Parameters
    ----------
    original, masked
        The group of each record.
    size
        How many groups there are, empty ones among them.
    """

    original: IntArray = field(repr=False)
    masked: IntArray = field(repr=False)
    size: int

    def short(self) -> ValueGroups:
        """Return the groups in as few bytes as they need."""
        kind = np.min_scalar_type(self.size)
        return ValueGroups(self.original.astype(kind), self.masked.astype(kind), self.size)


def value_groups(pair: Pair, name: str, bins: int, *, whole: bool = False) -> ValueGroups:
    """Return a column of two files in groups: numbers in bins of the original, anything else by its value.

    Numbers that were recoded into categories count with the middle of each category. Of a part of the records
    (:meth:`Pair.among`) only these are grouped, unless ``whole`` files are asked for; bins are those of the whole original.
    """
    seen = pair.seen_by(_NUMBERS)
    if not _is_number(seen, name):
        codes = shared_codes(pair, name) if whole else file_codes(pair, name)
        return ValueGroups(codes.original, codes.masked, codes.size)
    x, y = seen.original.float(name), seen.masked.float(name)
    made = NumberGroups.of(x, bins)
    if pair.is_part and not whole:
        x, y = x[pair.rows], y[pair.masked_rows]
    return ValueGroups(made.codes(x), made.codes(y), made.size)


def equal_groups(pair: Pair, name: str) -> ValueGroups:
    """Return a column of two whole files in groups of equal values; what only the masked file has of numbers is one group."""
    seen = pair.seen_by(_NUMBERS)
    if not _is_number(seen, name):
        codes = shared_codes(pair, name)
        return ValueGroups(codes.original, codes.masked, codes.size)
    x, y = seen.original.float(name), seen.masked.float(name)
    known, first = np.unique(x, return_inverse=True)  # missing, where there is one, comes last
    at = np.searchsorted(known, y)
    at[at == len(known)] = 0
    is_known = (known[at] == y) | (np.isnan(known[at]) & np.isnan(y))
    return ValueGroups(first.reshape(-1), np.where(is_known, at, len(known)), len(known) + 1)


def comparable_columns(pair: Pair, names: Iterable[str]) -> tuple[str, ...]:
    """Return the columns that are numbers in both files, or something else in the original.

    A number whose categories in the masked file are known by name only cannot be compared.
    """
    seen = pair.seen_by(_NUMBERS)
    return tuple(n for n in names if pair.original.schema[n].scale != "numeric" or _is_number(seen, n))


def _is_number(pair: Pair, name: str) -> bool:
    return pair.original.schema[name].scale == pair.masked.schema[name].scale == "numeric"
