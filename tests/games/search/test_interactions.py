from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.games.search.community import Community
from tacita.games.search.interactions import (
    check_interactions,
    interaction_game,
    is_coprivate_interaction,
    shannon,
)
from tacita.games.search.play import SearchRules, play_search
from tests.effort import examples
from tests.games.search.material import drawn_community, sampled
from tests.oracles.games import peer_search as oracle


@pytest.mark.parametrize("topology", ["complete", "ring", "scale_free"])
def test_what_the_rules_do_is_the_equilibrium_of_the_request_game(topology: str) -> None:
    rules = SearchRules(topology=topology, degree=4, free_riders=0.2, attempts=4)  # type: ignore[arg-type]
    found = check_interactions(play_search(sampled(), rules, seed=1), sample=60, seed=1)
    assert found == {"checked": 60, "agree": 60, "coprivate": 20}


@given(st.integers(0, 10**6))
def test_it_is_so_on_every_line_of_small_systems(seed: int) -> None:
    run = play_search(drawn_community(seed, 4, 4, examples(40)), SearchRules(attempts=3), seed=seed)
    found = check_interactions(run, sample=3 * len(run.community), seed=1)
    assert found["checked"] == len(run.community)
    assert found["agree"] == found["checked"]


def test_a_run_against_the_rules_is_seen() -> None:
    """Random forwarding asks where S_ii is best: most of what it does is no equilibrium."""
    found = check_interactions(play_search(sampled(), SearchRules(protocol="random"), seed=1), sample=60, seed=1)
    assert found["agree"] < 0.7 * found["checked"]


def test_the_game_by_hand() -> None:
    """P0 has a, b, a: alone she loses 1 - 0.918 bits; P1 has c and gains one."""
    community = Community(np.array([1, 0, 0, 0]), np.array([2, 0, 1, 0]), peers=2, queries=3)
    run = play_search(community, seed=1)
    game = interaction_game(run, 3, [1])
    assert game.utility("P1", ("process", "ask P0", "reject")) == pytest.approx(0.9182958 - 1)
    assert game.utility("P2", ("process", "ask P2", "process")) == pytest.approx(1, abs=1e-6)
    assert [bool(one.holds) for one in is_coprivate_interaction(run, 3)] == [True]
    assert [bool(one.holds) for one in is_coprivate_interaction(run, 2)] == [False]


@given(st.lists(st.integers(0, 5), max_size=8))
def test_shannon_is_the_entropy(counts: list[int]) -> None:
    some = Counter({place: count for place, count in enumerate(counts) if count})
    assert shannon(np.array(counts, np.int64)) == pytest.approx(oracle.entropy(some), abs=1e-12)
