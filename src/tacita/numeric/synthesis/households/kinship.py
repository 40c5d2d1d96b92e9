"""Kinship: which ages can stand beside each other in a household, learned from those that do.

A child is not five years younger than its mother, and nobody is married at twelve. Both show in the old data: of the members of
one kind none is nearer in age to the first member than some years, on either side; none stands between the first two; and each
class has its youngest and its oldest. New members keep to that. A kind is the place in the household (second or later) with the
classes of the first two and of the member; where few are of a kind, his own classes do not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.numeric.synthesis.column_values import ColumnValues
from tacita.numeric.synthesis.households.homes import Homes

__all__ = ["Kinship", "kinds_of_members"]

_ANY = -2
_FEWEST = 30
"""Members of a kind that must be there before it is believed that a distance cannot be."""


def kinds_of_members(columns: Mapping[str, ColumnValues], names: Sequence[str], homes: Homes) -> IntArray:
    """Return (n, 3): for each member his own classes, those of the first member and those of the second, as numbers."""
    own = np.zeros(homes.n, np.int64)
    for name in names:
        column = columns[name]
        label = np.where(column.there, column.values.astype(np.int64), column.classes - 1 + column.gaps)
        own = own * (column.classes + column.kinds + 1) + label
    second = np.full(len(homes), -1, np.int64)
    second[homes.sizes > 1] = own[homes.at(1)]
    return np.stack([own, own[homes.first][homes.household], second[homes.household]], axis=1)


@dataclass(frozen=True, eq=False)
class Kinship:
    """What was learned of a number, such as the age, of members beside each other.

    Parameters
    ----------
    low, high
        By class of a member the smallest and the largest number.
    apart
        By kind of member: the open interval of differences to the first, and to the second member, in which nobody lies.
    between
        By kind of member whether anybody lies between the first and the second.
    """

    low: Mapping[int, float] = field(repr=False)
    high: Mapping[int, float] = field(repr=False)
    apart: Mapping[tuple[int, ...], tuple[tuple[float, float], tuple[float, float]]] = field(repr=False)
    between: Mapping[tuple[int, ...], bool] = field(repr=False)

    @classmethod
    def learn(cls, values: FloatArray, there: BoolArray, kinds: IntArray, homes: Homes) -> Kinship:
        """Learn from old households. O(n log n)."""
        low, high = {}, {}
        for code in np.unique(kinds[there, 0]):
            mine = values[there & (kinds[:, 0] == code)]
            low[int(code)], high[int(code)] = float(mine.min()), float(mine.max())
        apart, between = {}, {}
        references, known = _references(values, there, homes, np.arange(homes.n))
        for level in _levels(np.minimum(homes.place, 2), kinds):
            keys, number = np.unique(level, axis=0, return_inverse=True)
            number = number.ravel()
            for k in np.flatnonzero(keys[:, 0] > 0):
                rows = np.flatnonzero((number == k) & there)
                if len(rows) < _FEWEST:
                    continue
                found = [_nobody_near(values[rows] - references[rows, j], known[rows, j]) for j in range(2)]
                if keys[k, 0] == 1:
                    found[1] = (0.0, 0.0)
                kind = tuple(int(word) for word in keys[k])
                apart[kind] = (found[0], found[1])
                between[kind] = bool(_is_between(values[rows], references[rows], known[rows]).any())
        return cls(low, high, apart, between)

    def broken(self, rows: IntArray, values: FloatArray, there: BoolArray, kinds: IntArray, homes: Homes) -> BoolArray:
        """Return which of some members cannot be: out of the range of their class, or too near to the first or the second."""
        mine, wrong = values[rows], np.zeros(len(rows), np.bool_)
        for code in np.unique(kinds[rows, 0]):
            low, high = self.low.get(int(code), -np.inf), self.high.get(int(code), np.inf)
            wrong |= (kinds[rows, 0] == code) & ((mine < low) | (mine > high))
        references, known = _references(values, there, homes, rows)
        near, may_be_between = np.zeros((len(rows), 2, 2)), np.ones(len(rows), np.bool_)
        is_open = np.ones(len(rows), np.bool_)
        for level in _levels(np.minimum(homes.place[rows], 2), kinds[rows]):
            keys, number = np.unique(level, axis=0, return_inverse=True)
            kind_of = [tuple(int(word) for word in key) for key in keys]
            found = [self.apart.get(kind) for kind in kind_of]
            allowed = np.array([self.between.get(kind, True) for kind in kind_of])
            limits = np.array([((0.0, 0.0), (0.0, 0.0)) if one is None else one for one in found])
            is_known = np.array([one is not None for one in found])[number.ravel()]
            taken = is_open & is_known
            near[taken], may_be_between[taken] = limits[number.ravel()[taken]], allowed[number.ravel()[taken]]
            is_open &= ~is_known
        wrong |= ~may_be_between & _is_between(mine, references, known)
        for j in range(2):
            away = mine - references[:, j]
            wrong |= known[:, j] & (away > near[:, j, 0]) & (away < near[:, j, 1])
        return np.asarray(wrong & there[rows])


def _levels(place: IntArray, kinds: IntArray) -> Iterator[IntArray]:
    """Give members their kinds: by all three members' classes, and, for kinds that are rare, whatever the own classes are."""
    yield np.column_stack([place, kinds])
    anybody = kinds.copy()
    anybody[:, 0] = _ANY
    yield np.column_stack([place, anybody])


def _references(values: FloatArray, there: BoolArray, homes: Homes, rows: IntArray) -> tuple[FloatArray, BoolArray]:
    """Return for some members the numbers of the first and the second of their households, and whether these are known."""
    first = homes.first[homes.household[rows]]
    place = homes.place[rows]
    found, known = np.zeros((len(rows), 2)), np.zeros((len(rows), 2), np.bool_)
    for j in (0, 1):
        is_later = place > j
        found[is_later, j] = values[first[is_later] + j]
        known[is_later, j] = there[first[is_later] + j]
    return found, known


def _is_between(values: FloatArray, references: FloatArray, known: BoolArray) -> BoolArray:
    """Return who lies between the first and the second member, where both are known."""
    low, high = references.min(axis=1), references.max(axis=1)
    return np.asarray(known.all(axis=1) & (values > low) & (values < high))


def _nobody_near(away: FloatArray, known: BoolArray) -> tuple[float, float]:
    """Return the open interval around 0 in which no difference lies; an empty one where somebody is as old."""
    away = away[known]
    if len(away) < _FEWEST or (away == 0).any():
        return 0.0, 0.0
    below, above = away[away < 0], away[away > 0]
    return float(below.max()) if len(below) else -np.inf, float(above.min()) if len(above) else np.inf
