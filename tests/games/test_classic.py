"""Classic games have the equilibria that everybody knows, and the paper's tables stand as printed."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.games import classic
from tacita.games.coprivacy.pure import pure_coprivacy
from tacita.games.equilibria.correlated import correlated_equilibrium
from tacita.games.equilibria.many_players import mixed_equilibria
from tacita.games.equilibria.pure import pure_equilibria
from tacita.games.equilibria.two_players import extreme_equilibria
from tacita.games.model.dominance import dominant_strategies, eliminate
from tacita.games.model.game import Game
from tacita.games.model.outcomes import welfare


def test_the_table_of_example_2() -> None:
    """u_1(H,H) = 0; u_1(H,P) = 1; u_1(P,H) = 0; u_1(P,P) = 1/2; u_2 the other way round."""
    game, _ = classic.social_network()
    table = {("H", "H"): (0, 0), ("H", "P"): (1, 0), ("P", "H"): (0, 1), ("P", "P"): (0.5, 0.5)}
    for profile, expected in table.items():
        assert tuple(game.utility(player, profile) for player in game.players) == expected


def test_example_2_has_three_pure_equilibria_where_the_paper_says_one() -> None:
    game, _ = classic.social_network()
    assert [one.words() for one in pure_equilibria(game)] == ["(H, H)", "(H, P)", "(P, H)"]
    assert {one.words() for one in extreme_equilibria(game)} == {"(H, H)", "(H, P)", "(P, H)"}


def test_publishing_is_best_for_both_and_no_advice_reaches_it() -> None:
    """(P, P) is worth more to both than (H, H); it is never drawn in a correlated equilibrium of the game played once."""
    game, helps = classic.social_network()
    both = welfare(game, "egalitarian")
    assert both[1, 1] > both[0, 0]
    wish = np.zeros((2, 2))
    wish[1, 1] = 1.0
    assert correlated_equilibrium(game, wish).probability(helps[0].played) == pytest.approx(0.0, abs=1e-9)


def test_many_users_hide() -> None:
    game, _ = classic.publishing_game(4, sensitivity=2.0)
    assert game.utility("User 1", ("P", "P", "H", "P")) == pytest.approx((2 + 2) / (1 + 2))
    for player in game.players:
        assert dominant_strategies(game, player) == ("H",)


def test_matching_pennies_are_drawn_evenly() -> None:
    game = classic.matching_pennies()
    (only,) = mixed_equilibria(game).found
    assert np.array(only.mixtures) == pytest.approx(np.full((2, 2), 0.5))
    assert not pure_equilibria(game)
    assert correlated_equilibrium(game).utilities["even"] == pytest.approx(0.0, abs=1e-9)


def test_the_battle_has_two_pure_equilibria_and_one_that_is_worse() -> None:
    found = extreme_equilibria(classic.battle_of_the_sexes())
    worth = [tuple(one.utilities.values()) for one in found]
    assert [one.kind for one in found] == ["pure", "mixed", "pure"]
    assert worth[0] == (3, 2)
    assert worth[1] == pytest.approx((1.2, 1.2))
    assert worth[2] == (2, 3)


def test_the_best_advice_in_chicken_is_that_of_aumann() -> None:
    """1/2 (6, 6), 1/4 (2, 7), 1/4 (7, 2): 5.25 for each, more than the 14/3 of the mixed equilibrium."""
    game = classic.chicken()
    found = correlated_equilibrium(game)
    assert found.distribution == pytest.approx(np.array([[0.5, 0.25], [0.25, 0]]), abs=1e-9)
    assert list(found.utilities.values()) == pytest.approx([5.25, 5.25])
    mixed = next(one for one in extreme_equilibria(game) if one.kind == "mixed")
    assert list(mixed.utilities.values()) == pytest.approx([14 / 3, 14 / 3])
    assert found.verify() < 1e-9


def test_all_countries_pollute() -> None:
    for players in (2, 3, 6):
        game = classic.pollution_game(players, cost=1.5)
        (only,) = pure_equilibria(game)
        assert set(only.words().strip("()").split(", ")) == {"pollutes"}
        assert eliminate(game).is_solved
        assert list(only.utilities.values()) == [-players] * players
        assert welfare(game, "egalitarian").max() == pytest.approx(-1.5)


def test_the_dilemma_has_one_equilibrium() -> None:
    (only,) = extreme_equilibria(classic.prisoners_dilemma())
    assert only.words() == "(talks, talks)"


def test_relays_help_for_their_own_crowd_and_not_against_its_cost() -> None:
    game, helps = classic.anonymous_relays((3, 7))
    assert game.players == ("P0", "P1", "P2", "P3")
    assert game.utility("P1", ("process", "ask P3", "reject", "process")) == pytest.approx(3.0)
    assert pure_coprivacy(game, helps).help == helps[0]  # the other relay, unasked, may as well have rejected
    assert pure_coprivacy(game, helps, others="every").help == helps[1]  # who may choose takes the larger crowd
    assert pure_coprivacy(*classic.anonymous_relays((3, 7), cost=0.3)).help == helps[0]  # which no longer pays there
    assert not pure_coprivacy(*classic.anonymous_relays((3, 7), cost=0.5)).holds


@pytest.mark.parametrize("made", [lambda: classic.pollution_game(1), lambda: classic.pollution_game(40),
                                  lambda: classic.publishing_game(0), lambda: classic.anonymous_relays(()),
                                  lambda: classic.anonymous_relays((0,))])  # fmt: skip
def test_no_game_of_nobody_or_of_too_many(made: object) -> None:
    with pytest.raises(ParameterError):
        made()  # type: ignore[operator]


def inequalities_hold(game: Game, chosen: dict[tuple[str, ...], float]) -> bool:
    """Every deviation of every advised strategy, one by one, by names: the check knows no tensor and no solver."""
    for i, player in enumerate(game.players):
        own = game.strategies[i]
        for advised in own:
            for other in own:
                gain = sum(
                    share * (game.utility(player, (*s[:i], other, *s[i + 1 :])) - game.utility(player, s))
                    for s, share in chosen.items()
                    if s[i] == advised
                )
                if gain > 1e-9:
                    return False
    return True


@pytest.mark.parametrize(
    ("game", "pure"),
    [
        (classic.matching_pennies(), set()),
        (classic.battle_of_the_sexes(), {("opera", "opera"), ("match", "match")}),
        (classic.chicken(), {("swerves", "goes on"), ("goes on", "swerves")}),
        (classic.prisoners_dilemma(), {("talks", "talks")}),
        (classic.pollution_game(3), {("pollutes",) * 3}),
        (classic.pollution_game(3, cost=2.0), {("pollutes",) * 3}),
        (classic.pollution_game(3, cost=0.5), {("controls",) * 3}),
        (classic.social_network()[0], {("H", "H"), ("H", "P"), ("P", "H")}),
    ],
    ids=lambda value: value.name if isinstance(value, Game) else "",
)
def test_the_equilibria_are_those_of_the_inequalities(game: Game, pure: set[tuple[str, ...]]) -> None:
    """Each profile is tried: it is an equilibrium where the inequalities hold, and nowhere else."""
    every = set(itertools.product(*game.strategies))
    assert {s for s in every if inequalities_hold(game, {s: 1.0})} == pure
    found = {game.named(np.unravel_index(one.distribution.argmax(), game.shape)) for one in pure_equilibria(game)}
    assert found == pure
    for one in (
        *mixed_equilibria(game).found,
        correlated_equilibrium(game),
        correlated_equilibrium(game, "egalitarian"),
    ):
        drawn = {s: one.probability(dict(zip(game.players, s, strict=True))) for s in every}
        assert sum(drawn.values()) == pytest.approx(1.0)
        assert inequalities_hold(game, drawn)


def test_the_inequalities_refuse_what_is_none() -> None:
    game = classic.chicken()
    both = ("swerves", "swerves")
    assert not inequalities_hold(game, {both: 0.6, ("swerves", "goes on"): 0.2, ("goes on", "swerves"): 0.2})
    assert inequalities_hold(game, {both: 0.5, ("swerves", "goes on"): 0.25, ("goes on", "swerves"): 0.25})


def test_example_1_by_its_entropies() -> None:
    """Crowds of 3 and 7, nobody asked: log2 3 and log2 7; who processes has one more, and so has P1."""
    game, _ = classic.anonymous_relays((3, 7))
    table = {
        ("process", "ask P0", "process", "process"): (0, np.log2(3), np.log2(7)),
        ("process", "ask P2", "process", "reject"): (2, 2, np.log2(7)),
        ("process", "ask P2", "reject", "process"): (0, np.log2(3), np.log2(7)),
        ("process", "ask P3", "reject", "process"): (3, np.log2(3), 3),
    }
    for profile, expected in table.items():
        assert [game.utility(player, profile) for player in ("P1", "P2", "P3")] == pytest.approx(expected)
    equilibria = {one.words() for one in pure_equilibria(game)}
    assert equilibria == {"(process, ask P2, process, reject)", "(process, ask P3, process, process)",
                          "(process, ask P3, reject, process)", "(process, ask P0, reject, reject)"}  # fmt: skip
