"""Tables with keys: records that arrive and leave, revisions, missing codes, bad identities."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tacita as tc
from tacita.core.errors import ColumnError, DataError, ParameterError
from tacita.core.keyed import Key
from tacita.tables.perturbation.keyed_table import KeyedTable, keyed_by_rows, keyed_table
from tests.tables.perturbation.test_cell_key import KEY, people


def made_of(data: tc.Microdata, by: object = ("region", "sex"), **given: object) -> KeyedTable:
    return keyed_table(data, list(by), key=KEY, identity="id", **given)  # type: ignore[call-overload, arg-type]


def test_records_arrive_and_leave() -> None:
    data = people()
    all_of = made_of(data)
    first = made_of(data.take(np.arange(300)), all_of.dimensions)
    later = made_of(data.take(np.arange(300, 400)), all_of.dimensions)
    grown = first.with_records(arrived=later)
    assert np.array_equal(grown.sums, all_of.sums)
    assert np.array_equal(grown.values, all_of.values)
    shrunk = all_of.with_records(left=later)
    assert np.array_equal(shrunk.sums, first.sums)


def test_what_does_not_fit_is_refused() -> None:
    data = people()
    made = made_of(data)
    other_key = keyed_table(data, made.dimensions, key=Key(bytes(range(4, 68, 2))), identity="id")
    for other in (other_key, made_of(data, made.dimensions, unit="household"), made_of(data, ["sex"])):
        with pytest.raises(ParameterError, match="same cells, unit and key"):
            made.with_records(arrived=other)
    with pytest.raises(DataError, match="more records leave"):
        made_of(data.take(np.arange(10)), made.dimensions).with_records(left=made)
    with pytest.raises(ParameterError, match="tables of counts"):
        made_of(data, response="income").with_records(arrived=made)


def test_records_without_a_code_have_keys_too() -> None:
    frame = pa.table({"id": [5, 6, 7], "a": pa.array(["x", None, "x"]), "x": [1.0, 2.0, None]})
    data = tc.Microdata.from_frame(frame)
    made = made_of(data, ["a"])
    lost = made.find({"a": "missing"})[0]
    assert made.counts is not None
    assert made.counts[lost] == 1
    with pytest.warns(UserWarning, match="left out"):
        sums = made_of(data, ["a"], response="x")
    assert np.array_equal(sums.sums[sums.find({"a": "missing"})], made.sums[[lost]])
    assert (sums.sums[0] < made.sums[0]).all()  # the record without a value is not in the set


@pytest.mark.parametrize(
    ("ids", "words"),
    [([1, 1, 2], "1 of 3 values repeat"), ([1, None, 2], "1 have none"), ([1.5, 2.5, 3.5], "whole numbers or text")],
)
def test_bad_identities_are_refused(ids: list[object], words: str) -> None:
    data = tc.Microdata.from_frame(pa.table({"id": ids, "a": ["x", "y", "x"]}))
    with pytest.raises(DataError, match=words):
        made_of(data, ["a"])


def test_text_identities_are_hashed() -> None:
    data = tc.Microdata.from_frame(pa.table({"id": ["p", "q", "r"], "a": ["x", "y", "x"]}))
    made = made_of(data, ["a"])
    assert (made.sums > 0).all()
    with pytest.raises(DataError, match="1 of 2 values repeat"):
        made_of(tc.Microdata.from_frame(pa.table({"id": ["p", "p"], "a": ["x", "y"]})), ["a"])


def test_an_unknown_identity_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ColumnError, match="Did you mean 'id'"):
        keyed_table(people(), ["sex"], key=KEY, identity="idd")
    tc.write(people(), tmp_path / "p.parquet")
    with pytest.raises(ColumnError, match="Did you mean 'id'"):
        keyed_table(tmp_path / "p.parquet", ["sex"], key=KEY, identity="idd")


def payments(n: int = 300, *, text: bool = False) -> tc.Microdata:
    """Amounts of very different sizes, ties, losses, weights, and some that are missing."""
    rng = np.random.default_rng(4)
    ids = rng.permutation(10 * n)[:n] - n
    amounts = np.round(rng.normal(size=n) * 10.0 ** rng.integers(-3, 9, n), 3)
    amounts[:40] = 12.5
    return tc.Microdata.from_frame(
        pa.table(
            {
                "id": [f"p{k}" for k in ids] if text else ids,
                "region": pa.array([None if k == 9 else f"r{k}" for k in rng.integers(0, 10, n)]),
                "sex": [["f", "m"][k % 2] for k in range(n)],
                "paid": pa.array([None if k % 17 == 0 else float(x) for k, x in enumerate(amounts)]),
                "w": np.round(rng.uniform(0, 9, n), 4),
            }
        )
    )


@pytest.mark.filterwarnings("ignore:.*left out")
@pytest.mark.parametrize("weight", [False, "w"])
@pytest.mark.parametrize("response", [None, "paid"])
@pytest.mark.parametrize(("ending", "text"), [("parquet", False), ("parquet", True), ("csv", False)])
def test_files_give_the_same_bytes(
    tmp_path: Path, ending: str, text: bool, response: str | None, weight: str | bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, path = payments(text=text), tmp_path / f"p.{ending}"
    tc.write(data, path)
    whole = made_of(data, response=response, weight=weight)
    monkeypatch.setattr("tacita.data.store.key_tally_file.CHUNK", 37)
    other = keyed_table(path, ["region", "sex"], response, key=KEY, identity="id", weight=weight)  # type: ignore[arg-type]
    shuffled = made_of(data.take(np.random.default_rng(5).permutation(len(data))), response=response, weight=weight)
    how = tc.tables.CellKey(key=KEY)
    for made in (other, shuffled):
        assert made.dimensions == whole.dimensions
        assert made.values.tobytes() == whole.values.tobytes()
        assert np.array_equal(made.sums, whole.sums)
        assert np.array_equal(made.counts, whole.counts)  # type: ignore[arg-type]
        assert how.perturbed(made).tobytes() == how.perturbed(whole).tobytes()
        if response:
            assert made.units is not None
            assert whole.units is not None
            assert made.units.amounts.tobytes() == whole.units.amounts.tobytes()
            assert made.units.weights.tobytes() == whole.units.weights.tobytes()
            assert np.array_equal(made.contributors, whole.contributors)  # type: ignore[arg-type]
            assert np.array_equal(made.units.counts, whole.units.counts)
            assert np.array_equal(made.bounds[0], whole.bounds[0])


@pytest.mark.filterwarnings("ignore:.*left out")
def test_sums_are_rounded_once() -> None:
    """Every cell is math.fsum of its weighted amounts, margins included; added cell by cell some differ in the last digit."""
    data = payments()
    made = made_of(data, response="paid", weight="w")
    region, sex = data.to_arrow().column("region").to_pylist(), data.to_arrow().column("sex").to_pylist()
    amounts = data.float("paid") * data.float("w")
    for cell in range(len(made)):
        r, s = made.labels(cell)
        rows = [
            k
            for k in range(len(data))
            if r in ("Total", region[k] or "missing") and s in ("Total", sex[k]) and not np.isnan(amounts[k])
        ]
        assert made.values[cell] == math.fsum(amounts[rows])


@pytest.mark.filterwarnings("ignore:.*left out")
def test_contributors_of_files_have_the_same_numbers_in_every_table(tmp_path: Path) -> None:
    tc.write(payments(), tmp_path / "p.parquet")
    one, two = (
        keyed_table(tmp_path / "p.parquet", by, "paid", key=KEY, identity="id") for by in (["region", "sex"], ["sex"])
    )
    assert one.units is not None
    assert two.units is not None
    assert np.array_equal(one.units.owners[one.find({"region": "Total"})], two.units.owners)
    assert one.sources[0].units.owner.min() > 2**32  # keyed, not the places in the file


@pytest.mark.parametrize(
    ("column", "values", "words"),
    [
        ("w", [1.0, -1.0, 2.0], "'w' is negative or missing in 1 records"),
        ("w", [1.0, None, 2.0], "'w' is negative or missing in 1 records"),
        ("x", [1.0, float("inf"), 2.0], "'x' must hold finite numbers, but 1"),
    ],
)
def test_numbers_that_cannot_be_added_up_are_refused_in_files(
    tmp_path: Path, column: str, values: list[float | None], words: str
) -> None:
    given = {"id": [1, 2, 3], "a": ["p", "q", "p"], "x": [1.0, 2.0, 3.0], "w": [1.0, 1.0, 1.0], column: values}
    pq.write_table(pa.table(given), tmp_path / "p.parquet")
    with pytest.raises(DataError, match=words):
        keyed_table(tmp_path / "p.parquet", ["a"], "x", key=KEY, identity="id", weight="w")


def test_impossible_cells_stay_so() -> None:
    data = tc.Microdata.from_frame(pa.table({"id": [1, 2], "a": ["x", "y"], "b": ["u", "v"]}))
    made = made_of(data, ["a", "b"], structural=[{"a": "x", "b": "v"}])
    assert made.is_structural.sum() == 1
    with pytest.raises(DataError, match="impossible have records"):
        made_of(data, ["a", "b"], structural=[{"a": "x", "b": "u"}])


def test_rows_stand_for_people_where_nobody_says_who_they_are() -> None:
    data = people()
    made = keyed_by_rows(tc.tabulate(data, ["region", "sex"], "income"), KEY)
    other = keyed_by_rows(tc.tabulate(data, ["sex"], "income"), KEY)
    both = [table.sums[table.find({"sex": "f"})[0]].tolist() for table in (made, other)]
    assert both[0] == both[1]
    assert made.contributors is not None
    assert made.contributors.shape == (len(made), 5)
