"""Proofs that cells are protected: for each demand the moves that meet it, and who relies on which cell.

A *demand* is a cell and how far it must be able to move, up or down. It is met by moves (changes of all
cells that keep every relation) none of which has to hold against every seat. A seat knows cells that it is alone in, and of
others that they are not smaller than what it has there; it is held off by any of the moves that leaves the former alone
and the latter above that. From most seats only a share of the amount is asked, and a move that is followed that far only
lowers cells less. So a demand is proven when it has a move as long as its amount, and no seat is left that sees through all
of its moves. A *private* demand is for one seat, and its moves keep what that seat knows.

Each move is stored once for its demand. The entries of a cell that is not unsafe are chained, so that everything that relies
on the cell is found at once when it is tried to publish it. A move can be put off (the cell it needs is tried without) and
back on again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tacita.core.arrays import Bool1, BoolArray, Float1, FloatArray, Int1, Int2, IntArray
from tacita.core.kernel import entry, kernel

__all__ = [
    "ENTRIES",
    "FREE",
    "MOVES",
    "Proofs",
    "copy_proofs",
    "enlarged",
    "helps",
    "make_proofs",
    "open_seats",
    "remove_move",
    "share_of",
    "store_move",
]


_ROUNDING = 1e-9
MOVES, ENTRIES, FREE = 0, 1, 2
"""Places in ``Proofs.tally``: moves ever used, entries used, first of the free moves (-1: none)."""


class Proofs(NamedTuple):
    """Demands, moves and their entries."""

    cell: Int1
    """(D,): cell of a demand."""
    amount: Float1
    """(D,): how far it must be able to move, with sign."""
    private: Int1
    """(D,): the seat that a private demand is for, -1 for demands that hold against everybody."""
    rest: Float1
    """(D,): share of the amount that is asked from seats that are not listed."""
    listed_start: Int1
    listed: Int1
    listed_share: Float1
    """Seats from which a demand asks another share of its amount."""
    first: Int1
    """(D,): first move of a demand, -1 for none."""
    is_open: Bool1
    """(D,): demands that are looked at now and not yet proven."""
    demand_of: Int2
    """(n, 2): demand of a cell up and down, -1 for none; private ones left out."""
    is_fixed: Bool1
    """(n,): unsafe cells, hidden for good."""
    owner: Int1
    """(W,): demand of a move, -1 while the move is free."""
    following: Int1
    begin: Int1
    length: Int1
    reach: Float1
    """(W,): how many times its amount a move can be followed until a cell meets a bound that everybody knows."""
    is_off: Bool1
    entry_cell: Int1
    entry_move: Float1
    entry_of: Int1
    entry_next: Int1
    entry_last: Int1
    head: Int1
    """(n,): first entry that relies on a cell, -1 for none."""
    cell_seat_start: Int1
    cell_seats: Int1
    cell_rooms: Float1
    """Seats that know something of a cell, and how far under its value it can be to them; -1, and first, where one is alone."""
    seat_start: Int1
    seat_cells: Int1
    seat_rooms: Float1
    hits: Int1
    opened: Int1
    asked: Float1
    """(seats,): share that the demand at hand asks from a listed seat, -1 for others."""
    tally: Int1


def make_proofs(
    demands: tuple[IntArray, FloatArray, IntArray, FloatArray, IntArray, IntArray, FloatArray],
    is_fixed: BoolArray,
    seats: tuple[IntArray, IntArray, FloatArray],
    moves: int,
    entries: int,
) -> Proofs:
    """Make an empty store for some demands: cells, amounts, private seats, shares of the rest, and listed seats with shares.

    ``seats`` are where each begins, the cells that it knows something of, and how far under its value each can be.
    """
    n, count = len(is_fixed), len(seats[0]) - 1
    who = np.repeat(np.arange(count), np.diff(seats[0]))
    order = np.lexsort((seats[2], seats[1]))
    first = np.searchsorted(seats[1][order], np.arange(n + 1)).astype(np.int64)
    cell, amount, private = demands[:3]
    demand_of = np.full((n, 2), -1, np.int64)
    public = np.flatnonzero(private < 0)
    demand_of[cell[public], (amount[public] < 0).astype(np.int64)] = public
    return Proofs(
        *demands,
        np.full(len(cell), -1, np.int64),
        np.zeros(len(cell), np.bool_),
        demand_of,
        is_fixed,
        np.full(moves, -1, np.int64),
        np.full(moves, -1, np.int64),
        np.zeros(moves, np.int64),
        np.zeros(moves, np.int64),
        np.zeros(moves),
        np.zeros(moves, np.bool_),
        np.empty(entries, np.int64),
        np.empty(entries),
        np.empty(entries, np.int64),
        np.empty(entries, np.int64),
        np.empty(entries, np.int64),
        np.full(n, -1, np.int64),
        first,
        who[order].astype(np.int64),
        seats[2][order],
        *seats,
        np.zeros(count, np.int64),
        np.zeros(count + 1, np.int64),
        np.full(count, -1.0),
        np.array([0, 0, -1], np.int64),
    )


@entry
def store_move(proofs: Proofs, demand: int, cells: Int1, moves: Float1, times: float, reach: float) -> int:
    """Store ``times`` a move for a demand, and how far it can be followed; returns its number, -1 when the store is full."""
    start, count, tally = proofs.tally[ENTRIES], len(cells), proofs.tally
    if start + count > len(proofs.entry_cell) or (tally[FREE] < 0 and tally[MOVES] == len(proofs.owner)):
        return -1
    if tally[FREE] >= 0:
        made = tally[FREE]
        tally[FREE] = proofs.following[made]
    else:
        made = tally[MOVES]
        tally[MOVES] += 1
    proofs.owner[made], proofs.begin[made], proofs.length[made], proofs.is_off[made] = demand, start, count, False
    proofs.reach[made] = reach
    proofs.following[made] = proofs.first[demand]
    proofs.first[demand] = made
    tally[ENTRIES] += count
    for i in range(count):
        e, j = start + i, cells[i]
        proofs.entry_cell[e], proofs.entry_move[e], proofs.entry_of[e] = j, moves[i] * times, made
        if not proofs.is_fixed[j]:
            after = proofs.head[j]
            proofs.entry_next[e], proofs.entry_last[e] = after, -1
            if after >= 0:
                proofs.entry_last[after] = e
            proofs.head[j] = e
    return int(made)


@kernel
def remove_move(proofs: Proofs, move: int) -> None:
    """Forget a move; its entries are lost until the next copy."""
    demand = proofs.owner[move]
    if proofs.first[demand] == move:
        proofs.first[demand] = proofs.following[move]
    else:
        at = proofs.first[demand]
        while proofs.following[at] != move:
            at = proofs.following[at]
        proofs.following[at] = proofs.following[move]
    for e in range(proofs.begin[move], proofs.begin[move] + proofs.length[move]):
        j = proofs.entry_cell[e]
        if not proofs.is_fixed[j]:
            before, after = proofs.entry_last[e], proofs.entry_next[e]
            if before >= 0:
                proofs.entry_next[before] = after
            else:
                proofs.head[j] = after
            if after >= 0:
                proofs.entry_last[after] = before
    proofs.owner[move] = -1
    proofs.following[move] = proofs.tally[FREE]
    proofs.tally[FREE] = move


@kernel
def share_of(proofs: Proofs, demand: int, seat: int) -> float:
    """What share of its amount a demand asks from a seat."""
    if proofs.private[demand] >= 0:
        return 1.0
    for i in range(proofs.listed_start[demand], proofs.listed_start[demand + 1]):
        if proofs.listed[i] == seat:
            return float(proofs.listed_share[i])
    return float(proofs.rest[demand])


@kernel
def _look_at(proofs: Proofs, demand: int) -> float:
    """Lay out what a demand asks from listed seats; returns the largest share."""
    most = proofs.rest[demand]
    for i in range(proofs.listed_start[demand], proofs.listed_start[demand + 1]):
        proofs.asked[proofs.listed[i]] = proofs.listed_share[i]
        most = max(most, proofs.listed_share[i])
    return float(most)


@kernel
def _look_away(proofs: Proofs, demand: int) -> None:
    for i in range(proofs.listed_start[demand], proofs.listed_start[demand + 1]):
        proofs.asked[proofs.listed[i]] = -1.0


@kernel
def _hit(
    proofs: Proofs, demand: int, cells: IntArray, moves: FloatArray, times: float, most: float, turn: int, found: int
) -> int:
    """Count a move against the seats that see through it and were counted in all turns before; returns how many are listed.

    In turn 0 they are put into ``opened``.
    """
    hits, slack = proofs.hits, _ROUNDING * abs(proofs.amount[demand])
    for e in range(len(cells)):
        j, move = cells[e], moves[e] * times
        for i in range(proofs.cell_seat_start[j], proofs.cell_seat_start[j + 1]):
            room = proofs.cell_rooms[i]
            if room >= 0.0 and (move >= 0.0 or room >= -move * most):
                break
            seat = proofs.cell_seats[i]
            share = proofs.asked[seat] if proofs.asked[seat] >= 0.0 else proofs.rest[demand]
            if share <= 0.0 or hits[seat] != turn:
                continue
            if room < 0.0 or -move * share > room * (1.0 + _ROUNDING) + slack * share:
                hits[seat] = turn + 1
                if turn == 0:
                    proofs.opened[found] = seat
                    found += 1
    return found


@kernel
def _hit_by(proofs: Proofs, demand: int, move: int, most: float, turn: int, found: int) -> int:
    """The same for a move of the store; those who are asked for more than it reaches are counted too."""
    begin, end = proofs.begin[move], proofs.begin[move] + proofs.length[move]
    reach = proofs.reach[move] * (1.0 + _ROUNDING)
    found = _hit(proofs, demand, proofs.entry_cell[begin:end], proofs.entry_move[begin:end], 1.0, most, turn, found)
    if most <= reach:
        return found
    if turn == 0:
        for i in range(proofs.listed_start[demand], proofs.listed_start[demand + 1]):
            seat = proofs.listed[i]
            if proofs.listed_share[i] > reach and proofs.hits[seat] == 0:
                proofs.hits[seat] = 1
                proofs.opened[found] = seat
                found += 1
        return found
    for i in range(found):
        seat = proofs.opened[i]
        share = proofs.asked[seat] if proofs.asked[seat] >= 0.0 else proofs.rest[demand]
        if proofs.hits[seat] == turn and share > reach:
            proofs.hits[seat] = turn + 1
    return found


@kernel
def open_seats(proofs: Proofs, demand: int) -> int:
    """Put the seats that see through every move of the demand into ``opened``; returns how many, -1 without a whole move."""
    first, move = -1, proofs.first[demand]
    while move >= 0 and first < 0:
        if not proofs.is_off[move] and proofs.reach[move] >= 1.0 - _ROUNDING:
            first = move
        move = proofs.following[move]
    if first < 0 or proofs.private[demand] >= 0:
        return min(first, 0)
    most = _look_at(proofs, demand)
    found, turn = _hit_by(proofs, demand, first, most, 0, 0), 1
    move = proofs.first[demand]
    while move >= 0 and found > 0:
        if not proofs.is_off[move] and move != first:
            _hit_by(proofs, demand, move, most, turn, found)
            turn += 1
        move = proofs.following[move]
    left = 0
    for i in range(found):
        seat = proofs.opened[i]
        if proofs.hits[seat] == turn:
            proofs.opened[left] = seat
            left += 1
        proofs.hits[seat] = 0
    _look_away(proofs, demand)
    return left


@kernel
def helps(proofs: Proofs, demand: int, cells: IntArray, moves: FloatArray, times: float) -> bool:
    """Whether a move as long as the amount would bring an open demand nearer to its proof: it holds off one more seat."""
    count = open_seats(proofs, demand)
    if count <= 0:
        return bool(count < 0)
    most = _look_at(proofs, demand)
    for i in range(count):
        proofs.hits[proofs.opened[i]] = 1
    _hit(proofs, demand, cells, moves, times, most, 1, count)
    seen = 0
    for i in range(count):
        if proofs.hits[proofs.opened[i]] == 2:
            seen += 1
        proofs.hits[proofs.opened[i]] = 0
    _look_away(proofs, demand)
    return bool(seen < count)


@entry
def copy_proofs(old: Proofs, new: Proofs) -> None:
    """Copy all moves into a fresh store, without the gaps that removed ones left."""
    for demand in range(len(old.cell)):
        move = old.first[demand]
        while move >= 0:
            part = slice(old.begin[move], old.begin[move] + old.length[move])
            store_move(new, demand, old.entry_cell[part], old.entry_move[part], 1.0, old.reach[move])
            move = old.following[move]


def enlarged(proofs: Proofs, **changes: Any) -> Proofs:
    """The same moves in a store with twice the room that they need."""
    used = int(proofs.length[proofs.owner >= 0].sum())
    listed = (proofs.listed_start, proofs.listed, proofs.listed_share)
    demands = (proofs.cell, proofs.amount, proofs.private, proofs.rest, *listed)
    made = make_proofs(
        changes.get("demands", demands),
        proofs.is_fixed,
        (proofs.seat_start, proofs.seat_cells, proofs.seat_rooms),
        2 * int((proofs.owner >= 0).sum()) + 1000,
        2 * used + 10_000 + len(proofs.is_fixed),
    )
    copy_proofs(proofs, made)
    made.is_open[: len(proofs.is_open)] = proofs.is_open
    return made
