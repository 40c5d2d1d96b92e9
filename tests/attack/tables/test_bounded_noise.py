"""Bounded noise: what the sums undo of small and of large noise, against all tables that are possible."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.attack import BoundedNoise, TableTarget, attack_once
from tacita.attack.judge.answers import Answers
from tacita.core.errors import AttackError
from tests.attack.tables.cases import counts_target
from tests.solve.test_cell_intervals import sums_of


def noisy(seed: int, noise: int, told: float, size: int = 12) -> tuple[TableTarget, Answers]:
    """Return counts of many small cells under noise, of which the reader is told a bound; victims are ones and twos."""
    rng = np.random.default_rng(seed)
    inner = rng.poisson(1.0, (size, size)).astype(float)
    values = np.concatenate([inner.ravel(), inner.sum(1), inner.sum(0), [inner.sum()]])
    shown = np.where(values > 0, np.maximum(values + rng.integers(-noise, noise + 1, len(values)), 0), 0)
    wanted = np.flatnonzero((values == 1) | (values == 2))
    return counts_target(shown, sums_of(size, size), told, wanted), Answers(
        truth={"cell": values[wanted]}, baseline={"cell": 0.0}, near=0.0
    )


def test_noise_of_one_is_undone_and_larger_noise_is_not() -> None:
    target, answers = noisy(1, 1, 1.0, size=3)
    shares = []
    for seed in range(12):
        target, answers = noisy(seed, 1, 1.0, size=3)
        found = attack_once(BoundedNoise(), target, answers, seed=1)
        assert found.sure == found.sure_right
        shares.append(found.success)
    assert np.mean(shares) > 0.05
    wide = attack_once(BoundedNoise(), *noisy(1, 6, 6.0), seed=1)
    assert wide.standing == "held"
    assert wide.success == 0.0


def test_the_example_of_the_paper() -> None:
    target = counts_target(np.array([0.0, 3, 3]), sums_of(1, 2)[:1][:, [0, 1, 2]], 2.0, np.arange(3))
    said = BoundedNoise().run(replace(target, shown=np.array([3.0, 3, 0])), np.random.default_rng(1))[0].said
    assert said.tolist() == [1.0, 1.0, 2.0]


def test_a_bound_that_is_not_the_noises_is_seen() -> None:
    target, answers = noisy(2, 3, 0.0)
    with pytest.raises(AttackError, match="another one"):
        BoundedNoise().run(target, np.random.default_rng(1))
    assert attack_once(BoundedNoise(), target, answers, seed=1).standing == "not run"


def test_the_same_again_and_what_it_declines() -> None:
    target, answers = noisy(3, 2, 2.0, size=4)
    one, two = (BoundedNoise(guesses=True).run(target, np.random.default_rng(1)) for _ in range(2))
    np.testing.assert_array_equal(one[1].said, two[1].said)
    assert BoundedNoise().declined(replace(target, reach=None))
    assert BoundedNoise().declined(None)
    nobody = attack_once(
        BoundedNoise(), target.among(np.zeros(0, np.int64)), answers.among(np.zeros(0, np.int64)), seed=1
    )
    assert nobody.standing == "not run"
    assert BoundedNoise().cost(target) > 0
