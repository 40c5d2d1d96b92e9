"""Sums over users within a few links, against distances by paths."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tacita.numeric.social_games.within import Adjacency, sums_within, told_within
from tests.games.social.material import Small, small_networks
from tests.oracles.games import social as oracle


@given(small_networks(9))
def test_sums_go_by_exact_distances(small: Small) -> None:
    network, edges, beta, _ = small
    worth = np.random.default_rng(len(edges)).random((network.users, beta.shape[1]))
    away = oracle.distances(network.users, edges)
    expected = [
        sum(
            worth[other, int(away[j][other]) - 1]
            for other in range(network.users)
            if other != j and away[j][other] <= worth.shape[1]
        )
        for j in range(network.users)
    ]
    assert sums_within(network.links, worth) == pytest.approx(expected)
    worth *= np.random.default_rng(len(edges)).random(worth.shape) < 0.3
    assert told_within(network.links, worth).tolist() == (sums_within(network.links, worth) > 0).tolist()
    assert not told_within(network.links, 0 * worth).any()


def test_nothing_is_exactly_nothing_and_nobody_has_no_sum() -> None:
    empty = Adjacency(np.zeros(4, np.int64), np.empty(0, np.int32))
    assert sums_within(empty, np.full((3, 2), 0.1)).tolist() == [0.0, 0.0, 0.0]
