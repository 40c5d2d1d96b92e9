"""Best responses against all choices tried, equilibria against the games room, and the collapse under each rule of ties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.games import classic
from tacita.games.equilibria.pure import pure_equilibria, pure_profiles
from tacita.games.social.disclosure_game import disclosure_game, reach_of_profile
from tacita.games.social.generators import complete_network, scale_free_network
from tacita.games.social.network import Network
from tacita.games.social.selfish import Ties, best_responses, play_selfishly
from tests.games.social.material import Small, small_networks
from tests.oracles.games import social as oracle

TIES: tuple[Ties, ...] = ("hide", "stay", "publish")


@given(small_networks())
def test_answers_are_the_best_of_all_that_were_tried(small: Small) -> None:
    network, edges, beta, reach = small
    found = {ties: best_responses(network, reach, beta, ties=ties) for ties in TIES}
    for j in range(network.users):
        best = oracle.best_of_all(j, network.users, edges, reach, beta)
        assert all(tuple(own[j]) in best for own in found.values())
        assert tuple(found["hide"][j]) == tuple(min(one[i] for one in best) for i in range(len(beta)))
        assert tuple(found["publish"][j]) == tuple(max(one[i] for one in best) for i in range(len(beta)))
        if tuple(reach[j]) in best:
            assert tuple(found["stay"][j]) == tuple(reach[j])


@given(small_networks(4))
def test_who_stays_is_in_an_equilibrium_of_the_game_and_only_there(small: Small) -> None:
    network, _, beta, reach = small
    if (beta.shape[1] + 1) ** (beta.shape[0] * network.users) > 3000:
        return
    game = disclosure_game(network, beta)
    settled = np.array_equal(best_responses(network, reach, beta, ties="stay"), reach)
    assert settled == pure_profiles(game)[game.place(["-".join(map(str, row)) for row in reach.tolist()])]


def test_example_2_has_the_game_of_the_room_and_three_equilibria() -> None:
    game = disclosure_game(Network.of_edges([("User 1", "User 2")]), np.array([1.0]))
    assert np.array_equal(game.utilities, classic.social_network()[0].utilities)
    assert [one.words() for one in pure_equilibria(game)] == ["(0, 0)", "(0, 1)", "(1, 0)"]


@pytest.mark.parametrize("users", [3, 5])
def test_the_pollution_game_of_a_network_where_all_see_all(users: int) -> None:
    network, beta = complete_network(users), np.array([2.0])
    game = disclosure_game(network, beta)
    assert game.utilities == pytest.approx(classic.publishing_game(users, sensitivity=2.0)[0].utilities)
    # Nobody, or one alone: whoever sees another one publish would hide.
    expected = {(0,) * users} | {tuple(int(i == j) for i in range(users)) for j in range(users)}
    found = {tuple(reach_of_profile(profile).ravel().tolist()) for profile in game.named_where(pure_profiles(game))}
    assert found == expected


@given(small_networks())
def test_from_any_start_nobody_publishes_after_one_round(small: Small) -> None:
    network, _, beta, reach = small
    for turns in ("together", "in turn"):
        played = play_selfishly(network, reach, beta, ties="hide", turns=turns)  # type: ignore[arg-type]
        assert played.ending == "settled"
        assert not played.reach.any()
        assert len(played.changed) <= 2


@given(small_networks(), st.sampled_from(["stay", "publish"]))
def test_in_turn_and_with_other_ties_play_ends_in_an_equilibrium_with_publishers(small: Small, ties: Ties) -> None:
    network, edges, beta, _ = small
    beta = np.abs(beta[:1, :1]) + 1.0
    start = np.ones((network.users, 1), np.int32)
    played = play_selfishly(network, start, beta, ties=ties, turns="in turn", seed=3)
    assert played.ending == "settled"
    shown = played.reach[:, 0] > 0
    assert shown.any()
    assert not any(shown[a] and shown[b] for a, b in edges)
    if ties == "publish":  # nobody hides who sees nothing
        assert all(shown[j] or any(shown[k] for k in network.neighbours_of(j)) for j in range(network.users))


def test_together_those_who_publish_on_ties_come_and_go() -> None:
    network = scale_free_network(500, 3)
    played = play_selfishly(network, np.zeros((500, 2), np.int32), np.ones((2, 1)), ties="publish")
    assert played.ending == "cycle"
    assert played.disclosing == (0.0, 1.0, 0.0)
    assert play_selfishly(network, played.reach, np.ones((2, 1)), ties="publish", rounds=1).ending == "unfinished"


def test_what_must_be_shown_stays_shown_and_what_costs_nothing_may() -> None:
    network = complete_network(3)
    beta = np.array([[1.0, 0.0, 2.0]])
    now = np.full((3, 1), 2, np.int32)
    assert best_responses(network, now, beta, least=1)[0] == 1
    assert best_responses(network, now, beta, least=1, ties="publish")[0] == 2
    assert best_responses(network, now, beta, least=1, most=2, ties="publish")[0] == 2
    with pytest.raises(ParameterError, match="between 'least' and 'most'"):
        best_responses(network, now, beta, most=1)


def test_in_turn_the_same_seed_plays_the_same() -> None:
    network, start = scale_free_network(300, 2), np.ones((300, 1), np.int32)
    a, b, c = (
        play_selfishly(network, start, np.ones(1), ties="stay", turns="in turn", seed=seed).reach for seed in (1, 1, 2)
    )
    assert np.array_equal(a, b)
    assert not np.array_equal(a, c)


@pytest.mark.parametrize(
    ("reach", "more", "said"),
    [
        ([[0.5], [0]], {}, "'reach' must be whole"),
        ([[2], [0]], {}, "'reach' must be between 0 and 1"),
        ([[1]], {}, "users by attributes"),
        ([[1], [0]], {"ties": "maybe"}, "'ties' must be"),
        ([[1], [0]], {"turns": "never"}, "'turns' must be"),
        ([[1], [0]], {"rounds": 0}, "'rounds' must be"),
    ],
)
def test_what_does_not_fit_is_refused(reach: list[list[float]], more: dict[str, object], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        play_selfishly(Network.of_edges([(0, 1)]), np.array(reach), np.ones(1), **more)  # type: ignore[arg-type]


def test_a_play_says_how_it_went() -> None:
    played = play_selfishly(Network.of_edges([(0, 1)]), np.ones((2, 1), np.int32), np.ones(1))
    assert played.words().startswith("100.0 % of the users showed something at first and 0.0 % after 2 rounds")
    assert played.as_plain()["mean_prf"] == [0.5, 0.0, 0.0]
