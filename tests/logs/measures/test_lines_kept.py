"""What is counted as left, on logs small enough to count by eye."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.data.query_log.query_log import QueryLog
from tacita.logs import LinesKept
from tests.logs.measures.material import by_hand


def test_counts_of_a_small_release() -> None:
    log = QueryLog.from_columns(["a", "a", "b", "b", "c"], ["green tea", "milk", "green tea", "", "jam"])
    left = QueryLog.from_columns(["p", "p", "p"], ["green tea", "green tea", "Drinks"])
    found = LinesKept().of(log, None, by_hand(left, [0, 0, -1]))
    assert found.value == pytest.approx(60.0)
    assert found.parts["texts"] == pytest.approx(100 / 3)
    assert found.parts["terms"] == pytest.approx(50.0)
    assert found.parts["new texts"] == pytest.approx(50.0)
    assert found.parts["users"] == pytest.approx(200 / 3)
    assert (found.parts["profiles"], found.parts["fewest users"]) == (1.0, 2.0)
    assert found.per_user is not None
    assert found.per_user.tolist() == [50.0, 100.0, 0.0]


def test_nothing_left_and_nothing_asked() -> None:
    log = QueryLog.from_columns(["a", "b"], ["", "tea"])
    found = LinesKept().of(log, None, by_hand(log.take(np.zeros(0, int)).compact(), [-1, -1]))
    assert found.value == found.parts["texts"] == found.parts["users"] == 0.0
    assert found.per_user is not None
    assert np.isnan(found.per_user[0])
    assert found.per_user[1] == 0.0
