"""Rounding never narrows an interval."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.query.camouflage.outward import Bounds, rounded_outward, widened
from tests.effort import examples

numbers = st.floats(-1e300, 1e300, allow_nan=False)


@settings(max_examples=examples(25), deadline=None)
@given(numbers, numbers, st.integers(1, 17))
def test_the_rounded_interval_contains_the_given_one_and_is_written_with_so_many_digits(
    a: float, b: float, digits: int
) -> None:
    given = Bounds(min(a, b), max(a, b))
    found = rounded_outward(given, digits)
    assert found.low <= given.low
    assert given.high <= found.high
    for end, exact in zip(found, given, strict=True):
        assert float(f"{end:.{digits - 1}e}") == end
        assert abs(end - exact) <= 10.0 ** (1 - digits) * abs(exact) + math.ulp(exact)


def test_by_hand() -> None:
    assert rounded_outward(Bounds(1234.5, 1298.7), 3) == (1230, 1300)
    assert rounded_outward(Bounds(-1298.7, -1234.5), 2) == (-1300, -1200)
    assert rounded_outward(Bounds(999.5, 999.5), 2) == (990, 1000)
    assert rounded_outward(Bounds(-math.inf, math.inf), 2) == (-math.inf, math.inf)
    assert rounded_outward(Bounds(0.1, 0.3), None) == (0.1, 0.3)


@pytest.mark.parametrize("digits", [0, 18, -1, 2.5, True, "3"])
def test_other_numbers_of_digits_are_errors(digits: object) -> None:
    with pytest.raises(ParameterError, match="'digits'"):
        rounded_outward(Bounds(0.0, 1.0), digits)  # type: ignore[arg-type]


def test_widening_goes_at_least_one_step() -> None:
    assert widened(1.0, 1.0, 0.0) == (math.nextafter(1, 0), math.nextafter(1, 2))
    assert widened(-1.0, 2.0, 1.0).low < -2.0
