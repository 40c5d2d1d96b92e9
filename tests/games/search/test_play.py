from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.games.search.community import Community
from tacita.games.search.play import Protocol, SearchRules, play_search
from tests.games.search.material import drawn_community, sampled, small_communities
from tests.oracles.games import peer_search as oracle


@given(
    small_communities(),
    st.integers(1, 7),
    st.sampled_from([0.0, 0.3, 1.0]),
    st.sampled_from(["complete", "ring", "random", "scale_free"]),
    st.integers(0, 99),
)
def test_choices_are_those_of_whole_entropies(
    community: Community, attempts: int, riders: float, topology: str, seed: int
) -> None:
    rules = SearchRules(attempts=attempts, free_riders=riders, topology=topology, degree=2)  # type: ignore[arg-type]
    run = play_search(community, rules, seed=seed)
    neighbours = [run.topology.neighbours(peer).tolist() for peer in range(community.peers)]
    submitters, requests = oracle.play(
        community.owner.tolist(),
        community.query.tolist(),
        neighbours,
        run.helpful.tolist(),
        attempts,
        lambda *of: run.preferred(*of).tolist(),
    )
    assert run.submitter.tolist() == submitters
    assert list(zip(run.line.tolist(), run.sender.tolist(), run.receiver.tolist(), strict=True)) == requests


def test_the_same_seed_gives_the_same_run_and_another_one_another() -> None:
    rules = SearchRules(free_riders=0.2, topology="random")
    first, again, other = (play_search(sampled(), rules, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first.submitter, again.submitter)
    assert np.array_equal(first.receiver, again.receiver)
    assert not np.array_equal(first.submitter, other.submitter)


def test_blocks_do_not_change_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = play_search(sampled(), seed=1)
    monkeypatch.setattr("tacita.games.search.play._ROOM", 300)
    parts = play_search(sampled(), seed=1)
    assert np.array_equal(whole.submitter, parts.submitter)
    assert np.array_equal(whole.line, parts.line)


def test_every_query_is_first_submitted_by_its_owner() -> None:
    """A query that stands nowhere under her name makes her entropy larger, so she submits it herself, whatever it is."""
    run = play_search(sampled(), seed=1)
    seen: set[tuple[int, int]] = set()
    for submitter, query, owner in zip(run.submitter, run.community.query, run.community.owner, strict=True):
        seen.add((int(submitter), int(query)))
        assert (int(owner), int(query)) in seen


def test_peers_are_asked_in_turn() -> None:
    """No neighbour gets a query of an owner twice more often than another."""
    run = play_search(drawn_community(1, 6, 4, 3000), SearchRules(attempts=2), seed=1)
    pair = run.community.pair[0][run.line]
    for one in np.unique(pair):
        times = np.bincount(run.receiver[pair == one], minlength=6)
        owner = int(run.sender[pair == one][0])
        assert np.ptp(np.delete(times, owner)) <= 1


def test_nobody_helps_where_all_are_free_riders_or_nobody_is_asked() -> None:
    alone = play_search(sampled(), SearchRules(protocol="none"), seed=1)
    riders = play_search(sampled(), SearchRules(free_riders=1.0), seed=1)
    assert not alone.helped.any()
    assert len(alone.line) == 0
    assert not riders.helped.any()
    assert len(riders.line) > 0
    assert riders.facts()["helped"] == 0
    assert riders.facts()["wished_help"] > 0


def test_facts_by_hand() -> None:
    community = Community(np.array([1, 0, 0, 0]), np.array([2, 0, 1, 0]), peers=2, queries=3)
    facts = play_search(community, seed=1).facts()
    assert facts["helped"] == 0.25
    assert facts["help_given_when_wished"] == 1
    assert facts["messages_per_query"] == 0.25
    assert facts["largest_load"] == 1


def test_a_community_without_queries_is_played() -> None:
    empty = Community(np.zeros(0, np.int32), np.zeros(0, np.int32), peers=3, queries=1)
    for protocol in get_args(Protocol):
        run = play_search(empty, SearchRules(protocol=protocol), seed=1)
        assert run.facts()["queries"] == 0


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"protocol": "mixed"}, "'protocol'"),
        ({"attempts": 0}, "'attempts'"),
        ({"attempts": 2.5}, "'attempts'"),
        ({"free_riders": 1.1}, "'free_riders'"),
        ({"free_riders": float("nan")}, "'free_riders'"),
        ({"onward": 1.0}, "'onward'"),
    ],
)
def test_bad_rules_are_named(bad: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        SearchRules(**bad)
