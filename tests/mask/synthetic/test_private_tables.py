"""Private tables: public domains, units, what is promised, and what an attacker measures."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaWarning
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema
from tacita.mask.synthetic.private_tables import PrivateTables
from tacita.numeric.privacy.cost import epsilon_of_rho
from tacita.query.noise.dp.lower_bound import epsilon_lower_bound

SEX = Column(name="sex", scale="nominal", roles=("key",), categories=("f", "m"), public=True)
AGE = Column(name="age", scale="numeric", roles=("key",), bounds=(0, 99), public=True)


def town(n: int = 2000, *, seed: int = 1, more: tuple[Column, ...] = (), **columns: Any) -> Microdata:
    rng = np.random.default_rng(seed)
    age = rng.integers(0, 100, n)
    sex = np.where(rng.random(n) < 0.3 + age / 250, "f", "m")
    table = pa.table({"sex": pa.array(sex, pa.string()), "age": pa.array(age), **columns})
    return Microdata(table, Schema((SEX, AGE, *more)))


def made(data: Microdata, seed: int = 2**80, **settings: Any) -> Microdata:
    return PrivateTables(**settings).apply(data, seed=seed)


# --- what must be public ------------------------------------------------------------------------------------------------


def test_a_domain_must_be_declared() -> None:
    data = town().with_schema(Schema((SEX, Column(name="age", scale="numeric", bounds=(0, 99)))))
    with pytest.raises(ColumnError, match=r"age must have a public domain.*'breaks'.*public = true"):
        made(data)
    assert len(made(data, breaks={"age": [0, 18, 65, 99]})) > 0
    assert len(made(data, domains="public")) > 0
    assert len(made(data, categories={"age": range(100)})) > 0


def test_nothing_of_a_domain_comes_from_the_data() -> None:
    """Every declared class and the whole range may come out, whoever is in the file."""
    data = town().take(np.flatnonzero(town().codes("sex").values == 0))
    drawn = [made(data, 2**80 + s, epsilon=0.05).to_arrow().column("sex").to_pylist() for s in range(8)]
    assert {value for values in drawn for value in values} == {"f", "m", None}
    one = data.take(np.zeros(1000, np.int64))
    ages = [made(one, 2**80 + s, epsilon=0.01).to_arrow().column("age").drop_null().to_numpy() for s in range(4)]
    assert np.ptp(np.concatenate(ages)) > 80


def test_values_outside_are_warned_of_and_never_an_error() -> None:
    data = town().with_schema(Schema((Column(name="sex", scale="nominal", roles=("key",)), AGE)))
    with pytest.warns(TacitaWarning, match="sex have values outside"):
        found = made(data, categories={"sex": ["f"]}, epsilon=50)
    assert set(found.to_arrow().column("sex").to_pylist()) == {"f", None}


def test_a_complete_column_has_no_gaps() -> None:
    found = made(town(), complete=["sex", "age"], epsilon=0.05)
    assert not found.is_missing("sex").any()
    assert not found.is_missing("age").any()
    assert made(town(), epsilon=0.05).is_missing("sex").any()


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"breaks": {"age": [5]}}, "'breaks' must have rising numbers or dates for 'age'"),
        ({"breaks": {"age": [5, 5]}}, "'breaks' must have rising"),
        ({"breaks": {"age": [5, "2024-01-01"]}}, "'breaks' must have rising"),
        ({"breaks": {"age": [0, float("inf")]}}, "'breaks' must have rising"),
        ({"breaks": {"age": ["once", "later"]}}, "'breaks' must have rising"),
        ({"breaks": {"age": "0-9"}}, "'breaks' must have a list"),
        ({"categories": {"sex": []}}, "'categories' must have a list"),
        ({"categories": {"age": [1]}, "breaks": {"age": [0, 1]}}, "'age' must be in 'categories' or in 'breaks'"),
        ({"members": 3}, "'members' must be 1"),
        ({"epsilon": 0}, "'epsilon' must be"),
        ({"delta": 0}, "'delta' must be"),
    ],
)
def test_impossible_parameters_are_refused(settings: dict[str, Any], error: str) -> None:
    with pytest.raises(ParameterError, match=error):
        PrivateTables(**settings)


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"breaks": {"sex": [0, 1]}}, "'sex' is nominal"),
        ({"breaks": {"age": ["2024-01-01", "2024-02-01"]}}, "'breaks' of 'age' must be numbers"),
        ({"breaks": {"agee": [0, 1]}}, "Did you mean 'age'"),
        ({"categories": {"sexx": ["f"]}}, "Did you mean 'sex'"),
        ({"complete": ["agee"]}, "Did you mean 'age'"),
        ({"unit": "house", "members": 2}, "'house' is not in the data"),
    ],
)
def test_impossible_columns_are_refused(settings: dict[str, Any], error: str) -> None:
    with pytest.raises(ColumnError, match=error):
        made(town(), **settings)


def test_a_file_without_people_columns_is_refused() -> None:
    data = tc.Microdata.from_frame(pa.table({"id": ["a", "b"]}), identifiers=["id"])
    with pytest.raises(ColumnError, match="nothing to draw"):
        made(data)


def test_a_recipe_holds_breaks_of_dates() -> None:
    mask = PrivateTables(breaks={"visit": ["2024-01-01", "2024-07-01", "2024-12-31"]})
    assert PrivateTables.from_plain(mask.to_plain()) == mask
    days = pa.array(np.arange(19723, 19723 + 366), pa.int32()).cast(pa.date32())
    data = Microdata(pa.table({"visit": days}), Schema((Column(name="visit", scale="date"),)))
    found = mask.apply(data, seed=2**80)
    assert found.type_of("visit") == pa.date32()
    later = found.to_arrow().column("visit").drop_null().cast(pa.int32()).to_numpy() >= 19723 + 182
    assert 0.3 < later.mean() < 0.7


# --- units, weights, size -------------------------------------------------------------------------------------------------


def test_of_a_unit_only_so_many_records_count() -> None:
    house = np.concatenate([np.zeros(1500, np.int64), np.arange(1, 501)])
    data = town(more=(Column(name="house", scale="nominal", roles=("household",)),), house=pa.array(house))
    assert len(made(data, epsilon=500)) == pytest.approx(2000, abs=2)
    assert len(made(data, epsilon=500, unit="house", members=3)) == pytest.approx(503, abs=5)
    assert len(made(data, epsilon=500, unit=None, members=3)) == pytest.approx(503, abs=5)
    holes = data.with_column("house", pa.array(house, mask=house == 0))
    assert len(made(holes, epsilon=500, unit="house", members=3)) == pytest.approx(2000, abs=5)


def test_larger_units_have_more_noise() -> None:
    data = town(more=(Column(name="house", scale="nominal", roles=("household",)),), house=pa.array(np.arange(2000)))
    one, four = (PrivateTables(unit="house", members=m).statement(data) for m in (1, 4))
    assert (one.unit, one.members, four.members) == ("all records of one 'house'", 1, 4)
    assert one.rho == four.rho
    for small, large in zip(one.parts, four.parts, strict=True):
        assert large.scale == pytest.approx(4 * small.scale)


def test_weights_are_equal_with_a_noisy_total() -> None:
    weights = pa.array(np.random.default_rng(1).uniform(1, 9, 2000))
    for column, settings in (
        (Column(name="w", scale="numeric", roles=("weight",), bounds=(0, 10), public=True), {}),
        (Column(name="w", scale="numeric", roles=("weight",)), {"largest_weight": 10.0}),
    ):
        found = made(town(more=(column,), w=weights), epsilon=20, **settings)
        assert np.ptp(found.float("w")) < 1e-9
        assert found.float("w").sum() == pytest.approx(10_000, rel=0.05)
        assert found.float("w").sum() != pytest.approx(float(np.sum(weights.to_numpy())), rel=1e-9)
    bare = Column(name="w", scale="numeric", roles=("weight",), bounds=(0, 10))
    with pytest.raises(ColumnError, match="'w' must have a public largest value"):
        made(town(more=(bare,), w=weights))


def test_how_many_records() -> None:
    assert len(made(town(), records=17)) == 17
    assert len(made(town(), records=0)) == 0
    assert len(made(town(), epsilon=100)) == pytest.approx(2000, abs=20)


def test_a_budget_that_tells_no_number_of_records_is_refused() -> None:
    """One unit may have a hundred million records, so noise is larger than any file; with another seed it is below zero."""
    data = town(more=(Column(name="house", scale="nominal", roles=("household",)),), house=pa.array(np.arange(2000)))
    mask = PrivateTables(unit="house", members=10**8, epsilon=0.01)
    with pytest.raises(DataError, match="tells no number of records"):
        mask.apply(data, seed=2**70)
    assert len(mask.apply(data, seed=2**70 + 2)) == 0


# --- the promise ----------------------------------------------------------------------------------------------------------


def test_the_statement_says_what_is_spent() -> None:
    said = PrivateTables(epsilon=2.0, delta=1e-6).statement(town())
    assert epsilon_of_rho(said.rho, 1e-6) == pytest.approx(2.0)
    assert [part.what for part in said.parts] == ["one-way tables", "two-way tables"]
    assert said.sentences()[0].startswith("With or without a record, every result is at most e^2 times as likely")
    assert len(said.sentences()) == 3


@pytest.mark.slow
def test_the_internal_report_has_the_promise(tmp_path: Path) -> None:
    release = tc.Recipe([PrivateTables(complete=["sex", "age"])]).apply(town(300))
    tc.publish(release, tmp_path / "out", measures=["contingency"])
    inside = (tmp_path / "out" / "internal" / "report.html").read_text(encoding="utf-8")
    outside = (tmp_path / "out" / "public" / "report.html").read_text(encoding="utf-8")
    assert "at most e^1 times as likely" in inside
    assert "at most e^1 times as likely" not in outside


def test_an_attacker_measures_no_more_than_the_budget() -> None:
    """He counts records of a class that one person alone has, with and without him; his bound is too high with 1e-6."""
    lone = town(60).select(["sex"]).with_column("sex", pa.array(["m"] * 59 + ["f"]))
    without = lone.take(np.arange(59))

    def seen(epsilon: float, file: Microdata, times: int) -> np.ndarray:
        mask = PrivateTables(epsilon=epsilon, delta=0.01, complete=["sex"])
        drawn = [mask.apply(file, seed=2**90 + i).to_arrow().column("sex").to_pylist() for i in range(times)]
        return np.array([values.count("f") for values in drawn], dtype=np.int64)

    one, other = seen(1.0, lone, 150), seen(1.0, without, 150)
    assert max(epsilon_lower_bound(one, other, cut) for cut in (1, 2, 4)) <= 1.0
    assert epsilon_lower_bound(seen(60.0, lone, 60), seen(60.0, without, 60), 1) > 1.0  # what is there, he sees


def test_a_large_budget_gives_the_columns_back() -> None:
    data = town(5000)
    found = made(data, epsilon=500, bins=100, records=5000)
    assert (found.codes("sex").values == 0).mean() == pytest.approx((data.codes("sex").values == 0).mean(), abs=0.002)
    assert found.float("age").mean() == pytest.approx(data.float("age").mean(), abs=0.3)
    women = [d.float("age")[d.codes("sex").values == 0].mean() for d in (data, found)]
    assert women[1] == pytest.approx(women[0], abs=0.5)


def test_a_release_without_a_seed_has_a_long_one() -> None:
    release = tc.Recipe([PrivateTables(complete=["sex", "age"])]).apply(town())
    assert release.seed.bit_length() > 64
    assert release.data.is_synthetic


def test_messy_files() -> None:
    """One record, two, none; one class; all missing; hundreds of classes: a result, without numpy's warnings."""
    settings = {"domains": "public"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n in (0, 1, 2):
            found = made(town(n), **settings)
            assert found.names == ("sex", "age")
        empty = town(50).with_column("age", pa.nulls(50, pa.int64()))
        assert (
            made(empty.with_schema(Schema((SEX, Column(name="age", scale="numeric")))), **settings)
            .is_missing("age")
            .all()
        )
        many = town(
            2000, more=(Column(name="code", scale="nominal"),), code=pa.array([f"c{i % 700}" for i in range(2000)])
        )
        assert len(made(many, epsilon=5, **settings)) > 1000
