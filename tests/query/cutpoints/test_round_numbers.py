"""Readable numbers: as short as possible, and always between the two values that they separate."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tacita.query.cutpoints.round_numbers import decimals_in, number_text, power_below, simplest_between, two_digits
from tests.effort import examples

numbers = st.one_of(
    st.integers(-(10**6), 10**6).map(float), st.floats(-1e6, 1e6), st.floats(allow_nan=False, allow_infinity=False)
)


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.tuples(numbers, numbers), max_size=6))
def test_the_simplest_number_separates(pairs: list[tuple[float, float]]) -> None:
    pairs = [(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]]
    low, high = np.array([a for a, _ in pairs]), np.array([b for _, b in pairs])
    found = simplest_between(low, high)
    assert np.all((low <= found) & (found < high))


def slow_decimals(low: float, high: float) -> int:
    """The fewest decimals, negative for zeros before the point, of a number in [low, high)."""
    for decimals in range(-8, 12):
        step = 10.0**-decimals
        if math.ceil(low / step) * step < high:
            return decimals
    return 12


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(-5000, 5000), st.integers(1, 3000), st.sampled_from([1, 8, 64]))
def test_no_shorter_number_would_do(low: int, gap: int, part: int) -> None:
    a, b = low / part, (low + gap) / part
    number = float(simplest_between(np.array([a]), np.array([b]))[0])
    assume(number != 0)
    step = 10.0 ** -slow_decimals(a, b)
    assert abs(number / step - round(number / step)) < 1e-6


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (45_871, 46_102, 46_000),
        (1, 2, 1),
        (2, 4, 3),
        (-5, 3, 0),
        (0.1234567, 0.1234599, 0.123458),
        (999.5, 1000.5, 1000),
    ],
)
def test_simplest_numbers(low: float, high: float, wanted: float) -> None:
    assert simplest_between(np.array([float(low)]), np.array([float(high)])).tolist() == [wanted]


def test_whole_numbers_stay_whole() -> None:
    low = np.array([3.0, 41.0, -7.0, 9e15])
    found = simplest_between(low, low + np.array([1, 12, 3, 2]), whole=True)
    assert found.tolist()[:3] == [3, 50, -6]
    assert np.all((low <= found) & (found < low + np.array([1, 12, 3, 2])))
    assert np.all(np.rint(found) == found)
    assert simplest_between(np.zeros(0), np.zeros(0)).tolist() == []


def test_powers_and_digits() -> None:
    assert [power_below(x) for x in (1.0, 999.999, 1000.0, 0.001, 0.00099)] == [1, 100, 1000, 0.001, 0.0001]
    assert [two_digits(x) for x in (1.0, 1.01, 4.5, 6.75, 0.30000000000000004, 995.0)] == [1, 1.1, 4.5, 6.8, 0.31, 1000]
    assert [decimals_in(x) for x in (25.0, 0.125, 1e-7, 1e20, 0.0)] == [0, 3, 7, 0, 0]
    assert [number_text(x) for x in (3.0, 0.5, -1e6, 1e22)] == ["3", "0.5", "-1000000", "1e+22"]


@settings(max_examples=examples(25), deadline=None)
@given(st.floats(1e-9, 1e12))
def test_two_digits_are_enough_and_not_too_much(number: float) -> None:
    assert number <= two_digits(number) <= number * 1.1000001
