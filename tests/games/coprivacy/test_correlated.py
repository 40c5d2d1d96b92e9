"""Correlated coprivacy: certain either way."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tacita.games.classic import battle_of_the_sexes, chicken, social_network
from tacita.games.coprivacy.correlated import correlated_coprivacy
from tacita.games.coprivacy.help import Help
from tacita.games.coprivacy.pure import pure_coprivacy
from tacita.games.model.game import Game
from tests.effort import examples
from tests.games.material import small_games


@settings(max_examples=examples(30))
@given(small_games())
def test_a_pure_equilibrium_is_a_correlated_one(game: Game) -> None:
    helps = [
        Help(asker=game.players[0], asks=s, helper=game.players[1], helps=t)
        for s in game.strategies[0]
        for t in game.strategies[1]
    ]
    for one in helps:
        if pure_coprivacy(game, [one]).holds:
            found = correlated_coprivacy(game, [one])
            assert found.holds
            assert found.probability == pytest.approx(1.0, abs=1e-6)
    best = correlated_coprivacy(game, helps)
    assert best.holds  # every profile is somebody's help here
    assert best.probability == pytest.approx(max(correlated_coprivacy(game, [one]).probability for one in helps))


def test_the_social_network_needs_a_gain_that_is_let_go() -> None:
    """Each gains 1/2 by hiding from (P, P), and epsilon pays for that: p / 2 <= epsilon."""
    game, helps = social_network()
    found = correlated_coprivacy(game, helps)
    assert not found.holds
    assert "at most with probability 0" in found.reasons[0] or "e-" in found.reasons[0]
    for epsilon in (0.1, 0.25, 0.5):
        near = correlated_coprivacy(game, helps, epsilon=epsilon)
        assert near.holds
        assert near.probability == pytest.approx(2 * epsilon, abs=1e-6)
        assert near.equilibrium is not None
        assert near.equilibrium.verify() == pytest.approx(epsilon, abs=1e-6)


def test_a_probability_may_be_asked_for() -> None:
    both = [Help(asker="driver 1", asks="swerves", helper="driver 2", helps="swerves")]
    assert correlated_coprivacy(chicken(), both, more_than=0.49).holds
    assert not correlated_coprivacy(chicken(), both, more_than=0.51).holds


def test_what_is_shown_is_the_likeliest() -> None:
    game = battle_of_the_sexes()
    # she stays at the opera for p12 <= 3/2 p11, he at the match for p12 <= 3/2 p22
    apart = [Help(asker="she", asks="opera", helper="he", helps="match")]
    found = correlated_coprivacy(game, apart)
    assert found.probability == pytest.approx(3 / 7)
    assert "with probability 0.429" in found.words()
    assert found.as_plain()["help"] == {"asker": "she", "asks": "opera", "helper": "he", "helps": "match"}
