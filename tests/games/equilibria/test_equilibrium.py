"""What an equilibrium says of itself, and that its check sees what is none."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.games.classic import chicken, matching_pennies, prisoners_dilemma
from tacita.games.equilibria.equilibrium import of_distribution, of_mixtures


def test_a_profile_that_is_no_equilibrium_has_a_gain() -> None:
    silent = of_mixtures(prisoners_dilemma(), [np.array([1.0, 0.0])] * 2)
    assert silent.kind == "pure"
    assert silent.gain == 1.0
    assert silent.words() == "(silent, silent)"


def test_probabilities_and_utilities_by_name() -> None:
    found = of_distribution(chicken(), np.array([[1.0, 1.0], [1.0, 0.0]]))
    assert found.utilities == pytest.approx({"driver 1": 5.0, "driver 2": 5.0})
    assert found.probability({"driver 1": "swerves"}) == pytest.approx(2 / 3)
    assert found.probability({"driver 1": "goes on", "driver 2": "goes on"}) == 0.0
    assert found.probabilities["driver 2"] == pytest.approx({"swerves": 2 / 3, "goes on": 1 / 3})
    assert found.words() == "(swerves, swerves) 0.333; (swerves, goes on) 0.333; (goes on, swerves) 0.333"
    plain = found.as_plain()
    assert plain["kind"] == "correlated"
    assert len(plain["profiles"]) == 3


def test_words_of_a_mixture() -> None:
    found = of_mixtures(matching_pennies(), [np.array([0.25, 0.75]), np.array([1.0, 0.0])])
    assert repr(found) == "Equilibrium(even: 0.25 heads + 0.75 tails; odd: heads)"


def test_a_long_list_of_profiles_is_cut() -> None:
    from tests.games.material import drawn_game

    game = drawn_game(1, (4, 5))
    assert of_distribution(game, np.ones((4, 5))).words().endswith("; and 8 more")


@pytest.mark.parametrize("bad", [np.zeros((2, 2)), np.full((2, 2), np.nan), np.ones((2, 3))])
def test_what_is_no_distribution_is_refused(bad: np.ndarray) -> None:
    with pytest.raises(ParameterError):
        of_distribution(chicken(), bad)


def test_mixtures_of_another_game_are_refused() -> None:
    with pytest.raises(ParameterError, match="'mixtures' must have"):
        of_mixtures(chicken(), [np.array([1.0])] * 2)
