"""Rounded cells: rounding each for itself is undone where sums are many; controlled rounding holds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.attack import RoundedCells, TableTarget, attack_once
from tacita.attack.judge.answers import Answers
from tacita.attack.tables.rounded_cells import base_of
from tacita.core.errors import AttackError
from tests.attack.tables.cases import counts_target
from tests.solve.test_cell_intervals import sums_of


def rounded(seed: int, base: int, *, parts: int = 20, mean: float = 1.0) -> tuple[TableTarget, Answers]:
    """Return counts that were rounded to the nearest multiple, totals too; of many rows with few parts each."""
    rng = np.random.default_rng(seed)
    inner = rng.poisson(mean, (parts, 2)).astype(float)
    values = np.concatenate([inner.ravel(), inner.sum(1), inner.sum(0), [inner.sum()]])
    shown = base * np.floor(values / base + 0.5)
    wanted = np.arange(inner.size)
    target = counts_target(shown, sums_of(parts, 2), (base - 1) / 2, wanted)
    return target, Answers(truth={"cell": values[wanted]}, baseline={"cell": 0.0}, near=0.0)


def test_rounding_each_cell_to_the_nearest_is_undone() -> None:
    found = attack_once(RoundedCells(), *rounded(1, 3), seed=1)
    assert found.standing == "broken"
    assert found.sure == found.sure_right


def test_rounding_at_random_to_a_larger_base_holds() -> None:
    rng = np.random.default_rng(1)
    inner = rng.poisson(4.0, (20, 3)).astype(float)
    values = np.concatenate([inner.ravel(), inner.sum(1), inner.sum(0), [inner.sum()]])
    down = 5 * np.floor(values / 5)
    shown = down + 5 * (rng.random(len(values)) < (values - down) / 5)
    target = counts_target(shown, sums_of(20, 3), 5.0, np.arange(60))
    answers = Answers(truth={"cell": values[:60]}, baseline={"cell": 0.0}, near=0.0)
    found = attack_once(RoundedCells(), target, answers, seed=1)
    assert found.standing == "held"
    assert found.success <= 0.02


def test_sums_one_by_one_know_no_more_than_programmes() -> None:
    target, _ = rounded(2, 3)
    all_, some = (RoundedCells(most_cells=m).run(target, np.random.default_rng(1))[0] for m in (20_000, 0))
    assert all_.is_sure is not None
    assert some.is_sure is not None
    assert (all_.is_sure | ~some.is_sure).all()
    assert some.is_sure.any()


@pytest.mark.parametrize(("shown", "base"), [([4.0, 6.0], 2.0), ([3.0, 7.0], None), ([0.5, 1.0], None), ([0.0], None)])
def test_the_base_shows(shown: list[float], base: float | None) -> None:
    assert base_of(np.array(shown)) == base


def test_another_rounding_is_seen_and_what_it_declines() -> None:
    target, answers = rounded(3, 3)
    with pytest.raises(AttackError, match="another way"):
        RoundedCells().run(replace(target, reach=0.2), np.random.default_rng(1))
    assert "multiples" in RoundedCells().declined(replace(target, shown=target.shown + 1.0))
    assert RoundedCells().declined(3)
    assert "Nobody says" in RoundedCells().declined(replace(target, reach=None, is_count=False))
    empty = np.zeros(0, np.int64)
    assert attack_once(RoundedCells(), target.among(empty), answers.among(empty), seed=1).standing == "not run"
    one, two = (RoundedCells().run(target, np.random.default_rng(1))[0].said for _ in range(2))
    np.testing.assert_array_equal(one, two)
