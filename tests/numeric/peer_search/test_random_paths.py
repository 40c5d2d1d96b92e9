from __future__ import annotations

import numpy as np

from tacita.numeric.peer_search.random_paths import forward_at_random
from tacita.numeric.peer_search.stream import Fate, Requests, Stream, room_for_requests


def forward(helpful: np.ndarray, onward: float, attempts: int = 1, lines: int = 4000) -> tuple[Fate, Requests]:
    peers = len(helpful)
    owner = np.arange(lines, dtype=np.int32) % peers
    none = np.zeros(1, np.int64), np.zeros(0, np.int32)
    stream = Stream(owner, np.zeros(lines, np.int32), owner, 1, helpful, True, *none)
    fate, room = Fate(owner.copy(), np.zeros(lines, np.bool_)), room_for_requests(lines * (attempts + 64))
    number = forward_at_random(stream, 0, lines, attempts, onward, np.array([1], np.uint64), fate, room)
    return fate, Requests(*(part[:number] for part in room))


def test_without_passing_on_the_first_one_submits() -> None:
    fate, requests = forward(np.ones(10, np.bool_), 0.0)
    assert np.array_equal(fate.submitter, requests.receiver)
    assert (fate.submitter != np.arange(4000) % 10).all()


def test_a_path_has_four_steps_on_average_at_three_quarters() -> None:
    """1 / (1 - p) = 4 steps of standard deviation 3.5; 4000 paths: five standard errors are 0.27."""
    fate, requests = forward(np.ones(10, np.bool_), 0.75)
    assert abs(len(requests.line) / 4000 - 4) < 0.27
    last = np.append(np.flatnonzero(np.diff(requests.line)), len(requests.line) - 1)
    assert np.array_equal(fate.submitter, requests.receiver[last])


def test_free_riders_submit_their_own_alone() -> None:
    helpful = np.arange(10) < 5
    for onward in (0.0, 0.75):
        fate, _ = forward(helpful, onward, attempts=2)
        theirs = fate.submitter >= 5
        assert np.array_equal(fate.submitter[theirs], (np.arange(4000) % 10)[theirs])
