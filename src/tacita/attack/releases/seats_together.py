"""Seats across releases: what a contributor of several tables knows of the groups that he is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tacita.attack.targets import Seat
from tacita.core.arrays import IntArray

__all__ = ["SeatParts", "seats_together"]

_NEAR = 1e-9


class SeatParts(NamedTuple):
    """What a contributor knows of one table: his seat there, the cells of the system that it is about, and their measure."""

    seat: Seat
    cells: IntArray
    block: int


def seats_together(
    parts: Sequence[SeatParts],
    members: Sequence[IntArray],
    cell_of: Callable[[int, IntArray], int],
    counts: Mapping[int, int],
) -> list[Seat]:
    """Return one seat for each contributor, with what he knows of the cells of all tables.

    Whoever has all of his amount in two groups has it in what they share. So a contributor of a table by region and of one by
    branch is a floor of the people of his region and branch, whom neither table shows.

    Parameters
    ----------
    parts
        What contributors know of each table.
    members
        The atoms of each cell of the system; it grows when ``cell_of`` makes cells.
    cell_of
        Makes a cell of a measure from atoms.
    counts
        For totals the count of the same people, or of more: whoever has something there is one of them.
    """
    known: dict[str, list[SeatParts]] = {}
    for number, part in enumerate(parts):
        known.setdefault(part.seat.who or f"\0{number}", []).append(part)
    return [_one_seat(own, members, cell_of, counts) for own in known.values()]


def _one_seat(
    parts: Sequence[SeatParts],
    members: Sequence[IntArray],
    cell_of: Callable[[int, IntArray], int],
    counts: Mapping[int, int],
) -> Seat:
    own: dict[int, float] = {}
    alone: set[int] = set()
    for part in parts:
        seat = part.seat
        for at, cell in enumerate(part.cells.tolist()):
            own[cell] = max(own.get(cell, 0.0), float(seat.own[at]))
            if seat.alone is not None and seat.alone[at]:
                alone.add(cell)
    if len(parts) > 1:
        for block in {part.block for part in parts}:
            here = {cell: own[cell] for part in parts if part.block == block for cell in part.cells.tolist()}
            for cell, amount in _shared(here, block, members, cell_of):
                own[cell] = max(own.get(cell, 0.0), amount)
    for cell in [cell for cell, amount in own.items() if amount > 0 and cell in counts]:
        own[counts[cell]] = max(own.get(counts[cell], 0.0), 1.0)
    cells = np.array(sorted(own), np.int64)
    first = parts[0].seat
    return Seat(
        cells=cells,
        own=np.array([own[cell] for cell in cells.tolist()], np.float64),
        alone=np.isin(cells, np.array(sorted(alone), np.int64)),
        who=first.who,
        is_holding=first.is_holding,
    )


def _shared(
    own: Mapping[int, float], block: int, members: Sequence[IntArray], cell_of: Callable[[int, IntArray], int]
) -> list[tuple[int, float]]:
    """Return what he has in the groups that cells share with those which have all that is his, inside the largest of them."""
    most = max(own.values(), default=0.0)
    whole = [cell for cell, amount in own.items() if amount >= most * (1 - _NEAR)]
    if most <= 0 or len(whole) < 2:
        return []
    # He may have more than lists of the largest contributors show, but not inside a cell that says how much he has there.
    core = around = members[max(whole, key=lambda cell: len(members[cell]))]
    for cell in whole:
        if np.isin(members[cell], around).all():
            core = np.intersect1d(core, members[cell], assume_unique=True)
    if not len(core):  # amounts that contradict each other
        return []
    found = [(cell_of(block, core), most)]
    for cell in sorted(set(own) - set(whole)):
        inside = np.intersect1d(core, members[cell], assume_unique=True)
        if own[cell] > 0 and len(inside) and np.isin(members[cell], around).all():
            found.append((cell_of(block, inside), own[cell]))
    return found
