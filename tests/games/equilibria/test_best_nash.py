"""The best equilibrium by a mixed-integer model against the best of all extreme ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.games.classic import battle_of_the_sexes, social_network
from tacita.games.equilibria.best_nash import best_equilibrium, likeliest_equilibrium
from tacita.games.equilibria.two_players import extreme_equilibria
from tests.effort import examples
from tests.games.material import drawn_game


@settings(max_examples=examples(30))
@given(st.integers(0, 10**6), st.integers(2, 4), st.sampled_from([None, 5]))
def test_the_best_equilibrium_is_the_best_extreme_one(seed: int, m: int, most: int | None) -> None:
    game = drawn_game(seed, (m, 3), most)
    worth = [list(one.utilities.values()) for one in extreme_equilibria(game)]
    total, first = best_equilibrium(game), best_equilibrium(game, "player 1")
    assert max(total.gain, first.gain) < 1e-5
    assert sum(total.utilities.values()) == pytest.approx(max(map(sum, worth)), abs=1e-4)
    assert first.utilities["player 1"] == pytest.approx(max(own[0] for own in worth), abs=1e-4)
    if most is None:  # without ties there are no others between the extreme ones
        least = best_equilibrium(game, "egalitarian")
        assert min(least.utilities.values()) == pytest.approx(max(map(min, worth)), abs=1e-4)


def test_a_likely_pair_of_strategies() -> None:
    game = battle_of_the_sexes()
    found = likeliest_equilibrium(game, {"she": [1, 0], "he": [0, 1]})
    assert [x.tolist() for x in found.mixtures] == [pytest.approx([0.6, 0.4]), pytest.approx([0.4, 0.6])]


def test_what_no_equilibrium_has_is_never_played() -> None:
    game, _ = social_network()
    found = likeliest_equilibrium(game, {"User 1": [0, 1], "User 2": [0, 1]})
    assert min(found.mixtures[0][1], found.mixtures[1][1]) < 1e-9


def test_continua_are_searched_inside() -> None:
    """Both extreme equilibria leave one of the two out; between them both are played."""
    game = drawn_game(1, (2, 2), 1)
    found = likeliest_equilibrium(game, {"player 1": [1, 0]})
    assert found.mixtures[0][0] == pytest.approx(1.0)
    assert np.allclose(best_equilibrium(game).gain, 0)


def test_weights_of_another_length_are_refused() -> None:
    with pytest.raises(ParameterError, match="a number for each strategy of 'she'"):
        likeliest_equilibrium(battle_of_the_sexes(), {"she": [1]})
    with pytest.raises(ParameterError, match="no player"):
        best_equilibrium(battle_of_the_sexes(), "nobody")
