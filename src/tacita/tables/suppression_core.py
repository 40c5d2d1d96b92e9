"""One block of a protection problem in the form that the exact method works on: moves instead of values.

An attacker's table differs from the true one by a move d with ``A d = 0``; only hidden cells move, and each within its
room. Cells that cannot be hidden, and blocks that no relation ties together, drop out here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tacita.tables.problem import Problem

__all__ = ["OUTSIDER", "Core", "cores_of"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

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
        (g,): their levels; a sliding level that the other two imply is 0.
    slack
        (g,): what may be missing from a level.
    knows
        For each attacker, the outsider first, the cells that he is alone in.
    excused
        (g, attackers): pairs that need no protection, because the attacker is alone in the cell.
    floor
        (g, attackers): the lower level cannot be more than this, because the attacker has the rest of the cell himself.
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
    excused: BoolArray = field(repr=False)
    floor: FloatArray = field(repr=False)

    def level_below(self, guard: Any, who: Any) -> Any:
        """The lower level of guarded cells as it can be asked for from an attacker."""
        return np.minimum(self.below[guard], self.floor[guard, who])

    @property
    def size(self) -> int:
        """Number of cells."""
        return len(self.cells)

    @property
    def attackers(self) -> int:
        """Number of attackers, the outsider included."""
        return len(self.knows)

    def touched(self, moves: BoolArray) -> BoolArray:
        """Return for each attacker whether he is alone in a cell that moves."""
        found: BoolArray = (self._known @ moves.astype(np.float64)) > 0
        return found

    @property
    def _known(self) -> Any:
        import scipy.sparse as sp

        made = self.__dict__.get("_known_matrix")
        if made is None:
            start = np.cumsum([0, *(len(own) for own in self.knows)])
            own = np.concatenate([*self.knows, np.empty(0, np.int64)]).astype(np.int64)
            made = sp.csr_array((np.ones(len(own)), own, start), shape=(len(self.knows), self.size))
            self.__dict__["_known_matrix"] = made
        return made


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
    place, owner = problem.seats.by_cell(problem.size)
    return [_core(problem, np.sort(cells[order[ends[b] : ends[b + 1]]]), owner, place) for b in wanted]


def _core(problem: Problem, cells: IntArray, owner: IntArray, place: IntArray) -> Core:
    inside = np.zeros(problem.size, bool)
    inside[cells] = True
    part, relations = problem.relations.among(inside)
    a = problem.values[cells]
    up, down = np.maximum(problem.upper[cells] - a, 0.0), np.maximum(a - problem.lower[cells], 0.0)
    above, below, sliding = problem.above[cells], problem.below[cells], problem.sliding[cells]
    # What one side cannot give the other must: these levels follow, and make better cuts than the width alone.
    above, below = np.maximum(above, sliding - down), np.maximum(below, sliding - up)
    forced = problem.unsafe[cells]
    guarded = np.flatnonzero(forced & ((above > 0) | (below > 0) | (sliding > 0)))
    knows, seat_of = _attackers(cells, owner, place)
    excused = np.zeros((len(guarded), len(knows)), bool)
    for attacker, own in enumerate(knows):
        excused[:, attacker] = np.isin(guarded, own)
    floor = np.full(excused.shape, np.inf)
    for attacker, seat in enumerate(seat_of):
        own, _ = problem.seats.shared(seat) if seat >= 0 else (np.empty(0, np.int64), None)
        if len(own):
            part_in = np.flatnonzero(np.isin(cells[guarded], own))
            floor[part_in, attacker] = problem.below_from(seat, cells[guarded[part_in]])
    # A sliding level is implied where the two others add up to it, from whichever seat.
    implied = sliding[guarded] <= above[guarded] + np.minimum(below[guarded], floor.min(axis=1, initial=np.inf))
    levels = (above[guarded], below[guarded], np.where(implied, 0.0, sliding[guarded]))
    # A level below the solver's tolerance is still a level: half of it must be reached in any case.
    least = np.min([np.where(level > 0, level, np.inf) for level in levels], axis=0)
    slack = np.minimum(problem.tolerance()[cells][guarded], 0.5 * least)
    return Core(
        cells,
        relations,
        part.matrix,
        up,
        down,
        problem.cost[cells],
        forced,
        guarded,
        *levels,
        slack,
        knows,
        excused,
        floor,
    )


def _attackers(cells: IntArray, owner: IntArray, place: IntArray) -> tuple[tuple[IntArray, ...], list[int]]:
    """The outsider, who knows nothing, and every seat that knows a cell of the block; and the number of each seat."""
    known: dict[int, list[int]] = {}
    for local, cell in enumerate(cells.tolist()):
        for seat in owner[place[cell] : place[cell + 1]].tolist():
            known.setdefault(seat, []).append(local)
    order = sorted(known, key=lambda seat: known[seat])
    return (np.empty(0, np.int64), *(np.array(known[seat], np.int64) for seat in order)), [-1, *order]
