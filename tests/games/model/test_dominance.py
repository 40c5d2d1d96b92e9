"""Dominance against the definition; mixtures against what they claim; elimination keeps equilibria."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tacita.core.errors import ParameterError
from tacita.games.classic import prisoners_dilemma, social_network
from tacita.games.model.dominance import dominant_strategies, dominates, eliminate, mixed_dominance
from tacita.games.model.game import Game
from tests.games.material import drawn_game, small_games
from tests.oracles.games.normal_form import dominated_by_one, pure_nash


@given(small_games())
def test_dominance_is_that_of_the_definition(game: Game) -> None:
    for i, player in enumerate(game.players):
        for dominance in ("strict", "weak"):
            table = dominates(game, player, dominance)
            for a in range(game.shape[i]):
                for b in range(game.shape[i]):
                    assert table[a, b] == dominated_by_one(game, i, a, b, strict=dominance == "strict")


@given(small_games())
def test_strict_elimination_keeps_every_pure_equilibrium(game: Game) -> None:
    for by_mixtures in (False, True):
        left = eliminate(game, by_mixtures=by_mixtures)
        kept = {left.game.named(place) for place in pure_nash(left.game)}
        assert kept == {game.named(place) for place in pure_nash(game)}
        assert left.game.profiles < game.profiles or not left.fallen


@given(small_games())
def test_what_falls_is_dominated_by_what_is_named(game: Game) -> None:
    for one in eliminate(game, by_mixtures=True).fallen:
        if one.round == 1:
            i = game.player(one.player)
            rows = game.own_rows(i)
            mixed = sum(share * rows[game.strategy(one.player, name)] for name, share in one.by.items())
            assert (mixed > rows[game.strategy(one.player, one.strategy)]).all()


def test_the_dilemma_is_solved_and_says_how() -> None:
    left = eliminate(prisoners_dilemma())
    assert left.is_solved
    assert left.game.strategies == (("talks",), ("talks",))
    assert left.words().splitlines()[0] == "Round 1: 'prisoner 1' drops 'silent', strictly dominated by 'talks'."
    assert [one.round for one in left.fallen] == [1, 1]


def test_hiding_is_dominant_in_the_example_of_the_paper_but_not_strictly() -> None:
    """Expression (1) with its >=: u_1(H, H) = 0 = u_1(P, H)."""
    game, _ = social_network()
    for player in game.players:
        assert dominant_strategies(game, player) == ("H",)
        assert dominant_strategies(game, player, strictly=True) == ()
    assert eliminate(game).fallen == ()
    assert eliminate(game, "weak").game.strategies == (("H",), ("H",))


def test_a_mixture_dominates_what_no_strategy_does() -> None:
    game = Game.from_matrices([[4, 0], [0, 4], [1, 1]], np.zeros((3, 2)))
    assert not dominates(game, "player 1").any()
    assert mixed_dominance(game, "player 1", "3") == {"1": 0.5, "2": 0.5}
    assert mixed_dominance(game, "player 1", "1") is None
    left = eliminate(game, by_mixtures=True)
    assert left.game.strategies[0] == ("1", "2")
    assert "0.5 '1' + 0.5 '2'" in left.words()


def test_weak_mixed_dominance_asks_for_a_gain_somewhere() -> None:
    game = Game.from_matrices([[4, 0, 1], [0, 4, 1], [2, 2, 0]], np.zeros((3, 3)))
    assert mixed_dominance(game, "player 1", "3") is None
    assert mixed_dominance(game, "player 1", "3", "weak") == pytest.approx({"1": 0.5, "2": 0.5})
    even = Game.from_matrices([[4, 0], [0, 4], [2, 2]], np.zeros((3, 2)))
    assert mixed_dominance(even, "player 1", "3", "weak") is None
    assert mixed_dominance(drawn_game(1, (1, 2)), "player 1", "1") is None


def test_an_unknown_dominance_is_refused() -> None:
    with pytest.raises(ParameterError, match="'dominance' must be"):
        eliminate(prisoners_dilemma(), "some")  # type: ignore[arg-type]
