"""The interval of a share."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.numeric.statistics.shares import interval_of_share


def test_interval_by_hand() -> None:
    """Wilson: with 0 of 100 it reaches from 0 to z2 / (n + z2) = 3.70 %; with half of them it is symmetric."""
    assert interval_of_share(0.0, 100) == pytest.approx((0.0, 0.036995), abs=1e-5)
    low, high = interval_of_share(0.5, 100)
    assert low + high == pytest.approx(1)
    assert high - low == pytest.approx(2 * 1.959964 * 0.5 / 10 / np.sqrt(1 + 1.959964**2 / 100), abs=1e-6)
