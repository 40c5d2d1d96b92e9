from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.games.vehicles.announcements import Endorsing, announce, counted_steps
from tacita.games.vehicles.traffic import Sightings, Traffic, drive
from tests.effort import examples
from tests.oracles.games import vehicles as oracle

ENDORSEMENT = st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 9))


def by_hand(danger: list[int], car: list[int], step: list[int], is_real: list[bool], cars: int = 10) -> Sightings:
    """Sightings of dangers that are there from the beginning; a step has 5 seconds."""
    traffic = Traffic(roads="ring", length=1.0, density=float(cars), minutes=10)
    n = len(is_real)
    places = [np.array(values, np.int64) for values in (danger, car, step)]
    real = np.array(is_real, np.bool_)
    return Sightings(traffic, 1, np.zeros(n, np.int64), np.full(n, 100, np.int64), real, *places)


@settings(max_examples=examples(100))
@given(st.lists(ENDORSEMENT, max_size=40), st.integers(1, 5))
def test_messages_count_when_a_slow_count_says_so(endorsements: list[tuple[int, int, int]], threshold: int) -> None:
    table = np.array(endorsements, np.int64).reshape(-1, 3)
    found = counted_steps(table[:, 0], table[:, 1], table[:, 2], 4, threshold)
    assert found.tolist() == oracle.counted_steps(endorsements, 4, threshold)


def test_a_danger_by_hand() -> None:
    """Four cars at steps 0, 0, 3, 20; deadline 60 seconds, that is steps 0 to 11; t = 3."""
    seen = by_hand([0, 0, 0, 0, 0], [0, 1, 2, 3, 4], [0, 0, 3, 5, 20], [True])
    made = announce(seen, Endorsing(scheme="named", threshold=3, selfish=0, malicious=0))
    assert made.counted_at.tolist() == [3]
    assert made.functionality == 1.0
    assert made.warned == pytest.approx(2 / 5)  # those that came at steps 5 and 20
    anonymous = announce(seen, Endorsing(scheme="anonymous", threshold=3, selfish=0, malicious=0))
    assert anonymous.crowds.tolist() == [4, 4, 4, 4]
    assert anonymous.entropy == pytest.approx(2.0)
    assert anonymous.listener_entropy == pytest.approx((1 + 1 + 0 + 0) / 4)  # two at step 0, alone at 3 and 5
    assert made.crowd == 1.0
    assert made.entropy == 0.0
    five = announce(seen, Endorsing(scheme="named", threshold=5, selfish=0, malicious=0))
    assert five.functionality == 0.0


def test_one_liar_is_enough_without_the_defence_and_not_with_it() -> None:
    """The Sybil attack: the lie of one car, of three cars together, at t = 3."""
    seen = by_hand([0, 1, 1, 1], [0, 1, 2, 3], [0, 0, 1, 2], [False, False])
    rules = {"threshold": 3, "shares": 400, "selfish": 0.0, "malicious": 1.0}
    believed = {
        (scheme, attackers): announce(seen, Endorsing(scheme=scheme, attackers=attackers, **rules)).counted_at.tolist()  # type: ignore[arg-type]
        for scheme in ("anonymous", "threshold", "named")
        for attackers in ("near", "pooled")
    }
    assert believed["anonymous", "near"] == [0, 0]
    assert believed["threshold", "near"] == [-1, 2]
    assert believed["named", "near"] == [-1, 2]
    assert believed["threshold", "pooled"] == [0, 0]
    assert believed["named", "pooled"] == [0, 0]


def test_cars_with_one_share_count_once() -> None:
    seen = by_hand([0] * 6, list(range(6)), list(range(6)), [True])
    made = announce(seen, Endorsing(threshold=1, shares=1, selfish=0, malicious=0))
    assert made.counted_at.tolist() == [0]
    assert made.holders == 10.0
    two = announce(seen, Endorsing(threshold=2, shares=2, selfish=0, malicious=0))
    voices = two.voice[:6].tolist()
    assert two.counted_at.tolist() == [next(i for i in range(6) if voices[i] != voices[0])]


