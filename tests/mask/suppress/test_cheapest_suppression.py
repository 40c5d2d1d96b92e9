"""The exact mode: against all combinations on tiny files, and the heuristic against it on small ones."""

from __future__ import annotations

from itertools import combinations
from typing import cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.vocabulary import MISSING_KEYS, MissingKeys
from tacita.mask.suppress.cheapest_suppression import optimal_cells
from tacita.numeric.local_suppression.local_suppression import SuppressionTask, suppress_cells
from tests.effort import examples
from tests.oracles.mask.local_suppression import cheapest_suppression_oracle, is_k_anonymous_oracle


@st.composite
def tiny(draw: st.DrawFn) -> tuple[np.ndarray, SuppressionTask]:
    n, d = draw(st.integers(2, 5)), draw(st.integers(1, 2))
    codes = np.array(draw(st.lists(st.lists(st.integers(-1, 2), min_size=d, max_size=d), min_size=n, max_size=n)))
    price = np.array(draw(st.lists(st.sampled_from([1.0, 2.0, 3.5]), min_size=d, max_size=d)))
    views = tuple(combinations(range(d), draw(st.integers(1, d))))
    missing = cast(MissingKeys, draw(st.sampled_from(MISSING_KEYS)))
    return codes, SuppressionTask(k=draw(st.integers(2, min(n, 3))), views=views, price=price, missing=missing)


@given(tiny())
@settings(max_examples=examples(60))
def test_it_is_the_least_cost(problem: tuple[np.ndarray, SuppressionTask]) -> None:
    codes, task = problem
    found = optimal_cells(codes, task)
    assert found.is_proven
    assert is_k_anonymous_oracle(np.where(found.cells, -1, codes), task.views, task.k, task.missing)
    least = cheapest_suppression_oracle(codes, task.views, task.k, task.missing, task.price)
    assert found.cost == pytest.approx(least)
    assert found.cost == pytest.approx(float((found.cells @ task.price).sum()))


def test_three_keys_against_all_combinations() -> None:
    rng = np.random.default_rng(8)
    for missing in MISSING_KEYS:
        codes = np.minimum(rng.geometric(0.5, (4, 3)) - 1, 2)
        task = SuppressionTask(k=2, views=((0, 1, 2),), price=np.array([3.0, 2.0, 1.0]), missing=missing)
        least = cheapest_suppression_oracle(codes, task.views, 2, missing, task.price)
        assert optimal_cells(codes, task).cost == pytest.approx(least)


@pytest.mark.parametrize("missing", MISSING_KEYS)
def test_members_of_a_unit_lose_shared_keys_together(missing: MissingKeys) -> None:
    codes = np.array([[0, 0], [0, 1], [1, 0], [1, 0], [2, 1], [2, 0]])
    task = SuppressionTask(
        k=3, views=((0, 1),), price=np.array([1.0, 5.0]), missing=missing, units=np.arange(6) // 2, shared=(0,)
    )
    start = suppress_cells(codes, task)
    found = optimal_cells(codes, task, start=start)
    made = np.where(found.cells, -1, codes)
    assert np.array_equal(made[::2, 0], made[1::2, 0])
    assert is_k_anonymous_oracle(made, task.views, 3, missing)
    assert found.cost <= (start @ task.price).sum()


def small_file(rng: np.random.Generator, number: int, largest: int) -> tuple[np.ndarray, SuppressionTask]:
    n, d = int(rng.integers(10, largest + 1)), int(rng.integers(3, 6))
    columns = [np.minimum(rng.geometric(rng.uniform(0.4, 0.7), n) - 1, rng.integers(1, 5)) for _ in range(d)]
    price = np.ones(d) if number % 2 else 10.0 * np.arange(d, 0, -1)
    return np.stack(columns, axis=1), SuppressionTask(k=2 + number % 3 // 2, views=(tuple(range(d)),), price=price)


def ratios(missing: MissingKeys, files: int, largest: int) -> np.ndarray:
    """Cost of the heuristic over the optimum, on random files."""
    rng, found = np.random.default_rng(20), []
    for number in range(files):
        codes, plain = small_file(rng, number, largest)
        task = SuppressionTask(k=plain.k, views=plain.views, price=plain.price, missing=missing)
        start = suppress_cells(codes, task)
        optimum = optimal_cells(codes, task, start=start)
        assert optimum.is_proven
        assert is_k_anonymous_oracle(np.where(start, -1, codes), task.views, task.k, missing)
        cost = float((start @ task.price).sum())
        assert cost >= optimum.cost - 1e-9
        found.append(cost / optimum.cost if optimum.cost else 1.0)
    return np.array(found)


@pytest.mark.parametrize("missing", MISSING_KEYS)
def test_the_heuristic_is_near_the_optimum(missing: MissingKeys) -> None:
    found = ratios(missing, 8, 16)
    assert found.mean() <= 1.10
    assert found.max() <= 1.30


@pytest.mark.slow
@pytest.mark.parametrize("missing", MISSING_KEYS)
def test_the_heuristic_is_near_the_optimum_of_a_hundred_files(missing: MissingKeys) -> None:
    found = ratios(missing, 100, 30)
    assert found.mean() <= 1.10
    assert found.max() <= 1.30
