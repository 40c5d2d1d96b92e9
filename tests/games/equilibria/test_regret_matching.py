"""Regret matching comes near to equilibria, by the check that it does not know."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.games.classic import chicken, matching_pennies
from tacita.games.equilibria.regret_matching import regret_matching
from tests.games.material import drawn_game


@pytest.mark.parametrize("kind", ["correlated", "coarse"])
def test_epsilon_falls_with_the_rounds(kind: str) -> None:
    game = drawn_game(3, (3, 3, 2))
    few = regret_matching(game, rounds=20, kind=kind)  # type: ignore[arg-type]
    many = regret_matching(game, rounds=1000, kind=kind)  # type: ignore[arg-type]
    assert many.kind == kind
    assert many.gain < max(0.02, few.gain / 3)


def test_pennies_are_played_evenly() -> None:
    found = regret_matching(matching_pennies(), rounds=1000, kind="coarse")
    assert np.allclose(found.mixtures, 0.5, atol=0.03)
    assert found.utilities["even"] == pytest.approx(0.0, abs=0.03)


def test_the_same_seed_plays_the_same() -> None:
    plays = [regret_matching(chicken(), rounds=50, seed=seed).distribution for seed in (4, 4, 5)]
    assert np.array_equal(plays[0], plays[1])
    assert not np.array_equal(plays[0], plays[2])


def test_one_strategy_is_played_by_whoever_has_no_other() -> None:
    assert regret_matching(drawn_game(1, (1, 2)), rounds=300, plays=2).mixtures[0].tolist() == [1.0]


@pytest.mark.parametrize("wrong", [{"rounds": 0}, {"plays": 1.5}, {"kind": "fine"}, {"rounds": True}])
def test_wrong_parameters_are_refused(wrong: dict) -> None:
    with pytest.raises(ParameterError, match=f"'{next(iter(wrong))}' must be"):
        regret_matching(chicken(), **wrong)
