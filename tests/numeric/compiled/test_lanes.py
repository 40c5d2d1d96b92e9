"""Lanes, as Python runs them and as they are compiled: each gives what the same operation on one number gives, NaN included."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

from tacita.numeric.compiled.lanes import (
    WIDE,
    WIDTH,
    at_least,
    at_most,
    broadcast,
    larger,
    largest,
    load,
    lowest_bit,
    plus_product,
    smaller,
    smallest,
    store,
)
from tests.architecture.source import load_tool

NAN = float("nan")

Way = Callable[[Callable[..., Any]], Callable[..., Any]]


@pytest.fixture(params=["as written", "compiled"], scope="module")
def way(request: pytest.FixtureRequest) -> Way:
    """How a function on lanes is run."""
    if request.param == "as written":
        return lambda function: function
    load_tool("kernels.lanes")  # tells numba what lanes are
    return numba.njit


def _all_of_them(a: np.ndarray, b: np.ndarray, x: np.float64, start: int, out: np.ndarray) -> tuple[int, int]:
    v, w = load(a, start), load(b, start)
    size = out.shape[1]
    store(out, 0, v + w)
    store(out, size, v - w)
    store(out, 2 * size, v * w)
    store(out, 3 * size, larger(v, w))
    store(out, 4 * size, smaller(v, w))
    store(out, 5 * size, broadcast(x))
    store(out, 6 * size, plus_product(v, w, w))
    return at_most(v, x), at_least(v, x)


def _extremes(a: np.ndarray) -> tuple[float, float]:
    return largest(load(a, 0)), smallest(load(a, 0))


def _first(mask: int) -> int:
    return int(lowest_bit(mask))


@pytest.mark.parametrize(("kind", "size"), [(np.float64, WIDTH), (np.float32, WIDE)])
def test_each_lane_is_one_number(way: Way, kind: type, size: int) -> None:
    rng = np.random.default_rng(3)
    a, b = (rng.normal(size=3 * size).astype(kind) for _ in range(2))
    a[5], b[5], a[7], b[8], a[9] = b[5], b[5], NAN, NAN, np.inf
    out, x, start = np.empty((7, size), kind), kind(0.25), 3
    below, above = way(_all_of_them)(a, b, x, start, out)
    v, w = a[start : start + size], b[start : start + size]
    np.testing.assert_array_equal(out[0], v + w)
    np.testing.assert_array_equal(out[1], v - w)
    np.testing.assert_array_equal(out[2], v * w)
    np.testing.assert_array_equal(out[3], np.where(v > w, v, w))  # a NaN in w stays, one in v is lost
    np.testing.assert_array_equal(out[4], np.where(v < w, v, w))
    np.testing.assert_array_equal(out[5], np.full(size, x))
    np.testing.assert_allclose(out[6], v + w * w, rtol=4 * np.finfo(kind).eps)
    assert below == sum(1 << c for c in range(size) if v[c] <= x)
    assert above == sum(1 << c for c in range(size) if v[c] >= x)


@pytest.mark.parametrize(("kind", "size"), [(np.float64, WIDTH), (np.float32, WIDE)])
def test_the_extremes_of_all_lanes(way: Way, kind: type, size: int) -> None:
    extremes = way(_extremes)
    for place in range(size):
        a = np.linspace(-1, 1, size).astype(kind)
        a[place], a[place - 1] = 9.0, -9.0
        assert extremes(a) == (9.0, -9.0)


@pytest.mark.parametrize("mask", [1, 2, 12, 0b1010000, 1 << 40, (1 << 62) | (1 << 15)])
def test_the_lowest_bit(way: Way, mask: int) -> None:
    assert way(_first)(mask) == (mask & -mask).bit_length() - 1
