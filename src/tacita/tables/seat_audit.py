"""The audit from the seats: contributors who are alone in a cell know it, and attack the others with that.

A witness that moves none of a seat's cells holds for that seat too. Only the unsafe cells whose witnesses all move a
cell of the seat are looked at again, with those cells held still; where several seats are left for one cell, a single
witness that moves none of their cells may settle them together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tacita.core.progress import task
from tacita.tables.certificate import Leak, Side
from tacita.tables.look import Look

__all__ = ["leaks_from_seats"]

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


def leaks_from_seats(look: Look, targets: BoolArray, outside: Sequence[Leak]) -> list[Leak]:
    """Return what seats find out about the target cells beyond what an outsider finds.

    Parameters
    ----------
    look
        The audit, after the outsider's turn.
    targets
        (n,): unsafe cells to look at.
    outside
        Leaks to the outsider.
    """
    broken: dict[int, set[Side]] = {}
    for leak in outside:
        broken.setdefault(leak.cell, set()).add(leak.side)
    left = _left(look, targets, broken)
    leaks: list[Leak] = []
    with task("Auditing from the seats", sum(len(seats) for seats in left.values())) as running:
        for cell in sorted(left):
            skip = broken.get(cell, set())
            _settle_together(look, cell, left[cell], skip)
            for seat, fixed in left[cell]:
                running.advance()
                leaks += look.missed(cell, fixed, seat, skip)
    return sorted(leaks, key=lambda leak: (-1 if leak.seat is None else leak.seat, leak.cell, leak.side))


def _left(look: Look, targets: BoolArray, broken: dict[int, set[Side]]) -> dict[int, list[tuple[int, IntArray]]]:
    """Return for each unsafe cell the seats against which no witness is at hand, with their own cells."""
    polytope, seats = look.attacker.polytope, look.attacker.problem.seats
    near = look.attacker.witnesses.touching()
    left: dict[int, list[tuple[int, IntArray]]] = {}
    for seat in range(len(seats)):
        own = polytope.place[seats.known(seat)]
        own = own[own >= 0]
        if not len(own):
            continue
        known = frozenset(own.tolist())
        alone = set(seats.known(seat).tolist())
        for at in set().union(*(near.get(p, ()) for p in known)):
            cell = int(polytope.cells[at])
            if not targets[cell] or cell in alone:
                continue
            if look.lacks(cell, look.levels(cell, seat, broken.get(cell, set())), known):
                left.setdefault(cell, []).append((seat, own))
    return left


def _settle_together(look: Look, cell: int, group: Sequence[tuple[int, IntArray]], skip: set[Side]) -> None:
    """Look for witnesses that serve all seats of a group, then each half of it."""
    if len(group) < 2:
        return
    fixed = np.unique(np.concatenate([own for _, own in group]))
    if not look.shows(cell, look.levels(cell, None, skip), fixed):
        half = len(group) // 2
        _settle_together(look, cell, group[:half], skip)
        _settle_together(look, cell, group[half:], skip)
