"""Polygons of payoffs: known ones, and every equilibrium and every chance direction inside them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.games.classic import chicken, matching_pennies, prisoners_dilemma
from tacita.games.equilibria.payoff_region import correlated_payoffs, feasible_payoffs
from tacita.games.equilibria.two_players import extreme_equilibria
from tests.effort import examples
from tests.games.material import drawn_game
from tests.oracles.games.normal_form import best_correlated

PLAYERS = ("player 1", "player 2")


def support(corners: np.ndarray, direction: np.ndarray) -> float:
    return float((corners @ direction).max())


@settings(max_examples=examples(15))
@given(st.integers(0, 10**6), st.sampled_from([(2, 2), (3, 2), (2, 2, 2)]), st.floats(0, 6.28), st.booleans())
def test_no_correlated_equilibrium_is_outside(seed: int, shape: tuple[int, ...], angle: float, ties: bool) -> None:
    """In a chance direction the polygon goes exactly as far as the slow model."""
    game = drawn_game(seed, shape, 4 if ties else None)
    corners = correlated_payoffs(game, PLAYERS)
    direction = np.array([np.cos(angle), np.sin(angle)])
    wish = direction[0] * game.utilities[0] + direction[1] * game.utilities[1]
    assert support(corners, direction) == pytest.approx(best_correlated(game, wish), abs=1e-4)
    assert support(corners, direction) <= support(feasible_payoffs(game, PLAYERS), direction) + 1e-6
    if len(shape) == 2:
        for one in extreme_equilibria(game):
            assert direction @ np.array(list(one.utilities.values())) <= support(corners, direction) + 1e-5


def test_known_polygons() -> None:
    both = ("driver 1", "driver 2")
    assert correlated_payoffs(chicken(), both) == pytest.approx(
        np.array([[2, 7], [3.6, 3.6], [7, 2], [5.25, 5.25]]), abs=1e-9
    )
    assert correlated_payoffs(matching_pennies(), ("even", "odd")) == pytest.approx(np.zeros((1, 2)), abs=1e-9)
    one = correlated_payoffs(prisoners_dilemma(), ("prisoner 1", "prisoner 2"))
    assert one == pytest.approx(np.array([[-5.0, -5.0]]))
    assert feasible_payoffs(matching_pennies(), ("even", "odd")).tolist() == [[-1, 1], [1, -1]]


def test_epsilon_widens_it() -> None:
    narrow, wide = (correlated_payoffs(chicken(), ("driver 1", "driver 2"), epsilon=e) for e in (0.0, 0.2))
    for angle in np.linspace(0, 6, 7):
        direction = np.array([np.cos(angle), np.sin(angle)])
        assert support(wide, direction) >= support(narrow, direction) - 1e-6
    assert support(wide, np.ones(2)) > support(narrow, np.ones(2)) + 0.05


def test_two_players_are_two() -> None:
    with pytest.raises(ParameterError, match="two different players"):
        feasible_payoffs(chicken(), ("driver 1", "driver 1"))
