from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.data.query_log.query_log import QueryLog
from tacita.games.search.community import Community, community_of_log, community_of_sample, pair_counts
from tests.games.search.material import sampled

TIMES = np.array(["2020-01-01T00:00:03", "2020-01-01T00:00:01", "2020-01-01T00:00:02", "NaT"], "datetime64[us]")


def test_lines_are_in_the_order_of_time_and_say_what_is_left_out() -> None:
    log = QueryLog.from_columns(["ann", "bob", "ann", "bob"], ["c", "a", "b", "d"], time=TIMES)
    found = community_of_log(log)
    assert found.owner.tolist() == [1, 0, 0]
    assert len(set(found.query.tolist())) == found.queries == 3
    assert found.notes == ("1 lines without a query or a time are left out.",)


def test_clicks_on_one_search_are_one_query() -> None:
    same = np.array(["2020-01-01"] * 3, "datetime64[us]")
    log = QueryLog.from_columns(["ann", "ann", "bob"], ["a", "a", "a"], time=same)
    assert len(community_of_log(log)) == 2


def test_without_times_everybody_stays_in_order_and_repetitions_stay() -> None:
    log = QueryLog.from_columns(["ann"] * 50 + ["bob"] * 50, [f"q{i:02}" for i in range(50)] + ["same"] * 50)
    found = community_of_log(log, seed=3)
    first = found.query[found.owner == 0]
    assert (np.diff([int(text) for text in first]) > 0).all()  # q00 to q49, numbered as they come
    assert (found.owner == 1).sum() == 50
    assert 0 < np.flatnonzero(found.owner == 1).mean() < 99
    assert len(set(found.owner[:20].tolist())) == 2  # interleaved
    assert "no times" in found.notes[0]


def test_case_and_blanks_do_not_make_another_query() -> None:
    log = QueryLog.from_columns(["ann", "bob", "ann"], ["Tea", " tea", "milk"])
    assert community_of_log(log).queries == 2


def test_users_are_drawn_and_too_many_are_a_note() -> None:
    log = QueryLog.from_columns([f"u{i}" for i in range(30)], ["a"] * 30)
    assert community_of_log(log, peers=5, seed=1).peers == 5
    found = community_of_log(log, peers=50, queries=99, seed=1)
    assert found.peers == 30
    assert any("30 users" in note for note in found.notes)
    assert any("30 queries" in note for note in found.notes)


def test_the_sample_has_as_many_peers_and_queries_as_are_asked_for() -> None:
    found = sampled()
    assert (found.peers, len(found)) == (150, 6000)
    assert found.topic is not None
    assert 0.5 < (found.topic >= 0).mean() < 1


def test_topics_as_keywords() -> None:
    found = Community(
        np.array([0, 1, 1]), np.array([0, 1, 2]), peers=2, queries=3, topic=np.array([4, -1, 4], np.int32)
    )
    topics = found.by_topic()
    assert topics.query.tolist() == [4, 4]
    assert topics.owner.tolist() == [0, 1]
    assert topics.queries == 5
    assert "1 queries without a topic" in topics.notes[0]


def test_some_peers_with_their_queries() -> None:
    found = Community(np.array([0, 2, 1, 2]), np.array([0, 1, 1, 0]), peers=3, queries=2).of_peers(np.array([0, 2]))
    assert found.owner.tolist() == [0, 1, 1]
    assert found.query.tolist() == [0, 1, 0]
    assert found.asked.toarray().tolist() == [[1, 0], [1, 1]]


def test_counts_of_pairs() -> None:
    made = pair_counts(np.array([0, 0, 1]), np.array([1, 1, 0]), (2, 2))
    assert made.toarray().tolist() == [[0, 2], [1, 0]]


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"peers": 1, "queries": 1}, "at least 2 peers"),
        ({"peers": 2, "queries": 2}, "'query' must hold places"),
        ({"peers": 2, "queries": 3, "topic": np.zeros(1, np.int32)}, "'topic'"),
    ],
)
def test_what_does_not_fit_is_said(columns: dict[str, Any], words: str) -> None:
    with pytest.raises(DataError, match=words):
        Community(np.array([0]), np.array([2]), **columns)


def test_a_log_of_one_user_is_no_community() -> None:
    with pytest.raises(DataError, match="at least 2 users"):
        community_of_log(QueryLog.from_columns(["ann", "ann"], ["secret", "a"]))
    with pytest.raises(DataError, match="Topics"):
        community_of_log(QueryLog.from_columns(["ann", "bob"], ["a", "a"])).by_topic()


@pytest.mark.parametrize(
    "bad", [{"peers": 1, "queries": 5}, {"peers": 5, "queries": 0}, {"peers": 5, "queries": 5, "level": 0}]
)
def test_bad_sizes_are_named(bad: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="whole number"):
        community_of_sample(**bad)
