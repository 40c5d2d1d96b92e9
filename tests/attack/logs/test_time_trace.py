"""Times: to the second they find anybody, by days few; and without them the attack is declined."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.attack.judge.grade import Grade
from tacita.attack.judge.trial import attack_each
from tacita.attack.logs import TimeTrace
from tacita.attack.logs.time_trace import resolution_of_times
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
    ("texts", "seconds"),
    [
        (["2006-03-01", "2006-03-05"], 86_400),
        (["2006-03-01T10:30"], 60),
        (["2006-03-01T10:30:05", "NaT"], 1),
        ([], 86_400),
    ],
)
def test_the_resolution_is_read_off_the_times(texts: list[str], seconds: int) -> None:
    assert resolution_of_times(np.array(texts, "datetime64[us]")) == seconds * 1_000_000


def test_it_declines_without_times() -> None:
    released, profile = merged(LOG, 2)
    assert "no times" in TimeTrace().declined(scene(LOG, replace(released, time=None), profile).target)
    assert "Nobody saw" in TimeTrace().declined(scene(LOG, released, profile, watched=0).target)
