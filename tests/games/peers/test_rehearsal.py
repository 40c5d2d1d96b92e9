"""Whole groups as processes that share no memory; some of them are killed."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.games.peers.rehearsal import Rehearsed, rehearse

PROGRAM = [sys.executable, "-m", "tacita.cli.main", "games", "peer"]
WORDS = ["soccer", "guitar", "java", "bread", "museum", "weather", "hotel", "piano"]


def _streams(peers: int, each: int) -> dict[str, list[str]]:
    """Peers with a few interests of their own, asked again and again, and some that others share."""
    rng = np.random.default_rng(5)
    return {
        f"peer-{i}": [
            WORDS[rng.integers(8)] if rng.random() < 0.5 else f"own{i} {rng.integers(3)}" for _ in range(each)
        ]
        for i in range(peers)
    }


def _check(found: Rehearsed, peers: int, each: int, kill: int) -> None:
    assert found.answered == found.queries == peers * each
    assert len(found.killed) == kill
    assert found.answered_by_survivors > 0  # while the others were away
    assert found.total("unanswered") == 0
    assert found.total("helped by others") > 0
    assert {status["name"] for status in found.statuses.values()} == set(found.statuses)
    assert len(found.statuses) == peers + 1
    absent = {name for status in found.statuses.values() for name in status.get("absences", {})}
    assert set(found.killed) & absent  # somebody noticed
    view = {peer.name: peer for peer in found.view.peers}
    seen = sum(peer.seen for peer in view.values())
    assert peers * each <= seen <= 2 * peers * each  # a query whose helper died was submitted a second time
    others = [peer for peer in view.values() if peer.name not in found.killed]
    assert np.mean([peer.entropy_seen - peer.entropy_true for peer in others]) > 0.3
    assert np.mean([peer.exposed for peer in others]) < 0.95
    assert found.view.entropy_of_asker > 0.5
    faults = [status["lines"].get("fault", 0) for status in found.statuses.values()]
    assert sum(faults) == 0


def test_six_processes_one_is_killed_and_every_query_is_answered() -> None:
    _check(rehearse(PROGRAM, _streams(5, 10), kill=1, seed=2, seconds=60), 5, 10, 1)


@pytest.mark.slow
def test_twenty_peers_three_are_killed_and_every_query_is_answered() -> None:
    _check(rehearse(PROGRAM, _streams(20, 40), kill=3, seed=1, seconds=120), 20, 40, 3)


def test_a_program_that_ends_by_itself_is_said() -> None:
    with pytest.raises(DataError, match="has ended by itself"):
        rehearse([sys.executable, "-c", "pass"], _streams(2, 1), seconds=20)
    with pytest.raises(DataError, match="cannot be started"):
        rehearse(["no-such-program-anywhere"], _streams(2, 1), seconds=20)


def test_the_time_is_over() -> None:
    with pytest.raises(DataError, match=r"after 0.3 seconds 0 of 2 queries were answered; everything was stopped"):
        rehearse([sys.executable, "-c", "import time; time.sleep(60)"], _streams(2, 1), seconds=0.3)


def test_what_cannot_be_rehearsed_is_refused() -> None:
    for streams, kill, says in (
        (_streams(1, 1), 0, "2 peers at least"),
        (_streams(2, 1), 2, "leave one of them"),
        ({"a": ["x"], "backend": ["x"]}, 0, "may be called 'backend'"),
        ({"a": ["x"], "b": [""]}, 0, "A query must be"),
        ({"a": ["x"], "../b": ["x"]}, 0, "'name' must be"),
    ):
        with pytest.raises(ParameterError, match=says):
            rehearse(PROGRAM, streams, kill=kill)
    with pytest.raises(ParameterError, match="'seconds' must be"):
        rehearse(PROGRAM, _streams(2, 1), seconds=0)
