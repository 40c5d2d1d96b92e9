"""A game: how it is made, what is refused, what deviations bring."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given

from tacita.core.errors import ParameterError
from tacita.games.model.game import MOST_UTILITIES, Game
from tests.games.material import drawn_game, small_games
from tests.oracles.games.normal_form import changed, profiles, u

TWO = {"Ann": ["a", "b"], "Ben": ["a", "b"]}


def test_a_function_and_matrices_make_the_same_game() -> None:
    values = {("a", "a"): (1, 2), ("a", "b"): (3, 4), ("b", "a"): (5, 6), ("b", "b"): (7, 8)}
    made = Game.from_function(TWO, values.__getitem__)
    same = Game.from_matrices([[1, 3], [5, 7]], [[2, 4], [6, 8]], players=["Ann", "Ben"], strategies=list(TWO.values()))
    assert np.array_equal(made.utilities, same.utilities)
    assert made.players == same.players
    assert made.strategies == same.strategies
    assert made.utility("Ben", ("b", "a")) == 6.0


def test_one_matrix_is_a_game_of_zero_sum() -> None:
    game = Game.from_matrices([[1, -2], [3, 4]])
    assert (game.utilities.sum(axis=0) == 0).all()


def test_one_player_may_play_alone() -> None:
    game = Game.from_matrices([1, 5, 2])
    assert game.size == 1
    assert game.best_responses(0).tolist() == [False, True, False]


@given(small_games())
def test_gains_are_what_the_best_deviation_brings(game: Game) -> None:
    for i in range(game.size):
        gains = game.gains(i)
        for s in profiles(game):
            assert gains[s] == max(u(game, i, changed(s, i, t)) for t in range(game.shape[i])) - u(game, i, s)


def test_deviations_are_listed_by_name() -> None:
    game = Game.from_matrices([[3, 0], [5, 1]], [[3, 5], [0, 1]])
    assert list(game.deviations(("1", "1"))) == [("player 1", "2", 2.0), ("player 2", "2", 2.0)]


def test_a_game_cannot_be_changed() -> None:
    given_values = np.ones((2, 2, 2))
    game = Game(("A", "B"), (("1", "2"), ("1", "2")), given_values)
    given_values[0, 0, 0] = 9.0
    assert game.utilities[0, 0, 0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        game.utilities[0, 0, 0] = 2.0


@pytest.mark.parametrize("bad", ["much", None, True, math.nan, math.inf, [1]])
def test_a_utility_that_is_no_number_is_refused(bad: object) -> None:
    with pytest.raises(
        ParameterError, match=r"utility of 'Ann' for the profile \(a, a\) must be a finite number"
    ) as error:
        Game.from_function(TWO, lambda _: [bad, 0.0])
    assert "much" not in str(error.value)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: Game.from_matrices([[1, "x"], [2, 3]], [[1, 2], [3, 4]]), "must be numbers"),
        (lambda: Game.from_matrices([[True, False], [True, True]]), "must be numbers"),
        (
            lambda: Game.from_matrices([[1, math.nan], [2, 3]]),
            "finite numbers, got infinite or missing ones for 'player 1'",
        ),
        (lambda: Game.from_matrices([[1, 2], [3]]), "rows of one length"),
        (lambda: Game.from_matrices([[1, 2]], [[1], [2]]), "arrays of one shape"),
        (Game.from_matrices, "an array for each player"),
        (lambda: Game(("A",), ((),), np.zeros((1, 0))), "strategies of 'A' must have at least one name, got none"),
        (lambda: Game(("A",), (("s", "s"),), np.zeros((1, 2))), "must be different, got 's' twice"),
        (lambda: Game(("A", "A"), (("s",), ("s",)), np.zeros((2, 1, 1))), "players must be different, got 'A' twice"),
        (lambda: Game(("A",), (("s", 3),), np.zeros((1, 2))), "must be names, got int"),  # type: ignore[arg-type]
        (lambda: Game(("A", "B"), (("s",),), np.zeros((2, 1, 1))), "a list for each of 2 players"),
        (lambda: Game(("A",), ("st",), np.zeros((1, 2))), "must be a list of names, got str"),  # type: ignore[arg-type]
        (lambda: Game(("A",), (("s",),), np.zeros((1, 2))), "must have the shape"),
        (lambda: Game.from_function({f"p{i}": ["0", "1"] for i in range(25)}, lambda _: []), "Take fewer players"),
        (lambda: Game.from_function({f"p{i}": ["0"] for i in range(99)}, lambda _: []), "at most 60 players"),
        (lambda: Game.from_function(TWO, lambda _: [1.0]), "must return 2 numbers"),
        (lambda: drawn_game(1, (2, 2)).utility("player 3", ("1", "1")), "no player 'player 3'. Did you mean"),
        (lambda: drawn_game(1, (2, 2)).utility("player 1", ("1", "7")), "'player 2' has no strategy '7'"),
        (lambda: drawn_game(1, (2, 2)).utility("player 1", ("1",)), "a profile must have 2 strategies, got 1"),
    ],
)
def test_what_is_no_game_is_refused(made: object, said: str) -> None:
    with pytest.raises(ParameterError, match=said.replace("(", r"\(")):
        made()  # type: ignore[operator]


def test_a_game_too_large_is_refused_before_it_is_made() -> None:
    with pytest.raises(ParameterError, match=f"at most {MOST_UTILITIES:,} fit"):
        Game.from_function({f"p{i}": [str(s) for s in range(100)] for i in range(8)}, lambda _: pytest.fail("called"))


def test_equal_but_for_rounding_is_equal() -> None:
    game = Game.from_matrices([[0.1 + 0.2, 1.0], [0.3, 0.0]])
    assert game.best_responses(0)[:, 0].tolist() == [True, True]


@pytest.mark.parametrize("name", ["a\nb", "\x1b[31m", "a\x00"])
def test_names_that_would_write_on_a_terminal_are_refused(name: str) -> None:
    with pytest.raises(ParameterError, match="printable names"):
        Game.from_matrices([[1, 2]], [[1, 2]], players=[name, "b"])


def test_utilities_whose_range_is_no_number_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"between -1e\+100 and 1e\+100"):
        Game.from_matrices([[1e308, -1e308]], [[1, 2]])
