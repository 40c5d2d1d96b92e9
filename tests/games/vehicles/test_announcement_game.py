from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.games import general_coprivacy, pure_profiles
from tacita.games.model.outcomes import combined_utility
from tacita.games.vehicles.announcement_game import (
    AnnouncementGame,
    announcement_game,
    announcing_coprivacy,
    coprivate_ratios,
    payoffs_by_count,
)
from tacita.games.vehicles.announcements import Endorsing, announce
from tacita.games.vehicles.traffic import Traffic, drive
from tests.effort import examples
from tests.games.vehicles.test_announcements import by_hand
from tests.oracles.games import vehicles as oracle

CHANCES = st.lists(st.floats(0, 1).map(lambda x: round(x, 3)), min_size=3, max_size=5)


def test_the_game_of_two_drivers_by_hand() -> None:
    """Without either no announcement, with one neither, with both there is one; one who announces alone has no privacy."""
    game = AnnouncementGame(np.array([0, 0, 1.0]), np.array([1.0, 0.0, 0.5]))
    functionality, privacy = game.parts["functionality"], game.parts["privacy"]
    assert functionality.utilities[0].tolist() == [[1, 0], [0, 0]]
    assert privacy.utilities[0].tolist() == [[0.5, 0], [1, 1]]
    assert privacy.utilities[1].tolist() == [[0.5, 1], [0, 1]]
    assert coprivate_ratios(game) == ((0.5, float("inf")),)


@settings(max_examples=examples(60))
@given(CHANCES, CHANCES, st.floats(0.01, 50))
def test_ratios_are_where_coprivacy_is(function: list[float], private: list[float], ratio: float) -> None:
    """Three ways agree: intervals, general coprivacy of the tensors, and the words of the definition."""
    n = min(len(function), len(private))
    game = AnnouncementGame(np.array(sorted(function[:n])), np.array([1.0, *sorted(private[: n - 1])]))
    intervals = coprivate_ratios(game)
    margin = min((abs(ratio - end) for pair in intervals for end in pair if np.isfinite(end)), default=1.0)
    if margin < 1e-6 * ratio:  # on the boundary rounding decides
        return
    found = general_coprivacy(game.parts, {"functionality": ratio, "privacy": 1.0}, game.helps)
    steps = [ratio * (game.functionality[j] - game.functionality[j - 1]) - 1 + game.privacy[j] for j in range(1, n)]
    if min(map(abs, steps)) < 1e-6:
        return
    assert found.holds == any(low <= ratio <= high for low, high in intervals)
    slow = oracle.coprivate_counts(game.functionality.tolist(), game.privacy.tolist(), ratio)
    assert found.holds == bool(slow & set(range(2, n)))


def test_the_profiles_of_the_tensors_are_those_of_the_counts() -> None:
    game = AnnouncementGame(np.array([0.1, 0.2, 0.7, 0.75]), np.array([1.0, 0.1, 0.4, 0.6]))
    whole = combined_utility(game.parts, {"functionality": 1.5, "privacy": 1.0})
    counts = {sum(place == 0 for place in where) for where in np.argwhere(pure_profiles(whole)).tolist()}
    assert counts == oracle.coprivate_counts([0.1, 0.2, 0.7, 0.75], [1.0, 0.1, 0.4, 0.6], 1.5)


def test_payoffs_are_those_of_all_choices_of_players() -> None:
    """One danger with five cars, seen three hundred times: the mean is that over all ordered choices."""
    copies, cars = 300, 5
    seen = by_hand(
        np.repeat(np.arange(copies), cars).tolist(), list(range(cars)) * copies, [0] * (copies * cars), [True] * copies
    )
    made = announce(seen, Endorsing(threshold=3, shares=4, selfish=0.5, malicious=0.0), seed=11)
    endorses = {car: not made.is_selfish[car] for car in range(cars)}
    assert 1 <= sum(endorses.values()) <= 4
    voice = dict(enumerate(made.voice[:cars].tolist()))
    counts, private = oracle.mean_payoffs(range(cars), endorses, voice, 2, 3)
    found = announcement_game(made, players=2)
    assert found.functionality == pytest.approx(counts, abs=0.04)
    assert found.privacy == pytest.approx(private, abs=0.02)


def test_more_announcers_are_more_privacy_for_each() -> None:
    """The second claim of section 6, draw by draw; and no announcer makes a message fail."""
    made = announce(drive(Traffic(length=20, streets=5, minutes=30), 1), Endorsing(threshold=5))
    counts, private = payoffs_by_count(made, 4)
    assert (np.diff(private[:, 1:], axis=1) > 0).all()
    assert (np.diff(counts, axis=1) >= 0).all()


def test_security_is_a_constraint_and_no_weight() -> None:
    seen = drive(Traffic(length=20, streets=5, minutes=40, density=3), 1)
    safe = announcing_coprivacy(announce(seen, Endorsing(threshold=4)), weights=(5, 1))
    open_to_sybils = announcing_coprivacy(announce(seen, Endorsing(threshold=4, scheme="anonymous")), weights=(5, 1))
    assert safe.holds
    assert safe.is_secure
    assert open_to_sybils.coprivacy.holds
    assert not open_to_sybils.is_secure
    assert open_to_sybils.holds is False
    assert "security cannot be traded off" in open_to_sybils.words()
    assert announcing_coprivacy(announce(seen, Endorsing(scheme="anonymous", malicious=0))).is_secure  # nobody lies


def test_names_take_the_privacy_and_with_it_the_help() -> None:
    seen = drive(Traffic(length=20, streets=5, minutes=40, density=3), 1)
    shared, named = (announcement_game(announce(seen, Endorsing(scheme=s))) for s in ("threshold", "named"))  # type: ignore[arg-type]
    assert named.privacy.tolist() == [1.0, 0.0, 0.0, 0.0]
    assert coprivate_ratios(named)[0][0] > 2 * coprivate_ratios(shared)[0][0]


def test_what_cannot_be_played_is_refused() -> None:
    made = announce(by_hand([0, 0], [0, 1], [0, 0], [True]), Endorsing())
    with pytest.raises(DataError, match="no danger had 3 cars"):
        announcement_game(made, players=3)
    for players in (1, 13, 2.0, True):
        with pytest.raises(ParameterError, match="'players'"):
            announcement_game(made, players=players)  # type: ignore[arg-type]
    for weights in ((1.0,), (-1.0, 1.0), (float("nan"), 1.0)):
        with pytest.raises(ParameterError, match="'weights'"):
            announcing_coprivacy(made, weights=weights)  # type: ignore[arg-type]
