"""Rounding to significant figures."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.query.models.significant import plain_number, significant_array, to_decimals, to_significant


@given(st.floats(-1e30, 1e30).filter(lambda v: abs(v) > 1e-30), st.integers(1, 8))
def test_within_half_a_unit_of_the_last_figure(value: float, figures: int) -> None:
    made = to_significant(value, figures)
    unit = 10.0 ** (math.floor(math.log10(abs(value))) - figures + 1)
    assert abs(made - value) <= 0.5 * unit * (1 + 1e-9)
    assert to_significant(made, figures) == made
    assert made == float(f"{made:.{figures - 1}e}")


@pytest.mark.parametrize("value", [0.12345, 2.0005, 100.05, 1.0005e-7])
def test_the_last_bits_do_not_decide_a_tie(value: float) -> None:
    near = {to_significant(value * (1 + k * 2.3e-16)) for k in range(-20, 21)}
    assert len(near) == 1


def test_what_is_no_number_stays() -> None:
    assert math.isnan(to_significant(math.nan))
    assert to_significant(-math.inf) == -math.inf
    assert plain_number(math.inf) is None
    assert math.isnan(to_decimals(math.nan))


def test_arrays_keep_their_shape() -> None:
    assert significant_array(np.array([[1.23456, -9.99999]]), 3).tolist() == [[1.23, -10.0]]


@pytest.mark.parametrize("figures", [0, 13])
def test_figures_have_limits(figures: int) -> None:
    with pytest.raises(ParameterError, match="'figures' must be in"):
        to_significant(1.0, figures)
