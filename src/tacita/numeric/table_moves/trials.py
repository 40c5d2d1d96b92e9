"""Trials: publish some of the hidden cells, meet the demands that relied on them anew, and stay or go back.

A trial stays when what it hides costs no more than what it published, or a little more while the search is hot.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Float1, Float2, Int1, IntArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.table_moves.cheapest_move import DEAR, FOUND
from tacita.numeric.table_moves.pattern_search import ADDED, AFFECTED, CREATED, FULL, PUT_OFF, PatternState, meet
from tacita.numeric.table_moves.proofs import Proofs, remove_move
from tacita.numeric.table_moves.workspace import Net, Workspace

__all__ = ["try_without"]

FIRST = 8
"""Demands that are asked in the order in which they failed before."""
SPARE = 6
"""Most moves of a demand that are kept beyond a trial that failed."""


@kernel
def _publish(proofs: Proofs, state: PatternState, cells: IntArray) -> float:
    """Publish cells and put off every move that relies on them; returns the cost that is saved."""
    for i in range(len(state.sizes)):
        state.sizes[i] = 0
    saved = 0.0
    for j in cells:
        saved += state.cost[j]
        state.hidden[j] = False
        state.fee[j], state.due[j] = state.noisy[j], state.cost[j]
    for j in cells:
        e = proofs.head[j]
        while e >= 0:
            move = proofs.entry_of[e]
            if not proofs.is_off[move]:
                proofs.is_off[move] = True
                state.put_off[state.sizes[PUT_OFF]] = move
                state.sizes[PUT_OFF] += 1
                demand = proofs.owner[move]
                if not proofs.is_open[demand]:
                    proofs.is_open[demand] = True
                    state.affected[state.sizes[AFFECTED]] = demand
                    state.sizes[AFFECTED] += 1
                if state.sizes[PUT_OFF] == len(state.put_off):
                    return -1.0
            e = proofs.entry_next[e]
    return saved


@kernel
def _is_spare(proofs: Proofs, state: PatternState, move: int) -> bool:
    """Whether a move is one more proof of a demand that has few: the next trial may put off the others."""
    for e in range(proofs.begin[move], proofs.begin[move] + proofs.length[move]):
        if not state.hidden[proofs.entry_cell[e]]:
            return False
    other, count = proofs.first[proofs.owner[move]], 0
    while other >= 0:
        count += 1
        other = proofs.following[other]
    return count <= SPARE


@kernel
def _undo(proofs: Proofs, state: PatternState, cells: IntArray) -> None:
    """Hide and publish what was so before. Moves that were found on the way are kept where they hold all the same."""
    for i in range(state.sizes[PUT_OFF]):
        proofs.is_off[state.put_off[i]] = False
    for i in range(state.sizes[ADDED]):
        j = state.added[i]
        state.hidden[j] = False
        state.fee[j], state.due[j] = state.noisy[j], state.cost[j]
    for j in cells:
        state.hidden[j] = True
        state.fee[j], state.due[j] = state.free[j], 0.0
    for i in range(state.sizes[CREATED]):
        if not _is_spare(proofs, state, state.created[i]):
            remove_move(proofs, state.created[i])
    for i in range(state.sizes[AFFECTED]):
        proofs.is_open[state.affected[i]] = False


@kernel
def _ask_first(proofs: Proofs, state: PatternState, cell: int) -> None:
    """Put the demands in front that are likeliest to fail: the one that failed for this cell, then those that fail most often."""
    front, count = 0, state.sizes[AFFECTED]
    for i in range(count):
        if state.affected[i] == state.blocker[cell]:
            state.affected[0], state.affected[i] = state.affected[i], state.affected[0]
            front = 1
    for place in range(front, min(front + FIRST, count)):
        best = place
        for i in range(place + 1, count):
            if state.fails[state.affected[i]] > state.fails[state.affected[best]]:
                best = i
        if state.fails[state.affected[best]] == 0:
            return
        state.affected[place], state.affected[best] = state.affected[best], state.affected[place]


@kernel
def _trial(
    net: Net, work: Workspace, proofs: Proofs, state: PatternState, cells: IntArray, steps: int, allowed: float
) -> tuple[int, float]:
    """Publish some hidden cells and hide others for them; stays when it costs no more than is saved and allowed."""
    saved = _publish(proofs, state, cells)
    if saved < 0.0:
        _undo(proofs, state, cells)
        return DEAR, 0.0
    count, paid, budget = state.sizes[AFFECTED], 0.0, saved + allowed
    _ask_first(proofs, state, cells[0])
    for i in range(count):
        demand = state.affected[i]
        verdict, cost = meet(net, work, proofs, state, demand, budget - paid, steps, False)
        paid += cost
        if verdict != FOUND or paid > budget:
            state.blocker[cells[0]] = demand
            state.fails[demand] += 1
            _undo(proofs, state, cells)
            return (FULL if verdict == FULL else DEAR), 0.0
    for i in range(state.sizes[PUT_OFF]):
        remove_move(proofs, state.put_off[i])
    return FOUND, saved - paid


@kernel
def _grow(net: Net, proofs: Proofs, state: PatternState, chosen: IntArray, size: int, dice: float) -> int:
    """Add a hidden cell that shares a relation with one of the chosen."""
    at = chosen[int(dice * 1009.0) % size]
    rows = net.cell_start[at + 1] - net.cell_start[at]
    if rows == 0:
        return size
    row = net.cell_rows[net.cell_start[at] + int(dice * 9973.0) % rows]
    first, width = net.row_start[row], net.row_start[row + 1] - net.row_start[row]
    offset = int(dice * 99991.0) % width
    for i in range(width):
        j = net.row_cells[first + (offset + i) % width]
        if state.hidden[j] and not proofs.is_fixed[j]:
            is_new = True
            for c in range(size):
                if chosen[c] == j:
                    is_new = False
            if is_new:
                chosen[size] = j
                return size + 1
    return size


@entry
def try_without(
    net: Net,
    work: Workspace,
    proofs: Proofs,
    state: PatternState,
    cells: Int1,
    sizes: Int1,
    allowed: Float1,
    dice: Float2,
    steps: int,
) -> tuple[int, float]:
    """Try to do without hidden cells, one trial after another.

    Parameters
    ----------
    cells
        (t,): a cell for each trial; left out when it is not hidden.
    sizes
        (t,): how many hidden cells a trial takes, with those that stand near the first.
    allowed
        (t,): how much a trial may cost more than it saves; negative for how much it must save.
    dice
        (t, more): numbers from 0 to 1 that choose the others.
    steps
        Most steps of the simplex method for one demand.

    Returns
    -------
    done, saved
        Number of trials made, fewer than t when the store of proofs is full, and the cost that they saved.
    """
    total = 0.0
    chosen = np.empty(1 + dice.shape[1], np.int64)
    for turn in range(len(cells)):
        if not state.hidden[cells[turn]]:
            continue
        chosen[0] = cells[turn]
        size = 1
        for draw in range(dice.shape[1]):
            if size < sizes[turn]:
                size = _grow(net, proofs, state, chosen, size, dice[turn, draw])
        verdict, saved = _trial(net, work, proofs, state, chosen[:size], steps, allowed[turn])
        total += saved
        if verdict == FULL:
            return turn, total
    return len(cells), total
