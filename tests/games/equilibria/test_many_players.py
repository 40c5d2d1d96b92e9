"""Nash equilibria of more than two players: known ones are found, and what is found is one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.games.classic import pollution_game
from tacita.games.equilibria.many_players import _step, is_searchable, mixed_equilibria
from tacita.games.model.game import Game
from tests.effort import examples
from tests.games.material import drawn_game
from tests.oracles.games.normal_form import pure_nash


@settings(max_examples=examples(20))
@given(st.integers(0, 10**6))
def test_there_is_an_odd_number_of_equilibria_without_ties(seed: int) -> None:
    """Wilson's theorem: almost every game has an odd number; a search that loses one is seen by its parity."""
    game = drawn_game(seed, (2, 2, 2))
    found = mixed_equilibria(game).found
    assert len(found) % 2 == 1
    assert all(one.verify() < 1e-8 for one in found)
    assert sum(one.kind == "pure" for one in found) == len(pure_nash(game))


def test_three_who_match_in_a_circle_draw_evenly() -> None:
    """Each wants the side of the next one, but the last the other side of the first: no pure equilibrium."""
    side = np.indices((2, 2, 2)) * 2 - 1
    game = Game.from_matrices(side[0] * side[1], side[1] * side[2], -side[2] * side[0])
    found = mixed_equilibria(game)
    assert not found.is_complete
    assert [[x.tolist() for x in one.mixtures] for one in found.found] == [[pytest.approx([0.5, 0.5])] * 3]


def test_volunteers_of_three() -> None:
    """Each pays 1 for a good worth 2 that one volunteer is enough for: all volunteer with 1 - sqrt(1/2), or one or two do."""
    gives = np.indices((2, 2, 2))
    game = Game.from_matrices(*(2 * gives.max(axis=0) - gives))
    found = mixed_equilibria(game).found
    even = [one for one in found if np.allclose([x[1] for x in one.mixtures], 1 - 0.5**0.5)]
    assert len(even) == 1
    assert sum(one.kind == "pure" for one in found) == 3


def test_dominated_strategies_do_not_come_back() -> None:
    found = mixed_equilibria(pollution_game(5, cost=2.0))
    (only,) = found.found
    assert only.kind == "pure"
    assert only.distribution.shape == (2,) * 5


def test_one_player_takes_the_best() -> None:
    found = mixed_equilibria(Game.from_matrices([1, 5, 2]))
    assert found.is_complete
    assert [one.words() for one in found.found] == ["(2)"]


def test_the_same_seed_finds_the_same() -> None:
    game = drawn_game(8, (2, 3, 2))
    first, again = (mixed_equilibria(game, seed=5).found for _ in range(2))
    assert [one.distribution.tolist() for one in first] == [one.distribution.tolist() for one in again]


def test_too_many_supports_are_refused() -> None:
    with pytest.raises(ParameterError, match="combinations of supports"):
        mixed_equilibria(drawn_game(1, (5, 5, 5)))


@pytest.mark.parametrize("seed", [0, 1])
def test_five_players_keep_the_parity(seed: int) -> None:
    """With twelve starts one equilibrium of the game of seed 1 is lost; the even number asks for more of them."""
    game = drawn_game(seed, (2,) * 5)
    found = mixed_equilibria(game).found
    assert len(found) % 2 == 1
    assert all((one.gains <= 1e-9).all() for one in found)


def test_slopes_without_an_inverse_take_the_shortest_step() -> None:
    """Newton's matrix is singular: the step solves what can be solved, and is finite."""
    slopes = np.array([[[1.0, 1.0], [1.0, 1.0]]])
    assert _step(slopes, np.array([[2.0, 2.0]])) == pytest.approx(np.array([[1.0, 1.0]]))


def test_which_games_are_small_enough() -> None:
    assert is_searchable(drawn_game(1, (2,) * 6))
    assert not is_searchable(drawn_game(1, (2,) * 8))
    assert is_searchable(pollution_game(12, cost=2.0))  # strict dominance leaves one profile
