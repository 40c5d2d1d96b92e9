"""Meeting demands: what is hidden for them, what is offered to others, what fails."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.numeric.table_moves.cheapest_move import BLOCKED, DEAR, FOUND
from tacita.numeric.table_moves.pattern_search import FULL, PatternState, make_pattern_state, meet, meet_all
from tacita.numeric.table_moves.proofs import make_proofs, open_seats
from tacita.numeric.table_moves.workspace import make_net, make_workspace
from tacita.tables.model.seats import Seats
from tacita.tables.protect.problem import Problem
from tacita.tables.suppression.fast.demands import Demands, rooms
from tests.tables.small_problems import grid

SQUARE = np.array([[3.0, 20.0, 9.0], [15.0, 12.0, 7.0], [6.0, 11.0, 8.0]])


def met(problem: Problem, *, entries: int = 500, cost: np.ndarray | None = None) -> tuple[int, PatternState, object]:
    demands = Demands.of(problem)
    paid = problem.cost if cost is None else cost
    proofs = make_proofs(demands.arrays(), problem.unsafe, problem.rooms_of_seats, 50, entries)
    state = make_pattern_state(
        problem.unsafe, paid, np.full(problem.size, 1e-4), len(demands), len(problem.rooms_of_seats[1])
    )
    net = make_net(problem.relations.matrix, problem.relations.columns, *rooms(problem))
    work = make_workspace(len(problem.relations), problem.size, 50)
    proofs.is_open[:] = True
    order = np.arange(len(demands))
    return meet_all(net, work, proofs, state, order, 0, len(order), 500), state, proofs


def test_the_cheapest_square_is_hidden() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0)], level=1.0)
    cost = np.full(16, 10.0)
    cost[[2, 8, 10]] = 1.0
    done, state, proofs = met(problem, cost=cost)
    assert done == 2
    assert np.flatnonzero(state.hidden).tolist() == [0, 2, 8, 10]
    assert [open_seats(proofs, d) for d in range(2)] == [0, 0]
    assert not proofs.is_open.any()  # the move up served the way down as well


def test_a_move_of_one_cell_serves_another() -> None:
    """Two unsafe cells of one square: the second finds its proof in the store and takes no step of its own."""
    problem = grid(SQUARE, unsafe=[(0, 0), (1, 1)], level=1.0)
    done, state, _ = met(problem)
    assert done == 4
    assert state.hidden.sum() == 4


def test_a_seat_gets_a_move_without_its_cells() -> None:
    """Whoever is alone in the partner of a cell takes it for known, so a second way is hidden."""
    problem = grid(SQUARE, unsafe=[(0, 0), (0, 1)], level=1.0)
    sole = np.full(16, -1)
    sole[1] = 5
    done, state, proofs = met(replace(problem, seats=Seats.of(sole)))
    assert done == 4
    assert state.hidden[[0, 1]].all()
    assert state.hidden[[2, 3]].any()
    assert [open_seats(proofs, d) for d in range(4)] == [0] * 4


def test_failures_are_noted() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0)], level=4.0)  # cannot go down by 4 from 3
    _, state, _ = met(problem)
    assert state.failed[0] == 1
    demand, seat, verdict = state.failures[0].tolist()
    assert (demand, seat, verdict) == (1, -1, BLOCKED)


def test_cells_dearer_than_the_purse_stay_published() -> None:
    """A move of 100 needs a little of a dear cell beside much of cheap ones, and who cannot pay for it all gets nothing."""
    problem = grid(SQUARE, unsafe=[(0, 0)], level=1.0)
    cost = np.full(16, 10.0)
    cost[[2, 8, 10]] = 1.0
    for budget, verdict in ((3.0, FOUND), (2.0, DEAR), (0.0, BLOCKED)):
        demands = Demands.of(problem)
        proofs = make_proofs(demands.arrays(), problem.unsafe, problem.rooms_of_seats, 50, 500)
        state = make_pattern_state(problem.unsafe, cost, np.full(16, 1e-4), len(demands), 0)
        net = make_net(problem.relations.matrix, problem.relations.columns, *rooms(problem))
        proofs.is_open[:] = True
        work = make_workspace(len(problem.relations), problem.size, 50)
        assert meet(net, work, proofs, state, 0, budget, 500, False)[0] == verdict
        assert (state.due == np.where(state.hidden, 0.0, cost)).all()


def test_a_full_store_stops_the_work() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0), (1, 1), (2, 2)], level=1.0)
    done, _, _ = met(problem, entries=5)
    assert done < 6
    assert FULL not in (0, 1, 2, 3)


@pytest.mark.parametrize("level", [0.5, 2.5])
def test_hidden_cells_carry_the_move(level: float) -> None:
    problem = grid(SQUARE, unsafe=[(0, 0)], level=level)
    _, state, proofs = met(problem)
    used = proofs.entry_cell[: proofs.tally[1]]
    assert state.hidden[used].all()
