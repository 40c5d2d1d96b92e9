"""The look at one cell: which level comes next."""

from __future__ import annotations

import numpy as np

from tacita.tables.auditor.attacker import CellAttacker
from tacita.tables.auditor.audit_run import AuditRun, Levels
from tacita.tables.auditor.knowledge import Known
from tests.tables.small_problems import grid


def test_the_next_level_that_is_lacking() -> None:
    levels = Levels(below=1.0, above=2.0, sliding=5.0)
    assert levels.lacking(0.0, 0.0, 1e-6) == (1, 2.0)
    assert levels.lacking(0.0, 2.0, 1e-6) == (-1, 1.0)
    assert levels.lacking(1.0, 2.0, 1e-6) == (1, 4.0)
    assert levels.lacking(1.0, 4.0, 1e-6) is None
    assert levels.lacking(1.0, 4.0 - 1e-7, 1e-6) is None


def test_levels_to_skip_are_nothing() -> None:
    problem = grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0)
    run = AuditRun(CellAttacker(problem, np.isin(np.arange(9), [0, 1, 3, 4])))
    assert run.levels(0) == (1.0, 1.0, 0.0)
    assert run.levels(0, None, {"below"}) == (0.0, 1.0, 0.0)


def test_a_cell_from_outside_and_from_inside() -> None:
    problem = grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0)
    run = AuditRun(CellAttacker(problem, np.isin(np.arange(9), [0, 1, 3, 4])))
    assert run.missed(0) == []
    assert run.lacks(0, run.levels(0), Known(np.array([3])))
    assert not run.shows(0, run.levels(0), Known(np.array([3])))
    leaks = run.missed(0, Known(np.array([3])))
    assert {(leak.side, leak.share, leak.known) for leak in leaks} == {("above", 0.0, (4,)), ("below", 0.0, (4,))}


def test_intervals_of_what_was_seen() -> None:
    problem = grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0)
    run = AuditRun(CellAttacker(problem, np.isin(np.arange(9), [0, 1, 3, 4, 8])))
    run.from_outside(np.array([0]))
    low, high, is_exact = run.intervals(np.array([0, 1, 3, 4, 8]))
    assert low.tolist() == [0, 0, 1, 3, 10]
    assert high.tolist() == [3, 3, 4, 6, 10]
    assert is_exact.tolist() == [False, False, False, False, True]
