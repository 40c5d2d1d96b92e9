"""Waiting times, by trying."""

from __future__ import annotations

import inspect
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.query.audit import waits
from tacita.query.audit.waits import seconds_to_wait
from tests.effort import examples


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.integers(0, 50), max_size=12), st.integers(1, 4), st.integers(1, 20), st.integers(0, 5))
def test_the_wait_is_the_shortest_that_keeps_the_rule(asked: list[int], most: int, window: int, gap: int) -> None:
    """Whole seconds are tried one after the other until the window behind has room and the gap is kept."""
    now = 50
    times = np.array(asked, dtype=float)

    def fits(moment: int) -> bool:
        return (times > moment - window).sum() < most and all(moment - time >= gap for time in times)

    expected = next(wait for wait in range(200) if fits(now + wait))
    assert seconds_to_wait(times, now, most=most, window=window, least_gap=gap) == expected


def test_a_new_user_waits_for_nothing() -> None:
    assert seconds_to_wait(np.zeros(0), 7.0, most=1, window=60.0, least_gap=5.0) == 0.0


def test_a_clock_that_was_set_back_locks_nobody_out() -> None:
    assert seconds_to_wait(np.array([1e9]), 10.0, most=1, window=60.0) == 60.0


def test_no_clock_is_read() -> None:
    source = inspect.getsource(waits)
    assert "import time" not in source
    assert "datetime" not in source


@pytest.mark.parametrize(
    "wrong", [{"most": 0}, {"window": -1.0}, {"window": math.inf}, {"least_gap": math.nan}, {"now": math.nan}], ids=str
)
def test_bad_parameters(wrong: dict[str, float]) -> None:
    given_ = {"now": 5.0, "most": 2, "window": 10.0} | wrong
    with pytest.raises(ParameterError, match="seconds_to_wait"):
        seconds_to_wait(np.array([1.0]), **given_)  # type: ignore[arg-type]
