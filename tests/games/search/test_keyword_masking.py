from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.games.search.community import Community
from tacita.games.search.keyword_masking import mask_queries
from tests.games.search.material import drawn_community, sampled


@pytest.mark.parametrize("fakes", ["kept", "fresh"])
@pytest.mark.parametrize("k", [2, 3, 7])
def test_sets_have_k_different_members_and_the_target_first(fakes: str, k: int) -> None:
    masked = mask_queries(sampled(), k, fakes=fakes, seed=1)  # type: ignore[arg-type]
    assert np.array_equal(masked.members[:, 0], sampled().query)
    assert (np.diff(np.sort(masked.members, axis=1), axis=1) > 0).all()
    assert masked.likely.sum(axis=1) == pytest.approx(1)


def test_fakes_are_of_similar_frequency() -> None:
    """By rank: members of a set stand in one block, so that their frequencies differ less than those of random ones."""
    times = np.bincount(sampled().query)
    masked = mask_queries(sampled(), 3, fakes="fresh", seed=1)
    near = np.log(times[masked.members[:, 1]] / times[masked.members[:, 0]])
    far = np.log(np.random.default_rng(1).permutation(times[masked.members[:, 0]]) / times[masked.members[:, 0]])
    assert np.abs(near).mean() < 0.3 * np.abs(far).mean()


def test_likely_is_bayes_rule_on_a_small_dictionary() -> None:
    """Frequencies 4, 2, 1, 1; k = 2, fresh fakes of all four: fakes are equally likely, so P(w | set) is p(w) over the sum."""
    community = Community(np.array([0] * 4 + [1] * 4), np.array([0, 0, 0, 0, 1, 1, 2, 3]), peers=2, queries=4)
    times = np.array([4, 2, 1, 1])
    masked = mask_queries(community, 2, fakes="fresh", spread=2, seed=1)
    for members, likely in zip(masked.members, masked.likely, strict=True):
        joint = times[members] / 8 * (1 / 3)  # prior of each, times one of three fakes
        assert likely == pytest.approx(joint / joint.sum())
    drawn = {tuple(sorted(mask_queries(community, 2, fakes="fresh", spread=2, seed=s).members[0])) for s in range(40)}
    assert drawn == set(itertools.product([0], [1, 2, 3]))


def test_entropies_hold_h_of_k_where_frequencies_are_equal() -> None:
    turn = np.arange(12, dtype=np.int32)
    community = Community(turn % 3, turn % 6, peers=3, queries=6)
    masked = mask_queries(community, 3, seed=1)
    assert masked.entropies() == pytest.approx(np.log2(3))
    assert masked.holds(1.0) == 1
    assert masked.told_at_once() == pytest.approx(1 / 3)


def test_fresh_fakes_are_told_by_repetition_and_kept_ones_are_not() -> None:
    fresh, kept = (mask_queries(sampled(), 3, fakes=fakes, seed=1).told_by_history() for fakes in ("fresh", "kept"))
    assert fresh > 0.5
    assert kept < 0.4


def test_the_same_query_keeps_its_fakes() -> None:
    masked = mask_queries(sampled(), 3, seed=1)
    sets: dict[int, set[tuple[int, ...]]] = {}
    for members in masked.members[:3000].tolist():
        sets.setdefault(members[0], set()).add(tuple(sorted(members)))
    alone = [len(one) for one in sets.values()]
    assert sum(size > 1 for size in alone) <= 5  # of the last block alone


def test_the_sight_has_all_members_under_the_name() -> None:
    community = drawn_community(1, 4, 6, 50)
    sight = mask_queries(community, 3, seed=1).sight()
    assert len(sight.name) == 150
    assert sight.is_own.sum() == 50
    assert np.array_equal(sight.query[sight.is_own], community.query)
    assert np.array_equal(sight.name, np.repeat(community.owner, 3))


@pytest.mark.parametrize("bad", [{"k": 1}, {"fakes": "old"}, {"spread": 0}])
def test_bad_parameters_are_named(bad: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="'" + next(iter(bad))):
        mask_queries(sampled(), seed=1, **bad)


def test_a_small_dictionary_has_too_few_fakes() -> None:
    with pytest.raises(DataError, match="different ones"):
        mask_queries(drawn_community(1, 3, 2, 9), 3, seed=1)
