"""Exact sums of broken numbers: the same as math.fsum, in any order and in any pieces."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError
from tacita.numeric.perturbation.whole_parts import BITS, WholeParts, whole_parts
from tests.effort import examples

NUMBERS = st.lists(st.floats(-1e300, 1e300, allow_nan=False, allow_infinity=False), min_size=1, max_size=12)


def total(cut: WholeParts) -> float:
    return float(WholeParts(cut.lowest, cut.parts.sum(axis=0, keepdims=True)).rounded()[0])


@settings(max_examples=examples(80), deadline=None)
@given(NUMBERS)
def test_sums_are_those_of_exact_arithmetic(values: list[float]) -> None:
    cut = whole_parts(np.array(values))
    assert cut.rounded().tolist() == values
    assert total(cut) == math.fsum(values)
    assert (np.abs(cut.parts) < 1 << BITS).all()


def test_order_matters_to_plain_sums_and_not_to_these() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=2000) * 10.0 ** rng.integers(-8, 9, 2000)
    turned = values[::-1].copy()
    assert np.cumsum(values)[-1] != np.cumsum(turned)[-1]  # otherwise this data shows nothing
    assert total(whole_parts(values)) == total(whole_parts(turned)) == math.fsum(values)


def test_pieces_are_put_together() -> None:
    small, large = whole_parts(np.array([0.1, 2.0**-200])), whole_parts(np.array([1e30]))
    lowest = min(small.lowest, large.lowest)
    count = max(small.lowest + small.parts.shape[1], large.lowest + large.parts.shape[1]) - lowest
    both = np.concatenate([one.widened(lowest, count).parts for one in (small, large)])
    assert total(WholeParts(lowest, both)) == math.fsum([0.1, 2.0**-200, 1e30])


def test_ends_of_the_range() -> None:
    for values in ([5e-324, 5e-324], [1.7e308, -1.7e308, 1.0], [0.0, -0.0], [1.5e308, 5e-324]):
        assert total(whole_parts(np.array(values))) == math.fsum(values)
    assert whole_parts(np.zeros(3)).rounded().tolist() == [0.0, 0.0, 0.0]
    with pytest.raises(DataError, match="too large"):
        total(whole_parts(np.array([1.7e308, 1.7e308])))
    for bad in (np.nan, np.inf):
        with pytest.raises(DataError, match="1 are not"):
            whole_parts(np.array([1.0, bad]))
