"""Networks as finite games have the utilities of the scores."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.games.social.disclosure_game import disclosure_game, reach_of_profile
from tacita.games.social.generators import complete_network, scale_free_network
from tacita.games.social.network import Network
from tacita.games.social.scores import prf, visibility_of_reach


def test_utilities_are_prf_for_every_profile() -> None:
    network = Network.of_edges([("a", "b"), ("b", "c"), ("c", "d")])
    beta = np.array([[1.0, 0.5]])
    game = disclosure_game(network, beta)
    for profile in itertools.product(*game.strategies):
        expected = prf(network, visibility_of_reach(reach_of_profile(profile), 2), beta)
        assert [game.utility(player, profile) for player in game.players] == pytest.approx(expected.tolist())


def test_several_attributes() -> None:
    game = disclosure_game(complete_network(2), np.array([1.0, 3.0]))
    assert game.strategies[0] == ("0-0", "0-1", "1-0", "1-1")
    assert game.utility("0", ("0-1", "1-1")) == 4 / 4


def test_a_large_network_is_refused_at_once() -> None:
    with pytest.raises(ParameterError, match=r"players|profiles"):
        disclosure_game(scale_free_network(100), np.array([1.0]))
    with pytest.raises(ParameterError):
        disclosure_game(complete_network(2), np.ones((30, 2)))


def test_a_profile_of_another_game_is_refused() -> None:
    with pytest.raises(ParameterError, match="'profile'"):
        reach_of_profile(("H", "P"))
