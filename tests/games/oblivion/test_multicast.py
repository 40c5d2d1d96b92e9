from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.arrays import IntArray
from tacita.core.errors import ParameterError
from tacita.games.oblivion import multicast as module
from tacita.games.oblivion.forwarding_game import Forwarding
from tacita.games.oblivion.multicast import Multicast, best_replies, parents_of, play_multicast
from tests.effort import examples
from tests.oracles.games import forwarding as oracle

WORDS = ("mark", "bare", "stop")


@settings(max_examples=examples(40))
@given(st.integers(1, 40), st.integers(1, 4), st.integers(0, 10**6), st.floats(0, 1), st.floats(0, 8))
def test_replies_are_those_of_a_recursion(n: int, branching: int, seed: int, belief: float, penalty: float) -> None:
    rng = np.random.default_rng(seed)
    a = Forwarding(penalty=penalty, opportunists=float(rng.random()))
    parent, depth = parents_of(n, branching)
    own = np.stack([rng.random(n) * 1.5, rng.random(n) * 2, rng.random(n) * 2])
    found = best_replies(a, parent, depth, own, rng.random(n) < 0.5, belief)
    tree = {i: [j for j in range(n) if parent[j] == i] for i in range(n)}
    cost, price = own[0].tolist(), own[1].tolist()
    for i in range(n):
        assert WORDS[found.when_bare[i]] == oracle.reply(tree, i, a, cost, price, belief, marked=False)
        assert WORDS[found.when_marked[i]] == oracle.reply(tree, i, a, cost, price, belief, marked=True)
        slow = sum(oracle.expected_leaks(tree, j, a, cost, price) for j in tree[i])
        assert found.liability[i] == pytest.approx(slow)


def test_copies_go_where_a_walk_takes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forwarders who do anything at all: whom the leaked copies point at."""
    n, rng = 60, np.random.default_rng(4)
    parent, depth = parents_of(n, 3)
    tree = {i: [j for j in range(n) if parent[j] == i] for i in range(n)}
    chosen = module.Decisions(
        rng.integers(0, 3, n), rng.integers(0, 3, n), np.ones(n, np.bool_), np.ones(n, np.bool_), np.zeros(n)
    )
    for replies in (chosen.when_marked, chosen.when_bare):
        replies[[i for i in range(n) if not tree[i]]] = module.STOPS
    seen: list[int] = []

    def note(_: Multicast, points_at: IntArray, *others: object) -> tuple[float, float]:
        seen.extend(points_at.tolist())
        return 1.0, 0.0

    monkeypatch.setattr(module, "_trace", note)
    made = module._send(
        Multicast(receivers=n, branching=3), Forwarding(found=1.0), chosen, parent, depth, 0.0, module.Streams(1)
    )
    replies_by = {
        (i, own): WORDS[(chosen.when_marked if own else chosen.when_bare)[i]] for i in range(n) for own in (True, False)
    }
    held = oracle.walk(tree, [0, 1, 2], replies_by)
    assert sorted(seen) == sorted(held.values())
    assert made.reached == pytest.approx(len(held) / n)
    assert made.leaked == len(held)


def test_the_record_teaches_to_forward_with_marks() -> None:
    """Who expects no tracing forwards bare; the code traces; in the end most mark and fewer copies leak."""
    rounds = play_multicast(Multicast(receivers=400, rounds=6, doubt=50), Forwarding(), seed=1)
    assert rounds[0].belief == 0
    assert rounds[0].marked < 0.2
    assert rounds[-1].marked > 0.8
    assert rounds[-1].leaked < rounds[0].leaked / 3
    assert all(one.innocent == 0 for one in rounds if one.found)
    assert [one.belief for one in rounds] == sorted(one.belief for one in rounds)


def test_a_code_that_is_too_short_teaches_little() -> None:
    short = play_multicast(Multicast(receivers=400, rounds=4, doubt=50, length=24, coalition=4), Forwarding(), seed=1)
    assert short[-1].marked < 0.5
    assert max(one.traced for one in short if one.found) < 0.3


def test_all_who_know_better_mark_from_the_beginning_and_the_same_seed_repeats() -> None:
    tree = Multicast(receivers=300, rounds=2, belief=1.0)
    first, again = (play_multicast(tree, Forwarding(penalty=50, found=1.0), seed=3) for _ in range(2))
    assert first[0].marked == 1.0
    assert first[0].leaked == 0
    assert math.isnan(first[0].traced)
    assert str(first) == str(again)


def test_without_a_reward_nobody_forwards() -> None:
    made = play_multicast(Multicast(receivers=100, rounds=1), Forwarding(reward=0, price=0), seed=1)[0]
    assert made.reached == 0.04
    assert made.stopped == 1.0


def test_trees_that_cannot_be_are_refused() -> None:
    with pytest.raises(ParameterError, match="at least 'branching'"):
        Multicast(receivers=3, branching=4)
    with pytest.raises(ParameterError, match="do not fit"):
        Multicast(receivers=1_000_000, length=100_000)
    with pytest.raises(ParameterError, match="'attack'"):
        Multicast(attack="hide")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'seed'"):
        play_multicast(Multicast(receivers=10), Forwarding(), seed=-1)
