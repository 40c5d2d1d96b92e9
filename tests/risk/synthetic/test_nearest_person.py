"""Records that come too near: by hand, copies, moved records and fresh people, with and without a holdout."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import MeasureError
from tacita.data.microdata import Microdata
from tacita.numeric.nearest.mixed_points import Points
from tacita.risk.synthetic.nearest_person import NearestPerson, nearer_than_neighbours


def on_a_line(*values: float) -> Points:
    return Points(np.array(values, float)[:, None], np.empty((len(values), 0), np.int64))


def test_by_hand() -> None:
    """People at 0, 10, 14. Record 1 is nearer to 0 than 10 is; 12 ties between 10 and 14 and is nearer than 4; 6 ties."""
    people = on_a_line(0, 10, 14)
    assert nearer_than_neighbours(on_a_line(1, 12, 6, -11), people).tolist() == [1, 1, 0.5, 0]


def test_a_person_is_compared_as_if_he_were_not_there() -> None:
    """Without 10, the nearest to it is 14 at 4, whose neighbour is then 0 at 14; without 0, 10 is 10 away and 14 only 4."""
    people = on_a_line(0, 10, 14)
    assert nearer_than_neighbours(people, people, np.arange(3)).tolist() == [0, 1, 1]


@pytest.fixture(scope="module")
def survey() -> Microdata:
    return tc.samples.household_survey(400, seed=1)


NAMES = ("age", "earnings", "savings", "region", "education", "occupation")


def test_copies_and_moved_records_are_near_and_fresh_people_are_not(survey: Microdata) -> None:
    near = NearestPerson(columns=NAMES)
    moved = tc.mask.AdditiveNoise(columns=["earnings", "savings"], sd_ratio=0.02).apply(survey, seed=7)
    fresh = near(survey, tc.samples.household_survey(400, seed=2))
    assert near(survey, survey).value > 80
    assert near(survey, moved).value > 30
    assert fresh.value < 25
    assert fresh.parts["too near from"] < fresh.parts["too near"] < fresh.parts["too near to"]


def test_a_holdout_tells_who_was_used(survey: Microdata) -> None:
    is_held = np.arange(400) % 2
    data = survey.with_numbers({"other_income": is_held.astype(float)})
    near = NearestPerson(columns=NAMES, holdout="other_income")
    used = Microdata(data.take(np.flatnonzero(is_held == 0)).to_arrow(), data.schema)
    fresh = tc.samples.household_survey(400, seed=2)
    assert near(data, used).value > 80
    found = near(data, fresh)
    assert found.value < 25
    assert found.parts["by chance"] == 50
    with pytest.raises(MeasureError, match="'holdout' must be true for some people"):
        near(survey.with_numbers({"other_income": np.ones(400)}), fresh)


def test_a_sample_is_looked_at_where_there_are_many(survey: Microdata) -> None:
    found = NearestPerson(columns=NAMES, sample=50, many=50)(survey, survey)
    assert "50 of 400 records looked at" in found.note
    assert found.upper is not None
    assert found.upper >= found.value
