"""One block of a protection problem in the form that the exact method works on: moves instead of values.

An attacker's table differs from the true one by a move d with ``A d = 0``; only hidden cells move, and each within its
room. Cells that cannot be hidden, and blocks that no relation ties together, drop out here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.tables.protect.problem import Problem

__all__ = ["OUTSIDER", "Core", "cores_of"]


OUTSIDER = 0
"""Place of the outsider among the attackers of a core; the seats follow."""


@dataclass(frozen=True, eq=False)
class Core:
    """Cells that can be hidden and that relations tie together.

    Parameters
    ----------
    cells
        (m,): numbers of the cells in the problem; all other numbers here are places in this list.
    relations
        Numbers of the relations in the problem.
    rows
        Sparse matrix of the relations between these cells.
    up, down
        (m,): how far a hidden cell can move, infinite where nobody knows a bound.
    cost
        (m,): what hiding costs.
    forced
        (m,): unsafe cells, hidden in any case.
    guarded
        (g,): unsafe cells with a level to reach.
    above, below, sliding
        (g, attackers): their levels from each attacker's place, the outsider first; a sliding level that the other two imply
        is 0, and so is what the protection from the outsider implies.
    slack
        (g,): what may be missing from a level.
    knows
        For each attacker, the outsider first, the cells that he is alone in.
    known_cells, known_by, known_rooms
        Cells that attackers know something of, by cell; who; and how far under its value it can be to him, -1 where he is
        alone.
    """

    cells: IntArray = field(repr=False)
    relations: IntArray = field(repr=False)
    rows: Any = field(repr=False)
    up: FloatArray = field(repr=False)
    down: FloatArray = field(repr=False)
    cost: FloatArray = field(repr=False)
    forced: BoolArray = field(repr=False)
    guarded: IntArray = field(repr=False)
    above: FloatArray = field(repr=False)
    below: FloatArray = field(repr=False)
    sliding: FloatArray = field(repr=False)
    slack: FloatArray = field(repr=False)
    knows: tuple[IntArray, ...] = field(repr=False)
    known_cells: IntArray = field(repr=False)
    known_by: IntArray = field(repr=False)
    known_rooms: FloatArray = field(repr=False)

    @property
    def size(self) -> int:
        """Number of cells."""
        return len(self.cells)

    @property
    def attackers(self) -> int:
        """Number of attackers, the outsider included."""
        return len(self.knows)

    def touched(self, moves: BoolArray) -> BoolArray:
        """Return for each attacker whether he knows something of a cell that moves."""
        found = np.zeros(self.attackers, bool)
        found[self.known_by[moves[self.known_cells]]] = True
        return found

    def rooms_of(self, who: int) -> tuple[FloatArray, FloatArray]:
        """Return how far each cell can move down and up to an attacker, when it is hidden."""
        down, up = self.down.copy(), self.up.copy()
        mine = np.flatnonzero(self.known_by == who) if who != OUTSIDER else np.empty(0, np.int64)
        cells, rooms = self.known_cells[mine], self.known_rooms[mine]
        down[cells] = np.minimum(down[cells], np.maximum(rooms, 0.0))
        up[cells[rooms < 0]] = 0.0
        return down, up

    def lengths(self, cells: IntArray, steps: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return (attackers,) each: how many times a move, and its opposite, can be made as each attacker sees it."""
        size, rising = np.abs(steps), steps > 0
        start = self._known_start
        count = start[cells + 1] - start[cells]
        entry = np.repeat(start[cells] - np.cumsum(count) + count, count) + np.arange(int(count.sum()))
        who, room = self.known_by[entry], np.maximum(self.known_rooms[entry], 0.0)
        alone, far, up = self.known_rooms[entry] < 0, np.repeat(size, count), np.repeat(rising, count)
        found = []
        for falls, public in ((~up, np.where(rising, self.up[cells], self.down[cells])),
                              (up, np.where(rising, self.down[cells], self.up[cells]))):  # fmt: skip
            length = np.full(self.attackers, float((public / size).min()))
            counts = falls | alone
            np.minimum.at(length, who[counts], room[counts] / far[counts])
            found.append(length)
        return found[0], found[1]

    @cached_property
    def _known_start(self) -> IntArray:
        return np.searchsorted(self.known_cells, np.arange(self.size + 1)).astype(np.int64)


