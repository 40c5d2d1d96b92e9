"""The order of a column equals a stable argsort, whatever the values and wherever it works."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.numeric.statistics.order import in_order, sorting_order
from tests.effort import examples

KINDS = {
    "normal": lambda rng, n: rng.standard_normal(n),
    "few values": lambda rng, n: rng.integers(-3, 4, n).astype(float),
    "signed zeros": lambda rng, n: rng.choice([-0.0, 0.0, 1.0, -1.0], n),
    "equal leading bits": lambda rng, n: 1.0 + rng.integers(0, 50, n) * 2.0**-52,
    "tiny and huge": lambda rng, n: rng.standard_normal(n) * 10.0 ** rng.integers(-300, 300, n),
    "infinite": lambda rng, n: rng.choice([-np.inf, np.inf, 0.5], n),
    "ascending": lambda _rng, n: np.arange(float(n)),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [0, 1, 4999, 5000, 8193])
def test_equal_to_a_stable_argsort(kind: str, n: int) -> None:
    x = KINDS[kind](np.random.default_rng(n), n)
    before, expected = x.copy(), np.argsort(x, kind="stable")
    words = np.full(n, 7, np.uint64)
    for order in (sorting_order(x), sorting_order(x, words)):
        np.testing.assert_array_equal(order, expected)
    ranked = np.empty(n)
    in_order(x, expected, ranked)
    np.testing.assert_array_equal(ranked, np.sort(x))
    np.testing.assert_array_equal(x, before)


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(5000, 6000), st.integers(0, 60), st.integers(0, 2**32 - 1))
def test_equal_to_a_stable_argsort_of_close_values(n: int, scale: int, seed: int) -> None:
    """Runs whose leading bits agree, some of them with ties, some without."""
    rng = np.random.default_rng(seed)
    x = np.round(rng.standard_normal(n), 2) + rng.integers(0, 3, n) * 2.0**-scale
    np.testing.assert_array_equal(sorting_order(x), np.argsort(x, kind="stable"))
