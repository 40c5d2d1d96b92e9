"""Subtables of a hierarchical table: one sum of every dimension, crossed; each is a plain table with its margins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from tacita.core.arrays import IntArray
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.grid import ranges
from tacita.tables.model.relations import Relations
from tacita.tables.model.seats import Seats
from tacita.tables.model.table import Table
from tacita.tables.protect.problem import Problem

__all__ = ["Subtable", "part_of", "subtables"]


@dataclass(frozen=True, eq=False)
class Subtable:
    """A plain table within a larger one.

    Parameters
    ----------
    grid
        Cell numbers, one axis for each dimension that is broken down; the total is the first place of its axis. -1
        where the table has no such cell.
    depth
        Steps from the totals of all dimensions down to this table.
    """

    grid: IntArray = field(repr=False)
    depth: int

    @property
    def cells(self) -> IntArray:
        """The cells, ascending."""
        return np.unique(self.grid[self.grid >= 0]).astype(np.int64)


def subtables(table: Table) -> list[Subtable]:
    """Return all plain tables that a table is made of, from the top down.

    Every relation of the table lies within at least one of them. A dimension in which a cell has a code that is part of no
    sum is not broken down there, so that linked tables of different dimensions each have their own.

    Complexity: O(cells x dimensions) for trees.
    """
    depths, lists = [], []
    for dimension in table.dimensions:
        depth = _depths(dimension)
        sums = [[dimension.places[code] for code in (total, *parts)] for total, parts in dimension.sums]
        depths.append([depth[total] for total, _ in dimension.sums])
        lists.append(sums)
    parts = np.zeros(len(table), np.int64) if table.parts is None else table.parts
    keys = _without_margins(_keys(table, lists, parts), lists)
    sizes = [len(d.codes) for d in table.dimensions]
    number = {key: cell for cell, key in enumerate(zip(*table.codes.T.tolist(), parts.tolist(), strict=True))}
    found = []
    for *axes, part in keys:
        codes = [lists[d][a] if a >= 0 else [-1 - a] for d, a in enumerate(axes)]
        mesh = np.stack(np.meshgrid(*codes, indexing="ij"), axis=-1).reshape(-1, len(sizes))
        cells = np.array([number.get((*code, part), -1) for code in map(tuple, mesh.tolist())], np.int64)
        shape = [len(c) for c in codes if len(c) > 1]
        below = sum(depths[d][a] for d, a in enumerate(axes) if a >= 0)
        if (cells >= 0).sum() > 1:
            found.append(Subtable(cells.reshape(shape), below))
    return sorted(found, key=lambda subtable: subtable.depth)


def _depths(dimension: Dimension) -> Mapping[str, int]:
    """Steps from a code up to one that is part of no sum; the longest way."""
    above: dict[str, list[str]] = {}
    for total, parts in dimension.sums:
        for part in parts:
            above.setdefault(part, []).append(total)
    depth: dict[str, int] = {}
    waiting = list(dimension.codes)
    while waiting:
        ready = [code for code in waiting if all(total in depth for total in above.get(code, ()))]
        for code in ready:
            depth[code] = max((depth[total] + 1 for total in above.get(code, ())), default=0)
        waiting = [code for code in waiting if code not in depth]
    return depth


def _keys(table: Table, lists: list[list[list[int]]], parts: IntArray) -> set[tuple[int, ...]]:
    """For each cell the sums that its codes are parts of: numbers of sums, or -1 - code where there is none."""
    rows = np.arange(len(table))
    columns: list[IntArray] = []
    for axis, sums in enumerate(lists):
        within: list[list[int]] = [[] for _ in table.dimensions[axis].codes]
        for place, codes in enumerate(sums):
            for code in codes[1:]:
                within[code].append(place)
        ways = [of or [-1 - code] for code, of in enumerate(within)]
        times = np.array([len(of) for of in ways], np.int64)[table.codes[rows, axis]]
        picked = np.array([way for code in table.codes[rows, axis].tolist() for way in ways[code]], np.int64)
        rows = np.repeat(rows, times)
        columns = [np.repeat(column, times) for column in columns] + [picked]
    both = np.unique(np.stack([*columns, parts[rows]], axis=1), axis=0)
    return set(map(tuple, both.tolist()))


def _without_margins(keys: set[tuple[int, ...]], lists: list[list[list[int]]]) -> list[tuple[int, ...]]:
    """Leave out tables that are the margin of another: a code that is not broken down, where it is in the other."""
    kept = []
    for key in sorted(keys):
        wider = (
            (*key[:axis], place, *key[axis + 1 :])
            for axis, at in enumerate(key[:-1])
            if at < 0
            for place, codes in enumerate(lists[axis])
            if codes[0] == -1 - at
        )
        if not any(other in keys for other in wider):
            kept.append(key)
    return kept


def part_of(problem: Problem, cells: IntArray) -> Problem:
    """The problem of some cells alone, numbered anew: the relations that lie within them, and their seats."""
    relations = problem.relations
    columns = relations.columns
    place = np.full(problem.size, -1, np.int64)
    place[cells] = np.arange(len(cells))
    lengths = columns.indptr[cells + 1] - columns.indptr[cells]
    rows = np.unique(columns.indices[ranges(columns.indptr[cells], lengths)])
    width = np.diff(relations.start)[rows]
    entries = ranges(relations.start[rows], width)
    row = np.repeat(np.arange(len(rows)), width)
    is_inside = np.bincount(row[place[relations.cells[entries]] < 0], minlength=len(rows)) == 0
    entries = entries[is_inside[row]]
    seats, kept = _seats_within(problem.seats, place)
    return replace(
        problem,
        relations=Relations(
            np.concatenate([[0], np.cumsum(width[is_inside])]).astype(np.int64),
            place[relations.cells[entries]],
            relations.signs[entries],
            len(cells),
        ),
        **{
            name: getattr(problem, name)[cells]
            for name in ("values", "lower", "upper", "unsafe", "below", "above", "sliding", "cost", "locked")
        },
        seats=seats,
        inside=None if problem.inside is None else problem.inside.within(cells, kept, len(cells)),
    )


def _seats_within(seats: Seats, place: IntArray) -> tuple[Seats, IntArray]:
    """The seats that know something of a cell with a place, and which they were."""
    seat, cell, amount = seats.parts()
    alone, shared = np.flatnonzero(place[seats.cells] >= 0), np.flatnonzero(place[cell] >= 0)
    single = seats.seat_of_cell[alone]
    kept = np.unique(np.concatenate([single, seat[shared]]))
    made = Seats.among(
        len(kept),
        (place[seats.cells[alone]], np.searchsorted(kept, single)),
        (place[cell[shared]], np.searchsorted(kept, seat[shared]), amount[shared]),
        floors=True,
        owners=seats.owners[kept],
        holdings=None if seats.holdings is None else seats.holdings[kept],
    )
    return made, kept
