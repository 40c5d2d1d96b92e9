"""Correlated equilibria against a model with a row for every rewriting of advice."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.games.classic import chicken
from tacita.games.equilibria.correlated import correlated_equilibrium
from tacita.games.model.game import Game
from tacita.games.model.outcomes import welfare
from tests.effort import examples
from tests.games.material import drawn_game, small_games
from tests.oracles.games.normal_form import best_correlated


@settings(max_examples=examples(30))
@given(small_games(), st.sampled_from([0.0, 0.1, 1.0]))
def test_the_best_is_that_of_the_slow_model(game: Game, epsilon: float) -> None:
    found = correlated_equilibrium(game, epsilon=epsilon)
    assert sum(found.utilities.values()) == pytest.approx(best_correlated(game, welfare(game), epsilon), abs=1e-5)
    assert found.verify() <= epsilon + 1e-6


@settings(max_examples=examples(20))
@given(small_games())
def test_the_worst_off_gets_no_less_than_by_other_welfare(game: Game) -> None:
    fair = correlated_equilibrium(game, "egalitarian")
    assert fair.gain < 1e-6
    for best in ("utilitarian", *game.players):
        other = correlated_equilibrium(game, best)
        assert min(fair.utilities.values()) >= min(other.utilities.values()) - 1e-5
        assert other.gain < 1e-6
        if best in game.players:
            assert other.utilities[best] >= fair.utilities[best] - 1e-5


def test_coarse_equilibria_are_more() -> None:
    for seed in range(8):
        game = drawn_game(seed, (3, 3))
        fine, coarse = correlated_equilibrium(game), correlated_equilibrium(game, kind="coarse")
        assert coarse.kind == "coarse"
        assert coarse.verify() < 1e-6
        assert sum(coarse.utilities.values()) >= sum(fine.utilities.values()) - 1e-6


def test_an_epsilon_allows_so_much_and_no_more() -> None:
    found = correlated_equilibrium(chicken(), epsilon=0.3)
    assert found.gain == pytest.approx(0.3, abs=1e-6)
    assert sum(found.utilities.values()) > 10.5
    coarse = correlated_equilibrium(chicken(), epsilon=0.3, kind="coarse")
    assert coarse.gain == pytest.approx(0.3, abs=1e-6)


def test_utilities_of_any_size_are_solved_alike() -> None:
    """A solver's tolerance is absolute; the rows are divided by the range."""
    game = chicken()
    for scale in (1e-8, 1e8):
        scaled = Game(game.players, game.strategies, game.utilities * scale)
        found = correlated_equilibrium(scaled, game.utilities.sum(axis=0))
        assert found.distribution == pytest.approx(np.array([[0.5, 0.25], [0.25, 0.0]]), abs=1e-6)


def test_six_players_with_three_strategies_are_solved() -> None:
    found = correlated_equilibrium(drawn_game(6, (3,) * 6))
    assert found.gain < 1e-6


def test_players_without_a_choice_take_what_there_is() -> None:
    assert correlated_equilibrium(drawn_game(1, (1, 1))).gain == 0.0


@pytest.mark.parametrize("epsilon", [-1.0, np.nan, np.inf, True, "much"])
def test_an_epsilon_that_is_none_is_refused(epsilon: object) -> None:
    with pytest.raises(ParameterError, match="'epsilon' must be"):
        correlated_equilibrium(chicken(), epsilon=epsilon)  # type: ignore[arg-type]


def test_a_wish_of_another_shape_is_refused() -> None:
    with pytest.raises(ParameterError, match="'best' must be"):
        correlated_equilibrium(chicken(), np.ones(3))
    with pytest.raises(ParameterError, match="'by' must be"):
        correlated_equilibrium(chicken(), "nobody")
