"""Partial synthesis: rows stay, chosen columns are drawn given the others, in all records or in risky ones."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ColumnError, TacitaNote, TacitaWarning
from tacita.mask import PartialSynthesis

pytestmark = pytest.mark.filterwarnings("ignore::tacita.TacitaNote")


@pytest.fixture(scope="module")
def survey() -> tc.Microdata:
    return tc.samples.household_survey(1500, seed=1)


def test_values_are_new_and_go_with_the_columns_that_stay(survey: tc.Microdata) -> None:
    masked = PartialSynthesis(columns=["earnings", "savings"]).apply(survey, seed=7)
    assert np.array_equal(masked.origin_rows(), np.arange(1500))
    for name in set(survey.names) - {"earnings", "savings"}:
        assert masked.to_arrow().column(name).equals(survey.to_arrow().column(name))
    both = (survey.float("savings") > 0) & (masked.float("savings") > 0)
    assert (survey.float("savings") == masked.float("savings"))[both].mean() < 0.05
    earns = np.array(survey.column("employment").to_pylist()) == "employee"
    assert masked.float("earnings")[earns & ~masked.is_missing("earnings")].mean() == pytest.approx(
        np.nanmean(survey.float("earnings")[earns]), rel=0.1
    )
    assert masked.is_missing("earnings")[survey.is_missing("income")].all(), "refused together"


def test_only_risky_records_are_drawn(survey: tc.Microdata) -> None:
    keys = ["sex", "region", "education"]
    mask = PartialSynthesis(columns=["education"], keys=keys, k=3, only_risky=True)
    risky = mask.risky(survey)
    assert 0 < risky.sum() < 200
    with pytest.warns(TacitaWarning, match="still risky"):
        masked = mask.apply(survey, seed=7)
    same = np.array(
        [
            a == b
            for a, b in zip(masked.column("education").to_pylist(), survey.column("education").to_pylist(), strict=True)
        ]
    )
    assert same[~risky].all()
    assert not same[risky].all()


def test_nobody_is_risky_and_nothing_changes() -> None:
    data = tc.Microdata.from_frame(pa.table({"a": ["x"] * 30, "b": np.arange(30.0)}), keys=["a"])
    mask = PartialSynthesis(columns=["a"], keys=["a"], only_risky=True)
    assert mask.apply(data, seed=1).same_content(data)


def test_codes_for_missing_are_drawn_like_values() -> None:
    rng = np.random.default_rng(1)
    group = rng.integers(0, 2, 800)
    pay = np.where(rng.random(800) < 0.4, np.where(group == 1, -9.0, -8.0), rng.normal(50, 9, 800).round())
    table = pa.table({"group": group.astype(str), "pay": pa.array(pay, mask=rng.random(800) < 0.1)})
    data = tc.Microdata.from_frame(table, missing={"pay": [-9, -8]}, keys=["group"])
    made = PartialSynthesis(columns=["pay"]).apply(data, seed=2)
    codes = made.to_arrow().column("pay").to_numpy(zero_copy_only=False)
    assert not (codes[group == 1] == -8).any()
    assert abs((codes[group == 1] == -9).mean() - 0.36) < 0.08
    assert abs(np.isnan(codes).mean() - 0.1) < 0.04
    assert np.isnan(made.float("pay"))[np.isin(codes, (-9, -8))].all()
    assert not made.to_arrow().equals(data.to_arrow())


def test_repeats_are_drawn_again_where_that_is_asked_for() -> None:
    rng = np.random.default_rng(2)
    data = tc.Microdata.from_frame(
        pa.table({"k": rng.integers(0, 4, 300).astype(str), "x": np.arange(300) % 150}), keys=["k"]
    )
    made = PartialSynthesis(columns=["k"], repeats="redraw", min_leaf=50).apply(data, seed=1)
    old = set(zip(*(data.column(n).to_pylist() for n in data.names), strict=True))
    new = list(zip(*(made.column(n).to_pylist() for n in made.names), strict=True))
    kept = PartialSynthesis(columns=["k"], min_leaf=50).apply(data, seed=1)
    plain = list(zip(*(kept.column(n).to_pylist() for n in kept.names), strict=True))
    assert not [row for row in new if row in old]
    assert np.mean([row in old for row in plain]) > 0.3
    with pytest.warns(TacitaNote, match="however often they were drawn"):
        PartialSynthesis(columns=["k"], repeats="redraw").apply(data.with_numbers({"x": np.ones(300)}), seed=1)


def test_columns_of_the_design_are_not_drawn(survey: tc.Microdata) -> None:
    for name in ("weight", "household", "person_id"):
        with pytest.raises(ColumnError, match=f"'{name}', whose role is"):
            PartialSynthesis(columns=[name]).apply(survey, seed=1)


def test_a_rule_about_a_column_that_stays_is_refused(survey: tc.Microdata) -> None:
    with pytest.raises(ColumnError, match="is about 'marital', which is not drawn"):
        PartialSynthesis(columns=["savings"], rules=["marital = single where age < 16"]).apply(survey, seed=1)
