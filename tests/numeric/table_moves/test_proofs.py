"""The store of proofs: moves in and out, what relies on a cell, which seats are left open."""

from __future__ import annotations

import numpy as np

from tacita.numeric.table_moves.proofs import Proofs, enlarged, make_proofs, open_seats, remove_move, store_move

SEATS = (np.array([0, 2, 3, 4]), np.array([0, 3, 2, 4]), np.array([-1.0, -1.0, -1.0, 3.0]))
"""Seat 0 is alone in the cells 0 and 3, seat 1 in cell 2; to seat 2, cell 4 is at most 3 under its value; six cells."""


def proofs_of(
    *, shares: dict[int, float] | None = None, rest: float = 1.0, private: int = -1, moves: int = 4, entries: int = 20
) -> Proofs:
    """One demand on cell 1, which alone is unsafe."""
    listed = shares or {}
    demands = (
        np.array([1]),
        np.array([2.0]),
        np.array([private]),
        np.array([rest]),
        np.array([0, len(listed)]),
        np.array(list(listed), dtype=np.int64),
        np.array(list(listed.values()), dtype=np.float64),
    )
    fixed = np.array([False, True, False, False, False, False])
    return make_proofs(demands, fixed, SEATS, moves, entries)


def store(proofs: Proofs, *cells: int, reach: float = 1.0) -> int:
    return store_move(proofs, 0, np.array(cells), np.ones(len(cells)), 2.0, reach)


def relying(proofs: Proofs, cell: int) -> list[int]:
    found, entry = [], int(proofs.head[cell])
    while entry >= 0:
        found.append(int(proofs.entry_of[entry]))
        entry = int(proofs.entry_next[entry])
    return sorted(found)


def test_a_seat_is_open_while_every_move_touches_it() -> None:
    proofs = proofs_of()
    assert open_seats(proofs, 0) == -1
    store(proofs, 1, 0, 2)
    assert open_seats(proofs, 0) == 2
    assert sorted(proofs.opened[:2].tolist()) == [0, 1]
    store(proofs, 1, 3)  # seat 0 again, by its other cell
    assert open_seats(proofs, 0) == 1
    assert proofs.opened[0] == 0
    store(proofs, 1, 4)
    assert open_seats(proofs, 0) == 0
    assert not proofs.hits.any()


def test_exempt_and_private() -> None:
    proofs = proofs_of(shares={0: 0.0})
    store(proofs, 1, 0, 2)
    assert open_seats(proofs, 0) == 1
    assert proofs.opened[0] == 1
    proofs = proofs_of(private=1)
    store(proofs, 1, 0)
    assert open_seats(proofs, 0) == 0


def falling(proofs: Proofs, by: float, reach: float = 1.0) -> int:
    """A move of cell 1 by its amount of 2 that lowers cell 4."""
    return store_move(proofs, 0, np.array([1, 4]), np.array([2.0, -by]), 1.0, reach)


def test_a_floor_is_seen_through_below_it() -> None:
    proofs = proofs_of()
    falling(proofs, 3.5)
    assert (open_seats(proofs, 0), proofs.opened[0]) == (1, 2)
    falling(proofs, 2.5)
    assert open_seats(proofs, 0) == 0
    up = proofs_of()
    falling(up, -9.0)
    assert open_seats(up, 0) == 0


def test_a_seat_that_is_asked_less_is_held_off_by_a_shorter_move() -> None:
    for share, count in ((0.9, 1), (0.8, 0), (0.0, 0)):
        proofs = proofs_of(shares={2: share})
        falling(proofs, 3.5)
        assert open_seats(proofs, 0) == count
    proofs = proofs_of(rest=0.5)
    falling(proofs, 3.5)
    assert open_seats(proofs, 0) == 0


def test_a_move_that_is_too_short_serves_those_alone_who_ask_less() -> None:
    proofs = proofs_of(shares={2: 0.6})
    falling(proofs, 1.0, reach=0.7)
    assert open_seats(proofs, 0) == -1, "nothing reaches the amount"
    falling(proofs, 5.5)
    assert open_seats(proofs, 0) == 0
    proofs = proofs_of(shares={2: 0.8})
    falling(proofs, 1.0, reach=0.7)
    falling(proofs, 5.5)
    assert open_seats(proofs, 0) == 1
    proofs = proofs_of(shares={2: 1.5})
    falling(proofs, 1.0)
    assert open_seats(proofs, 0) == 1, "a seat may be asked for more than the outsider"
    assert not proofs.hits.any()
    assert (proofs.asked == -1).all()


def test_moves_that_are_off_do_not_count() -> None:
    proofs = proofs_of()
    store(proofs, 1, 0)
    free = store(proofs, 1, 4)
    assert open_seats(proofs, 0) == 0
    proofs.is_off[free] = True
    assert open_seats(proofs, 0) == 1


def test_chains_follow_stored_and_removed_moves() -> None:
    proofs = proofs_of()
    first, second, third = store(proofs, 1, 4, 5), store(proofs, 1, 4), store(proofs, 1, 4, 0)
    assert relying(proofs, 4) == [first, second, third]
    assert relying(proofs, 1) == []  # unsafe: never published
    remove_move(proofs, second)
    assert relying(proofs, 4) == [first, third]
    remove_move(proofs, third)
    assert relying(proofs, 4) == [first]
    assert relying(proofs, 0) == []
    assert store(proofs, 1, 5) == third  # the place is taken again
    assert proofs.entry_move[proofs.begin[third]] == 2.0


def test_a_full_store_says_so_and_grows() -> None:
    proofs = proofs_of(entries=5)
    kept, gone = store(proofs, 1, 4), store(proofs, 1, 5)
    assert store(proofs, 1, 0) == -1
    remove_move(proofs, gone)
    assert store(proofs, 1, 0) == -1  # the entries are lost until the copy
    more = enlarged(proofs)
    assert store(more, 1, 0) >= 0
    assert relying(more, 4) == [0]
    assert relying(more, 5) == []
    assert proofs.owner[kept] == 0
