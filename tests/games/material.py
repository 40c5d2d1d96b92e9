"""Random games for the tests of the room."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from tacita.games.model.game import Game

__all__ = ["drawn_game", "small_games"]


def drawn_game(seed: int, shape: tuple[int, ...], most: int | None = None) -> Game:
    """A game with utilities between 0 and 1, or with whole ones below ``most``, among which there are ties."""
    rng = np.random.default_rng(seed)
    size = (len(shape), *shape)
    return Game.from_matrices(*(rng.random(size) if most is None else rng.integers(0, most, size)))


@st.composite
def small_games(draw: st.DrawFn, players: tuple[int, int] = (2, 3)) -> Game:
    """Games of few players with up to three strategies and small whole utilities: full of ties."""
    size = draw(st.integers(*players))
    shape = tuple(draw(st.integers(1, 3)) for _ in range(size))
    return drawn_game(draw(st.integers(0, 10**6)), shape, draw(st.sampled_from([2, 4, 20])))
