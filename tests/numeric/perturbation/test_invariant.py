"""Invariant matrices and controlled flows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.numeric.perturbation.invariant import banded_matrix, controlled_flows, invariant_matrix, moved_states


@given(
    st.lists(st.integers(0, 500), min_size=2, max_size=9),
    st.floats(0, 1),
    st.floats(0, 1),
    st.integers(1, 3),
)
def test_frequencies_are_kept(frequencies: list[int], alpha: float, stay: float, reach: int) -> None:
    v = np.array(frequencies, float)
    R = invariant_matrix(banded_matrix(len(v), stay=stay, reach=reach), v, alpha=alpha)
    assert np.abs(R.sum(axis=1) - 1).max() < 1e-12
    assert (R >= 0).all()
    assert np.abs(v @ R - v).max() < 1e-9 * max(1, v.max())
    flows = v[:, None] * R
    assert np.abs(flows - flows.T).max() < 1e-9 * max(1, v.max())


def test_it_is_p_times_q_as_the_paper_has_it() -> None:
    """Q: P transposed, each column j times the relative frequency of j, rows normalised."""
    v = np.array([5.0, 3.0, 2.0])
    P = np.array([[0.7, 0.2, 0.1], [0.3, 0.5, 0.2], [0.0, 0.4, 0.6]])
    Q = P.T * (v / v.sum())
    Q = Q / Q.sum(axis=1, keepdims=True)
    assert np.abs(invariant_matrix(P, v) - P @ Q).max() < 1e-15
    damped = invariant_matrix(P, v, alpha=0.25)
    assert np.abs(damped - (0.25 * P @ Q + 0.75 * np.eye(3))).max() < 1e-15


@given(st.lists(st.integers(0, 60), min_size=2, max_size=7), st.integers(0, 10**6))
def test_flows_are_rounded_and_sums_stay(frequencies: list[int], seed: int) -> None:
    v = np.array(frequencies, float)
    expected = v[:, None] * invariant_matrix(banded_matrix(len(v), stay=0.6, reach=2), v)
    made = controlled_flows(expected, np.random.default_rng(seed))
    assert made.sum(axis=0).tolist() == made.sum(axis=1).tolist() == frequencies
    assert (np.abs(made - expected) < 1 + 1e-6).all()
    assert (made >= 0).all()


def test_rounding_has_no_bias() -> None:
    """2000 draws: every mean within 4.5 standard errors; 25 entries, false alarm below 1 in 5000."""
    v = np.array([7.0, 4.0, 9.0, 3.0, 6.0])
    expected = v[:, None] * invariant_matrix(banded_matrix(5, stay=0.5, reach=2), v)
    rng = np.random.default_rng(4)
    drawn = np.array([controlled_flows(expected, rng) for _ in range(2000)])
    part = expected - np.floor(expected)
    error = np.sqrt(np.maximum(part * (1 - part), 1e-12) / 2000)
    assert (np.abs(drawn.mean(axis=0) - expected) < 4.5 * error + 1e-6).all()
    shifted = expected + 0.3 * (part > 0.2)
    assert not (np.abs(drawn.mean(axis=0) - shifted) < 4.5 * error + 1e-6).all()


def test_items_move_as_the_flows_say() -> None:
    rng = np.random.default_rng(1)
    states = rng.integers(0, 3, 50)
    n = np.bincount(states, minlength=3)
    flows = np.diag(n)
    flows[0, 0] -= 2
    flows[0, 2] += 2
    made = moved_states(states, flows, rng.random(50))
    assert np.bincount(states * 3 + made, minlength=9).reshape(3, 3).tolist() == flows.tolist()


def test_bad_input_is_refused() -> None:
    with pytest.raises(ParameterError, match="transition matrix of the states"):
        invariant_matrix(np.ones((2, 2)), np.ones(2))
    with pytest.raises(ParameterError, match="alpha must be from 0 to 1"):
        invariant_matrix(np.eye(2), np.ones(2), alpha=2)
    with pytest.raises(ParameterError, match="'stay' must be"):
        banded_matrix(3, stay=2)
    with pytest.raises(ParameterError, match="sum to a whole number"):
        controlled_flows(np.array([[0.5]]), np.random.default_rng(1))
