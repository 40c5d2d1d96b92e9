from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.numeric.fingerprints import tardos
from tacita.numeric.fingerprints.tardos import (
    accusation_scores,
    bias_distribution,
    draw_biases,
    draw_codewords,
    length_needed,
    soft_scores,
)
from tests.effort import examples
from tests.oracles.games.fingerprint_code import slow_coalition_score, slow_score


@given(st.integers(0, 2**32), st.integers(1, 30), st.integers(1, 9))
@settings(max_examples=examples(40), deadline=None)
def test_scores_are_those_of_the_oracle(seed: int, length: int, coalition: int) -> None:
    rng = np.random.default_rng(seed)
    p = draw_biases(length, coalition, rng)
    words = draw_codewords(p, 5, rng)
    received = rng.integers(-1, 2, length)
    slow = [slow_score(received.tolist(), word, p.tolist()) for word in words.tolist()]
    assert np.allclose(accusation_scores(received, words, p), slow)


@given(st.integers(1, 8), st.data())
@settings(max_examples=examples(60), deadline=None)
def test_no_strategy_of_a_coalition_lowers_its_score(coalition: int, data: st.DataObject) -> None:
    """The property that makes it a code against coalitions: among marks that they see they may choose as they like."""
    inner = data.draw(st.lists(st.floats(0, 1), min_size=coalition - 1, max_size=coalition - 1))
    values, chances = bias_distribution(coalition)
    expected = 2.0 * float(chances @ np.sqrt(values * (1 - values)))
    assert slow_coalition_score([0.0, *inner, 1.0], values.tolist(), chances.tolist()) == pytest.approx(expected)


def test_a_larger_coalition_than_the_code_is_for_can_lower_it() -> None:
    values, chances = bias_distribution(2)
    minority = [0.0, 1.0, 1.0, 0.0, 0.0, 1.0]
    expected = 2.0 * float(chances @ np.sqrt(values * (1 - values)))
    assert slow_coalition_score(minority, values.tolist(), chances.tolist()) < 0.5 * expected


def test_the_published_biases() -> None:
    """Nuida et al. 2009, table of c-indistinguishable distributions: 1/2 for 1 and 2; 0.21132, 0.78868 for 3 and 4."""
    assert bias_distribution(2)[0].tolist() == [0.5]
    for coalition in (3, 4):
        values, chances = bias_distribution(coalition)
        assert values.round(5).tolist() == [0.21132, 0.78868]
        assert chances.tolist() == pytest.approx([0.5, 0.5])
    values, chances = bias_distribution(6)
    assert values.round(5).tolist() == [0.1127, 0.5, 0.8873]
    assert chances.tolist() == pytest.approx([0.33201, 0.33598, 0.33201], abs=2e-5)


def test_fewer_recipients_have_the_first_codewords_of_more(monkeypatch: pytest.MonkeyPatch) -> None:
    p = draw_biases(50, 4, np.random.default_rng(3))
    many = draw_codewords(p, 40, np.random.default_rng(4))
    assert np.array_equal(draw_codewords(p, 7, np.random.default_rng(4)), many[:7])
    whole = accusation_scores(many[0].astype(np.int64), many, p)
    monkeypatch.setattr(tardos, "_AT_ONCE", 100)
    assert np.array_equal(draw_codewords(p, 40, np.random.default_rng(4)), many)
    assert np.allclose(accusation_scores(many[0].astype(np.int64), many, p), whole)


def test_symbols_follow_their_biases() -> None:
    p = np.array([0.1, 0.5, 0.9])
    share = draw_codewords(p, 20_000, np.random.default_rng(1)).mean(axis=0)
    assert np.allclose(share, p, atol=4.5 * np.sqrt(p * (1 - p) / 20_000))


def test_innocent_scores_have_mean_0_and_the_variance_of_the_weights() -> None:
    rng = np.random.default_rng(5)
    p, weights = draw_biases(200, 4, rng), rng.normal(size=200)
    scores = soft_scores(weights, draw_codewords(p, 5000, rng), p)
    assert abs(scores.mean()) < 5 * np.sqrt((weights**2).sum() / 5000)
    assert scores.var() == pytest.approx((weights**2).sum(), rel=0.12)


def test_a_leaker_is_found_at_the_planned_length() -> None:
    """Four who take the majority: at the length for 100 recipients, one of them lies above all innocent ones."""
    rng, missed = np.random.default_rng(6), 0
    for _ in range(20):
        p = draw_biases(length_needed(100, 4, 1e-3), 4, rng)
        words = draw_codewords(p, 100, rng)
        votes = words[:4].sum(axis=0)
        received = np.where(votes == 2, rng.integers(0, 2, len(p)), (votes > 2).astype(int))
        scores = accusation_scores(received, words, p)
        missed += scores[:4].max() < scores[4:].max()
    assert missed <= 2


def test_longer_codes_for_more_recipients_larger_coalitions_and_rarer_errors() -> None:
    assert length_needed(1000, 4, 1e-4) > length_needed(100, 4, 1e-4) > length_needed(100, 3, 1e-4)
    assert length_needed(100, 4, 1e-6) > length_needed(100, 4, 1e-4)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda rng: draw_biases(0, 4, rng), "'length'"),
        (lambda rng: draw_biases(5, 0, rng), "'coalition'"),
        (lambda rng: draw_biases(5, 65, rng), "'coalition'"),
        (lambda rng: draw_codewords(np.array([0.0, 0.5]), 1, rng), "'p'"),
        (lambda rng: draw_codewords(np.array([]), 1, rng), "'p'"),
        (lambda rng: draw_codewords(np.array([0.5]), -1, rng), "'recipients'"),
        (lambda _: length_needed(0, 4, 0.1), "'recipients'"),
        (lambda _: length_needed(10, 4, 0.0), "'false_accusation'"),
        (lambda _: accusation_scores(np.array([2]), np.zeros((1, 1), np.uint8), np.array([0.5])), "'received'"),
        (lambda _: accusation_scores(np.array([1]), np.zeros((1, 2), np.uint8), np.array([0.5])), "'codewords'"),
    ],
)
def test_what_makes_no_code_is_refused_by_name(call, named: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ParameterError, match=named):
        call(np.random.default_rng(1))
