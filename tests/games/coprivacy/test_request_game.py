"""The game of Definition 1, profile by profile."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.games.coprivacy.request_game import request_game, request_helps, request_strategies


@pytest.mark.parametrize("system", [True, False])
@pytest.mark.parametrize("peers", [2, 3, 4])
def test_every_profile_has_its_utilities(peers: int, system: bool) -> None:
    rng = np.random.default_rng(peers)
    asker, helper = rng.random((2, peers - 1, 2))
    idle = rng.random(peers - 1)
    game = request_game(asker, helper, alone=0.5 if system else None, idle=idle.tolist())
    strategies = request_strategies(peers, system=system)
    assert dict(zip(game.players, map(list, game.strategies), strict=True)) == strategies
    for profile in itertools.product(*strategies.values()):
        played = dict(zip(game.players, profile, strict=True))
        asked = played["P1"].removeprefix("ask ")
        place = 0 if played.get(asked) == "process" else 1
        expected = 0.5 if asked == "P0" else asker[int(asked[1:]) - 2, place]
        assert game.utility("P1", profile) == expected
        for k in range(2, peers + 1):
            theirs = helper[k - 2, place] if asked == f"P{k}" else idle[k - 2]
            assert game.utility(f"P{k}", profile) == theirs
        if system:
            assert game.utility("P0", profile) == 0.0


def test_asking_a_peer_who_processes_is_help() -> None:
    game = request_game(np.ones((2, 2)), np.ones((2, 2)))
    assert [(one.asks, one.helper, one.helps) for one in request_helps(game)] == [
        ("ask P2", "P2", "process"),
        ("ask P3", "P3", "process"),
    ]


@pytest.mark.parametrize(
    "made",
    [
        lambda: request_strategies(1),
        lambda: request_strategies(True),
        lambda: request_game([1, 2], [1, 2]),
        lambda: request_game([[1, 2]], [[1, 2], [3, 4]]),
    ],
)
def test_what_is_no_such_game_is_refused(made: object) -> None:
    with pytest.raises(ParameterError):
        made()  # type: ignore[operator]
