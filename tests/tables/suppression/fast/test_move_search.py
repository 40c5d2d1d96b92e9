"""The search: full stores, whole-table moves, sliding levels from a seat, work that ends."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.table_instances import magnitude_table

from tacita.core.errors import TacitaError
from tacita.tables.auditor.audit import audit
from tacita.tables.model.seats import Seats
from tacita.tables.protect.infeasible import InfeasibleError
from tacita.tables.suppression.fast import move_search as module
from tacita.tables.suppression.fast.move_search import Search
from tests.oracles.tables.suppression import is_safe_oracle
from tests.tables.small_problems import grid

SQUARE = np.array([[3.0, 20.0, 9.0], [15.0, 12.0, 7.0], [6.0, 11.0, 8.0]])


def test_what_the_kernel_gives_up_goes_to_the_general_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_STEPS", 1)
    problem = magnitude_table([(3,), (4,)], seed=3, seats="singletons")
    search = Search(problem, accepts_leaks=True)
    search.cover()
    possible = audit(problem, problem.unsafe | problem.can_hide).leaks
    assert len(audit(problem, search.hidden).leaks) == len(possible)


def test_a_move_of_the_general_solver_is_looked_at_for_all_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve seats take the same cells for known, and one programme for all of them is enough."""
    monkeypatch.setattr(module, "_STEPS", 1)
    cost = np.full(25, 5.0)
    cost[[1, 5, 6]] = 1.0
    seats = Seats(np.arange(0, 37, 3), np.tile([1, 5, 6], 12), np.arange(12))
    problem = replace(grid(np.full((4, 4), 9.0), unsafe=[(0, 0)], level=1.0), seats=seats).with_cost(cost)
    solved: list[tuple[int, int]] = []
    whole = Search._meet_whole

    def counted(self: Search, demand: int, seat: int, verdict: int) -> bool:
        solved.append((demand, seat))
        return whole(self, demand, seat, verdict)

    monkeypatch.setattr(Search, "_meet_whole", counted)
    search = Search(problem)
    search.cover()
    assert is_safe_oracle(problem, search.hidden)
    assert search.hidden[[1, 5, 6]].all()
    assert 3 <= len(solved) <= 4  # up and down, for everybody and for all seats


def test_the_order_of_the_demands() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0), (1, 1), (2, 2)], level=1.0)
    asked = replace(problem, above=problem.above * np.arange(1.0, 17.0))
    for smallest_first in (False, True):
        search = Search(asked, smallest_first=smallest_first)
        sizes = np.abs(search.demands.amounts[search._everything()])
        assert np.all(np.diff(sizes) * (1 if smallest_first else -1) >= 0)
        assert len(set(sizes)) > 1
        search.cover()
        assert is_safe_oracle(asked, search.hidden)


def test_a_proof_that_does_not_hold_is_found() -> None:
    search = Search(grid(SQUARE, unsafe=[(0, 0)], level=1.0))
    search.cover()
    search._proofs.entry_move[1] += 0.1
    with pytest.raises(TacitaError, match="does not hold"):
        search.check()


def test_a_seat_may_need_another_side() -> None:
    """From outside the cell can go up by 15; the seat that knows its partner leaves 4 up and more down."""
    inner = np.array([[10.0, 15.0, 4.0], [20.0, 20.0, 20.0]])
    problem = grid(inner, unsafe=[(0, 0)], level=0.0)
    inside = np.isin(np.arange(12), [0, 1, 2, 4, 5, 6])
    sole = np.full(12, -1)
    sole[1] = 3
    asked = replace(problem, sliding=np.where(problem.unsafe, 12.0, 0.0), locked=~inside, seats=Seats.of(sole))
    search = Search(asked)
    search.cover()
    assert is_safe_oracle(asked, search.hidden)
    assert (search.demands.private >= 0).sum() == 2
    with pytest.raises(InfeasibleError):
        Search(replace(asked, sliding=np.where(problem.unsafe, 14.5, 0.0))).cover()


def test_work_ends_also_without_steps() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0)], level=1.0)
    search = Search(problem)
    search.cover()
    hidden = search.improve(steps=500.0)
    assert hidden.sum() == 4
    search.check()


def test_start_and_keep() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0)], level=1.0)
    start = np.arange(16) == 9
    kept, loose = Search(problem, start, keeps=True), Search(problem, start)
    for search in (kept, loose):
        search.cover()
        search.thin(exchanges=True)
    assert kept.hidden[9]
    assert loose.cost == 4.0
