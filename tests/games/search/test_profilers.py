"""Tests of ``tacita.games.search.profilers`` and ``tacita.games.search.sights``."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from tacita.games.search.topology import TopologyKind
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


@given(small_communities(), st.sampled_from(["complete", "ring"]), st.sampled_from([0.0, 0.4]))
def test_by_the_rules_the_first_name_of_a_query_is_always_right(
    community: Community, topology: TopologyKind, riders: float
) -> None:
    """A peer helps after the owner's own name has the query, so that the earliest name gives an owner away."""
    run = play_search(community, SearchRules(topology=topology, degree=2, free_riders=riders), seed=1)
    found = database_profile(sight_of(run))
    assert found["recall"] == found["first_right"] == (1 if len(community) else 0)


def test_the_first_name_by_hand() -> None:
    community = Community(np.array([0, 1, 1]), np.array([0, 0, 1]), peers=3, queries=2)
    run = play_search(community, SearchRules(protocol="none"), seed=1)
    moved = replace(run, submitter=np.array([2, 1, 1], np.int32))
    assert database_profile(sight_of(moved))["first_right"] == 0.5


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
