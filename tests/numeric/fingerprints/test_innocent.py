from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.numeric.fingerprints.innocent import accusation_threshold, cumulants, innocent_bounds
from tacita.numeric.fingerprints.tardos import draw_biases, draw_codewords, soft_scores
from tests.effort import examples
from tests.oracles.games.fingerprint_code import slow_chance, slow_score


@given(st.integers(0, 2**32), st.integers(1, 10), st.integers(1, 9))
@settings(max_examples=examples(60), deadline=None)
def test_the_bound_is_never_below_the_chance_itself(seed: int, length: int, coalition: int) -> None:
    rng = np.random.default_rng(seed)
    p = draw_biases(length, coalition, rng)
    received = rng.integers(-1, 2, length)
    word = draw_codewords(p, 1, rng)[0]
    score = slow_score(received.tolist(), word.tolist(), p.tolist())
    weights = np.where(received < 0, 0.0, 2.0 * received - 1.0)
    assert innocent_bounds([score], weights, p)[0] >= slow_chance(score, received.tolist(), p.tolist()) - 1e-9


@given(st.integers(0, 2**32), st.floats(1e-9, 0.3))
@settings(max_examples=examples(40), deadline=None)
def test_threshold_and_bound_are_each_others_inverse(seed: int, chance: float) -> None:
    rng = np.random.default_rng(seed)
    p, weights = draw_biases(300, 4, rng), rng.normal(size=300)
    threshold = accusation_threshold(weights, p, chance)
    assert innocent_bounds([threshold], weights, p)[0] == pytest.approx(chance, rel=1e-4)


def test_few_of_many_innocent_ones_reach_the_threshold_for_one_in_a_hundred() -> None:
    rng = np.random.default_rng(8)
    p, weights = draw_biases(400, 4, rng), rng.normal(size=400)
    scores = soft_scores(weights, draw_codewords(p, 20_000, rng), p)
    share = (scores >= accusation_threshold(weights, p, 0.01)).mean()
    assert 0.0003 < share < 0.005  # the bound is some times the chance, not thousands of times


def test_the_scale_of_the_weights_changes_nothing() -> None:
    rng = np.random.default_rng(9)
    p, weights = draw_biases(100, 3, rng), rng.normal(size=100)
    one, thousand = (accusation_threshold(weights * scale, p, 1e-4) for scale in (1.0, 1000.0))
    assert thousand == pytest.approx(1000 * one)


def test_the_derivative_is_that_of_the_cumulants() -> None:
    rng = np.random.default_rng(10)
    p, weights = draw_biases(50, 4, rng), rng.normal(size=50) / 7
    numeric = (cumulants(0.5 + 1e-5, weights, p)[0] - cumulants(0.5 - 1e-5, weights, p)[0]) / 2e-5
    assert cumulants(0.5, weights, p)[1] == pytest.approx(numeric, rel=1e-6)


def test_nothing_received_names_nobody() -> None:
    assert accusation_threshold(np.zeros(5), np.full(5, 0.5), 0.01) == np.inf
    assert innocent_bounds([3.0], np.zeros(5), np.full(5, 0.5)).tolist() == [1.0]


def test_a_score_beyond_the_largest_has_the_bound_of_the_largest_or_less() -> None:
    weights, p = np.ones(10), np.full(10, 0.5)
    assert innocent_bounds([10.0, 20.0], weights, p) == pytest.approx([2.0**-10, 0.0], rel=1e-3)


def test_no_probability_is_refused() -> None:
    with pytest.raises(ParameterError, match="'false_accusation'"):
        accusation_threshold(np.ones(3), np.full(3, 0.5), 1.0)
    with pytest.raises(ParameterError, match="'weights'"):
        innocent_bounds([1.0], np.ones(3), np.full(2, 0.5))
