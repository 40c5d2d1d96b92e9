"""Tests of ``tacita.numeric.peer_search.coprivate_rules`` and ``tacita.numeric.peer_search.stream``."""

from __future__ import annotations

import numpy as np

from tacita.numeric.peer_search.coprivate_rules import follow_rules
from tacita.numeric.peer_search.stream import Fate, Stream, degree_of, friend_of, room_for_requests
from tacita.numeric.peer_search.submitted import nothing_submitted


def play(lines: list[tuple[int, int]], peers: int, helpful: list[bool], attempts: int) -> tuple[Fate, list[list[int]]]:
    owner, query = np.array(lines, np.int32).T.copy()
    pair = np.unique(owner * 100 + query, return_inverse=True)[1].astype(np.int32)
    none = np.zeros(1, np.int64), np.zeros(0, np.int32)
    stream = Stream(owner, query, pair, 100, np.array(helpful), True, *none)
    fate, room = Fate(owner.copy(), np.zeros(len(lines), np.bool_)), room_for_requests(len(lines) * attempts)
    state = nothing_submitted(peers, len(lines))
    word, times = np.array([1], np.uint64), np.zeros(len(lines), np.int64)
    number = follow_rules(stream, 0, len(lines), attempts, word, state, times, fate, room)
    return fate, [part[:number].tolist() for part in room]


def test_by_hand() -> None:
    """P0 has a, b and a again: H falls from 1 to 0.918, so she asks P1, who has c alone and gains a whole bit."""
    fate, requests = play([(1, 2), (0, 0), (0, 1), (0, 0)], 2, [True, True], 3)
    assert fate.submitter.tolist() == [1, 0, 0, 1]
    assert fate.wished.tolist() == [False, False, False, True]
    assert requests == [[3], [0], [1]]


def test_a_peer_who_submitted_nothing_does_not_help() -> None:
    """Of one query alone the entropy is 0, which is no gain: T_kk."""
    fate, requests = play([(0, 0), (0, 1), (0, 0)], 2, [True, True], 3)
    assert fate.submitter.tolist() == [0, 0, 0]
    assert requests == [[2], [0], [1]]


def test_the_second_best_is_asked_and_a_free_rider_never_helps() -> None:
    lines = [(1, 2), (2, 3), (0, 0), (0, 1), (0, 0), (0, 0)]
    fate, requests = play(lines, 3, [True, False, True], 2)
    assert fate.submitter[4] == 2
    assert set(fate.submitter[4:].tolist()) <= {0, 2}
    assert 1 in requests[2]  # who comes first is drawn, and each is asked as often as the other
    assert abs(requests[2].count(1) - requests[2].count(2)) <= 1


def test_neighbours_of_a_complete_graph_are_all_others() -> None:
    none = np.zeros(0, np.int32)
    stream = Stream(none, none, none, 1, np.ones(4, np.bool_), True, np.zeros(1, np.int64), none)
    assert degree_of(stream, 2) == 3
    assert [int(friend_of(stream, 2, place)) for place in range(3)] == [0, 1, 3]
