from __future__ import annotations

import math

import pytest

from tacita.core.errors import ParameterError
from tacita.games.vehicles.announcement_game import announcing_coprivacy
from tacita.games.vehicles.announcements import Endorsing, announce
from tacita.games.vehicles.effects import announcement_effects
from tacita.games.vehicles.traffic import Traffic, drive

TOWN = Traffic(length=10, streets=4, minutes=20)


def test_an_effect_is_the_simulation_with_that_setting() -> None:
    one, other = announcement_effects(TOWN, Endorsing(), [{"threshold": 2, "density": 4.0}, {"selfish": 0.9}], seed=3)
    made = announce(drive(Traffic(length=10, streets=4, minutes=20, density=4.0), 3), Endorsing(threshold=2))
    asked = announcing_coprivacy(made, weights=(3.0, 1.0))
    assert one.functionality == made.functionality
    assert one.believed == made.believed
    assert one.holds == asked.holds
    assert one.ratio == (asked.ratios[0][0] if asked.ratios else math.inf)
    assert other.as_plain()["settings"] == {"selfish": 0.9}


def test_where_nobody_is_near_there_is_no_game() -> None:
    found = announcement_effects(TOWN, Endorsing(), [{"density": 0.3}], seed=1, players=12)[0]
    assert found.holds is None
    assert math.isnan(found.ratio)


def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(ParameterError, match="Did you mean 'density'"):
        announcement_effects(TOWN, Endorsing(), [{"densty": 3}], seed=1)
    with pytest.raises(ParameterError, match="'threshold'"):
        announcement_effects(TOWN, Endorsing(), [{"threshold": 0}], seed=1)
