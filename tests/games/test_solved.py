"""One call for all that is asked of a game: what it finds agrees with the single functions, and large games end."""

from __future__ import annotations

import json
from math import prod

import pytest

from tacita.core.errors import ParameterError
from tacita.games import solved
from tacita.games.classic import chicken, prisoners_dilemma, social_network
from tacita.games.coprivacy.help import Help
from tacita.games.model.game import Game
from tacita.games.solved import solve_game
from tests.games.material import drawn_game
from tests.oracles.games.normal_form import pure_nash


def first_help() -> list[Help]:
    return [Help(asker="player 1", asks="1", helper="player 2", helps="1")]


def test_chicken_as_a_whole() -> None:
    game = chicken()
    helps = [Help(asker="driver 1", asks="swerves", helper="driver 2", helps="swerves")]
    found = solve_game(game, helps)
    assert found.pure_count == 2
    assert [one.kind for one in found.equilibria] == ["pure", "pure", "mixed", "correlated"]
    assert [one.holds for one in found.coprivacy] == [False, True, True]
    assert [round(one.probability, 6) for one in found.coprivacy] == [0.0, 0.444444, 0.5]
    assert found.notes == ()
    plain = json.loads(json.dumps(found.as_plain()))
    assert plain["pure"]["count"] == 2
    assert plain["mixed"]["is_complete"] is True
    assert plain["correlated"]["best"] == "utilitarian"
    assert plain["coprivacy"]["correlated"]["probability"] == pytest.approx(0.5)


def test_the_dilemma_falls_by_dominance() -> None:
    found = solve_game(prisoners_dilemma(), concepts=["pure"])
    assert found.eliminated.is_solved
    assert found.dominant == {"prisoner 1": ("talks",), "prisoner 2": ("talks",)}
    assert found.mixed is None
    assert found.correlated is None
    assert found.coprivacy == ()
    assert found.as_plain()["mixed"] is None


def test_epsilon_reaches_the_correlated_answers() -> None:
    """Each gains 1/2 by hiding from (P, P): with 1/4 let go, it is drawn half of the time."""
    found = solve_game(*social_network(), concepts=["correlated"], epsilon=0.25)
    assert found.coprivacy[0].probability == pytest.approx(0.5, abs=1e-6)
    assert found.correlated is not None
    assert found.correlated.gain <= 0.25 + 1e-6
    assert solve_game(*social_network(), concepts=["correlated"]).coprivacy[0].holds is False


def test_three_players_say_that_there_may_be_more() -> None:
    game = drawn_game(3, (2, 2, 2))
    found = solve_game(game, first_help())
    assert found.pure_count == len(pure_nash(game))
    assert any("three or more players" in note for note in found.notes)


@pytest.mark.parametrize(("limit", "value", "said"), [("MOST_ENTRIES", 5, "regret matching came to a gain"),
                                                     ("MOST_STRATEGIES", 3, "Mixed coprivacy was not judged"),
                                                     ("MOST_SHOWN", 1, "Of 9 pure equilibria the first 1")])  # fmt: skip
def test_what_is_too_large_is_said(monkeypatch: pytest.MonkeyPatch, limit: str, value: int, said: str) -> None:
    monkeypatch.setattr(solved, limit, value)
    game = drawn_game(1, (3, 3), 1)
    found = solve_game(game, first_help())
    assert any(said in note for note in found.notes), found.notes


def test_a_game_with_millions_of_profiles_ends() -> None:
    game = drawn_game(1, (2,) * 14)
    found = solve_game(game, first_help(), concepts=["pure", "mixed"])
    assert prod(game.shape) == 16384
    assert found.mixed is None
    assert any("combinations of supports" in note for note in found.notes)
    assert found.coprivacy[0].holds is False


@pytest.mark.parametrize("wrong", [{"concepts": []}, {"concepts": ["impure"]}, {"best": "nobody"}, {"epsilon": -1.0}])
def test_wrong_parameters_are_refused(wrong: dict) -> None:
    with pytest.raises(ParameterError, match="must be"):
        solve_game(chicken(), **wrong)


def test_help_of_another_game_is_refused() -> None:
    with pytest.raises(ParameterError, match="no player 'player 1'"):
        solve_game(chicken(), first_help())


@pytest.mark.parametrize(("limit", "value"), [("MOST_OF_A_PLAYER", 1), ("MOST_HELPS", 0)])
def test_more_than_can_be_compared_is_refused(monkeypatch: pytest.MonkeyPatch, limit: str, value: int) -> None:
    monkeypatch.setattr(solved, limit, value)
    with pytest.raises(ParameterError, match=r"at most .* strategies of a player and .* pairs that count as help"):
        solve_game(*social_network())


def test_utilities_of_any_size_are_solved() -> None:
    """Chicken in units of 1e90 and of 1e-90 has the equilibria of chicken, as its second player's units are other ones."""
    plain = chicken()
    scaled = Game(plain.players, plain.strategies, plain.utilities * [[[1e90]], [[1e-90]]])
    helps = [Help(asker="driver 1", asks="swerves", helper="driver 2", helps="swerves")]
    for best in ("driver 1", "driver 2"):
        found, expected = (solve_game(game, helps, best=best) for game in (scaled, plain))
        assert [one.words() for one in found.equilibria] == [one.words() for one in expected.equilibria]
        assert [one.holds for one in found.coprivacy] == [False, True, True]
    assert solve_game(scaled, best="egalitarian").correlated is not None
