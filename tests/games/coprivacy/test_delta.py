"""Delta-coprivacy: the probability of Definition 2 with its interval."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.games.coprivacy.delta import DeltaCoprivacy, delta_coprivacy
from tacita.games.coprivacy.finding import Coprivacy
from tacita.games.coprivacy.general import coprivacy
from tacita.games.coprivacy.request_game import request_game, request_helps
from tacita.games.model.game import Game


def draw(rng: np.random.Generator) -> Game:
    """The asked peer is willing with probability 0.7; asking is always worth it."""
    return request_game([[1, 0]], [[rng.random(), 0.3]], alone=0.5)


def judge(game: Game) -> Coprivacy:
    return coprivacy(game, request_helps(game))


def test_the_interval_holds_the_truth_and_not_a_wrong_one() -> None:
    found = delta_coprivacy(draw, judge, draws=1500, seed=7)  # one of twenty seeds misses, and 1 is one
    assert found.low < 0.7 < found.high
    assert not found.low < 0.7 * 1.3 < found.high
    assert found.is_at_least(0.6) is True
    assert found.is_at_least(0.8) is False
    assert found.is_at_least(found.share) is None
    assert "1500 draws" in found.words()
    assert found.as_plain()["probability"] == found.share


def test_the_interval_holds_its_level() -> None:
    """200 intervals of 80 %: fewer than 135 or more than 183 hits happen once in ten thousand times."""
    holds = [
        found.low <= 0.7 <= found.high
        for found in (delta_coprivacy(draw, judge, draws=60, level=0.8, seed=seed) for seed in range(200))
    ]
    assert 135 <= sum(holds) <= 183


def test_certain_help_is_certain_to_the_upper_end() -> None:
    found = delta_coprivacy(lambda _: request_game([[1, 0]], [[1, 0]], alone=0), judge, draws=100)
    assert found.share == 1.0
    assert found.high == 1.0
    assert found.low == pytest.approx(0.963, abs=1e-3)


def test_what_is_not_decided_widens_the_interval() -> None:
    open_one = Coprivacy(holds=None, concept="mixed")
    found = delta_coprivacy(draw, lambda _: open_one, draws=50)
    assert (found.coprivate, found.undecided) == (0, 50)
    assert found.low == 0.0
    assert found.high == 1.0
    assert found.is_at_least(0.5) is None
    assert "50 not decided" in found.words()


def test_the_same_seed_draws_the_same() -> None:
    shares = [delta_coprivacy(draw, judge, draws=80, seed=seed).coprivate for seed in (2, 2, 3, 4, 5)]
    assert shares[0] == shares[1]
    assert len(set(shares)) > 1


@pytest.mark.parametrize("wrong", [{"draws": 0}, {"draws": True}, {"level": 1.0}, {"level": 0}])
def test_wrong_parameters_are_refused(wrong: dict) -> None:
    with pytest.raises(ParameterError, match=f"'{next(iter(wrong))}' must be"):
        delta_coprivacy(draw, judge, **wrong)
    with pytest.raises(ParameterError, match="'delta' must be"):
        DeltaCoprivacy(draws=1, coprivate=1, undecided=0, low=0.2, high=1.0, level=0.95).is_at_least(2.0)
