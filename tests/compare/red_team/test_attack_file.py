"""A file before the red team: what is run, under which scenario, and how it is judged."""

from __future__ import annotations

import pytest

import tacita as tc
from tacita.attack.judge.campaign import Campaign
from tacita.attack.judge.stage_file import as_it_leaves
from tacita.compare.red_team.attack_file import attack_file
from tacita.core.errors import AttackError, ParameterError

MONEY = ("earnings", "tax")


def files(sd_ratio: float) -> tuple[tc.Microdata, tc.Microdata]:
    data = tc.samples.household_survey(300, seed=1)
    return data, tc.mask.AdditiveNoise(columns=MONEY, sd_ratio=sd_ratio).apply(data, seed=7)


def attacked(sd_ratio: float, **more: object) -> Campaign:
    known = tc.Scenario(keys=[], known=MONEY)
    return attack_file(*files(sd_ratio), scenario=known, attacks=["distance_link"], **more)  # type: ignore[arg-type]


def test_little_noise_fails_and_much_passes() -> None:
    assert attacked(0.01, wanted=[]).state == "failed"
    assert attacked(20.0, wanted=[]).state == "passed"


def test_a_mask_brings_its_own_attacks() -> None:
    data, masked = files(0.1)
    found = attack_file(data, masked, scenario=tc.Scenario(keys=[], known=MONEY), seconds=20)
    names = {grade.attack for grade in found.grades}
    assert {"distance_link", "noise_filter"} <= names
    assert "rank_swap_intersection" not in names
    assert "linkage by earnings, tax" in found.scenario
    with pytest.raises(AttackError, match="nobody can say who was found"):
        attack_file(data, as_it_leaves(masked))


def test_a_release_is_attacked_as_it_leaves() -> None:
    data = tc.samples.household_survey(200, seed=1)
    release = tc.Recipe([tc.mask.AdditiveNoise(columns=MONEY, sd_ratio=0.01)]).apply(data, seed=7)
    found = attack_file(data, release, scenario=tc.Scenario(keys=[], known=MONEY), attacks=["distance_link"])
    assert found.state == "failed"


def test_bad_parameters() -> None:
    with pytest.raises(ParameterError, match=r"'margin' must be in \[0, 1\)"):
        attacked(0.1, margin=5)
    with pytest.raises(ParameterError, match="no attack 'distance_lnk'"):
        attack_file(*files(0.1), attacks=["distance_lnk"])