@pytest.fixture(scope="module")
def town() -> Sightings:
    return drive(Traffic(length=20, streets=5, minutes=40), 1)


def _figures(town: Sightings, name: str, values: list[Any], of: str, **rules: Any) -> list[float]:
    return [getattr(announce(town, Endorsing(**{**rules, name: value})), of) for value in values]


@pytest.mark.parametrize("of", ["functionality", "believed"])
def test_a_higher_threshold_lets_less_through(town: Sightings, of: str) -> None:
    found = _figures(town, "threshold", [1, 2, 4, 8, 16], of, malicious=0.1)
    assert found == sorted(found, reverse=True)
    assert found[0] > found[-1]


def test_more_selfish_cars_take_from_all(town: Sightings) -> None:
    for of in ("functionality", "entropy", "warned"):
        found = _figures(town, "selfish", [0.0, 0.3, 0.6, 0.9], of)
        assert found == sorted(found, reverse=True), of


def test_lies_by_scheme_are_as_far_apart_as_a_chance_says(town: Sightings) -> None:
    """Without a defence a lie needs one liar among those near it: 1 - (1 - malicious)^near."""
    rule = Endorsing(scheme="anonymous", malicious=0.1)
    made = announce(town, rule)
    near = np.bincount(town.danger[town.step - town.appears[town.danger] < 12], minlength=len(town.is_real))
    expected = np.mean(1 - 0.9 ** near[~town.is_real & made.is_judged])
    assert made.believed == pytest.approx(expected, abs=0.15)
    assert announce(town, Endorsing(malicious=0.1)).believed < made.believed / 3


def test_more_cars_hide_an_announcer_better() -> None:
    few, many = (
        announce(drive(Traffic(length=20, streets=5, minutes=40, density=density), 1), Endorsing())
        for density in (3, 12)
    )
    assert many.entropy > few.entropy + 1
    assert many.crowd > 2 * few.crowd
    assert many.functionality > few.functionality


def test_nobody_lies_and_nobody_comes() -> None:
    nobody = by_hand([], [], [], [True])
    made = announce(nobody, Endorsing())
    assert made.functionality == 0.0
    assert math.isnan(made.believed)
    assert math.isnan(made.warned)
    assert math.isnan(made.entropy)
    assert made.as_plain()["lies"] == 0


def test_few_lies_prove_little() -> None:
    """Of n lies none was believed: at most 1 - 0.05^(1 / n) with 95 percent confidence."""
    lies = announce(by_hand([0, 1, 2], [0, 1, 2], [0, 0, 0], [False] * 3), Endorsing(malicious=1, threshold=2))
    assert lies.believed == 0.0
    assert lies.believed_at_most == pytest.approx(1 - 0.05 ** (1 / 3))
    all_of_them = announce(lies.sightings, Endorsing(malicious=1, threshold=1))
    assert (all_of_them.believed, all_of_them.believed_at_most) == (1.0, 1.0)


def test_dangers_whose_deadline_lies_outside_are_not_judged() -> None:
    seen = by_hand([0, 1], [0, 0], [0, 119], [True, True])
    seen.appears[1] = 119
    made = announce(seen, Endorsing(threshold=1, selfish=0, malicious=0))
    assert made.is_judged.tolist() == [True, False]
    assert made.as_plain()["dangers"] == 1


@pytest.mark.parametrize(
    ("changed", "said"),
    [({"threshold": 61}, "at most 'shares', 60"), ({"threshold": 0}, "'threshold'"), ({"selfish": 1.5}, "'selfish'"),
     ({"malicious": -0.1}, "'malicious'"), ({"scheme": "group"}, "'scheme'"), ({"attackers": "far"}, "'attackers'")],
)  # fmt: skip
def test_rules_that_cannot_be_are_refused(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        Endorsing(**changed)
