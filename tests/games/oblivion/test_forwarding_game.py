from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.games.oblivion.forwarding_game import (
    Forwarding,
    forwarding_coprivacy,
    forwarding_game,
    honest_is_equilibrium,
    needed_penalty,
)
from tests.effort import examples
from tests.oracles.games import forwarding as oracle

AMOUNT = st.floats(0, 3).map(lambda x: round(x, 2))
CHANCE = st.floats(0, 1).map(lambda x: round(x, 2))
SETTINGS = st.builds(
    Forwarding, reward=AMOUNT, cost=AMOUNT, price=AMOUNT, bare_cost=AMOUNT, gain=AMOUNT, found=CHANCE, tracing=CHANCE,
    penalty=st.floats(0, 10).map(lambda x: round(x, 1)), opportunists=CHANCE, innocent=st.just(0.0),
)  # fmt: skip


def test_two_deviations_by_hand() -> None:
    """F = 0.5 x 0.95 x 5 = 2.375. Bare instead of marked: 1.1 - 2.375 against 0.6; a marked copy leaked: 1 - 2.375 against 0."""
    game = forwarding_game(Forwarding(innocent=0)).weighed()
    assert game.utility("forwarder 1", ("send", "mark", "leak if bare")) == pytest.approx(2 + 0.6)
    assert game.utility("forwarder 1", ("send", "bare", "leak if bare")) == pytest.approx(2 + 1.1 - 2.375)
    assert game.utility("receiver", ("send", "mark", "leak")) == pytest.approx(2 + 1 - 2.375)
    assert game.utility("receiver", ("send", "bare", "leak")) == pytest.approx(2 - 1.2 + 1)
    assert game.utility("source", ("send", "bare", "leak")) == pytest.approx(2 - 5)
    assert game.utility("source", ("withhold", "bare", "leak")) == 0


@settings(max_examples=examples(30))
@given(SETTINGS, st.integers(1, 3))
def test_payoffs_are_those_of_the_slow_walk(a: Forwarding, n: int) -> None:
    game = forwarding_game(a, n).weighed()
    for actions in itertools.product(("mark", "bare", "stop"), repeat=n):
        for last in ("obey", "leak if bare", "leak"):
            ours = [game.utility(player, ("send", *actions, last)) for player in game.players]
            assert ours == pytest.approx(oracle.chain_payoffs(a, actions, last), abs=1e-9)


@settings(max_examples=examples(100))
@given(SETTINGS, st.integers(1, 3))
def test_the_boundary_is_where_nobody_deviates(a: Forwarding, n: int) -> None:
    needed = needed_penalty(a, n)
    for penalty in [needed * 0.98, needed * 1.02 + 1e-6] if math.isfinite(needed) else [5.0, 500.0]:
        there = replace(a, penalty=penalty)
        slow = oracle.is_equilibrium(there, ["mark"] * n, "leak if bare")
        assert honest_is_equilibrium(forwarding_game(there, n)) == slow
        if not math.isfinite(needed) or abs(penalty - needed) > 1e-5:
            assert slow == (penalty >= needed)


def test_source_and_forwarders_help_each_other_above_it_and_not_below() -> None:
    for n in (1, 2):
        for a in (Forwarding(), Forwarding(price=2.0), Forwarding(opportunists=0.1)):
            needed = needed_penalty(a, n)
            above, below = (forwarding_game(replace(a, penalty=needed * part), n) for part in (1.01, 0.99))
            found = forwarding_coprivacy(above)
            assert found.holds
            assert found.help is not None
            assert found.help.played == {"source": "send", "forwarder 1": "mark"}
            assert not forwarding_coprivacy(below).holds


def test_the_weight_of_privacy_lowers_the_penalty() -> None:
    a = Forwarding(penalty=1.5)
    assert not honest_is_equilibrium(forwarding_game(a))
    assert honest_is_equilibrium(forwarding_game(a), privacy=2.0)
    assert needed_penalty(a, privacy=2.0) == pytest.approx(needed_penalty(a) / 2)


def test_no_penalty_makes_up_for_a_reward_below_the_cost_or_for_no_tracing() -> None:
    assert needed_penalty(Forwarding(reward=0.3)) == math.inf
    assert needed_penalty(Forwarding(tracing=0)) == math.inf
    assert needed_penalty(Forwarding(opportunists=0), 2) == pytest.approx(math.inf)
    assert needed_penalty(Forwarding(gain=0, price=0, bare_cost=0)) == 0.0


def test_what_cannot_be_is_refused() -> None:
    for n in (0, 9, 1.0, True):
        with pytest.raises(ParameterError, match="'forwarders'"):
            forwarding_game(Forwarding(), n)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'found'"):
        Forwarding(found=1.1)
    with pytest.raises(ParameterError, match="'penalty'"):
        Forwarding(penalty=math.inf)
