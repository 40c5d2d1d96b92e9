"""Tests of ``tacita.games.search.profilers`` and ``tacita.games.search.sights``."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given

from tacita.core.errors import ParameterError
from tacita.games.search.community import Community
from tacita.games.search.play import SearchRules, play_search
from tacita.games.search.profilers import (
    colluding_peers,
    database_profile,
    found_by_history,
    hit_probability,
    single_peer,
)
from tacita.games.search.sights import sight_of
from tests.games.search.material import sampled, small_communities
from tests.oracles.games import peer_search as oracle


@given(small_communities())
def test_the_profile_is_that_of_dictionaries(community: Community) -> None:
    if len(community) == 0:
        assert database_profile(sight_of(play_search(community, seed=1)))["recall"] == 0
        return
    run = play_search(community, SearchRules(protocol="random"), seed=1)
    found = database_profile(sight_of(run))
    expected = oracle.profile(
        community.owner.tolist(), community.query.tolist(), run.submitter.tolist(), community.peers
    )
    assert [found[name] for name in ("recall", "precision", "overlap")] == pytest.approx(list(expected))
    assert found["topic_overlap"] >= found["overlap"] - 1e-12


def test_who_submits_her_own_is_read_like_a_book() -> None:
    sight = sight_of(play_search(sampled(), SearchRules(protocol="none"), seed=1))
    assert set(database_profile(sight).values()) == {1.0}
    assert found_by_history(sight, seed=1)["found"] > 0.9


def test_the_rules_show_every_query_of_everybody_and_random_forwarding_does_not() -> None:
    coprivate, random = (
        database_profile(sight_of(play_search(sampled(), SearchRules(protocol=protocol), seed=1)))
        for protocol in ("coprivate", "random")
    )
    assert coprivate["recall"] == 1
    assert coprivate["precision"] < 0.7
    assert random["recall"] < 0.2


def test_history_finds_nobody_behind_random_forwarding() -> None:
    """66 targets, one in 150 by guessing: five found would come up once in a thousand seeds."""
    found = found_by_history(sight_of(play_search(sampled(), SearchRules(protocol="random"), seed=1)), seed=1)
    assert found["targets"] > 50
    assert found["found"] * found["targets"] < 5


def test_a_history_that_is_too_short_finds_nothing() -> None:
    found = found_by_history(sight_of(play_search(Community(np.array([0]), np.array([0]), 2, 1), seed=1)), seed=1)
    assert found["targets"] == 0
    assert math.isnan(found["found"])


@pytest.mark.parametrize("others", [1, 4, 6])
def test_coalitions_counted_one_by_one(others: int) -> None:
    for coalition in range(1, others + 1):
        groups = list(itertools.combinations(range(others), coalition))
        for told in range(others + 1):
            hit = sum(any(peer < told for peer in group) for group in groups) / len(groups)
            assert float(hit_probability(np.array(told), others, coalition)) == pytest.approx(hit)


def test_what_peers_learn_by_hand() -> None:
    """P0 has a, b, a; the second a goes to P1, who learns one of her two queries. All others together know the same."""
    community = Community(np.array([1, 0, 0, 0]), np.array([2, 0, 1, 0]), peers=2, queries=3)
    run = play_search(community, seed=1)
    assert single_peer(run) == {"knows": 0.25, "sure": 1.0}  # half of P0's, nothing of P1's
    found = colluding_peers(run, 1)
    assert found["knows"] == 0.25
    assert found["knows_with_database"] == 1
    assert found["own_share_with_database"] == 1  # P1 knows which of the queries under his name is not his own


def test_more_colluding_peers_know_more() -> None:
    run = play_search(sampled(), seed=1)
    known = [colluding_peers(run, c)["knows"] for c in (1, 5, 50, 149)]
    assert known == sorted(known)
    assert known[0] < known[-1] < 1  # what nobody was asked about nobody knows
    assert single_peer(run)["knows"] > known[0]


@pytest.mark.parametrize("bad", [0, 150, 2.5])
def test_a_coalition_has_a_size(bad: int) -> None:
    with pytest.raises(ParameterError, match="'coalition'"):
        colluding_peers(play_search(sampled(), seed=1), bad)


def test_along_a_crowd_the_sender_is_seldom_the_owner() -> None:
    sure = single_peer(play_search(sampled(), SearchRules(protocol="crowds"), seed=1))["sure"]
    assert sure == pytest.approx(0.25, abs=0.02)
