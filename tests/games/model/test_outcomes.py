"""Welfare, Pareto optima, general utilities."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tacita.core.errors import ParameterError
from tacita.games.classic import prisoners_dilemma
from tacita.games.model.game import Game
from tacita.games.model.outcomes import combined_utility, pareto_optimal, welfare
from tests.games.material import drawn_game, small_games
from tests.oracles.games.normal_form import pareto


@given(small_games())
def test_pareto_optima_are_those_of_the_definition(game: Game) -> None:
    assert {tuple(place) for place in np.argwhere(pareto_optimal(game)).tolist()} == pareto(game)


def test_pareto_optima_of_many_profiles_are_found_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    game = drawn_game(3, (5, 6, 4))
    at_once = pareto_optimal(game)
    monkeypatch.setattr("tacita.games.model.outcomes._BLOCK", 3000)
    assert np.array_equal(pareto_optimal(game), at_once)


def test_all_but_the_equilibrium_of_the_dilemma_is_optimal() -> None:
    assert pareto_optimal(prisoners_dilemma()).tolist() == [[True, True], [True, False]]


def test_welfare_is_a_sum_a_minimum_or_one_player() -> None:
    game = Game.from_matrices([[1, 4]], [[2, -1]])
    assert welfare(game).tolist() == [[3.0, 3.0]]
    assert welfare(game, "egalitarian").tolist() == [[1.0, -1.0]]
    assert welfare(game, "player 2").tolist() == [[2.0, -1.0]]
    with pytest.raises(ParameterError, match="'by' must be"):
        welfare(game, "best of all")


def test_parts_of_other_games_are_refused() -> None:
    one, other = drawn_game(1, (2, 2)), drawn_game(1, (2, 3))
    with pytest.raises(ParameterError, match="'b' must have the players"):
        combined_utility({"a": one, "b": other}, {"a": 1, "b": 1})
    with pytest.raises(ParameterError, match="a number for each of the parts"):
        combined_utility({"a": one}, {"a": 1, "b": 1})
    with pytest.raises(ParameterError, match="weight of 'a' must be a finite"):
        combined_utility({"a": one}, {"a": float("nan")})
