"""Epsilon in a network: what was searched without slips is found again, and slips make leaving worth less or more."""

from __future__ import annotations

import pytest

from tacita.core.errors import ParameterError
from tacita.games.social.epsilon import Epsilon, measured_epsilon, necklaces
from tacita.games.social.exchange import Disclosure, Upload
from tacita.games.social.generators import scale_free_network
from tacita.games.social.network import Network
from tacita.games.social.protocols import Reputation, TitForTat

NETWORK = scale_free_network(600, 3)


def test_without_slips_the_pattern_that_was_searched_is_the_best_of_all_played() -> None:
    found = measured_epsilon(NETWORK, TitForTat(penance=1), Disclosure((2.0,)), slips=0.0, rounds=60)
    assert found.best == found.searched.pattern == (0.0, 1.0)
    assert found.gain == pytest.approx(found.searched.lasting)
    mean, error = found.gains[(0.0,)]
    assert mean == pytest.approx(2.0 / 60 - 2 / 3)  # once all there is, and never again
    assert error == pytest.approx(0, abs=1e-9)


def test_with_penance_enough_no_pattern_gains_even_with_slips() -> None:
    found = measured_epsilon(NETWORK, TitForTat(penance=4), Disclosure((2.0,)), slips=0.03, rounds=60, seed=2)
    assert found.searched.gain == 0
    assert found.relative < 0.02
    assert 0 < found.follows < 2 / 3
    assert found.deviators == 30


def test_a_loose_threshold_is_exploited() -> None:
    loose, strict = (
        measured_epsilon(NETWORK, Reputation(threshold=t), Disclosure((1.0,)), slips=0.0, rounds=60).gain
        for t in (0.5, 0.95)
    )
    assert loose > 0.1 > strict


def test_who_adapts_finds_under_slips_what_a_fixed_pattern_loses() -> None:
    """A reputation above the threshold is spent when there is some to spend, also where slips take from it."""
    found = measured_epsilon(NETWORK, Reputation(threshold=0.7), Disclosure((2.0,)), slips=0.02, rounds=60, longest=2)
    adaptive, fixed = max(mean for mean, _ in found.adaptive.values()), found.gains[found.best][0]
    assert adaptive > fixed + 0.05
    assert found.gain == adaptive
    assert "wherever one's standing lets one" in found.words()
    bound = measured_epsilon(NETWORK, TitForTat(penance=4), Disclosure((2.0,)), slips=0.02, rounds=60, longest=1)
    assert max(mean for mean, _ in bound.adaptive.values()) < 0


def test_patterns_may_be_given_and_words_say_which_was_best() -> None:
    found = measured_epsilon(NETWORK, TitForTat(), Upload(3, 1), slips=0.0, rounds=20, patterns=[(1.0,), (0.5,)])
    assert set(found.gains) == {(1.0,), (0.5,)}
    assert found.gains[(1.0,)][0] == pytest.approx(0)
    assert found.words().startswith("None of 6 ways of leaving")
    assert "disclosing to 0 %, 100 % of the neighbours in turn brought most: +0.333" in _gainful().words()
    assert found.as_plain()["epsilon"] == 0


def _gainful() -> Epsilon:
    return measured_epsilon(NETWORK, TitForTat(), Disclosure((2.0,)), slips=0.0, rounds=20, longest=2)


def test_each_pattern_stands_once() -> None:
    assert len(necklaces(4)) == 7
    assert (0.0, 1.0, 0.0, 1.0) not in necklaces(4)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ParameterError, match="'longest'"):
        measured_epsilon(NETWORK, TitForTat(), Upload(), longest=0)
    with pytest.raises(ParameterError, match="must have a link"):
        measured_epsilon(Network.of_edges([], users=["a"]), TitForTat(), Upload())