def cores_of(problem: Problem) -> list[Core]:
    """Split a problem into the blocks that have a level to reach; other unsafe cells only have to be hidden."""
    free = problem.can_hide
    cells = np.flatnonzero(free)
    reduced, _ = problem.relations.among(free)
    blocks = reduced.blocks()
    needs = (problem.above > 0) | (problem.below > 0) | (problem.sliding > 0)
    wanted = np.unique(blocks[(problem.unsafe & needs)[cells]])
    order = np.argsort(blocks, kind="stable")
    ends = np.searchsorted(blocks[order], np.arange(len(np.unique(blocks)) + 1))
    return [_core(problem, np.sort(cells[order[ends[b] : ends[b + 1]]])) for b in wanted]


def _core(problem: Problem, cells: IntArray) -> Core:
    inside = np.zeros(problem.size, bool)
    inside[cells] = True
    part, relations = problem.relations.among(inside)
    a = problem.values[cells]
    up, down = np.maximum(problem.upper[cells] - a, 0.0), np.maximum(a - problem.lower[cells], 0.0)
    forced = problem.unsafe[cells]
    needs = (problem.above > 0) | (problem.below > 0) | (problem.sliding > 0)
    guarded = np.flatnonzero(forced & needs[cells])
    who, where, room, levels = _attackers(problem, cells, cells[guarded], down)
    below, above, sliding = levels
    # What one side cannot give the other must: these levels follow, and make better cuts than the width alone.
    above = np.maximum(above, sliding - down[guarded][:, None])
    below = np.maximum(below, sliding - up[guarded][:, None])
    sliding = np.where(sliding <= above + below, 0.0, sliding)
    # A level below the solver's tolerance is still a level: half of it must be reached in any case.
    least = np.min(
        [np.where(level > 0, level, np.inf).min(axis=1, initial=np.inf) for level in (below, above, sliding)], axis=0
    )
    slack = np.minimum(problem.tolerance()[cells][guarded], 0.5 * least)
    order = np.argsort(where, kind="stable")
    alone = room < 0
    return Core(
        cells,
        relations,
        part.matrix,
        up,
        down,
        problem.cost[cells],
        forced,
        guarded,
        above,
        below,
        sliding,
        slack,
        tuple(np.sort(where[alone & (who == number)]) for number in range(above.shape[1])),
        where[order],
        who[order],
        room[order],
    )


def _attackers(
    problem: Problem, cells: IntArray, guarded: IntArray, down: FloatArray
) -> tuple[IntArray, IntArray, FloatArray, FloatArray]:
    """What attackers know of the cells of a block (who, place, room), and (3, g, attackers): the levels from their places.

    A move of the outsider that is followed only a part of the way is one to whoever has no more of any
    cell than the rest of the way takes. So where less is asked from a seat by as much as its largest share, the outsider's
    level implies the seat's. Seats without a level that is not implied are left out.
    """
    outside = problem.levels_from(None, guarded)
    place = np.full(problem.size, -1, np.int64)
    place[cells] = np.arange(len(cells))
    start, known, room = problem.rooms_of_seats
    seat = np.repeat(np.arange(len(problem.seats)), np.diff(start))
    there = np.flatnonzero(place[known] >= 0)
    seat, where, room = seat[there], place[known[there]], room[there]
    left = np.ones(len(problem.seats))
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(room < 0, 0.0, np.where(down[where] > 0, room / down[where], 1.0))
    np.minimum.at(left, seat, np.where(np.isnan(share), 0.0, share))
    numbers = np.unique(seat)
    inside = problem.from_inside
    found, kept = [outside.T], []
    for number in numbers.tolist():
        levels = inside.of_seat(number, guarded)
        implied = levels <= left[number] * outside * (1 - 1e-12)
        width = left[number] * np.maximum(outside[:, 2], outside[:, :2].sum(axis=1))
        implied[:, 2] |= implied[:, :2].all(axis=1) & (levels[:, 2] <= width)
        levels = np.where(implied, 0.0, levels)
        if (levels > 0).any():
            found.append(levels.T)
            kept.append(number)
    mine = np.isin(seat, kept)
    who = 1 + np.searchsorted(np.array(kept, np.int64), seat[mine])
    return who.astype(np.int64), where[mine].astype(np.int64), room[mine], np.stack(found, axis=2)
