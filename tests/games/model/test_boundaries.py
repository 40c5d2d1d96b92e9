"""Boundary conditions as a game of corners."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.games.equilibria.deviation_gains import mixture_gains
from tacita.games.model.boundaries import bounded_game, corners_between
from tests.games.material import drawn_game


def test_without_boundaries_the_game_stays() -> None:
    game = drawn_game(1, (2, 3, 2))
    bounded, corners = bounded_game(game, {})
    assert np.array_equal(bounded.utilities, game.utilities)
    assert bounded.strategies == game.strategies
    assert all(np.array_equal(own, np.eye(size)) for own, size in zip(corners, game.shape, strict=True))


def test_utilities_at_corners_are_means() -> None:
    game = drawn_game(2, (2, 3))
    bounded, corners = bounded_game(game, {"player 2": {"1": (0.25, 0.5), "3": (0, 0.5)}})
    assert np.allclose(bounded.utilities[0], game.utilities[0] @ corners[1].T)
    assert np.allclose(bounded.utilities[1], game.utilities[1] @ corners[1].T)
    assert mixture_gains(bounded, [np.array([1.0, 0.0]), np.eye(len(corners[1]))[0]]).shape == (2,)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=4))
def test_corners_are_the_extreme_points(sides: list[tuple[int, int]]) -> None:
    low = np.array([min(pair) for pair in sides]) / 4
    high = np.array([max(pair) for pair in sides]) / 4
    found = corners_between(low, high)
    assert bool(len(found)) == (low.sum() <= 1 <= high.sum())
    for x in found:
        assert abs(x.sum() - 1) < 1e-12
        assert (x >= low - 1e-12).all()
        assert (x <= high + 1e-12).all()
        assert ((x > low + 1e-9) & (x < high - 1e-9)).sum() <= 1
    assert len({tuple(x) for x in found.round(9)}) == len(found)


@pytest.mark.parametrize(
    ("boundaries", "said"),
    [
        ({"player 1": {"1": (0.6, 1), "2": (0.6, 1)}}, "a sum of 1"),
        ({"player 1": {"1": (0.6, 0.2)}}, "two probabilities, the smaller one first"),
        ({"player 1": {"1": (0.0, 2.0)}}, "two probabilities"),
        ({"player 1": {"1": ("x", 1)}}, "two probabilities"),
        ({"player 1": {"9": (0, 1)}}, "no strategy '9'"),
        ({"player 9": {"1": (0, 1)}}, "no player 'player 9'"),
    ],
)
def test_boundaries_that_leave_nothing_are_refused(boundaries: dict, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        bounded_game(drawn_game(1, (2, 2)), boundaries)


def test_too_many_strategies_are_refused() -> None:
    with pytest.raises(ParameterError, match="at most 12 strategies"):
        corners_between(np.zeros(13), np.ones(13))
