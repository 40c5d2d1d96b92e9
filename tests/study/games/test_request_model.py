"""Closed forms of coprivacy: known special values, drawn games, and a count of orders by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.games.coprivacy.pure import pure_coprivacy
from tacita.games.coprivacy.request_game import request_helps
from tacita.study.games.request_model import RequestModel


@pytest.mark.parametrize("r", [-1.0, -0.7, 0.0, 0.3, 1.0])
def test_a_pair_is_an_orthant(r: float) -> None:
    """Sheppard (1899): P(A > 0, H > 0) = 1/4 + arcsin(r) / (2 pi); leaks make the correlation r / (1 + s^2)."""
    assert RequestModel(correlation=r).pair == pytest.approx(0.25 + math.asin(r) / (2 * math.pi), abs=1e-7)
    mixed = RequestModel(correlation=r, spread=1.5)
    assert mixed.pair == pytest.approx(0.25 + math.asin(r / 3.25) / (2 * math.pi), abs=1e-7)


def test_independent_utilities_multiply() -> None:
    """P(X >= 1) P(Y >= 1/2) = 0.158655 x 0.308538."""
    assert RequestModel(outside=1.0, cost=0.5).pair == pytest.approx(0.158655 * 0.308538, rel=1e-5)
    assert RequestModel(willing=0.5).pair == pytest.approx(0.158655 / 2, rel=1e-5)  # w A + (1 - w)(-1) >= 0 is A >= 1


def test_opposite_utilities_meet_only_where_help_pays() -> None:
    assert RequestModel(correlation=-1.0, cost=0.5, peers=90).probability() == 0.0
    between = RequestModel(correlation=-1.0, cost=-1.0)  # 0 <= A <= 1
    assert between.pair == pytest.approx(0.341345, rel=1e-5)
    same = RequestModel(correlation=1.0, cost=1.0)
    assert same.pair == pytest.approx(0.158655, rel=1e-5)


@pytest.mark.parametrize(
    "model",
    [
        RequestModel(peers=7, correlation=-0.6, cost=0.5, spread=1, outside=0.3, willing=0.7),
        RequestModel(peers=3, correlation=0.9, cost=-0.5, outside=-1),
        RequestModel(peers=2),
    ],
)
def test_drawn_games_are_as_often_coprivate(model: RequestModel) -> None:
    """Four standard errors of 40 000 games: once in 16 000 runs by chance; a probability 10 % off is seen."""
    gain, helps = model.draw(40_000, np.random.default_rng(3))
    for reading in ("best", "every"):
        exact = model.probability(reading)  # type: ignore[arg-type]
        share = float(model.is_coprivate(gain, helps, reading).mean())  # type: ignore[arg-type]
        spread = math.sqrt(exact * (1 - exact) / 40_000)
        assert abs(share - exact) < 4 * spread
        assert abs(share - 1.1 * exact) > 4 * spread


def test_the_best_helper_helps_half_of_the_time() -> None:
    """Where A and H are independent and somebody is worth asking for certain, only the sign of one H decides."""
    assert RequestModel(peers=40, outside=-9.0).probability("every") == pytest.approx(0.5, abs=1e-6)
    assert RequestModel(peers=2).probability("every") == pytest.approx(RequestModel(peers=2).probability(), abs=1e-9)


def test_so_many_peers_are_enough_and_one_less_is_not() -> None:
    for model in (RequestModel(cost=1.0), RequestModel(correlation=0.4, outside=0.5)):
        for delta in (0.5, 0.9, 0.99):
            n = int(model.peers_for(delta))
            assert RequestModel(**{**vars(model), "peers": n}).probability() >= delta
            assert RequestModel(**{**vars(model), "peers": n - 1}).probability() < delta
    assert RequestModel(correlation=-1.0).peers_for(0.01) == math.inf
    assert RequestModel(correlation=-1.0).peers_for(0.0) == 2


def test_a_whole_game_has_the_drawn_utilities() -> None:
    model = RequestModel(peers=3, outside=0.2)
    game = model.game(np.array([0.5, 0.9]), np.array([0.1, -0.4]))
    assert game.utility("P1", ("process", "ask P2", "process", "reject")) == 0.5
    assert game.utility("P1", ("process", "ask P2", "reject", "reject")) == pytest.approx(-0.8)
    assert game.utility("P1", ("process", "ask P0", "reject", "reject")) == 0.2
    assert game.utility("P3", ("process", "ask P3", "process", "process")) == -0.4
    assert pure_coprivacy(game, request_helps(game)).help == request_helps(game)[0]
    assert not pure_coprivacy(game, request_helps(game), others="every").holds


@pytest.mark.parametrize("wrong", [{"peers": 1}, {"peers": 2.5}, {"correlation": 1.1}, {"spread": -1.0}, {"willing": 0.0},
                                   {"willing": 1.2}, {"cost": math.nan}, {"outside": math.inf}])  # fmt: skip
def test_wrong_parameters_are_refused(wrong: dict) -> None:
    with pytest.raises(ParameterError, match="RequestModel"):
        RequestModel(**wrong)
    with pytest.raises(ParameterError, match="'delta' must be"):
        RequestModel().peers_for(1.0)
