"""The search for a cheap safe pattern: meet one demand after another, by the cheapest moves.

Hidden cells move (almost) free of charge, all others for their cost, so the cheapest move of a cell says which cells are to
be hidden for it. What one demand needs is offered to all others. :mod:`tacita.numeric.table_moves.trials` then tries to
do without what was hidden.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacita.core.arrays import Bool1, BoolArray, Float1, FloatArray, Int1, Int2, IntArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.table_moves.cheapest_move import DEAR, FOUND, GAVE_UP, priced_move
from tacita.numeric.table_moves.proofs import Proofs, helps, open_seats, share_of, store_move
from tacita.numeric.table_moves.workspace import Net, Workspace

__all__ = [
    "ADDED",
    "AFFECTED",
    "CREATED",
    "FULL",
    "PUT_OFF",
    "PatternState",
    "hide",
    "make_pattern_state",
    "meet",
    "meet_all",
]


FULL = 4
"""Verdict beside those of a move: the store of proofs has no room left."""

_ROUNDS = 2
_NEARLY = 0.99
NOISE = 0.25
"""Fees are drawn up to this share above the costs, so that trials do not repeat themselves."""
ADDED, CREATED, PUT_OFF, AFFECTED = 0, 1, 2, 3
"""Places in ``PatternState.sizes``."""


class PatternState(NamedTuple):
    """What is hidden, what hiding costs, and what a trial would have to undo."""

    hidden: Bool1
    cost: Float1
    fee: Float1
    """(n,): what a move is charged for a cell: ``free`` where it is hidden, about its cost elsewhere."""
    free: Float1
    noisy: Float1
    due: Float1
    """(n,): what a cell would cost: 0 where it is hidden."""
    blocked: Bool1
    blocker: Int1
    """(n,): the demand that kept a cell from being published the last time."""
    fails: Int1
    """(D,): how often a demand kept a cell from being published."""
    best_cells: Int1
    best_moves: Float1
    scaled: Int1
    added: Int1
    created: Int1
    put_off: Int1
    affected: Int1
    failures: Int2
    """(F, 3): demands that could not be met, the seat it was for (-1: everybody), and the verdict."""
    failed: Int1
    """(1,): how many there are."""
    kept_cells: Int1
    kept_rooms: Float1
    """Rooms to be given back when a seat has been looked at."""
    spare: Float1
    """What hidden cells may charge for a move that counts as free."""
    sizes: Int1


def make_pattern_state(hidden: BoolArray, cost: FloatArray, free: FloatArray, demands: int, known: int) -> PatternState:
    """Make the state of a pattern to start from; seats know ``known`` things of cells altogether."""
    n = len(hidden)
    return PatternState(
        hidden.copy(),
        cost,
        np.where(hidden, free, cost),
        free,
        cost.copy(),
        np.where(hidden, 0.0, cost),
        np.zeros(n, np.bool_),
        np.full(n, -1, np.int64),
        np.zeros(demands, np.int64),
        np.empty(n, np.int64),
        np.empty(n),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.empty(100_000, np.int64),
        np.empty(100_000, np.int64),
        np.empty(demands, np.int64),
        np.empty((2 * demands + 100, 3), np.int64),
        np.zeros(1, np.int64),
        np.empty(known, np.int64),
        np.empty(known),
        np.array([0.5 * cost.min(initial=1.0)]),
        np.zeros(4, np.int64),
    )


@kernel
def hide(state: PatternState, cell: int) -> None:
    """Hide a cell from now on."""
    state.hidden[cell] = True
    state.fee[cell], state.due[cell] = state.free[cell], 0.0
    state.added[state.sizes[ADDED]] = cell
    state.sizes[ADDED] += 1


@kernel
def _sit(net: Net, proofs: Proofs, state: PatternState, seat: int, kept: int) -> int:
    """See the table from a seat: its cells stand still, and floors take room; returns how many rooms are to be given back."""
    for i in range(proofs.seat_start[seat], proofs.seat_start[seat + 1]):
        j, room = proofs.seat_cells[i], proofs.seat_rooms[i]
        if room < 0.0:
            state.blocked[j] = True
        elif room < net.room[j, 1]:
            state.kept_cells[kept], state.kept_rooms[kept] = j, net.room[j, 1]
            kept += 1
            net.room[j, 1] = room
    return kept


@kernel
def _stand_up(net: Net, proofs: Proofs, state: PatternState, count: int, kept: int) -> None:
    for i in range(kept - 1, -1, -1):
        net.room[state.kept_cells[i], 1] = state.kept_rooms[i]
    for s in range(count):
        seat = proofs.opened[s]
        for i in range(proofs.seat_start[seat], proofs.seat_start[seat + 1]):
            state.blocked[proofs.seat_cells[i]] = False


@kernel
def _charge_by_use(net: Net, work: Workspace, state: PatternState, count: int, amount: float, scaled: int) -> int:
    """Charge the whole cost of a cell for the little that it moved; returns how many fees are changed by now."""
    for i in range(1, count):
        j, share = work.cells[i], abs(work.moves[i] / amount)
        room = min(net.room[j, 0 if work.moves[i] > 0 else 1] / abs(amount), 1.0)
        if not state.hidden[j] and share < _NEARLY * room:
            if state.fee[j] == state.noisy[j]:
                state.scaled[scaled] = j
                scaled += 1
            state.fee[j] = state.noisy[j] * room / share * (1.0 + 1e-9)
    return scaled


@kernel
def _buy(
    net: Net, work: Workspace, state: PatternState, cell: int, amount: float, budget: float, steps: int
) -> tuple[int, int]:
    """Find the cells to hide for a move, by cost; the linear charge is corrected by use and asked again."""
    best, least, size, scaled = DEAR, np.inf, 0, 0
    for turn in range(_ROUNDS + 1):
        purse = max(min(budget, least), 0.0)
        limit = min(budget, least) * (1.0 + NOISE) + state.spare[0]
        verdict, count = priced_move(net, work, state.fee, state.due, state.blocked, cell, amount, purse, limit, steps)
        if verdict != FOUND:
            if turn == 0:
                best = verdict
            break
        total = 0.0
        for i in range(count):
            if not state.hidden[work.cells[i]]:
                total += state.cost[work.cells[i]]
        if total < least and total <= budget:
            best, least, size = FOUND, total, count
            for i in range(count):
                state.best_cells[i], state.best_moves[i] = work.cells[i], work.moves[i]
        before = scaled
        scaled = _charge_by_use(net, work, state, count, amount, scaled)
        if total == 0.0 or scaled == before:
            break
    for i in range(scaled):
        state.fee[state.scaled[i]] = state.noisy[state.scaled[i]]
    return best, size


@kernel
def _keep(net: Net, proofs: Proofs, state: PatternState, demand: int, size: int, share: float) -> float:
    """Hide the cells of the move that was bought, store it and offer it to others; returns the cost, -1 when full.

    The move is as long as a share of the amount; it is stored for the whole, with how far it really goes.
    """
    cells, moves = state.best_cells[:size], state.best_moves[:size]
    paid, up, down = 0.0, np.inf, np.inf
    for i in range(size):
        moves[i] /= share
        to = 0 if moves[i] > 0 else 1
        up = min(up, net.room[cells[i], to] / abs(moves[i]))
        down = min(down, net.room[cells[i], 1 - to] / abs(moves[i]))
    if not _store(proofs, state, demand, cells, moves, 1.0, max(up, share)):
        return -1.0
    for i in range(size):
        j = cells[i]
        if not state.hidden[j]:
            paid += state.cost[j]
            hide(state, j)
    for i in range(size):
        for side in range(2):
            other = proofs.demand_of[cells[i], side]
            if other < 0 or not proofs.is_open[other] or other == demand:
                continue
            times = proofs.amount[other] / moves[i]
            is_wanted = -down <= times <= up and helps(proofs, other, cells, moves, times)
            reach = up / times if times > 0 else down / -times
            if is_wanted and not _store(proofs, state, other, cells, moves, times, reach):
                return -1.0
    return paid


@kernel
def _store(
    proofs: Proofs, state: PatternState, demand: int, cells: IntArray, moves: FloatArray, times: float, reach: float
) -> bool:
    if state.sizes[CREATED] == len(state.created):
        return False
    made = store_move(proofs, demand, cells, moves, times, reach)
    if made < 0:
        return False
    if state.sizes[CREATED] >= 0:
        state.created[state.sizes[CREATED]] = made
        state.sizes[CREATED] += 1
    return True


@kernel
def _next_seat(proofs: Proofs, state: PatternState, demand: int, count: int, noted: int) -> int:
    """The first open seat of a demand that it did not fail against; -1 for none, and for a demand without any move."""
    for i in range(count):
        seat = proofs.opened[i]
        is_noted = False
        for f in range(noted, state.failed[0]):
            if state.failures[f, 0] == demand and state.failures[f, 1] == seat:
                is_noted = True
        if not is_noted:
            return int(seat)
    return -1


@kernel
def _note_others(proofs: Proofs, state: PatternState, demand: int, noted: int) -> None:
    """Note the other open seats as if they were tried: what the general solver finds for one may hold off all of them."""
    tried = state.failed[0]
    for i in range(open_seats(proofs, demand)):
        seat, is_noted = proofs.opened[i], state.failed[0] == len(state.failures)
        for f in range(noted, tried):
            if state.failures[f, 0] == demand and state.failures[f, 1] == seat:
                is_noted = True
        if not is_noted:
            at = state.failed[0]
            state.failures[at, 0], state.failures[at, 1], state.failures[at, 2] = demand, seat, GAVE_UP
            state.failed[0] += 1


@kernel
def meet(
    net: Net, work: Workspace, proofs: Proofs, state: PatternState, demand: int, budget: float, steps: int, notes: bool
) -> tuple[int, float]:
    """Hide what a demand needs, against everybody; returns the verdict and the cost.

    All seats that see through a move are held off by a single further move where that is free, and one by one otherwise. With
    ``notes``, failures are written down and the other seats are looked at all the same.
    """
    paid, cell, amount, noted, last = 0.0, proofs.cell[demand], proofs.amount[demand], state.failed[0], FOUND
    at_once = True
    while True:
        count = open_seats(proofs, demand)
        seat = _next_seat(proofs, state, demand, count, noted)
        if count == 0 or (count > 0 and seat < 0):
            proofs.is_open[demand] = False
            return last, paid
        stop = count  # all open seats at once as long as that is free
        if count <= 1 or not at_once:
            proofs.opened[0] = seat if count > 0 else proofs.private[demand]
            stop = 1 if proofs.opened[0] >= 0 else 0
        share, kept = 1.0 if stop == 0 else 0.0, 0
        for i in range(stop):
            share = max(share, share_of(proofs, demand, proofs.opened[i]))
            kept = _sit(net, proofs, state, proofs.opened[i], kept)
        limit = 0.0 if stop > 1 else budget - paid
        verdict, size = _buy(net, work, state, cell, amount * share, limit, steps)
        _stand_up(net, proofs, state, stop, kept)
        if verdict != FOUND and stop > 1:
            at_once = False
            continue
        at_once = last == FOUND
        if verdict == FOUND:
            cost = _keep(net, proofs, state, demand, size, share)
            if cost < 0.0:
                return FULL, paid
            paid += cost
            continue
        if not notes or state.failed[0] == len(state.failures):
            return verdict, paid
        at = state.failed[0]
        state.failures[at, 0], state.failures[at, 2] = demand, verdict
        state.failures[at, 1] = seat if count > 0 else proofs.private[demand]
        state.failed[0] += 1
        last, at_once = verdict, False
        if verdict == GAVE_UP and count > 0:
            _note_others(proofs, state, demand, noted)
        if count < 0:
            proofs.is_open[demand] = False
            return verdict, paid


@entry
def meet_all(
    net: Net, work: Workspace, proofs: Proofs, state: PatternState, order: Int1, start: int, stop: int, steps: int
) -> int:
    """Meet the demands in an order; those that cannot be met are noted. Returns where it stopped for lack of room."""
    for i in range(start, stop):
        state.sizes[CREATED] = -1  # nothing of this is taken back
        state.sizes[ADDED] = 0
        verdict, _ = meet(net, work, proofs, state, order[i], np.inf, steps, True)
        if verdict == FULL:
            return i
    return stop
