"""All extreme equilibria of two players: against supports of one size, and in games full of ties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.games.equilibria.deviation_gains import mixture_gains
from tacita.games.equilibria.two_players import corners, extreme_equilibria
from tacita.games.model.game import Game
from tests.games.material import drawn_game, small_games
from tests.oracles.games.normal_form import equal_support_equilibria, pure_nash


@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 4))
def test_all_equilibria_of_a_game_without_ties_are_found(seed: int, m: int, n: int) -> None:
    game = drawn_game(seed, (m, n))
    found = {tuple((np.concatenate(one.mixtures).round(6) + 0.0).tolist()) for one in extreme_equilibria(game)}
    assert found == equal_support_equilibria(game)


@given(small_games((2, 2)))
def test_games_with_ties_have_their_pure_equilibria_and_no_false_ones(game: Game) -> None:
    found = extreme_equilibria(game)
    assert found
    assert all(one.verify() < 1e-7 for one in found)
    pure = {tuple(int(x.argmax()) for x in one.mixtures) for one in found if one.kind == "pure"}
    assert pure == pure_nash(game)  # a pure strategy is a corner, so that every pure equilibrium is extreme


@given(small_games((2, 2)))
def test_no_equilibrium_lies_outside_the_found_ones(game: Game) -> None:
    """A mixture of one player against a found mixture of the other is an equilibrium only within the hull of found ones."""
    found = extreme_equilibria(game)
    keys = {tuple(np.concatenate(one.mixtures).round(6)) for one in found}
    for one in found:
        for s in range(game.shape[0]):
            pair = [np.eye(game.shape[0])[s], one.mixtures[1]]
            if mixture_gains(game, pair).max() < 1e-9:
                assert tuple(np.concatenate(pair).round(6)) in keys


def test_a_third_player_without_a_choice_changes_nothing() -> None:
    game = drawn_game(4, (3, 3))
    wide = Game(
        ("A", "Z", "B"),
        (("1", "2", "3"), ("only",), ("1", "2", "3")),
        np.stack([game.utilities[0][:, None, :], np.zeros((3, 1, 3)), game.utilities[1][:, None, :]]),
    )
    expected = [np.concatenate(one.mixtures) for one in extreme_equilibria(game)]
    found = [np.concatenate([one.mixtures[0], one.mixtures[2]]) for one in extreme_equilibria(wide)]
    assert np.allclose(found, expected)


def test_a_degenerate_game_has_the_ends_of_its_continuum() -> None:
    """Von Stengel's example: against the first column both rows of three are best."""
    game = Game.from_matrices([[3, 3], [2, 5], [0, 6]], [[3, 3], [2, 6], [3, 1]])
    found = {tuple(np.concatenate(one.mixtures).round(4)) for one in extreme_equilibria(game)}
    assert found == {
        (1, 0, 0, 1, 0),
        (1, 0, 0, 0.6667, 0.3333),
        (0, 0.3333, 0.6667, 0.3333, 0.6667),
    }


def test_corners_of_a_square() -> None:
    z, is_zero, is_tight = corners(np.eye(2) + 1e-12)
    assert len(z) == 4
    assert (is_zero.sum(axis=1) + is_tight.sum(axis=1) == 2).all()


def test_more_players_and_more_bases_are_refused() -> None:
    with pytest.raises(ParameterError, match="two players with a choice, got 3"):
        extreme_equilibria(drawn_game(1, (2, 2, 2)))
    with pytest.raises(ParameterError, match="more than 2,000,000"):
        extreme_equilibria(drawn_game(1, (13, 13)))
