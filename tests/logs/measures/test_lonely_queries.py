"""Lonely queries against counting who asked, line by line."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tacita.data.query_log.query_log import QueryLog
from tacita.logs import LonelyQueries
from tests.logs.measures.material import MadeOf, by_hand, releases
from tests.oracles.logs import measures as slow


@given(releases())
def test_the_slow_version(found: MadeOf) -> None:
    (log, _), made = found
    fast = LonelyQueries().of(log, None, made)
    assert fast.value == pytest.approx(100 * np.mean(slow.lonely(log, made, in_group=False)))
    assert fast.parts["in group"] == pytest.approx(100 * np.mean(slow.lonely(log, made, in_group=True)))
    asked, released = slow.lines_of(log), {text for _, text in slow.lines_of(made.log)}
    assert fast.per_user is not None
    for user, value in enumerate(fast.per_user):
        own = [text for who, text in asked if who == user]
        alone = [t for t in own if t in released and {who for who, other in asked if other == t} == {user}]
        assert value == pytest.approx(100 * len(alone) / len(own))


def test_a_category_that_nobody_asked_is_not_lonely() -> None:
    log = QueryLog.from_columns(["a", "b"], ["ann lee", "tea"])
    assert LonelyQueries().of(log, None, by_hand(QueryLog.from_columns(["p"], ["People"]), [0, 0])).value == 0.0
    assert LonelyQueries().of(log, None, by_hand(log, [0, 1])).value == 100.0


def test_nothing_released_is_nothing_lonely() -> None:
    log = QueryLog.from_columns(["a", "b"], ["ann lee", "tea"])
    found = LonelyQueries().of(log, None, by_hand(log.take(np.zeros(0, int)), [-1, -1]))
    assert (found.value, found.parts["in group"]) == (0.0, 0.0)
