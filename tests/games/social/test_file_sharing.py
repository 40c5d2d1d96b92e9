"""Riding free is dominant, the collapse follows, and generosity keeps a system up as the published formula says."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.games.equilibria.pure import pure_equilibria
from tacita.games.model.dominance import dominant_strategies, dominates
from tacita.games.model.outcomes import pareto_optimal
from tacita.games.social.exchange import Upload
from tacita.games.social.file_sharing import contribution_level, file_sharing_game


@pytest.mark.parametrize("peers", [2, 3, 6])
def test_riding_free_is_strictly_dominant_and_worse_for_all(peers: int) -> None:
    game = file_sharing_game(peers)
    for player in game.players:
        assert dominant_strategies(game, player) == ("free-rides",)
        assert dominates(game, player).tolist() == [[False, True], [False, False]]
    assert [one.words() for one in pure_equilibria(game)] == [f"({', '.join(['free-rides'] * peers)})"]
    assert not pareto_optimal(game)[(0,) * peers]
    assert game.utility("peer 1", ("uploads",) * peers) == 2


def test_costs_and_benefits_are_those_given() -> None:
    game = file_sharing_game(3, exchange=Upload(5, 2))
    assert game.utility("peer 1", ("uploads", "uploads", "free-rides")) == 5 / 2 - 2


@pytest.mark.parametrize("generous", [4.0, 5.0, 8.0, 30.0])
def test_shares_are_fixed_points_and_the_larger_one_is_come_back_to(generous: float) -> None:
    found = contribution_level(generous)
    assert found.unstable is not None
    for x in (found.stable, found.unstable):
        assert x == pytest.approx(1 - 1 / (x * generous))
    assert found.stable == pytest.approx((1 + np.sqrt(1 - 4 / generous)) / 2)
    x = found.stable + 0.05 * (1 - found.stable)
    for _ in range(2000):
        x = 1 - 1 / (x * generous)
    assert x == pytest.approx(found.stable, abs=1e-3)


def test_below_four_it_collapses_and_a_penalty_saves_it() -> None:
    assert contribution_level(3.99).stable == 0
    assert "collapses" in contribution_level(3).words()
    saved = contribution_level(3, penalty=0.9)
    assert saved.stable > 0.9
    x = saved.stable
    assert x == pytest.approx(1 - (1 / x - 0.9) / 3)
    assert contribution_level(2, penalty=1.5).stable == 1
    assert contribution_level(0.1, penalty=0.7).stable == 0
    assert "does not fall below" in saved.words()


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ParameterError, match="'peers'"):
        file_sharing_game(1)
    with pytest.raises(ParameterError):
        file_sharing_game(40)
    with pytest.raises(ParameterError, match="'most_generous'"):
        contribution_level(0)
    with pytest.raises(ParameterError, match="'penalty'"):
        contribution_level(5, penalty=-1)
