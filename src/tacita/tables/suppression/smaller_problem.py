"""A problem without the cells that no pattern can use, and with one cell for those that are always hidden together.

A cell that cannot be hidden does not move, so it leaves the relations. A cell that is alone in what is left of a relation cannot
move either. Two cells that are left in a relation as a total and its only part move by the same amount: one published gives
the other away, so both are hidden or none is, and they become one cell that costs as much as both and asks for the wider
levels of the two, as long as every contributor knows the same of both. Deep tables of few firms lose most of their cells by that.

A pattern of the smaller problem is brought back and is as safe as it was: moves of the one are moves of the other. The audit
never looks at the smaller problem.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.tables.model.relations import Relations
from tacita.tables.model.seats import Seats
from tacita.tables.protect.infeasible import InfeasibleError
from tacita.tables.protect.problem import Problem
from tacita.tables.rules.inside import Inside

__all__ = ["SmallerProblem"]


@dataclass(frozen=True, eq=False)
class SmallerProblem:
    """A problem made smaller, and the way back.

    Parameters
    ----------
    original
        The problem that it was made from.
    problem
        The smaller one.
    place
        (n,): the cell of the smaller problem that each cell became, -1 for cells that left.
    rows
        The relation that each relation of the smaller problem comes from.
    """

    original: Problem = field(repr=False)
    problem: Problem = field(repr=False)
    place: IntArray = field(repr=False)
    rows: IntArray = field(repr=False)

    @classmethod
    def of(cls, problem: Problem) -> SmallerProblem:
        """Make a problem smaller. O(entries of the relations) for each time that something changes, a few times in all.

        Unsafe cells never leave, even where nothing can protect them: that is for the search to say.
        """
        free = problem.can_hide | problem.unsafe
        rows = problem.relations.matrix
        while True:  # ends: a cell leaves in every turn but the last
            left = np.diff(rows[:, np.flatnonzero(free)].tocsr().indptr)
            alone = abs(rows)[left == 1].sum(axis=0) > 0 if (left == 1).any() else np.zeros(problem.size, bool)
            stuck = np.asarray(alone).ravel() & free & ~problem.unsafe
            if not stuck.any():
                break
            free &= ~stuck
        place, matrix = _merged(rows, free, _knowledge(problem))
        matrix, kept = _distinct(matrix)
        return cls(problem, _made(problem, place, Relations.of_matrix(matrix)), place, kept)

    def forth(self, hidden: BoolArray) -> BoolArray:
        """Return a pattern of the original as one of the smaller problem: hidden where all of the cells are, and where unsafe."""
        found = np.ones(self.problem.size, bool)
        there = self.place >= 0
        np.logical_and.at(found, self.place[there], np.asarray(hidden, bool)[there])
        return found | self.problem.unsafe

    def back(self, hidden: BoolArray) -> BoolArray:
        """Return a pattern of the smaller problem as one of the original."""
        return np.append(hidden, False)[self.place]  # the last one is for cells that left

    def lifted(self, error: InfeasibleError) -> InfeasibleError:
        """Return an error of the smaller problem with cells, relations and counts of the original."""
        named = np.isin(self.place, np.asarray(error.cells, np.int64)) & self.original.unsafe
        tail = str(error).partition(": even")[2]
        return InfeasibleError(
            f"No pattern protects {int(named.sum())} of {int(self.original.unsafe.sum())} unsafe cells: even{tail}",
            cells=np.flatnonzero(named).tolist(),
            relations=self.rows[np.asarray(error.relations, np.int64)].tolist(),
        )


def _merged(rows: Any, free: BoolArray, knowledge: IntArray) -> tuple[IntArray, Any]:
    """Return which cell each cell becomes, and the relations of these; each turn merges what became a pair by the last."""
    import scipy.sparse as sp
    from scipy.sparse.csgraph import connected_components

    place = np.where(free, np.cumsum(free) - 1, -1).astype(np.int64)
    matrix, knowledge = rows[:, np.flatnonzero(free)].tocsr(), knowledge[free]
    while True:  # ends: cells become fewer in every turn but the last
        matrix.eliminate_zeros()
        length = np.diff(matrix.indptr)
        first = matrix.indptr[:-1][length == 2]
        signs = matrix.data[first] * matrix.data[first + 1]
        alike = knowledge[matrix.indices[first]] == knowledge[matrix.indices[first + 1]]
        pair = first[(signs == -1.0) & alike]  # a total and its only part, of which everybody knows the same
        if not len(pair):
            return place, matrix
        n = matrix.shape[1]
        ties = sp.coo_array((np.ones(len(pair)), (matrix.indices[pair], matrix.indices[pair + 1])), shape=(n, n))
        count, label = connected_components(ties, directed=False)
        place = np.where(place >= 0, label[place], -1).astype(np.int64)
        knowledge = knowledge[np.unique(label, return_index=True)[1]]
        onto = sp.csr_array((np.ones(n), (np.arange(n), label)), shape=(n, count))
        matrix = sp.csr_array(matrix @ onto)


def _knowledge(problem: Problem) -> IntArray:
    """Return a number for each cell that is the same for cells of which all seats know and are asked the same."""
    start, cells, room = problem.rooms_of_seats
    seat = np.repeat(np.arange(len(start) - 1), np.diff(start))
    who, where, amount = problem.seats.parts()
    found = np.zeros(problem.size, np.uint64)
    for at, number, part in ((cells, seat, room), (where, who, amount)):
        mixed = (number.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= np.asarray(part, np.float64).view(np.uint64) * np.uint64(0xD6E8FEB86659FD93)
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        np.add.at(found, at, mixed ^ (mixed >> np.uint64(32)))
    return np.unique(found, return_inverse=True)[1].ravel().astype(np.int64)


def _distinct(matrix: Any) -> tuple[Any, IntArray]:
    """Return the relations that say something, each once, and where they stood."""
    matrix.sort_indices()
    seen: set[bytes] = set()
    kept = []
    for r, (a, b) in enumerate(zip(matrix.indptr[:-1].tolist(), matrix.indptr[1:].tolist(), strict=True)):
        if a == b:
            continue
        signs = matrix.data[a:b] * np.sign(matrix.data[a])
        key = matrix.indices[a:b].tobytes() + signs.tobytes()
        if key not in seen:
            seen.add(key)
            kept.append(r)
    return matrix[kept], np.array(kept, np.int64)


def _made(problem: Problem, place: IntArray, relations: Relations) -> Problem:
    size, there = relations.size, place >= 0
    to = place[there]

    def most(values: FloatArray, start: float = 0.0) -> FloatArray:
        found = np.full((size, *values.shape[1:]), start)
        np.maximum.at(found, to, values[there])
        return found

    levels = [np.where(problem.unsafe, level, 0.0) for level in (problem.below, problem.above, problem.sliding)]
    values = np.zeros(size)
    values[to] = problem.values[there]
    inside = problem.inside
    if inside is not None:
        inside = _inside(inside, problem.unsafe, place, most(np.where(problem.unsafe[:, None], inside.most, 0.0)))
    return replace(
        problem,
        relations=relations,
        values=values,
        lower=values + most(problem.lower - problem.values, -np.inf),  # what is between may be published: rooms count
        upper=values - most(problem.values - problem.upper, -np.inf),
        unsafe=most(problem.unsafe.astype(np.float64)) > 0,
        below=most(levels[0]),
        above=most(levels[1]),
        sliding=most(levels[2]),
        cost=np.asarray(np.bincount(to, weights=problem.cost[there], minlength=size), np.float64),
        locked=np.zeros(size, bool),
        seats=_seats(problem.seats, place, size),
        inside=inside,
    )


def _seats(seats: Seats, place: IntArray, size: int) -> Seats:
    """What seats know of the cells that are left: to be alone in one of those that became one is to know it."""

    def ordered(seat: IntArray, cells: IntArray) -> tuple[IntArray, IntArray]:
        return np.divmod(np.unique(seat * size + cells), max(size, 1))

    def starts(seat: IntArray) -> IntArray:
        return np.searchsorted(seat, np.arange(len(seats) + 1)).astype(np.int64)

    cells, who = place[seats.cells], seats.seat_of_cell
    who, cells = ordered(who[cells >= 0], cells[cells >= 0])
    seat, own, amount = seats.parts()
    own = place[own]
    shared = (own >= 0) & ~np.isin(seat * size + own, who * size + cells)
    key, amount = (seat * size + own)[shared], amount[shared]
    named, at = np.unique(key, return_inverse=True)
    most = np.full(len(named), -np.inf)
    np.maximum.at(most, at.ravel(), amount)
    has_parts = seats.own_start is not None
    return replace(
        seats,
        start=starts(who),
        cells=cells,
        own_start=starts(named // max(size, 1)) if has_parts else None,
        own_cells=(named % max(size, 1)).astype(np.int64) if has_parts else None,
        own_amounts=most if has_parts else None,
    )


def _inside(inside: Inside, unsafe: BoolArray, place: IntArray, most: FloatArray) -> Inside:
    """The widest level that any of the cells that became one asks from a seat."""
    members = np.flatnonzero(unsafe & (place >= 0))
    members = members[np.argsort(place[members], kind="stable")]
    start = np.searchsorted(place[members], np.arange(len(most) + 1))
    width = int(inside.seats.max(initial=0)) + 1
    listed = unsafe[inside.cells] & (place[inside.cells] >= 0)
    cell, seat = np.divmod(np.unique(place[inside.cells[listed]] * width + inside.seats[listed]), width)
    count = np.diff(start)[cell]
    entry = np.repeat(start[cell] - np.cumsum(count) + count, count) + np.arange(int(count.sum()))
    asked = inside.of_pairs(members[entry], np.repeat(seat, count))
    levels = np.full((len(cell), 3), 0.0)
    np.maximum.at(levels, np.repeat(np.arange(len(cell)), count), asked)
    return Inside.of(most, cell, seat, levels)
