"""Finding trackers: of the size that is needed, by answered questions only."""

from __future__ import annotations

from tacita.attack.queries.tracker_search import find_double_tracker, find_tracker, find_union_trackers
from tacita.study.red_team.queries import size_control
from tests.attack.queries.servers import words_of


def test_a_tracker_is_near_a_half() -> None:
    words = words_of(size_control(k=200))
    tracker = find_tracker(words)
    assert tracker is not None
    inside = words.count(tracker)
    assert inside is not None
    assert 400 <= inside <= 1100  # 2k <= |T| <= n - 2k


def test_a_double_tracker_lies_within_the_other() -> None:
    found = find_double_tracker(words_of())
    assert found is not None
    inner, outer = found
    assert not inner - outer
    assert outer - inner


def test_union_trackers_do_not_meet() -> None:
    found = find_union_trackers(words_of())
    assert len(found) > 2
    assert not any(one & two for i, one in enumerate(found) for two in found[:i])


def test_where_nothing_is_answered_there_is_no_tracker() -> None:
    words = words_of(size_control(k=10_000))
    assert find_tracker(words) is None
    assert find_double_tracker(words) is None
    assert find_union_trackers(words) == ()
