from __future__ import annotations

import json

from tacita.games.vehicles.announcements import Endorsing
from tacita.games.vehicles.traffic import Traffic
from tacita.games.vehicles.vehicle_study import study_vehicles

TOWN = Traffic(length=6, streets=3, minutes=12, density=6)


def test_a_study_has_the_simulation_and_its_surroundings() -> None:
    study = study_vehicles(TOWN, Endorsing(threshold=2, shares=6), 1, signatures=1)
    assert study.signed is not None
    assert study.signed.real == 1
    middle = next(effect for effect in study.by_threshold if effect.settings == {"threshold": 2})
    assert middle.functionality == study.made.functionality
    assert max(effect.settings["threshold"] for effect in study.by_threshold) == 6  # no more than there are shares
    assert json.loads(json.dumps(study.as_plain()))["seed"] == 1
    again = study_vehicles(TOWN, Endorsing(threshold=2, shares=6), 1, signatures=1)
    assert json.dumps(again.as_plain()) == json.dumps(study.as_plain())


def test_schemes_without_shares_are_not_signed() -> None:
    study = study_vehicles(TOWN, Endorsing(scheme="named", threshold=2), 1)
    assert study.signed is None
    assert study.as_plain()["signatures"] is None
