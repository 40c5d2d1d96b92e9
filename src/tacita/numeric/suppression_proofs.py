"""Proofs that cells are protected: for each demand the alternative tables that meet it, and who relies on which cell.

A *demand* is a cell and how far it must be able to move, up or down. It is met by alternative tables (moves of all
cells that keep every relation) none of which has to hold against every seat: a seat that knows its own cells is held off
by any of the moves that leaves those cells alone. So a demand is proven when it has a move, and no seat but those it is
exempt from is touched by all of its moves. A *private* demand is for one seat, and its moves leave that seat's cells alone.

Each move is stored once for its demand. The entries of a cell that is not unsafe are chained, so that everything that relies
on the cell is found at once when it is tried to publish it. A move can be put off (the cell it needs is tried without) and
back on again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba as nb
import numpy as np
import numpy.typing as npt

__all__ = [
    "ENTRIES",
    "FREE",
    "MOVES",
    "Proofs",
    "copy_proofs",
    "grown",
    "make_proofs",
    "open_seats",
    "remove_move",
    "store_move",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

MOVES, ENTRIES, FREE = 0, 1, 2
"""Places in ``Proofs.tally``: moves ever used, entries used, first of the free moves (-1: none)."""


class Proofs(NamedTuple):
    """Demands, moves and their entries."""

    cell: IntArray
    """(D,): cell of a demand."""
    amount: FloatArray
    """(D,): how far it must be able to move, with sign."""
    private: IntArray
    """(D,): the seat that a private demand is for, -1 for demands that hold against everybody."""
    exempt_start: IntArray
    exempt: IntArray
    """Seats that a demand need not hold against."""
    first: IntArray
    """(D,): first move of a demand, -1 for none."""
    is_open: BoolArray
    """(D,): demands that are looked at now and not yet proven."""
    demand_of: IntArray
    """(n, 2): demand of a cell up and down, -1 for none; private ones left out."""
    is_fixed: BoolArray
    """(n,): unsafe cells, hidden for good."""
    owner: IntArray
    """(W,): demand of a move, -1 while the move is free."""
    following: IntArray
    begin: IntArray
    length: IntArray
    is_off: BoolArray
    entry_cell: IntArray
    entry_move: FloatArray
    entry_of: IntArray
    entry_next: IntArray
    entry_last: IntArray
    head: IntArray
    """(n,): first entry that relies on a cell, -1 for none."""
    cell_seat_start: IntArray
    cell_seats: IntArray
    seat_start: IntArray
    seat_cells: IntArray
    hits: IntArray
    opened: IntArray
    tally: IntArray


def make_proofs(
    demands: tuple[IntArray, FloatArray, IntArray, IntArray, IntArray],
    is_fixed: BoolArray,
    cell_seats: tuple[IntArray, IntArray],
    seats: tuple[IntArray, IntArray],
    moves: int,
    entries: int,
) -> Proofs:
    """Make an empty store for some demands: cells, amounts, private seats, and where and which exempt seats."""
    n, count = len(is_fixed), len(seats[0]) - 1
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
        np.zeros(moves, np.bool_),
        np.empty(entries, np.int64),
        np.empty(entries),
        np.empty(entries, np.int64),
        np.empty(entries, np.int64),
        np.empty(entries, np.int64),
        np.full(n, -1, np.int64),
        *cell_seats,
        *seats,
        np.zeros(count, np.int64),
        np.zeros(count + 1, np.int64),
        np.array([0, 0, -1], np.int64),
    )


@nb.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def store_move(proofs: Proofs, demand: int, cells: IntArray, moves: FloatArray, times: float) -> int:
    """Store ``times`` a move for a demand; returns its number, -1 when the store is full."""
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


@nb.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
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


@nb.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def open_seats(proofs: Proofs, demand: int) -> int:
    """Put the seats that hold against no move of the demand into ``opened``; returns how many, -1 without any move."""
    turn, first, hits = 0, -1, proofs.hits
    move = proofs.first[demand]
    while move >= 0:
        if not proofs.is_off[move]:
            if turn == 0:
                first = move
            for e in range(proofs.begin[move], proofs.begin[move] + proofs.length[move]):
                j = proofs.entry_cell[e]
                for i in range(proofs.cell_seat_start[j], proofs.cell_seat_start[j + 1]):
                    if hits[proofs.cell_seats[i]] == turn:
                        hits[proofs.cell_seats[i]] = turn + 1
            turn += 1
        move = proofs.following[move]
    if turn == 0:
        return -1
    found = 0
    for i in range(proofs.exempt_start[demand], proofs.exempt_start[demand + 1]):
        hits[proofs.exempt[i]] = 0
    for e in range(proofs.begin[first], proofs.begin[first] + proofs.length[first]):
        j = proofs.entry_cell[e]
        for i in range(proofs.cell_seat_start[j], proofs.cell_seat_start[j + 1]):
            seat = proofs.cell_seats[i]
            if hits[seat] == turn and proofs.private[demand] < 0:
                proofs.opened[found] = seat
                found += 1
            hits[seat] = 0
    return found


@nb.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def copy_proofs(old: Proofs, new: Proofs) -> None:
    """Copy all moves into a fresh store, without the gaps that removed ones left."""
    for demand in range(len(old.cell)):
        move = old.first[demand]
        while move >= 0:
            part = slice(old.begin[move], old.begin[move] + old.length[move])
            store_move(new, demand, old.entry_cell[part], old.entry_move[part], 1.0)
            move = old.following[move]


def grown(proofs: Proofs, **changes: Any) -> Proofs:
    """The same moves in a store with twice the room that they need."""
    used = int(proofs.length[proofs.owner >= 0].sum())
    demands = (proofs.cell, proofs.amount, proofs.private, proofs.exempt_start, proofs.exempt)
    made = make_proofs(
        changes.get("demands", demands),
        proofs.is_fixed,
        (proofs.cell_seat_start, proofs.cell_seats),
        (proofs.seat_start, proofs.seat_cells),
        2 * int((proofs.owner >= 0).sum()) + 1000,
        2 * used + 10_000 + len(proofs.is_fixed),
    )
    copy_proofs(proofs, made)
    made.is_open[: len(proofs.is_open)] = proofs.is_open
    return made
