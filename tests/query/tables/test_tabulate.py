"""Tables of answers: against pandas and loops where they are exact, against what is shown where they are not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.keyed import Key
from tacita.data.microdata import Microdata
from tacita.query.database import Database
from tacita.query.noise.cell_key import CellKeyNoise
from tacita.query.noise.input_noise import AddedInput
from tacita.query.noise.magnitude_key import MagnitudeKey
from tacita.query.noise.rounding import RoundTo
from tacita.query.requests.tabulate import Tabulate
from tacita.query.subsample.drop_q import DropQ
from tacita.query.tables.cell_table import CellTable
from tacita.query.tables.tabulate import answer_table
from tacita.query.universe.members import sums_by_cell
from tests.oracles.query.design import mean_variance_oracle, share_variance_oracle, total_variance_oracle
from tests.query.tables.questions import database, frame_of, named, question, values_by

SMALL = 300
WHERE: list[tuple[dict[str, Any], Any]] = [
    ({}, lambda f: f),
    ({"urban": ["city", "town"]}, lambda f: f[f["urban"].isin(["city", "town"])]),
    ({"age": "above 44", "sex": "female"}, lambda f: f[(f["age"] > 44) & (f["sex"] == "female")]),
]
NOISE = {"cells": CellKeyNoise(bound=5, variance=3.0), "magnitudes": MagnitudeKey()}


def answered(db: Database, **request: Any) -> CellTable:
    made = Tabulate(**request)
    return answer_table(question(db, made), made)


def same(found: dict[tuple[str, ...], float], wanted: dict[tuple[str, ...], float], empty: float = 0.0) -> None:
    assert set(wanted) <= set(found)
    for cell, value in found.items():
        assert value == pytest.approx(wanted.get(cell, empty), rel=1e-9, nan_ok=True), cell


# --- exact tables ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("where", "part"), WHERE, ids=["everybody", "two classes", "two conditions"])
@pytest.mark.parametrize("by", [["sex"], ["education", "sex"], ["household_size", "marital", "urban"]])
def test_tables_are_those_of_pandas(where: dict[str, Any], part: Any, by: list[str]) -> None:
    db, frame = database(), part(frame_of())
    weights, known = frame["weight"], frame[frame["income"].notna()]
    ask: dict[str, Any] = {"by": by, "where": where}
    same(named(answered(db, **ask)), values_by(frame, by, len))
    same(named(answered(db, **ask, statistic="weighted_count")), values_by(frame, by, lambda g: g["weight"].sum()))
    percent = values_by(frame, by, lambda g: 100 * g["weight"].sum() / weights.sum())
    same(named(answered(db, **ask, statistic="percent")), percent)
    total = values_by(known, by, lambda g: (g["weight"] * g["income"]).sum())
    same(named(answered(db, **ask, statistic="total", response="income")), total)
    mean = values_by(known, by, lambda g: (g["weight"] * g["income"]).sum() / g["weight"].sum())
    same(named(answered(db, **ask, statistic="mean", response="income")), mean, np.nan)
    households = values_by(frame, by, lambda g: g["household"].nunique())
    same(named(answered(db, **ask, unit="households")), households)
    shares = {cell: 100 * count / frame["household"].nunique() for cell, count in households.items()}
    same(named(answered(db, **ask, unit="households", statistic="percent")), shares)


def test_bins_are_dimensions_too() -> None:
    table = answered(database(), by=["age"])
    assert table.values.tolist() == frame_of().groupby("age_bin").size().tolist()
    assert table.classes["age"] == database().catalogue["age"].all_classes


def test_a_table_has_its_form() -> None:
    table = answered(database(), by=["sex", "marital"], statistic="percent")
    assert table.by == ("sex", "marital")
    assert table.shape == table.values.shape == table.errors.shape  # type: ignore[union-attr]
    assert table.statistic == "percent"
    assert table.values.sum() == pytest.approx(100)
    assert answered(database(), by=["sex"]).errors is None


def test_errors_can_be_left_out() -> None:
    db = database(frame_as_data(), cutpoints=None, standard_errors=False)
    assert answered(db, by=["sex"], statistic="percent").errors is None
    assert answered(db, by=["sex"], statistic="mean", response="x").errors is None


def test_dropped_records_are_not_counted() -> None:
    db = database(subsample=DropQ(k=6))
    request = Tabulate(by=("sex",), where={"urban": "city"})
    asked = question(db, request)
    dropped = len(asked.members) - len(asked.rows)
    assert dropped >= 2
    table = answer_table(asked, request)
    assert table.values.sum() == len(asked.rows)
    assert table.values.tolist() == np.bincount(db.version.codes("sex")[asked.rows]).tolist()


def test_the_noise_of_the_input_is_in_the_table() -> None:
    """Where the policy changes numbers before they are analysed, no table may show the true ones."""
    noise = AddedInput(sd=1000.0)
    db, plain = database(input=noise), database()
    moved = db.version.analysed("income", noise)
    known, w, sex = ~np.isnan(moved), db.version.weights, db.version.codes("sex")
    assert w is not None
    for statistic in ("mean", "total"):
        shown = answered(db, by=["sex"], statistic=statistic, response="income").values
        assert (shown != answered(plain, by=["sex"], statistic=statistic, response="income").values).all()
        for code in range(2):
            chosen = known & (sex == code)
            total = (w * moved)[chosen].sum()
            wanted = total if statistic == "total" else total / w[chosen].sum()
            assert shown[code] == pytest.approx(wanted)


# --- their standard errors ------------------------------------------------------------------------------------------------


def test_errors_are_those_of_the_design() -> None:
    """Strata, clusters and weights of the survey, in a universe, by a loop over all households."""
    db, frame = database(records=SMALL), frame_of(SMALL)
    universe = (frame["urban"] != "rural").tolist()
    stratum = pd.factorize(frame["region"], sort=True)[0].tolist()
    cluster = pd.factorize(frame["household"])[0].tolist()
    w, x = frame["weight"], frame["income"]
    known = [a and b for a, b in zip(x.notna(), universe, strict=True)]
    ask: dict[str, Any] = {"by": ["sex", "marital"], "where": {"urban": ["city", "town"]}}
    tables = {
        s: answered(db, **ask, statistic=s, response="income" if s in ("mean", "total") else None)
        for s in ("weighted_count", "percent", "total", "mean")
    }
    errors = {s: named(table, table.errors) for s, table in tables.items()}
    checked = 0
    for sex, marital in errors["mean"]:
        is_marital = frame["marital"].isna() if marital == "(missing)" else frame["marital"] == marital
        cell = [a and b for a, b in zip((frame["sex"] == sex) & is_marital, universe, strict=True)]
        with_income = [a and b for a, b in zip(cell, known, strict=True)]
        design: Any = (stratum, cluster)
        at = (sex, marital)
        assert errors["weighted_count"][at] ** 2 == pytest.approx(
            total_variance_oracle(w, cell, *design), rel=1e-9, abs=1e-9
        )
        assert errors["percent"][at] ** 2 == pytest.approx(
            1e4 * share_variance_oracle(w, cell, universe, *design), rel=1e-9, abs=1e-9
        )
        amounts = (w * x.fillna(0)).tolist()
        assert errors["total"][at] ** 2 == pytest.approx(
            total_variance_oracle(amounts, with_income, *design), rel=1e-9, abs=1e-9
        )
        if len({p for p, is_in in zip(cluster, with_income, strict=True) if is_in}) > 1:
            wanted = mean_variance_oracle(x.fillna(0), w, with_income, *design)
            assert errors["mean"][at] ** 2 == pytest.approx(wanted)
            checked += 1
        else:
            assert np.isnan(errors["mean"][at])
    assert checked >= 6


def frame_as_data(**more: Any) -> Microdata:
    frame = pa.table({"sex": ["f", "f", "m", "m", "m"], "x": [1.0, 3.0, 2.0, 4.0, 9.0], **more.pop("columns", {})})
    return Microdata.from_frame(frame, keys=["sex"], confidential=["x"], **more)


def test_a_simple_random_sample_has_the_formula_of_the_books() -> None:
    """A sample without design: s / sqrt(n) of the domain, up to n / (n - 1) of the whole and of the domain."""
    db = database(frame_as_data(), cutpoints=None)
    table = answered(db, by=["sex"], statistic="mean", response="x")
    assert table.values.tolist() == [2, 5]
    for code, values in enumerate(([1.0, 3.0], [2.0, 4.0, 9.0])):
        m = len(values)
        wanted = 5 / 4 * np.var(values) / m
        assert table.errors[code] ** 2 == pytest.approx(wanted)  # type: ignore[index]
    percent = answered(db, by=["sex"], statistic="percent")
    assert percent.values.tolist() == [40, 60]
    assert percent.errors.tolist() == pytest.approx([100 * (0.4 * 0.6 / 4) ** 0.5] * 2)  # type: ignore[union-attr]


def test_a_mean_of_one_cluster_has_no_error() -> None:
    """Two people of one household: nothing tells how households vary, and 0 would be taken for certainty."""
    columns = {"h": ["1", "1", "2", "3", "3"]}
    table = answered(
        database(frame_as_data(columns=columns, household="h"), cutpoints=None),
        by=["sex"],
        statistic="mean",
        response="x",
    )
    assert np.isnan(table.errors[0])  # type: ignore[index]
    assert table.errors[1] > 0  # type: ignore[index]
    assert table.flags == ["**", "*"]


def test_cells_without_records_have_no_mean_and_no_error() -> None:
    data = Microdata.from_frame(
        pa.table({"sex": ["f", "m", "f"], "x": [None, 1.0, None], "w": [1.0, 0.0, 2.0]}),
        keys=["sex"],
        confidential=["x"],
        weight="w",
    )
    db = database(data, cutpoints=None)
    table = answered(db, by=["sex"], statistic="mean", response="x")
    assert np.isnan(table.values).all()
    assert np.isnan(table.errors).all()
    assert answered(db, by=["sex"], statistic="total", response="x").values.tolist() == [0, 0]
    nobody = answered(db, by=["sex"], statistic="percent", where={"sex": "m"})
    assert np.isnan(nobody.values).all()  # who stands for nobody has no share


# --- tables with noise ----------------------------------------------------------------------------------------------------


def cell_sums(db: Database, by: list[str], rows: Any) -> tuple[Any, Any, Any]:
    index = db.version.cells(by)
    cells = index.values[rows].astype(np.int64)
    counts = np.bincount(cells, minlength=index.count)
    return cells, counts, sums_by_cell(cells, db.version.record_keys[rows], index.count)


@pytest.mark.parametrize(
    "protection", [CellKeyNoise(bound=5, variance=3.0), CellKeyNoise(bound=2, variance=1.0), RoundTo(base=3)]
)
@pytest.mark.parametrize("where", [{}, {"urban": "city"}])
def test_counts_are_protected_as_the_policy_says(protection: Any, where: dict[str, Any]) -> None:
    db = database(cells=protection)
    by = ["education", "sex"]
    rows = question(db, Tabulate(by=by, where=where)).rows
    _, counts, sums = cell_sums(db, by, rows)
    key = db.version.lasting_key.derive("counts")
    wanted = protection.protect(counts, sums, key=key, statistic="count")
    table = answered(db, by=by, where=where)
    assert table.values.ravel().tolist() == wanted.tolist()
    assert (wanted != counts).any()
    assert table.errors is None


def test_households_have_noise_of_their_own() -> None:
    db, plain = database(**NOISE), database()
    persons, households = answered(db, by=["household_size"]), answered(db, by=["household_size"], unit="households")
    truth = answered(plain, by=["household_size"], unit="households")
    assert (np.abs(households.values - truth.values) <= 5).all()
    assert (households.values != truth.values).any()
    # Of those who live alone persons and households are one set and one number; the noise is not one.
    assert persons.values[0] != households.values[0] or persons.values[1] != households.values[1]


def test_the_same_set_shows_the_same_count_in_every_table() -> None:
    db = database(**NOISE)
    one = answered(db, by=["sex", "urban"])[{"sex": "male", "urban": "city"}]
    two = answered(db, by=["urban"], where={"sex": "male"})[{"urban": "city"}]
    three = answered(db, by=["sex"], where={"sex": "male", "urban": "city"})[{"sex": "male"}]
    assert one == two == three


@pytest.mark.parametrize("cells", [CellKeyNoise(bound=5, variance=3.0), RoundTo(base=5)])
@pytest.mark.parametrize("where", [{}, {"urban": "city"}])
def test_errors_under_noise_are_made_of_shown_values_only(cells: Any, where: dict[str, Any]) -> None:
    """Whoever has the shown counts and weighted counts can compute the errors, so these tell nothing more."""
    db = database(cells=cells)
    by = ["education", "sex"]
    effect = db.version.design_effect
    counts = answered(db, by=by, where=where).values
    weighted = answered(db, by=by, where=where, statistic="weighted_count")
    wanted = np.sqrt(effect * weighted.values**2 / np.maximum(counts, 1))
    assert weighted.errors is not None
    assert weighted.errors.tolist() == wanted.tolist()
    assert (weighted.values == np.rint(weighted.values)).all()
    percent = answered(db, by=by, where=where, statistic="percent")
    assert percent.errors is not None
    if where:  # the whole universe is shown too: it is a cell of this table
        everybody = answered(db, by=["urban"], where=where)[{"urban": "city"}]
        total = answered(db, by=["urban"], where=where, statistic="weighted_count")[{"urban": "city"}]
        shares = np.clip(weighted.values / total, 0, 1)
        assert percent.values.tolist() == np.round(100 * shares, 1).tolist()
        wanted = 100 * np.sqrt(effect * shares * (1 - shares) / everybody)
        np.testing.assert_allclose(percent.errors, wanted, rtol=1e-12)
    assert answered(db, by=by, where=where, statistic="total", response="income").errors is None
    assert answered(db, by=by, where=where, statistic="mean", response="income").errors is None


def test_means_are_shown_totals_over_shown_counts() -> None:
    db = database(**NOISE)
    classes = db.catalogue["income"].classes
    known = {
        "income": list(classes)
    }  # those with an income are a universe of their own, with the same sets in its cells
    by = ["education", "sex"]
    mean = answered(db, by=by, statistic="mean", response="income").values
    total = answered(db, by=by, statistic="total", response="income").values
    weighted = answered(db, by=by, where=known, statistic="weighted_count").values
    wanted = np.divide(total, weighted, out=np.full(total.shape, np.nan), where=weighted > 0)
    np.testing.assert_allclose(mean, wanted, rtol=1e-12)
    exact = answered(database(), by=by, statistic="mean", response="income").values
    assert (mean != exact)[~np.isnan(exact)].all()


def test_totals_have_the_noise_of_the_policy() -> None:
    db, plain = database(**NOISE), database()
    by = ["education", "sex"]
    shown = answered(db, by=by, statistic="total", response="income").values
    truth = answered(plain, by=by, statistic="total", response="income").values
    x, w = db.version.values("income"), db.version.weights
    assert w is not None
    rows = np.flatnonzero(~np.isnan(x))
    cells, _, _ = cell_sums(db, by, rows)
    largest = np.array([np.abs((w * x)[rows][cells == c]).max(initial=0.0) for c in range(truth.size)])
    moved = np.abs(shown - truth).ravel()
    counts, mean = np.bincount(cells, minlength=truth.size), np.zeros(truth.size)
    np.divide(truth.ravel(), counts, out=mean, where=counts > 0)
    # the largest contributions at 0.9 of them, in as many records as are shown, and the noise of the count, 5 at most
    most = 0.9 * largest * (1 + np.divide(5, counts, out=np.zeros(truth.size), where=counts > 0)) + 5 * mean
    assert (moved <= most + 1e-6).all()
    assert (moved[largest > 0] > 0).all()


def test_the_mean_weight_of_a_cell_is_not_shown() -> None:
    """Attack: weighted count, its error and the mean, each divided by the count, must not give the exact mean weight."""
    db, plain = database(**NOISE), database()
    by = ["education", "sex", "urban"]
    counts = answered(db, by=by).values
    true_counts = answered(plain, by=by).values
    used = (counts > 0) & (true_counts > 0)
    mean_weight = answered(plain, by=by, statistic="weighted_count").values[used] / true_counts[used]
    weighted = answered(db, by=by, statistic="weighted_count")
    assert weighted.errors is not None
    by_value = weighted.values[used] / counts[used]
    by_error = weighted.errors[used] / np.sqrt(db.version.design_effect * counts[used])
    total = answered(db, by=by, statistic="total", response="income").values[used]
    mean = answered(db, by=by, statistic="mean", response="income").values[used]
    by_mean = np.divide(total, mean * counts[used], out=np.zeros(total.shape), where=~np.isnan(mean))
    for attacked in (by_value, by_error, by_mean):
        off = np.abs(attacked / mean_weight - 1)
        assert np.median(off) > 1e-3
        assert (off < 1e-6).mean() < 0.05


def equal_weights() -> Microdata:
    rng = np.random.default_rng(8)
    n = 3000
    frame = pa.table(
        {
            "who": pa.array(np.arange(n)),
            "area": [f"a{i}" for i in rng.integers(0, 90, n)],
            "x": rng.gamma(2, 10, n),
            "w": np.full(n, 10.0),
        }
    )
    return Microdata.from_frame(frame, keys=["area"], confidential=["x"], identifiers=["who"], weight="w")


def test_equal_weights_do_not_give_the_count_away() -> None:
    """Attack: where all weights are 10, a tenth of the weighted count is the count, which must be the shown one."""
    db = database(equal_weights(), cutpoints=None, **NOISE)
    truth = np.bincount(db.version.codes("area"))
    shown = answered(db, by=["area"]).values
    weighted = answered(db, by=["area"], statistic="weighted_count").values / 10
    assert np.abs(weighted - shown).max() < 2
    assert np.corrcoef(weighted - truth, shown - truth)[0, 1] > 0.9
    assert (np.rint(weighted) == truth).mean() < 0.5


def test_small_weights_are_not_rounded_away() -> None:
    table = equal_weights().to_arrow()
    scaled = table.set_column(table.column_names.index("w"), "w", pa.array(np.full(len(table), 0.003)))
    data = Microdata.from_frame(scaled, keys=["area"], confidential=["x"], identifiers=["who"], weight="w")
    db = database(data, cutpoints=None, **NOISE)
    shown, weighted = answered(db, by=["area"]).values, answered(db, by=["area"], statistic="weighted_count").values
    assert weighted / 0.003 == pytest.approx(shown, abs=2)
    assert not np.isnan(answered(db, by=["area"], statistic="mean", response="x").values).any()


def test_without_weights_a_weighted_count_is_the_count() -> None:
    data = equal_weights().drop(["w"])
    db = database(data, cutpoints=None, **NOISE)
    counts = answered(db, by=["area"])
    weighted = answered(db, by=["area"], statistic="weighted_count")
    assert counts.values.tolist() == weighted.values.tolist()
    mean, total = (answered(db, by=["area"], statistic=s, response="x").values for s in ("mean", "total"))
    assert mean.tolist() == pytest.approx((total / counts.values).tolist())


def test_other_keys_draw_other_noise() -> None:
    data = equal_weights()
    tables = []
    for key in (Key(b"0123456789abcdef"), Key(b"0123456789abcdef"), Key(b"fedcba9876543210")):
        tables.append(answered(database(data, cutpoints=None, key=key, **NOISE), by=["area"]).values)
    assert (tables[0] == tables[1]).all()
    assert (tables[0] != tables[2]).mean() > 0.5


def test_noise_has_mean_zero() -> None:
    db, plain = database(**NOISE), database()
    for statistic, most in (("count", 1.0), ("weighted_count", 1.0)):
        by = ["occupation", "sex"]
        noisy, exact = (answered(d, by=by, statistic=statistic).values for d in (db, plain))
        counts = answered(plain, by=by).values
        scale = np.divide(exact, counts, out=np.ones(exact.shape), where=counts > 0)
        off = ((noisy - exact) / scale)[counts > 0]
        assert abs(off.mean()) < most
        assert 1.0 < off.std() < 3.0
        assert (noisy[counts == 0] == 0).all()


def test_a_set_that_stays_the_same_keeps_its_noise_in_the_next_version() -> None:
    """A correction of one value makes another data version; its other sets are not drawn anew."""
    people = tc.samples.household_survey(1500, seed=5)
    age = people.float("age").copy()
    age[0] = age[0] + 1
    tables = [
        tc.query.open(data, policy="tables", key=b"0123456789abcdef").ask(Tabulate(by=["region", "sex"])).table.values
        for data in (people, people.with_numbers({"age": age}))
    ]
    assert np.array_equal(*tables)
    other = tc.query.open(people, policy="tables", key=b"another key of 32 bytes, or more").ask(
        Tabulate(by=["region", "sex"])
    )
    assert not np.array_equal(tables[0], other.table.values)
