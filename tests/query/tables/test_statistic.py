"""One number: exact, or with noise that belongs to the set of records."""

from __future__ import annotations

import statistics as slow
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.query.camouflage.camouflage import Camouflage
from tacita.query.database import Database
from tacita.query.noise.input_noise import AddedInput
from tacita.query.noise.output_noise import LayeredNoise
from tacita.query.requests.statistic import Statistic
from tacita.query.restrictions.confidential_universe import ConfidentialUniverse
from tacita.query.subsample.drop_q import DropQ
from tacita.query.tables.statistic import SINGLE_VALUES, WITH_NOISE, one_number, statistic_of
from tests.effort import examples
from tests.query.builders import opened, people, policy_of, survey
from tests.query.tables.questions import CUTS, database, frame_of, question

NOISE = LayeredNoise(sd_set=2.0, sd_record=0.5)


def value(db: Database, **request: Any) -> Any:
    made = Statistic(**request)
    return one_number(question(db, made), made)["value"]


def noisy_database(noise: LayeredNoise = NOISE) -> Database:
    return opened(survey(), policy_of(requests=("statistic",), numbers=noise), cutpoints=CUTS)


# --- exact ----------------------------------------------------------------------------------------------------------------


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.integers(-50, 50), min_size=1, max_size=9), st.floats(0, 1), st.integers(-50, 50))
def test_statistics_are_those_of_the_books(values: list[int], level: float, above: int) -> None:
    given = np.array(values, dtype=float)

    def found(kind: Any, **more: Any) -> float:
        return statistic_of(given, Statistic(response="x", statistic=kind, **more))

    assert found("sum") == sum(values)
    assert found("mean") == pytest.approx(slow.fmean(values))
    assert found("median") == slow.median(values)
    assert found("minimum") == min(values)
    assert found("maximum") == max(values)
    assert found("count_above", above=above) == sum(v > above for v in values)
    place = level * (len(values) - 1)
    low, ordered = int(place), sorted(values)
    high = min(low + 1, len(values) - 1)
    assert found("quantile", level=level) == pytest.approx(
        ordered[low] + (place - low) * (ordered[high] - ordered[low])
    )
    if len(values) > 1:
        assert found("variance") == pytest.approx(slow.variance(values))
        assert found("sd") == pytest.approx(slow.stdev(values))
    assert statistic_of(given, Statistic()) == len(values)


@pytest.mark.parametrize("kind", ["mean", "variance", "sd", "median", "minimum", "maximum"])
def test_too_few_values_have_no_statistic(kind: Any) -> None:
    request = Statistic(response="x", statistic=kind)
    assert np.isnan(statistic_of(np.zeros(0), request))
    assert np.isnan(statistic_of(np.ones(1), request)) == (kind in ("variance", "sd"))


def test_numbers_of_the_survey() -> None:
    db = database()
    frame = frame_of()
    men = frame[frame["sex"] == "male"]
    income = men["income"].dropna()
    where = {"sex": "male"}
    assert len(income) < len(men)
    assert value(db, where=where) == len(men)
    assert value(db, where=where, response="income", statistic="sum") == income.sum()
    assert value(db, where=where, response="income", statistic="mean") == pytest.approx(income.mean(), rel=1e-9)
    assert value(db, where=where, response="income", statistic="sd") == pytest.approx(income.std(), rel=1e-9)
    nobody = {"income": "(missing)"}
    assert value(db, where=nobody, response="income", statistic="mean") is None
    assert value(db, where=nobody, response="income", statistic="sum") == 0


def test_what_is_analysed_is_what_counts() -> None:
    dropped = database(subsample=DropQ(k=6))
    made = Statistic(where={"urban": "city"})
    asked = question(dropped, made)
    assert one_number(asked, made)["value"] == len(asked.rows) < len(asked.members)
    noise = AddedInput(sd=500.0)
    moved = database(input=noise)
    exact = value(database(), response="income", statistic="sum")
    shown = value(moved, response="income", statistic="sum")
    assert shown != exact
    assert shown == pytest.approx(np.nansum(moved.version.analysed("income", noise)), rel=1e-9)


def test_values_of_single_records_are_named() -> None:
    assert not set(SINGLE_VALUES) & set(WITH_NOISE)


# --- with noise -----------------------------------------------------------------------------------------------------------


def test_a_noisy_number_is_the_same_for_every_wording() -> None:
    db = noisy_database()
    one = value(db, where={"sex": "male", "urban": ["city", "town"]})
    two = value(db, where={"any": [{"sex": ["male"], "urban": ["town"]}, {"sex": ["male"], "urban": ["city"]}]})
    assert one == two
    assert value(noisy_database(), where={"sex": "male", "urban": ["city", "town"]}) == one


def test_counts_have_whole_noise_around_the_truth() -> None:
    db, frame = noisy_database(), frame_of()
    off = []
    for region in db.catalogue["region"].classes:
        shown = value(db, where={"region": region})
        assert shown == round(shown)
        off.append(shown - (frame["region"] == region).sum())
    assert any(off)
    assert np.std(off) < 4 * (2.0**2 + 0.25 * 167) ** 0.5


def test_a_mean_is_not_biased_by_missing_values() -> None:
    """A mean is the sum over those who have a value: with noise of nearly nothing it is the mean."""
    db = noisy_database(LayeredNoise(sd_set=1e-6, sd_record=0.0))
    income = frame_of()["income"]
    assert income.isna().mean() > 0.02
    assert value(db, response="income", statistic="mean") == pytest.approx(income.mean(), rel=1e-4)
    assert value(db, response="income", statistic="sum") == pytest.approx(income.sum(), rel=1e-6)
    assert value(db) == len(income)


def test_the_number_of_missing_values_is_not_exact() -> None:
    """Attack: sum over mean is a count of those with a value; less the count of all it must not be how many have none."""
    db, frame = noisy_database(), frame_of()
    found = []
    for region in db.catalogue["region"].classes:
        where = {"region": region}
        known = value(db, where=where, response="income", statistic="sum") / value(
            db, where=where, response="income", statistic="mean"
        )
        missing = frame.loc[frame["region"] == region, "income"].isna().sum()
        found.append(abs(value(db, where=where) - known - missing))
    assert np.median(found) > 1


def test_noise_of_a_sum_is_in_units_of_the_spread() -> None:
    db, exact = noisy_database(), database()
    unit = db.version.spread("income")
    off = [
        value(db, where={"region": region}, response="income", statistic="sum")
        - value(exact, where={"region": region}, response="income", statistic="sum")
        for region in db.catalogue["region"].classes
    ]
    assert 1.0 < np.std(off) / unit < 20.0


@pytest.mark.parametrize("kind", ["variance", "sd", "median", "minimum", "maximum"])
def test_other_statistics_have_no_noise_and_are_not_answered(kind: Any) -> None:
    made = Statistic(response="income", statistic=kind)
    with pytest.raises(ParameterError, match="where answers carry noise"):
        one_number(question(noisy_database(), made), made)


def test_hidden_numbers_are_intervals() -> None:
    policy = policy_of(ConfidentialUniverse(), requests=("statistic",), camouflage=Camouflage())
    db = opened(people({("f",): 40, ("m",): 60}, ["sex"]), policy)
    kinds: Any = ("sum", "mean", "variance", "sd", "median", "minimum", "maximum")
    for kind in kinds:
        made = Statistic(response="wage", statistic=kind, where={"sex": "m"})
        low, high = one_number(question(db, made), made)["interval"]
        wages = db.version.values("wage")[question(db, made).rows]
        assert len(wages) == 60
        assert low <= statistic_of(wages, made) <= high
        assert low < high
