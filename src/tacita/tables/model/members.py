"""Members: what each contributor and each holding has in which cells, for everybody who could attack from inside.

Of contributors that are in the very same inner cells only the two largest are listed. Whoever has less in all of these
cells knows less, and has less to subtract; and as the contributor to be estimated is one of the two at most, the
other one attacks at least as well as every smaller one does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.tables.model.contributions import Contributions
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.grid import ancestry, ranges, shape_of

__all__ = ["Members", "Rows", "Source", "listed"]


@dataclass(frozen=True, eq=False)
class Rows:
    """What owners have in inner cells: contributor or holding, key of the inner cell, and (r, 2) amounts.

    The first amount is without weight, the second with it, which is what the cell is made of.
    """

    owner: IntArray = field(repr=False)
    key: IntArray = field(repr=False)
    amounts: FloatArray = field(repr=False)
    is_whole: bool = True
    """Whether nobody was left out; those left out are in one inner cell only and not among its largest."""


@dataclass(frozen=True, eq=False)
class Source:
    """The inner cells of one table.

    Parameters
    ----------
    dimensions
        Its classifying variables.
    keys
        Keys of its cells, ascending.
    places
        The cell that each key has in the table at hand, which may be a linked one.
    units, holdings
        What contributors, and groups of them, have.
    groups
        For each contributor its holding, -1 where it has none; None where that is not known.
    """

    dimensions: tuple[Dimension, ...]
    keys: IntArray = field(repr=False)
    places: IntArray = field(repr=False)
    units: Rows = field(repr=False)
    holdings: Rows | None = field(default=None, repr=False)
    groups: IntArray | None = field(default=None, repr=False)


@dataclass(frozen=True, eq=False)
class Members:
    """Contributors and holdings by number, and what each has in every cell that it is in.

    Parameters
    ----------
    numbers, is_holding
        (s,): number of the contributor or holding of the data, and which of the two it is.
    stands
        (s,): whether it stands for others who are in the same cells with less.
    start, cells, amounts, weighted
        Member j has ``amounts[start[j]:start[j + 1]]`` in the cells of the same places, in rising order; with its weight
        it makes up ``weighted`` of them.
    groups
        For each contributor of the data its holding; None where that is not known.
    is_whole
        Whether everybody is covered, and not only the largest of each cell.
    """

    numbers: IntArray = field(repr=False)
    is_holding: BoolArray = field(repr=False)
    stands: BoolArray = field(repr=False)
    start: IntArray = field(repr=False)
    cells: IntArray = field(repr=False)
    amounts: FloatArray = field(repr=False)
    weighted: FloatArray = field(repr=False)
    groups: IntArray | None = field(default=None, repr=False)
    is_whole: bool = True

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def of_entry(self) -> IntArray:
        """The member of each entry."""
        return np.repeat(np.arange(len(self)), np.diff(self.start))

    def find(self, numbers: IntArray, *, holdings: bool) -> IntArray:
        """Return which members these contributors or holdings are, -1 for those who are not listed."""
        of = np.flatnonzero(self.is_holding == holdings)
        if not len(of):
            return np.full(len(numbers), -1, np.int64)
        place = np.minimum(np.searchsorted(self.numbers[of], numbers), len(of) - 1)
        return np.where(self.numbers[of[place]] == numbers, of[place], -1).astype(np.int64)


def listed(sources: Sequence[Source], units: Contributions | None, holdings: Contributions | None) -> Members | None:
    """List everybody who could attack from inside; None where the table knows no contributors.

    Parameters
    ----------
    sources
        Inner cells with their contributors; without them the largest contributors of each cell are listed.
    units, holdings
        The largest contributors of each cell of the table.

    Notes
    -----
    A holding knows what its members have. A member of a holding of one is that holding; members of larger ones are
    listed too, because by a rule for units they must not estimate each other.

    Complexity: O(r c log(r c)) time and O(r c) memory for r pairs of a contributor and an inner cell that are listed, each
    in c cells.
    """
    if units is None and holdings is None:
        return None
    groups = sources[0].groups if sources else None
    is_whole = bool(sources)
    kinds: list[tuple[IntArray, IntArray, FloatArray, IntArray]] = []
    for found, rows in (
        (units, [s.units for s in sources]),
        (holdings, [s.holdings for s in sources if s.holdings is not None]),
    ):
        if found is None:
            kinds.append((np.empty(0, np.int64), np.empty(0, np.int64), np.empty((0, 2)), np.empty(0, np.int64)))
        elif sources and len(rows) == len(sources):
            kinds.append(_spread(sources, rows))
            is_whole &= len(sources) == 1 or all(row.is_whole for row in rows)
        else:
            kinds.append(_largest(found))
            is_whole &= bool((found.counts <= found.depth).all())
    return _numbered(kinds, groups, is_whole)


def _numbered(
    kinds: Sequence[tuple[IntArray, IntArray, FloatArray, IntArray]], groups: IntArray | None, is_whole: bool
) -> Members:
    """Give numbers to contributors, then holdings; a contributor that is a whole holding is left out for it."""
    (owner, cell, amount, stands), group = kinds
    if groups is not None and len(group[0]):
        alone = np.bincount(groups[groups >= 0], minlength=int(groups.max(initial=-1)) + 1) == 1
        of = np.where(owner < len(groups), groups[np.minimum(owner, len(groups) - 1)], -1)
        same = (of >= 0) & alone[np.maximum(of, 0)] & np.isin(of, group[0])
        owner, cell, amount = owner[~same], cell[~same], amount[~same]
    numbers, starts, cells, amounts, kind, standing = [], [np.zeros(1, np.int64)], [], [], [], []
    end = 0  # where nobody is left but holdings, there is no last start to go on from
    for place, (who, where, what, for_others) in enumerate(((owner, cell, amount, stands), group)):
        order = np.lexsort((where, who))
        named, first = np.unique(who[order], return_index=True)
        numbers.append(named)
        starts.append(end + np.append(first, len(order))[1:])
        end += len(order)
        cells.append(where[order])
        amounts.append(what[order])
        kind.append(np.full(len(named), place == 1))
        standing.append(np.isin(named, for_others))
    own, weighted = np.concatenate(amounts).astype(np.float64).T
    return Members(
        np.concatenate(numbers).astype(np.int64),
        np.concatenate(kind).astype(bool),
        np.concatenate(standing).astype(bool),
        np.concatenate(starts).astype(np.int64),
        np.concatenate(cells).astype(np.int64),
        own.copy(),
        weighted.copy(),
        groups,
        is_whole,
    )


def _largest(found: Contributions) -> tuple[IntArray, IntArray, FloatArray, IntArray]:
    cell, place = np.nonzero(found.owners >= 0)
    amount, weight = found.amounts[cell, place], found.weights[cell, place]
    return found.owners[cell, place], cell, np.stack([amount, amount * weight], axis=1), np.empty(0, np.int64)


# --- from inner cells to all cells ------------------------------------------------------------------------------------


def _spread(sources: Sequence[Source], rows: Sequence[Rows]) -> tuple[IntArray, IntArray, FloatArray, IntArray]:
    """Return owners, cells and amounts of those who count, and which of them stand for others."""
    merged = [_merged(each) for each in rows]
    kept, stands = _attackers(merged)
    owners, cells, amounts = [], [], []
    for source, (owner, key, amount) in zip(sources, merged, strict=True):
        here = np.isin(owner, kept)
        found = _upwards(source, owner[here], key[here], amount[here])
        owners.append(found[0])
        cells.append(found[1])
        amounts.append(found[2])
    owner, cell, amount = np.concatenate(owners), np.concatenate(cells), np.concatenate(amounts)
    order = np.lexsort((cell, owner))
    owner, cell, amount = owner[order], cell[order], amount[order]
    # Tables that share a cell tell the same of it.
    first = np.append(True, (owner[1:] != owner[:-1]) | (cell[1:] != cell[:-1]))[: len(owner)]
    return owner[first], cell[first], amount[first], stands


def _merged(rows: Rows) -> tuple[IntArray, IntArray, FloatArray]:
    """Add up rows of one owner in one inner cell."""
    order = np.lexsort((rows.key, rows.owner))
    owner, key, amount = rows.owner[order], rows.key[order], rows.amounts[order]
    first = np.flatnonzero(np.append(True, (owner[1:] != owner[:-1]) | (key[1:] != key[:-1]))[: len(owner)])
    if len(first) == len(owner):
        return owner, key, amount
    return owner[first], key[first], np.add.reduceat(amount, first, axis=0)


def _attackers(merged: Sequence[tuple[IntArray, IntArray, FloatArray]]) -> tuple[IntArray, IntArray]:
    """Return the owners who count, and those of them who stand for others in the same cells."""
    everybody = np.unique(np.concatenate([owner for owner, _, _ in merged]))
    single = np.ones(len(everybody), bool)
    where = np.full((len(everybody), len(merged)), -1, np.int64)
    what = np.zeros((len(everybody), 2 * len(merged)))
    for place, (owner, key, amount) in enumerate(merged):
        at = np.searchsorted(everybody, owner)
        single &= np.bincount(at, minlength=len(everybody)) <= 1
        where[at, place], what[at, 2 * place : 2 * place + 2] = key, np.abs(amount)
    simple = np.flatnonzero(single)
    if not len(simple):
        return everybody, np.empty(0, np.int64)
    label = np.zeros(len(simple), np.int64)
    for column in where[simple].T:
        _, at = np.unique(column, return_inverse=True)
        _, label = np.unique(label * (int(at.max()) + 1) + at, return_inverse=True)
    order = simple[np.lexsort((-what[simple].sum(axis=1), label))]
    label = np.sort(label)
    first = np.flatnonzero(np.append(True, label[1:] != label[:-1]))
    size = np.diff(np.append(first, len(label)))
    rank = np.arange(len(order)) - np.repeat(first, size)
    top = np.repeat(order[first], size)
    second = np.repeat(order[np.minimum(first + 1, len(order) - 1)], size)
    behind = (rank > 1) & (what[order] <= np.minimum(what[top], what[second])).all(axis=1)
    kept = single.copy()
    kept[order[behind]] = False
    kept |= ~single
    stands = np.unique(np.concatenate([top[behind], second[behind]]))
    return everybody[kept], everybody[stands]


def _upwards(
    source: Source, owner: IntArray, key: IntArray, amount: FloatArray
) -> tuple[IntArray, IntArray, FloatArray]:
    """Spread what owners have in inner cells to all cells that contain these."""
    sizes, strides = shape_of(source.dimensions)
    for axis, dimension in enumerate(source.dimensions):
        start, codes = ancestry(dimension)
        code = (key // strides[axis]) % sizes[axis]
        times = start[code + 1] - start[code]
        above = codes[ranges(start[code], times)]
        row = np.repeat(np.arange(len(key)), times)
        owner, key, amount = _merged(Rows(owner[row], key[row] + (above - code[row]) * strides[axis], amount[row]))
    at = np.minimum(np.searchsorted(source.keys, key), max(len(source.keys) - 1, 0))
    there = source.keys[at] == key if len(source.keys) else np.zeros(len(key), bool)
    return owner[there], source.places[at[there]], amount[there]
