"""Pure equilibria against loops over the definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tacita.games.equilibria import pure
from tacita.games.equilibria.pure import pure_equilibria, pure_profiles
from tacita.games.model.game import Game
from tests.games.material import drawn_game, small_games
from tests.oracles.games.normal_form import pure_nash


@given(small_games())
def test_pure_equilibria_are_those_of_the_definition(game: Game) -> None:
    assert {tuple(place) for place in np.argwhere(pure_profiles(game)).tolist()} == pure_nash(game)
    for one in pure_equilibria(game):
        assert one.kind == "pure"
        assert one.gain == one.verify() == 0.0


def test_a_game_where_all_is_equal_gives_as_many_as_are_asked_for() -> None:
    game = drawn_game(1, (5, 5, 5), 1)
    assert pure_profiles(game).all()
    assert len(pure_equilibria(game, most=7)) == 7


def test_a_large_game_gives_as_many_as_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pure, "_MOST_NUMBERS", 300)
    game = drawn_game(1, (5, 5, 5), 1)
    assert len(pure_equilibria(game)) == 2
    monkeypatch.setattr(pure, "_MOST_NUMBERS", 3)
    assert len(pure_equilibria(game)) == 1
