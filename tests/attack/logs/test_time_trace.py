"""Times: to the second they find anybody, by days few; and without them the attack is declined."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.attack.judge.grade import Grade
from tacita.attack.judge.trial import attack_each
from tacita.attack.logs import TimeTrace
from tacita.attack.logs.time_trace import times_as_released
from tacita.core.arrays import IntArray
from tacita.data.query_log.query_log import QueryLog
from tests.attack.logs.searchers import merged, people, scene, told

LOG = people(80)


def graded(released: QueryLog, profile: IntArray, **options: object) -> dict[str, Grade]:
    staged = scene(LOG, released, profile, **options)
    found = attack_each(TimeTrace(), staged.target, staged.answers, seed=1, control=staged.control)
    return {one.about: one for one in found}


def test_seconds_tell_who_and_what_whatever_the_groups() -> None:
    found = graded(*merged(LOG, 5), steps=[told(5)])
    assert found["query"].success > 0.95
    assert found["query"].figures["profile told rightly"] > 0.95
    assert found["query"].sure == 0


def test_a_pseudonym_with_seconds_is_sure() -> None:
    assert graded(*merged(LOG, 1))["identity"].affected == 80


@pytest.mark.parametrize(("unit", "most"), [("h", 1.0), ("D", 0.5)])
def test_coarser_times_tell_less(unit: str, most: float) -> None:
    released, profile = merged(LOG, 5)
    coarse = replace(released, time=released.time.astype(f"datetime64[{unit}]").astype("datetime64[us]"))
    exact = graded(released, profile, steps=[told(5)])["query"].success
    assert graded(coarse, profile, steps=[told(5)])["query"].success <= min(exact, most)


def test_gaps_among_times_are_passed_over() -> None:
    released, profile = merged(LOG, 1)
    time = released.time.copy()
    time[::2] = np.datetime64("NaT")
    found = graded(replace(released, time=time), profile)
    assert 0.5 < found["identity"].success <= 1


@pytest.mark.parametrize(
    ("released", "same", "other"),
    [
        (["2006-03-01", "2006-04-01"], "2006-03-31T23:59", "2006-05-01"),
        (["2006-03-06", "2006-03-20"], "2006-03-12T23:59", "2006-03-13"),
        (["2006-03-01", "2006-03-05"], "2006-03-01T23:00", "2006-03-02"),
        (["2006-03-01T10:00", "2006-03-05T12:00"], "2006-03-01T10:59", "2006-03-01T11:00"),
        (["2006-03-01T10:30", "2006-03-01T10:31"], "2006-03-01T10:30:59", "2006-03-01T10:32"),
        (["2006-03-01T10:30:05", "2006-03-01T10:31"], "2006-03-01T10:30:05.5", "2006-03-01T10:30:06"),
        (["2006-03-01T10:30:05.25", "2006-03-01T10:31"], "2006-03-01T10:30:05.25", "2006-03-01T10:30:05.5"),
    ],
)
def test_times_are_compared_as_exactly_as_they_left(released: list[str], same: str, other: str) -> None:
    left, seen = (np.array(texts, "datetime64[us]") for texts in (released, [same, other, "NaT"]))
    ours, theirs = times_as_released(left, seen)
    assert theirs[0] == ours[0]
    assert theirs[1] != ours[0]
    assert theirs[2] == -1


def test_no_time_is_no_time() -> None:
    nothing = np.array([], "datetime64[us]")
    assert [len(part) for part in times_as_released(nothing, nothing)] == [0, 0]


def test_it_declines_without_times() -> None:
    released, profile = merged(LOG, 2)
    assert "no times" in TimeTrace().declined(scene(LOG, replace(released, time=None), profile).target)
    assert "Nobody saw" in TimeTrace().declined(scene(LOG, released, profile, watched=0).target)
