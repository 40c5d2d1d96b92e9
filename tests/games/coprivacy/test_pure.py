"""Coprivacy of Definition 1 against loops, and what is said where there is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.games.classic import prisoners_dilemma, social_network
from tacita.games.coprivacy.help import Help
from tacita.games.coprivacy.pure import pure_coprivacy
from tacita.games.coprivacy.request_game import request_game, request_helps
from tacita.games.model.game import Game
from tests.games.material import small_games
from tests.oracles.games.normal_form import coprivate_pairs, is_best, profiles


@given(small_games(), st.data())
def test_it_is_that_of_the_definition(game: Game, data: st.DataObject) -> None:
    asks = data.draw(st.integers(0, game.shape[0] - 1))
    helps = {k: data.draw(st.integers(0, game.shape[k] - 1)) for k in range(1, game.size)}
    listed = [
        Help(asker=game.players[0], asks=game.strategies[0][asks], helper=game.players[k], helps=game.strategies[k][t])
        for k, t in helps.items()
    ]
    found = pure_coprivacy(game, listed)
    expected = list(coprivate_pairs(game, dict.fromkeys(helps, asks), helps, 0))
    assert found.holds == bool(expected)
    if found.holds:
        assert found.help == listed[expected[0] - 1]
        assert found.equilibrium is not None
        assert found.equilibrium.verify() == 0.0
    else:
        assert len(found.reasons) == len(listed)
    for k, t in helps.items():
        both = [s for s in profiles(game) if s[0] == asks and s[k] == t]
        good = [is_best(game, 0, s) and is_best(game, k, s) for s in both]
        one = [listed[k - 1]]
        assert pure_coprivacy(game, one, others="some").holds == any(good)
        # somewhere the others play as well as they can, and everywhere the two stay
        assert pure_coprivacy(game, one, others="every").holds == all(good)


def test_who_leaves_and_for_what_is_said() -> None:
    game, helps = social_network()
    found = pure_coprivacy(game, helps)
    assert found.holds is False
    assert found.words().splitlines() == [
        "Coprivacy: none. No equilibrium has help.",
        "  'User 1' plays 'P' and 'User 2' plays 'P': in (P, P), 'User 1' gains 0.5 by 'H'.",
        "  'User 2' plays 'P' and 'User 1' plays 'P': in (P, P), 'User 2' gains 0.5 by 'H'.",
    ]
    assert found.as_plain()["holds"] is False


def test_a_peer_who_loses_by_helping_does_not() -> None:
    game = request_game([[3, -1]], [[-0.25, 0]], alone=0)
    found = pure_coprivacy(game, request_helps(game))
    assert not found.holds
    assert "'P2' gains 0.25 by 'reject'" in found.reasons[0]


def test_who_asks_prefers_the_system() -> None:
    game = request_game([[3, -1]], [[1, 0]], alone=4)
    found = pure_coprivacy(game, request_helps(game))
    assert "'P1' gains 1 by 'ask P0'" in found.reasons[0]


def test_a_lie_about_the_others_is_refused() -> None:
    with pytest.raises(ParameterError, match="'others' must be"):
        pure_coprivacy(*social_network(), others="none")  # type: ignore[arg-type]


def test_others_who_would_never_play_so_are_named() -> None:
    """A third player who must be dominated makes no difference; one without best responses cannot be."""
    dilemma = prisoners_dilemma()
    silence = Help(asker="prisoner 1", asks="silent", helper="prisoner 2", helps="silent")
    assert pure_coprivacy(dilemma, [silence]).reasons == (
        "'prisoner 1' plays 'silent' and 'prisoner 2' plays 'silent': in (silent, silent), 'prisoner 1' gains 1 by 'talks'.",
    )
