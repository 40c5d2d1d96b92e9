from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize, special

from tacita.games.search import cover_told
from tacita.games.search.community import Community
from tacita.games.search.cover_queries import add_cover
from tacita.games.search.cover_told import cover_features, tell_cover
from tacita.games.search.sights import Sight
from tests.games.search.material import drawn_community, sampled


def test_the_classifier_tells_most_and_better_than_guessing() -> None:
    told = tell_cover(add_cover(sampled(), seed=1), seed=1)
    assert told.auc > 0.7
    assert told.right > told.by_guessing + 0.1
    assert not told.kept[~told.judged].any()


def test_where_cover_cannot_be_told_the_classifier_is_a_coin() -> None:
    """Cover queries that are drawn as the true ones are: the area must be near a half (standard error 0.01)."""
    rng = np.random.default_rng(1)
    owner, query = rng.integers(0, 40, 8000, np.int32), rng.integers(0, 20, 8000, np.int32)
    community = Community(owner[::2], query[::2], peers=40, queries=20)
    sight = Sight(community, owner, query, np.arange(8000) // 2, rng.random(8000) < 0.5)
    assert tell_cover(sight, seed=1).auc == pytest.approx(0.5, abs=0.04)


def test_without_cover_nothing_is_told() -> None:
    told = tell_cover(add_cover(drawn_community(1, 5, 3, 40), rate=0, seed=1), seed=1)
    assert told.queries == 0
    assert math.isnan(told.auc)


def test_features_of_the_gaps_by_hand() -> None:
    community = Community(np.array([0, 1, 0, 0]), np.array([0, 0, 1, 0]), peers=2, queries=2)
    found = cover_features(add_cover(community, rate=0, seed=1))
    assert np.expm1(found[:, -2]) == pytest.approx([4, 4, 2, 1])  # nothing before: as far as the stream is long
    assert np.expm1(found[:, -1]) == pytest.approx([2, 4, 1, 4])
    assert np.exp(found[:, 1]) == pytest.approx([2, 1, 1, 2])  # how often the query stands under the name


def test_the_weights_are_the_largest_of_the_penalised_likelihood() -> None:
    rng = np.random.default_rng(1)
    x = np.column_stack([np.ones(300), rng.normal(size=(300, 3))])
    truth = rng.random(300) < special.expit(x @ [0.3, 2.0, -1.0, 0.0])

    def loss(w: np.ndarray) -> float:
        z = x @ w
        return float(np.logaddexp(0, z).sum() - z[truth].sum() + (w[1:] ** 2).sum() / 2)

    found = cover_told._fitted(x, truth)
    assert loss(found) <= optimize.minimize(loss, np.zeros(4)).fun + 1e-6
