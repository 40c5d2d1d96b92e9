"""Seats: who knows which cells, and what can be asked of them."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.tables.model.seats import Seats
from tacita.tables.protect.protector import make_problem
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.suppression.suppress import Suppress
from tests.tables.tables_by_hand import row_of


def test_seats_by_hand() -> None:
    seats = Seats.of(np.array([-1, 5, 2, 5]))
    assert seats.owners.tolist() == [2, 5]
    assert [seats.known(s).tolist() for s in range(2)] == [[2], [1, 3]]
    assert len(seats.shared(0)[0]) == 0
    assert len(Seats.nobody()) == 0


def test_what_a_seat_has_in_shared_cells() -> None:
    owners = np.array([[5, 2], [5, -1], [2, -1], [9, 2]])
    amounts = np.array([[40.0, 30.0], [40.0, 0.0], [30.0, 0.0], [8.0, 1.0]])
    seats = Seats.of(np.array([-1, 5, 2, -1]), owners, amounts)
    assert seats.owners.tolist() == [2, 5, 9]
    assert [part.tolist() for part in seats.shared(0)] == [[0, 3], [30.0, 1.0]]
    assert [part.tolist() for part in seats.shared(1)] == [[0], [40.0]]
    assert [part.tolist() for part in seats.shared(2)] == [[3], [8.0]], "alone nowhere, and still a seat"
    seat, cell, room = seats.rooms(np.array([70.0, 40.0, 30.0, 9.0]), np.array([0.0, 0.0, 0.0, 2.0]))
    assert list(zip(seat.tolist(), cell.tolist(), room.tolist(), strict=True)) == [
        (0, 0, 40.0), (0, 2, -1.0), (1, 0, 30.0), (1, 1, -1.0), (2, 3, 1.0),
    ]  # fmt: skip
    assert seats.count == 3
    assert seats.singletons().count == 2


def test_nobody_can_be_made_to_believe_less_than_its_own() -> None:
    """The total of 100 and 5 is unsafe; who has 100 of it knows that it is not below 100."""
    table = row_of([[100.0], [5.0]])
    unsafe = MinimumFrequency(at_least=3, span=30).judge(table)
    problem = make_problem(table, unsafe)
    large = next(s for s in range(len(problem.seats)) if problem.seats.known(s).tolist() == [1])
    assert problem.below_from(None, np.array([0, 1])).tolist() == [31.5, 30.0]
    assert problem.below_from(large, np.array([0, 1])).tolist() == pytest.approx([1.5, 0.0]), "30 % of the other's 5"
    assert problem.above_from(large, np.array([0, 1])).tolist() == pytest.approx([1.5, 0.0])
    alone = make_problem(table, unsafe, seats="singletons")
    assert alone.below_from(large, np.array([0, 1])).tolist() == [5.0, 0.0], "nothing below its own"
    assert Suppress().protect(table, unsafe).is_safe
