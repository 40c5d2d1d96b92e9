from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.games.coprivacy.pure import pure_coprivacy
from tacita.games.coprivacy.request_game import request_game, request_helps
from tacita.games.peers.decisions import CountedEntropy, QueryDecisions, same_query
from tests.oracles.games import peer_decisions as oracle

QUERIES = st.lists(st.sampled_from("abcdef"), max_size=30)


def _decisions(peers: int = 3) -> QueryDecisions:
    return QueryDecisions([f"p{i}" for i in range(peers)], np.random.default_rng(1))


@given(QUERIES)
def test_the_kept_entropy_is_the_one_of_its_definition(words: list[str]) -> None:
    kept = CountedEntropy()
    for place, word in enumerate(words, 1):
        assert kept.after(word) == pytest.approx(oracle.entropy_of(words[:place]), abs=1e-12)
        kept.add(word)
        assert kept.entropy == pytest.approx(oracle.entropy_of(words[:place]), abs=1e-12)
    for word in words:
        kept.take_back(word)
    assert (kept.total, kept.entropy, kept.counts) == (0, 0.0, {})


@given(QUERIES, st.lists(st.tuples(st.booleans(), st.sampled_from("abcdefgh")), max_size=20))
def test_decisions_are_those_of_the_paper(before: list[str], moves: list[tuple[bool, str]]) -> None:
    decisions, submitted = _decisions(), list(before)
    for query in before:
        decisions.note_submission(query)
    for is_own, query in moves:
        expected = (oracle.submits_itself if is_own else oracle.helps)(submitted, query)
        assert (decisions.takes_itself if is_own else decisions.takes_for_another)(query) == expected
        submitted += [query] * expected
    assert decisions.submitted.entropy == pytest.approx(oracle.entropy_of(submitted) if submitted else 0.0, abs=1e-11)


@given(st.lists(st.sampled_from(["p0", "p1", "p2"]), max_size=12))
def test_the_first_choice_is_that_of_expression_2(forwarded: list[str]) -> None:
    decisions = _decisions()
    for peer in forwarded:
        decisions.note_forward("x", peer)
    order = decisions.whom_to_ask("X")
    assert order[0] in oracle.forwards_to(forwarded, ["p0", "p1", "p2"])
    counts = [forwarded.count(peer) for peer in order]
    assert counts == sorted(counts)  # so the second of the list is the second best


def test_the_paper_in_small() -> None:
    """The first query is submitted (0 >= 0); one that would unbalance Y is not; one that balances it is taken for another."""
    decisions = _decisions()
    assert decisions.takes_itself("a")
    assert decisions.takes_itself("a")  # H stays 0
    assert not decisions.takes_for_another("a")  # it does not rise
    assert decisions.takes_for_another("b")
    assert not decisions.takes_itself("a")
    assert decisions.takes_for_another("b")
    assert not decisions.takes_for_another("b")  # H is at its maximum, 1
    assert decisions.submitted.entropy == 1.0


def test_equally_good_peers_are_drawn() -> None:
    firsts = {QueryDecisions("abc", np.random.default_rng(seed)).whom_to_ask("x")[0] for seed in range(40)}
    assert firsts == set("abc")


def test_spellings_are_one_query() -> None:
    decisions = _decisions()
    decisions.note_submission("Café  au lait")
    assert decisions.submitted.counts == {same_query("cafe AU LAIT"): 1}


def test_a_query_that_never_reached_the_database_is_forgotten() -> None:
    decisions = _decisions()
    decisions.note_submission("a")
    before = decisions.submitted.entropy
    assert decisions.takes_for_another("b")
    decisions.take_back_submission("b")
    assert (decisions.submitted.entropy, decisions.submitted.total) == (before, 1)


def test_a_stream_of_new_queries_does_not_fill_the_memory() -> None:
    decisions = QueryDecisions("ab", np.random.default_rng(1), most_queries=5)
    assert sum(decisions.takes_itself("own") for _ in range(1)) == 1
    assert sum(decisions.takes_for_another(f"q{i}") for i in range(50)) == 4
    assert len(decisions.submitted.counts) == 5


def test_entropy_against_peers() -> None:
    decisions = _decisions()
    assert decisions.forward_entropy() == 0.0
    for peer in ("p0", "p1"):
        decisions.note_forward("x", peer)
    decisions.note_forward("y", "p0")
    assert decisions.forward_entropy() == pytest.approx((2 * 1.0 + 1 * 0.0) / 3)


@pytest.mark.parametrize(
    ("own", "theirs", "is_coprivate"),
    [
        ("aab", "ab", False),
        ("aab", "aab", False),
        ("aabb", "bbc", True),
        ("ab", "c", True),
        ("aaab", "abc", False),
        ("bbc", "b", False),
    ],
)
def test_forwarding_and_helping_are_a_nash_equilibrium(own: str, theirs: str, is_coprivate: bool) -> None:
    """(Sik, Tki) is played exactly where the game of Definition 1 with these entropies is coprivate."""
    asker, helper = _decisions(1), _decisions(1)
    for query in own:
        asker.note_submission(query)
    for query in theirs:
        helper.note_submission(query)
    alone, kept = asker.submitted.after("a"), asker.submitted.entropy
    reply = [helper.submitted.after("a"), helper.submitted.entropy]
    game = request_game([[kept, min(alone, kept)]], [reply], alone=alone)
    is_played = not asker.takes_itself("a") and helper.takes_for_another("a")
    assert is_played == pure_coprivacy(game, request_helps(game)).holds == is_coprivate
