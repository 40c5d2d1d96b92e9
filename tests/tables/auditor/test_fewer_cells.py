"""Cells that move alike are one to whoever looks for moves, and every verdict is the same as without that."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from tacita.data.samples import business_survey
from tacita.tables.auditor import attacker as module
from tacita.tables.auditor.attacker import CellAttacker
from tacita.tables.auditor.audit import audit
from tacita.tables.auditor.certificate import Certificate
from tacita.tables.auditor.fewer_cells import FewerCells
from tacita.tables.auditor.knowledge import NOTHING, Known
from tacita.tables.auditor.polytope import Polytope
from tacita.tables.model.relations import Relations
from tacita.tables.model.tabulate import tabulate
from tacita.tables.protect.problem import Problem
from tacita.tables.protect.protector import make_problem
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.rules.p_percent import PPercent


def chain() -> tuple[Problem, np.ndarray]:
    """A published total (0) of two hidden parts (1, 2); the first has one part (3), the second one (4)."""
    rows = Relations.of([(0, [1, 2]), (1, [3]), (2, [4])], 5)
    values, none = np.array([9.0, 4.0, 5.0, 4.0, 5.0]), np.zeros(5)
    unsafe = np.arange(5) == 3
    level = np.where(unsafe, 1.0, 0.0)
    upper = np.array([np.inf, 6.0, np.inf, np.inf, 5.5])
    made = Problem(rows, values, none, upper, unsafe, level, level, none, np.ones(5), np.zeros(5, bool))
    return made, np.array([False, True, True, True, True])


def test_groups_have_the_smaller_room_and_what_is_known_of_any_member() -> None:
    problem, hidden = chain()
    polytope = Polytope.of(problem, hidden)
    fewer = FewerCells.of(polytope)
    assert len(polytope) == 4
    assert len(fewer) == 2
    one, two = int(fewer.place[polytope.place[1]]), int(fewer.place[polytope.place[2]])
    assert fewer.place[polytope.place[[3, 4]]].tolist() == [one, two]
    assert fewer.net.room[[one, two]].tolist() == [[2.0, 4.0], [0.5, 5.0]]
    cells, moves = fewer.back(np.array([one]), np.array([0.5]))
    assert sorted(polytope.cells[cells].tolist()) == [1, 3]
    assert moves.tolist() == [0.5, 0.5]
    assert polytope.rows[fewer.explained(one, np.array([], np.int64))].tolist() == [1], "what ties the group"
    assert polytope.rows[fewer.explained(one, np.array([0]))].tolist() == [0, 1, 2]
    known = fewer.known(Known(polytope.place[[1]], polytope.place[[2, 4]], np.array([3.0, 2.0])))
    assert (known.fixed.tolist(), known.held.tolist(), known.room.tolist()) == ([one], [two], [2.0])
    assert len(fewer.known(NOTHING).fixed) == 0
    assert len(FewerCells.of(polytope, merges=False)) == 4


def test_bounds_of_members_and_what_is_known_of_them_are_named() -> None:
    problem, hidden = chain()
    attacker = CellAttacker(problem, hidden)
    down, up = attacker.reach(3, "below", 1.0), attacker.reach(3, "above", 3.0)
    assert (round(down.amount, 9), down.is_met, sorted(down.prices)) == (0.5, False, [0, 1, 2]), (
        "held by the bound of cell 4"
    )
    assert (round(up.amount, 9), up.is_met, sorted(up.prices)) == (2.0, False, [1]), "held by the bound of cell 1"
    told = attacker.reach(3, "above", 1.0, known=[1])
    assert (told.amount, told.is_met, sorted(told.prices)) == (0.0, False, [1]), "who knows cell 1 knows cell 3"


def verdicts(problem: Problem, hidden: np.ndarray, **options: bool) -> Certificate:
    return audit(problem, hidden, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(2))
def test_every_verdict_and_every_interval_is_the_same(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    table = tabulate(business_survey(20, seed=seed), ["region", "activity"], "turnover")
    rules = MinimumFrequency(at_least=3, level="holding") | PPercent(p=10, level="holding")
    problem = make_problem(table, rules.judge(table))
    drawn = np.random.default_rng(seed).random(problem.size) < 0.6
    hidden = problem.unsafe | (problem.can_hide & drawn)
    polytope = Polytope.of(problem, hidden)
    fewer = FewerCells.of(polytope)
    assert len(fewer) < 0.7 * len(polytope), "the table has chains"
    with_groups, intervals = verdicts(problem, hidden), verdicts(problem, hidden, exact=True)
    monkeypatch.setattr(module.FewerCells, "of", partial(FewerCells.of, merges=False))
    alone, alone_intervals = verdicts(problem, hidden), verdicts(problem, hidden, exact=True)
    named = [[(leak.cell, leak.seat, leak.side) for leak in c.leaks] for c in (with_groups, alone)]
    assert named[0] == named[1]
    shares = [[leak.share for leak in c.leaks] for c in (with_groups, alone)]
    assert shares[0] == pytest.approx(shares[1], abs=1e-6)
    scale = 1.0 + np.abs(problem.values[intervals.hidden])
    for one, other in ((intervals.low, alone_intervals.low), (intervals.high, alone_intervals.high)):
        endless = np.isinf(one)
        assert (endless == np.isinf(other)).all()
        assert (np.abs(one[~endless] - other[~endless]) <= 1e-5 * scale[~endless]).all()
