"""Distances of topics against their spelled-out form."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tacita.logs import TopicDistance
from tacita.logs.anonymiser import AnonymisedLog
from tests.logs.material import interested_users
from tests.logs.measures.material import MadeOf, releases
from tests.oracles.logs import measures as slow


@given(releases())
def test_the_slow_version(found: MadeOf) -> None:
    (log, topics), made = found
    assert made.topics is not None
    fast = TopicDistance().of(log, topics, made)
    own: dict[int, list[float]] = {}
    for level in (1, 2, 3):
        users = slow.categories_of(log, topics, level)
        profiles = slow.categories_of(made.log, made.topics, level)
        if not users:
            assert f"level_{level}" not in fast.parts
            continue
        before, after = slow.together(users), slow.together(profiles)
        assert fast.parts[f"level_{level}"] == pytest.approx(100 * slow.total_variation(before, after))
        assert fast.parts[f"js_{level}"] == pytest.approx(100 * slow.jensen_shannon(before, after))
        apart = {
            user: 100 * slow.total_variation(counts, profiles.get(int(made.profile[user]), slow.Counter()))
            for user, counts in users.items()
        }
        assert fast.parts[f"users_{level}"] == pytest.approx(slow.mean(apart))
        for user, value in apart.items():
            own.setdefault(user, []).append(value)
    assert fast.per_user is not None
    for user, value in enumerate(fast.per_user):
        assert np.isnan(value) if user not in own else value == pytest.approx(np.mean(own[user]))


def test_a_log_is_at_no_distance_from_itself() -> None:
    log, topics = interested_users(40)
    every = np.arange(len(log.users), dtype=np.int32)
    found = TopicDistance().of(log, topics, AnonymisedLog(log=log, profile=every, method="x", topics=topics))
    assert found.value == pytest.approx(0.0, abs=1e-12)
    assert found.per_user is not None
    assert np.abs(found.per_user).max() < 1e-9


def test_everything_lost_is_as_far_as_can_be() -> None:
    log, topics = interested_users(10)
    nothing = AnonymisedLog(
        log=log.take(np.zeros(0, int)), profile=np.full(10, -1, np.int32), method="x", topics=topics
    )
    found = TopicDistance().of(log, topics, nothing)
    assert found.value == 100.0
    assert found.parts["js_1"] == 100.0
