from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.games.search.community import Community
from tacita.games.search.cover_queries import add_cover, cover_features, tell_cover
from tacita.games.search.sights import Sight
from tests.games.search.material import drawn_community, sampled


@pytest.mark.parametrize("moments", ["bursts", "spread"])
def test_true_queries_stay_as_they_are(moments: str) -> None:
    sight = add_cover(sampled(), rate=1.5, moments=moments, seed=1)  # type: ignore[arg-type]
    assert np.array_equal(sight.query[sight.is_own], sampled().query)
    assert np.array_equal(sight.name[sight.is_own], sampled().owner)
    assert (~sight.is_own).sum() == pytest.approx(1.5 * len(sampled()), rel=0.1)
    assert (np.diff(sight.line) >= 0).all()


def test_a_burst_hides_which_came_first() -> None:
    """Of a true query and one cover query, either comes first as often: 1 in 10 000 seeds would be outside."""
    sight = add_cover(sampled(), rate=1.0, seed=1)
    size = np.bincount(sight.line)
    twos = np.flatnonzero((size == 2)[sight.line])[::2]
    assert 0.45 < sight.is_own[twos].mean() < 0.55


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


@pytest.mark.parametrize(
    "bad", [{"rate": -1}, {"rate": float("nan")}, {"seeds": 0}, {"evolve": 2}, {"moments": "never"}]
)
def test_bad_parameters_are_named(bad: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="'" + next(iter(bad))):
        add_cover(sampled(), seed=1, **bad)
