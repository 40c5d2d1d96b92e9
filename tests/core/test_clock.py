"""A deadline and its shares."""

from __future__ import annotations

import time

import numpy as np
import pytest

from tacita.core.clock import Clock


def test_without_a_deadline() -> None:
    clock = Clock.of(None)
    assert np.isinf(clock.left)
    assert clock.share(0.5) is None
    assert clock.share(0.5, most=3.0) == 3.0


def test_shares_of_what_is_left() -> None:
    clock = Clock.of(1000.0)
    assert clock.left == pytest.approx(1000, abs=5)
    assert clock.share(0.25) == pytest.approx(250, abs=2)
    assert clock.share(0.25, most=10.0) == 10.0


def test_time_runs_and_never_below_zero() -> None:
    clock = Clock.of(0.01)
    time.sleep(0.02)
    assert clock.left == 0
    assert clock.share(1.0) == 0
