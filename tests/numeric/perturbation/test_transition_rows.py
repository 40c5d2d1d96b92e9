"""Rows of transition matrices against slow versions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.numeric.perturbation.noise_table import most_entropy
from tacita.numeric.perturbation.transition_rows import (
    entropy,
    first_free_row,
    most_entropy_rows,
    most_entropy_within,
    projected_row,
    transition_support,
)
from tests.effort import examples
from tests.oracles.tables.transition_oracle import entropy_by_optimiser, support_by_hand, variances_by_pairs


@pytest.mark.parametrize("bound", [1, 2, 3, 5, 9])
@pytest.mark.parametrize("forbidden", [(), (1,), (1, 2), (1, 2, 3, 4), (2,)])
def test_support_is_what_conditions_leave(bound: int, forbidden: tuple[int, ...]) -> None:
    for count in range(first_free_row(bound, forbidden) + 3):
        assert transition_support(count, bound, forbidden).tolist() == support_by_hand(count, bound, forbidden)
    free = first_free_row(bound, forbidden)
    assert len(transition_support(free, bound, forbidden)) == 2 * bound + 1
    assert len(transition_support(free - 1, bound, forbidden)) < 2 * bound + 1


@settings(max_examples=examples(40))
@given(
    st.integers(3, 8),
    st.lists(
        st.tuples(st.integers(1, 12), st.sampled_from([0.0, 0.01, 0.2, 0.5, 0.77, 0.999, 1.0])), min_size=1, max_size=6
    ),
)
def test_many_rows_are_the_single_ones(bound: int, asked: list[tuple[int, float]]) -> None:
    noise = np.arange(-bound, bound + 1)
    supports = [transition_support(count, bound, (1, 2)) for count, _ in asked]
    limits = [variances_by_pairs(support) for support in supports]
    variances = np.array([low + share * (high - low) for (low, high), (_, share) in zip(limits, asked, strict=True)])
    allowed = np.stack([np.isin(noise, support) for support in supports])
    found = most_entropy_rows(noise, allowed, variances)
    for p, support, variance in zip(found, supports, variances, strict=True):
        single = most_entropy(support, float(variance))
        assert np.abs(p[support + bound] - single).max() < 1e-9
        assert abs(p.sum() - 1) < 1e-12
        assert abs(p @ noise) < 1e-12
        assert abs(p @ noise**2 - variance) < 1e-11


def test_ends_of_the_interval_stand_on_two_points() -> None:
    noise = np.arange(-3, 4)
    allowed = np.isin(noise, transition_support(1, 3, (1, 2)))[None].repeat(2, axis=0)
    found = most_entropy_rows(noise, allowed, np.array([2.0, 3.0]))
    assert found[:, [2, 5, 6]].tolist() == [[2 / 3, 1 / 3, 0], [0.75, 0, 0.25]]


def test_next_to_an_end_the_mean_is_still_zero() -> None:
    noise = np.arange(-3, 4)
    allowed = np.isin(noise, transition_support(3, 3, (1, 2)))[None]
    found = most_entropy_rows(noise, allowed, np.array([9e-9]))[0]
    assert abs(found @ noise) < 1e-20
    assert found @ noise**2 == pytest.approx(9e-9, rel=1e-12)


def test_a_row_that_cannot_have_its_variance_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"must be in \[2, 3\], got 1\.5"):
        most_entropy_rows(
            np.arange(-3, 4), np.isin(np.arange(-3, 4), transition_support(1, 3, (1, 2)))[None], np.array([1.5])
        )


@pytest.mark.parametrize("count", [3, 4, 5, 6])
@pytest.mark.parametrize("stay", [None, 0.3])
def test_the_convex_programme_has_most_entropy(count: int, stay: float | None) -> None:
    v = transition_support(count, 5, (1, 2))
    equal, aims = [v, v * v], [0.0, 2.5]
    if stay is not None:
        equal.append(v == 0)
        aims.append(stay)
    right = np.flatnonzero(v > 0)
    falls = np.zeros((len(right) - 1, len(v)))
    falls[np.arange(len(right) - 1), right[1:]] = 1
    falls[np.arange(len(right) - 1), right[:-1]] = -1
    p = most_entropy_within(np.stack(equal).astype(float), np.array(aims), falls, np.zeros(len(falls)))
    assert np.abs(np.stack(equal) @ p - aims).max() < 1e-12
    assert (falls @ p <= 1e-12).all()
    best = entropy_by_optimiser(v, 2.5, monotone=True, stay=stay)
    assert float(entropy(p)) == pytest.approx(best, abs=1e-5)


def test_conditions_that_cannot_be_met_are_refused() -> None:
    with pytest.raises(ParameterError, match="relax one of them"):
        most_entropy_within(np.array([[1.0, 2.0, 3.0]]), np.array([5.0]))
    with pytest.raises(ParameterError, match="relax one of them"):
        projected_row(np.array([0.5, 0.5]), np.array([[1.0, 2.0]]), np.array([7.0]))


def test_projection_leaves_what_fits_and_drops_what_would_be_negative() -> None:
    v = np.array([-1.0, 2.0, 3.0])
    equal = np.stack([v, v * v])
    exact = np.array([0.7083333333333334, 0.16666666666666666, 0.125])
    assert np.abs(projected_row(exact, equal, np.array([0.0, 2.5])) - exact).max() < 1e-14
    made = projected_row(np.array([0.667, 0.332, 0.001]), equal, np.array([0.0, 2.0]), weighted=False)
    assert abs(made[2]) < 1e-15
    assert np.abs(equal @ made - [0, 2]).max() < 1e-14
