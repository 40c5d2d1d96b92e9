"""The rules of both protocols, one step at a time."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.games.social.exchange import arcs_of
from tacita.games.social.network import Network
from tacita.games.social.protocols import Reputation, TitForTat

PAIR = arcs_of(Network.of_edges([("a", "b")]))
STAR = arcs_of(Network.of_edges([("hub", "x"), ("hub", "y"), ("hub", "z"), ("hub", "w")]))


def test_who_hides_once_does_penance_and_is_taken_back() -> None:
    protocol = TitForTat(penance=2)
    state, history = protocol.start(PAIR), []
    for number in range(5):
        asked = protocol.asks(state, PAIR)
        given = asked.copy()
        given[0] &= number != 0  # a hides in the first round
        history.append(given.tolist())
        state = protocol.after(state, asked, given, PAIR)
    assert history == [[False, True], [True, False], [True, False], [True, True], [True, True]]


def test_both_who_slip_at_once_both_disclose_again() -> None:
    protocol = TitForTat(penance=1)
    state = protocol.start(PAIR)
    asked = protocol.asks(state, PAIR)
    state = protocol.after(state, asked, np.array([False, False]), PAIR)
    assert protocol.asks(state, PAIR).tolist() == [True, True]
    state = protocol.after(state, np.array([True, True]), np.array([True, True]), PAIR)
    assert not state.any()


def test_newcomers_wait_or_are_trusted() -> None:
    new = np.array([True, False])
    for newcomers, asked in (("wait", [True, False]), ("trust", [True, True])):
        protocol = TitForTat(penance=3, newcomers=newcomers)  # type: ignore[arg-type]
        state = protocol.welcome(np.array([0.0, 3.0]), new, PAIR)
        assert protocol.asks(state, PAIR).tolist() == asked
        assert state[1] == 0
        reputation = Reputation(newcomers=newcomers)  # type: ignore[arg-type]
        assert reputation.asks(reputation.welcome(np.ones(2), new, PAIR), PAIR).tolist() == asked


def test_reputation_moves_by_what_was_kept_of_what_was_asked() -> None:
    protocol = Reputation(threshold=0.8, memory=0.5)
    state = protocol.start(STAR)
    asked = protocol.asks(state, STAR)
    given = asked.copy()
    given[np.flatnonzero(STAR.tails == 0)[:3]] = False  # the hub shows one of four
    state = protocol.after(state, asked, given, STAR)
    assert state.tolist() == [0.625, 1, 1, 1, 1]
    asked = protocol.asks(state, STAR)
    assert asked[STAR.tails == 0].all()
    assert not asked[STAR.heads == 0].any()
    after = protocol.after(state, asked, asked, STAR)
    assert after.tolist() == [0.8125, 1, 1, 1, 1]  # who was asked for nothing keeps what he had


def test_who_may_hide_for_once() -> None:
    assert TitForTat().is_tempted(np.array([1.0, 0.0]), PAIR, 0.0).tolist() == [False, True]
    assert Reputation(threshold=0.7, memory=0.5).is_tempted(np.array([1.0, 0.8]), PAIR, 0.5).tolist() == [True, False]


def test_assistants_say_why() -> None:
    protocol = TitForTat(penance=2)
    assert "you disclosed to each other" in protocol.why(np.zeros(2), PAIR, 0)
    assert protocol.why(np.array([0.0, 1.0]), PAIR, 0) == "you are owed 1 round of disclosure first"
    assert "for 2 more rounds" in protocol.why(np.array([2.0, 0.0]), PAIR, 0)
    named = Reputation(threshold=0.5)
    assert "brings it back" in named.why(np.array([0.3, 1.0]), PAIR, 0)
    assert "cost you yours" in named.why(np.array([1.0, 1.0]), PAIR, 0)
    assert "costs you none" in named.why(np.array([1.0, 0.3]), PAIR, 0)


def test_moves_of_tit_for_tat_counted_by_hand() -> None:
    """Two groups, penance 1: owed by none, by one, by both; every end of a move with the least that reaches it."""
    moves = TitForTat(penance=1).moves(2, generous=True)
    assert moves.received.tolist() == [1.0, 0.5, 0.0]
    found = {
        (state, float(moves.given[m]), int(moves.then[m]))
        for state in range(3)
        for m in range(moves.first[state], moves.first[state + 1] if state < 2 else len(moves.given))
    }
    assert found == {(s, x, 2 - round(2 * x)) for s in range(3) for x in (0.0, 0.5, 1.0)}


def test_reputations_are_rounded_to_either_side() -> None:
    up, down = (Reputation(memory=0.3).moves(2, generous=generous) for generous in (True, False))
    assert (up.then - down.then).min() >= 0
    assert (up.then - down.then).max() == 1
    assert up.received[-1] == 1
    assert up.received[0] == 0


@pytest.mark.parametrize(
    ("make", "more", "said"),
    [
        (TitForTat, {"penance": 0}, "'penance'"),
        (TitForTat, {"penance": 1.5}, "'penance'"),
        (TitForTat, {"penance": True}, "'penance'"),
        (TitForTat, {"newcomers": "maybe"}, "'newcomers'"),
        (Reputation, {"threshold": 0}, "'threshold'"),
        (Reputation, {"threshold": 1.1}, "'threshold'"),
        (Reputation, {"memory": float("nan")}, "'memory'"),
        (Reputation, {"memory": "x"}, "'memory'"),
        (Reputation, {"newcomers": None}, "'newcomers'"),
    ],
)
def test_what_does_not_fit_is_refused(make: type, more: dict[str, object], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        make(**more)


def test_searches_are_bounded() -> None:
    with pytest.raises(ParameterError, match="'groups'"):
        TitForTat().moves(0, generous=True)
    with pytest.raises(ParameterError, match="at most 50,000 states"):
        TitForTat(penance=60).moves(8, generous=True)
