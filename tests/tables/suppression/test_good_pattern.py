"""Patterns with widths shared out between up and down."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.table_instances import frequency_table

from tacita.tables.protect.problem import Problem
from tacita.tables.suppression import good_pattern as module
from tacita.tables.suppression.fast.move_search import Search
from tacita.tables.suppression.good_pattern import good_pattern
from tests.oracles.tables.suppression import is_safe_oracle


def wide(times: float) -> Problem:
    made = frequency_table([(3, 3), (3, 3)], seed=3, mean=4)
    zero = np.zeros(made.size)
    return replace(made, below=zero, above=zero, sliding=np.where(made.unsafe, times * made.values, 0.0))


def test_several_ways_are_no_dearer_than_one(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = wide(1.0)
    found = good_pattern(problem, effort=0)
    for share in module._SHARES:
        alone = Search(problem, upwards=share)
        alone.cover()
        alone.thin(exchanges=True)
        assert float(problem.cost[found.hidden].sum()) <= alone.cost
    many = good_pattern(problem)
    assert is_safe_oracle(problem, many.hidden)
    monkeypatch.setattr(module, "_ROUNDS", 0)
    assert problem.cost[many.hidden].sum() <= problem.cost[good_pattern(problem).hidden].sum()


def test_what_a_pattern_gives_is_what_is_asked_of_it() -> None:
    problem = wide(1.5)
    found = good_pattern(problem)
    slides = problem.unsafe & (problem.sliding > 0)
    shared = module._shared_anew(problem, found.hidden, slides)
    assert ((shared >= 0) & (shared <= 1)).all()
    again = Search(problem, found.hidden, keeps=True, upwards=shared)
    again.cover()
    assert (again.hidden == found.hidden).all()


def test_an_interrupt_between_the_ways_keeps_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, begun = wide(1.0), []

    class Impatient(Search):
        def cover(self) -> None:
            begun.append(1)
            if len(begun) > 1:
                raise KeyboardInterrupt
            super().cover()

    monkeypatch.setattr(module, "Search", Impatient)
    found = good_pattern(problem)
    assert found.is_stopped
    assert is_safe_oracle(problem, found.hidden)


def test_without_annealing_the_moves_at_hand_prove_the_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = frequency_table([(3, 3), (3, 3)], seed=5, mean=4)
    checked: list[int] = []
    usual = Search.check

    class Watched(Search):
        def check(self) -> None:
            checked.append(int(self.hidden.sum()))
            usual(self)

    monkeypatch.setattr(module, "Search", Watched)
    found = good_pattern(problem, anneals=False)
    assert found.is_proven
    assert checked[-1] == found.hidden.sum(), "looked at after the last cell was published"
    assert is_safe_oracle(problem, found.hidden)
    kept = Search(problem, found.hidden, keeps=True)
    kept.cover()
    assert (kept.hidden == found.hidden).all(), "nothing is lacking"
