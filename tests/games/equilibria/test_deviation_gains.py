"""The check of equilibria against loops: every rewriting of advice, every other strategy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.games.equilibria.deviation_gains import advice_gains, coarse_gains, mixture_gains
from tacita.games.model.game import Game
from tests.games.material import small_games
from tests.oracles.games.normal_form import advice_gain, changed, expected, profiles


@given(small_games(), st.integers(0, 1000))
def test_gains_of_rewritten_advice_are_those_of_the_best_function(game: Game, seed: int) -> None:
    p = np.random.default_rng(seed).dirichlet(np.ones(game.profiles)).reshape(game.shape)
    listed = {s: float(p[s]) for s in profiles(game)}
    for i, (gain, coarse) in enumerate(zip(advice_gains(game, p), coarse_gains(game, p), strict=True)):
        assert gain == pytest.approx(advice_gain(game, i, listed), abs=1e-9)
        fixed = [
            sum(x * game.utilities[(i, *changed(s, i, t))] for s, x in listed.items()) for t in range(game.shape[i])
        ]
        assert coarse == pytest.approx(max(fixed) - expected(game, i, listed), abs=1e-9)


@given(small_games(), st.integers(0, 1000))
def test_gains_against_mixtures_are_those_of_the_product(game: Game, seed: int) -> None:
    rng = np.random.default_rng(seed)
    mixtures = [rng.dirichlet(np.ones(m)) for m in game.shape]
    listed = {s: float(np.prod([x[t] for x, t in zip(mixtures, s, strict=True)])) for s in profiles(game)}
    for i, gain in enumerate(mixture_gains(game, mixtures)):
        fixed = [
            sum(x * game.utilities[(i, *changed(s, i, t))] for s, x in listed.items()) for t in range(game.shape[i])
        ]
        assert gain == pytest.approx(max(fixed) - expected(game, i, listed), abs=1e-9)
