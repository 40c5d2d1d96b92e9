"""The course of an adjustment: exact on small blocks, bounded always, interrupted with what is there."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.clock import Clock
from tacita.tables.adjustment import search as adjustment_search
from tacita.tables.adjustment.core import adjustment_core
from tacita.tables.adjustment.search import AdjustmentFound, search_adjustment
from tests.oracles.tables.adjustment import nearest_adjustment_oracle
from tests.tables.adjustment.test_tabular_adjustment import middle
from tests.tables.small_problems import grid

BASE = grid(np.array([[30.0, 20, 50], [40, 10, 60]]), unsafe=[(0, 0), (0, 1), (1, 1)], level=4)


def test_exact_on_a_small_block() -> None:
    core, _ = adjustment_core(BASE, np.ones(12))
    found = search_adjustment(core, Clock.of(None), np.ones(12), norm="l1", is_exact=True, gap=0.0)
    expected = nearest_adjustment_oracle(BASE, np.ones(12))
    assert found.best.cost == pytest.approx(expected)
    assert found.bound == pytest.approx(expected, rel=1e-5)
    assert not found.is_open(1e-4)


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_heuristic_has_a_bound(norm: str) -> None:
    problem = middle(2)
    weights = 1 / problem.cost
    core, _ = adjustment_core(problem, weights)
    found = search_adjustment(core, Clock.of(20.0), weights, norm=norm, is_exact=False, gap=0.0)  # type: ignore[arg-type]
    assert found.best.is_safe
    moves = core.moves(found.best.z)
    cost = weights @ np.abs(moves) if norm == "l1" else weights @ moves**2
    assert 0.5 * cost < found.bound <= cost * (1 + 1e-9)


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_an_interrupt_returns_the_best_so_far(monkeypatch: pytest.MonkeyPatch, norm: str) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(adjustment_search, "_further", interrupted)
    problem = middle(2)
    weights = 1 / problem.cost
    core, _ = adjustment_core(problem, weights)
    found = search_adjustment(core, Clock.of(20.0), weights, norm=norm, is_exact=True, gap=0.0)  # type: ignore[arg-type]
    assert isinstance(found, AdjustmentFound)
    assert found.best.is_safe
    assert found.bound > 0


def test_an_interrupt_before_any_table_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(adjustment_search, "choose_directions", interrupted)
    core, _ = adjustment_core(BASE, np.ones(12))
    with pytest.raises(KeyboardInterrupt):
        search_adjustment(core, Clock.of(None), np.ones(12), norm="l1", is_exact=True, gap=0.0)
