"""Compositions: how many live in a household and which classes they have, one after the other, drawn as one.

Who is married to whom and who is whose child shows in classes of all members together. Drawn one by one they would not fit: one
spouse without the other. So a household gets the classes of all its members at once, from households that are there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import IntArray
from tacita.numeric.synthesis.column_values import ColumnValues
from tacita.numeric.synthesis.households.homes import Homes

__all__ = ["Compositions", "find_compositions"]

_COVERED = 0.9


@dataclass(frozen=True, eq=False)
class Compositions:
    """The compositions of the old households.

    Parameters
    ----------
    names
        The columns whose classes are part of it.
    number
        (h,): the composition of each old household.
    count
        How many there are.
    example
        (count,): an old household of each.
    homes
        The old households.
    """

    names: tuple[str, ...]
    number: IntArray = field(repr=False)
    count: int
    example: IntArray = field(repr=False)
    homes: Homes = field(repr=False)

    def sizes(self, chosen: IntArray) -> IntArray:
        """Return the number of members of some compositions."""
        return self.homes.sizes[self.example[chosen]]

    def members(self, chosen: IntArray) -> IntArray:
        """Return old persons, member after member, who have the classes that the members of these compositions have."""
        made = Homes(self.sizes(chosen))
        return self.homes.first[self.example[chosen]][made.household] + made.place


def find_compositions(
    columns: Mapping[str, ColumnValues], candidates: Sequence[str], homes: Homes, *, often: int
) -> Compositions:
    """Return the compositions of households.

    Parameters
    ----------
    columns
        Columns of the persons, in the order of the households.
    candidates
        Columns of classes that may be part of a composition, the most telling first. One after the other is taken as long as nine
        of ten households have a composition that occurs ``often``; the others are drawn member by member.
    homes
        The households.
    often
        How often a composition must occur so that it is none of a single household.

    Complexity
    ----------
    O(n log n) for each candidate.
    """
    number = np.unique(homes.sizes, return_inverse=True)[1].ravel().astype(np.int64)
    names: list[str] = []
    for name in candidates:
        tried = _refined(number, columns[name], homes)
        counts = np.bincount(tried)
        if (counts[tried] >= often).mean() >= _COVERED:
            number = tried
            names.append(name)
    count = int(number.max(initial=-1)) + 1
    example = np.zeros(count, np.int64)
    example[number[::-1]] = np.arange(len(number))[::-1]
    return Compositions(tuple(names), number, count, example, homes)


def _refined(number: IntArray, column: ColumnValues, homes: Homes) -> IntArray:
    """Number households by what they had and the classes of their members in order. O(n log n)."""
    label = np.where(column.there, column.values.astype(np.int64), column.classes - 1 + column.gaps)
    kinds = column.classes + column.kinds + 1
    for place in range(int(homes.sizes.max(initial=0))):
        rows = homes.at(place)
        word = np.zeros(len(homes), np.int64)
        word[homes.household[rows]] = label[rows] + 1
        number = np.unique(number * kinds + word, return_inverse=True)[1].ravel().astype(np.int64)
    return number
