"""Log-linear population uniqueness: margins, derivatives, known populations, and the choice of the model."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.statistics.log_linear import _match, _unique, cells, fit_log_linear, fit_margins
from tests.oracles.risk.uniqueness import Drawn, draw

SHAPE = (8, 6, 5, 4)


def independent(rng: np.random.Generator) -> np.ndarray:
    parts = [rng.dirichlet(np.ones(size)) for size in SHAPE]
    return np.einsum("a,b,c,d->abcd", *parts)


def paired(rng: np.random.Generator) -> np.ndarray:
    log = np.log(independent(rng) + 1e-12)
    for i, j in itertools.combinations(range(4), 2):
        place = [None] * 4
        place[i] = place[j] = slice(None)  # type: ignore[call-overload]
        log = log + rng.normal(0, 0.8, (SHAPE[i], SHAPE[j]))[tuple(place)]
    means = np.exp(log)
    return means / means.sum()


def patterns(drawn: Drawn) -> tuple[np.ndarray, np.ndarray]:
    there = np.flatnonzero(drawn.sample > 0)
    return np.stack(np.unravel_index(there, SHAPE), axis=1).astype(np.int64), drawn.sample[there]


def test_independence_by_hand() -> None:
    """Counts 1 0 / 1 2: means 0.5 0.5 / 1.5 1.5. Half of the population: lambda = 1 and 3, chances exp(-0.5), exp(-1.5)."""
    found = fit_log_linear(np.array([[0, 0], [1, 0], [1, 1]]), np.array([1, 1, 2]), 0.5, order=1)
    assert found.chances.tolist() == pytest.approx(np.exp([-0.5, -1.5, -1.5]).tolist())
    assert found.matches.tolist()[:2] == pytest.approx([(1 - np.exp(-0.5)) / 0.5, (1 - np.exp(-1.5)) / 1.5])
    assert found.population == pytest.approx(2 * np.exp(-1) + 2 * 3 * np.exp(-3))


def test_cells_have_a_place_for_missing() -> None:
    shape, place = cells(np.array([[-1, 0], [0, 0], [1, 2]]))
    assert shape == (3, 3)
    assert place.tolist() == [0, 3, 8]


@given(st.lists(st.integers(0, 4), min_size=24, max_size=24))
def test_margins_are_met(counts: list[int]) -> None:
    table = np.array(counts, dtype=float).reshape(2, 3, 4)
    if not table.sum():
        return
    fitted = fit_margins(table, [(0, 1), (0, 2), (1, 2)])
    for axis in range(3):
        assert fitted.sum(axis=axis) == pytest.approx(table.sum(axis=axis), abs=1e-4 * table.sum())
    alone = fit_margins(table, [(0,), (1,), (2,)])
    sums = [table.sum(axis=tuple(k for k in range(3) if k != j)) for j in range(3)]
    assert alone == pytest.approx(np.einsum("a,b,c->abc", *sums) / table.sum() ** 2)


@pytest.mark.parametrize("g", [_unique, _match])
def test_derivatives(g: object) -> None:
    means, step = np.array([1e-4, 0.009, 0.012, 0.5, 3.0, 40.0]), 1e-5
    value, slope, bend = g(means, 0.9)  # type: ignore[operator]
    low, high = g(means - step, 0.9), g(means + step, 0.9)  # type: ignore[operator]
    assert slope == pytest.approx((high[0] - low[0]) / (2 * step), rel=1e-5, abs=1e-9)
    assert bend == pytest.approx((high[1] - low[1]) / (2 * step), rel=1e-4, abs=1e-9)
    assert (value > 0).all()


@pytest.mark.parametrize(("make", "order"), [(independent, 1), (paired, 2)])
def test_finds_the_uniques_of_its_own_population(make: object, order: int) -> None:
    """Mean of 10 populations within 15 %, and their tests near 0 where the other model's is far away or no better."""
    rng = np.random.default_rng(3)
    means = make(rng) * 40_000  # type: ignore[operator]
    both, truth, matches, right, tests = [], [], [], [], []
    for _ in range(10):
        drawn = draw(rng.poisson(means).ravel(), 0.1, rng)
        codes, counts = patterns(drawn)
        found = fit_log_linear(codes, counts, 0.1, order=order)
        both.append(found.chances[counts == 1].sum())
        matches.append(found.matches[counts == 1].sum())
        truth.append(drawn.unique_in_both)
        right.append(drawn.right_matches)
        tests.append(found.tests[0])
    assert np.mean(both) == pytest.approx(np.mean(truth), rel=0.15)
    assert np.mean(matches) == pytest.approx(np.mean(right), rel=0.1)
    assert abs(np.mean(tests)) < 2


def test_too_few_terms_are_seen() -> None:
    rng = np.random.default_rng(4)
    drawn = draw(rng.poisson(paired(rng) * 40_000).ravel(), 0.1, rng)
    codes, counts = patterns(drawn)
    alone, pairs = (fit_log_linear(codes, counts, 0.1, order=order) for order in (1, 2))
    assert alone.tests[0] > 5
    assert abs(pairs.tests[0]) < 3


def test_a_sample_of_everybody_has_nothing_to_estimate() -> None:
    found = fit_log_linear(np.array([[0, 0], [1, 1]]), np.array([1, 3]), 1.0, order=1)
    assert found.chances.tolist() == [1.0, 1.0]
    assert found.tests == (0.0, 0.0)
