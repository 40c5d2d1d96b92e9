"""The red team as a risk: what a limit compares."""

from __future__ import annotations

import pytest

import tacita as tc
from tacita.attack import RedTeam
from tacita.core.errors import MeasureError

MONEY = ("earnings", "tax")


def files(sd_ratio: float = 0.01) -> tuple[tc.Microdata, tc.Microdata]:
    data = tc.samples.household_survey(200, seed=1)
    return data, tc.mask.AdditiveNoise(columns=MONEY, sd_ratio=sd_ratio).apply(data, seed=7)


def of(**more: object) -> RedTeam:
    return RedTeam(keys=[], known=MONEY, attacks=["distance_link"], seconds=5.0, **more)  # type: ignore[arg-type]


def test_little_noise_is_worth_many_points_and_much_few() -> None:
    weak, strong = of()(*files()), of()(*files(5.0))
    assert weak.value > 30
    assert 0 <= strong.value < 10
    assert weak.parts == {"distance_link": weak.value}
    assert "distance_link: broken" in weak.note


def test_it_is_a_limit_like_any_other() -> None:
    data, _ = files()
    limit = tc.Limit(measure="red_team", at_most=5.0, settings={"attacks": ["distance_link"], "seconds": 5.0})
    release = tc.Recipe([tc.mask.AdditiveNoise(columns=MONEY, sd_ratio=0.01)]).apply(data, seed=7)
    found = tc.judge(release, limits=tc.Limits([limit]), scenario=tc.Scenario(keys=[], known=MONEY))
    assert found.state == "failed"


def test_without_true_pairs_nobody_can_say_who_was_found() -> None:
    data, masked = files()
    other = tc.Microdata.from_frame(masked.to_frame())
    with pytest.raises(MeasureError, match="RedTeam: It is not known which released record"):
        of()(data, other)
