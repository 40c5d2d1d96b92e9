"""Tallies of files: what DuckDB reads is what the reader of whole files reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tacita as tc
from tacita.core.errors import ColumnError, DataError, FileError, ParameterError
from tacita.data.tabulate import Tally, TallyRequest, tally
from tacita.data.tabulate_file import tally_file

BY = ("region", "size_class")


def by_cell(found: Tally, response: int = 0) -> dict[tuple[str, ...], tuple[int, float]]:
    sums: dict[tuple[str, ...], tuple[int, float]] = {}
    for row, n, x in zip(
        found.codes.tolist(), found.responses[response].records, found.responses[response].amounts, strict=True
    ):
        cell = tuple("missing" if c < 0 else names[c] for c, names in zip(row, found.categories, strict=True))
        old = sums.get(cell, (0, 0.0))
        sums[cell] = (old[0] + int(n), round(old[1] + float(x), 6))
    return sums


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_equals_the_tally_in_memory(ending: str, tmp_path: Path) -> None:
    data = tc.samples.business_survey(800, seed=5)
    path = tc.write(data, tmp_path / f"firms.{ending}")
    request = TallyRequest(by=BY, responses=("energy", "", "investments"), shadow="turnover", cost="employees")
    found, wanted = tally_file(path, request, schema=data.schema), tally(data, request)
    for place in range(3):
        assert by_cell(found, place) == by_cell(wanted, place)
        one, other = found.responses[place], wanted.responses[place]
        assert one.left_out == other.left_out
        assert one.has_negative == other.has_negative
        for name in ("weights", "shadow", "cost"):
            assert getattr(one, name).sum() == pytest.approx(getattr(other, name).sum())
    assert found.columns[0].hierarchy == wanted.columns[0].hierarchy
    assert found.responses[0].holdings is not None  # the holding is the cluster of the schema
    assert len(found.responses[0].units.cell) < 800


def test_schema_file(tmp_path: Path) -> None:
    data = tc.samples.business_survey(100, seed=5)
    path = tc.write(data, tmp_path / "firms.csv")
    schema = data.schema.write(tmp_path / "firms.toml")
    request = TallyRequest(by=BY, responses=("energy",))
    assert by_cell(tally_file(path, request, schema=schema)) == by_cell(tally(data, request))


def test_words_codes_and_signs(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("d;x;w\n01;1,5;2\n1;NA;1\n q;2,5;1\n01; 3 ;1\n", encoding="utf-8")
    found = tally_file(tmp_path / "a.csv", TallyRequest(by=("d",), responses=("x",), weight="w"))
    assert by_cell(found) == {("01",): (2, 6.0), ("1",): (0, 0.0), (" q",): (1, 2.5)}
    assert found.responses[0].left_out == 1


def test_missing_numbers_in_parquet(tmp_path: Path) -> None:
    pq.write_table(pa.table({"d": ["a", "a", "b", None], "x": [1.0, np.nan, None, 4.0]}), tmp_path / "a.parquet")
    found = tally_file(tmp_path / "a.parquet", TallyRequest(by=("d",), responses=("x",)))
    assert by_cell(found) == {("a",): (1, 1.0), ("b",): (0, 0.0), ("missing",): (1, 4.0)}


def test_contributors_without_a_number_are_on_their_own(tmp_path: Path) -> None:
    rows = {"d": ["a", "b", "a", "b"], "u": ["p", "p", None, None]}
    pq.write_table(pa.table(rows), tmp_path / "a.parquet")
    request = TallyRequest(by=("d",), contributor="u")
    data = tc.Microdata.from_frame(pa.table(rows))
    for found in (tally_file(tmp_path / "a.parquet", request), tally(data, request)):
        assert sorted(found.responses[0].units.owner.tolist()) == [0, 0, 3, 4]


def test_only_the_largest_come_back(tmp_path: Path) -> None:
    n = 50_000
    rng = np.random.default_rng(1)
    rows = {
        "d": rng.integers(0, 4, n),
        "x": rng.random(n),
        "u": np.where(np.arange(n) < 100, np.arange(n) % 7, np.arange(n)),
    }
    pq.write_table(pa.table(rows), tmp_path / "a.parquet")
    for name in (None, "u"):
        request = TallyRequest(by=("d",), responses=("x",), contributor=name, depth=3)
        units = tally_file(tmp_path / "a.parquet", request, memory="200MB").responses[0].units
        assert len(units.cell) <= 4 * (3 + 7)
        assert units.others.sum() + len(np.unique(units.owner)) == (n if name is None else n - 93)


def test_bad_input(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("d;x;w;t\na;1;1;CANARY\nb;2;-1;1\nc;1.5;;2,5\n")
    with pytest.raises(ParameterError, match="'memory' must be"):
        tally_file(path, TallyRequest(by=("d",)), memory="much")
    with pytest.raises(ColumnError, match="'e' is not in the data"):
        tally_file(path, TallyRequest(by=("e",)))
    with pytest.raises(DataError, match="weight 'w' is negative or missing in 2 records"):
        tally_file(path, TallyRequest(by=("d",), weight="w"))
    with pytest.raises(FileError, match="say which is right") as caught:
        tally_file(path, TallyRequest(by=("d",), responses=("x",), cost="t"))
    with pytest.raises(DataError, match="Column 't' must hold finite numbers, but 1 of its values") as caught_too:
        tally_file(path, TallyRequest(by=("d",), responses=("t",)), decimal=",")
    assert "CANARY" not in str(caught.value) + str(caught_too.value)
    with pytest.raises(FileError, match="not there"):
        tally_file(tmp_path / "none.csv", TallyRequest(by=("d",)))
    (tmp_path / "b.csv").write_text("d,x\n1,2\nCANARY,2,3\n")
    with pytest.raises(FileError, match="cannot be cut into records") as caught:
        tally_file(tmp_path / "b.csv", TallyRequest(by=("d",)))
    assert "CANARY" not in str(caught.value)
