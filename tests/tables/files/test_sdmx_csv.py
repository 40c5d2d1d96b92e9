"""SDMX-CSV: columns and flags, whole grids, several tables in one file, and bad input."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import FileError, ParameterError
from tacita.tables.files.sdmx_csv import sdmx_rows, write_sdmx
from tacita.tables.model.dimension import Dimension

SEX = Dimension.flat("sex", ["f", "m"])
TABLE = tc.tables.table_from_cells({"sex": ["Total", "f", "m"], "value": [5, 5, 0]}, [SEX])
LETTERS = {"sex": {"Total": "T", "f": "F", "m": "M"}}
FLOW = {"dataflow": "TA:CENSUS(1.0)"}


def lines(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_columns_in_their_order(tmp_path: Path) -> None:
    rows = sdmx_rows(TABLE, {"sex": "SEX"}, codes=LETTERS, flags={"POPULATED": ["1", "1", "0"]})
    made = write_sdmx(rows, tmp_path / "made.csv", **FLOW, constants={"FREQ": "A", "TIME_PERIOD": "2021"})
    assert made.read_text(encoding="utf-8").splitlines() == [
        "DATAFLOW,SEX,FREQ,TIME_PERIOD,OBS_VALUE,OBS_STATUS,CONF_STATUS,POPULATED",
        "TA:CENSUS(1.0),T,A,2021,5,A,F,1",
        "TA:CENSUS(1.0),F,A,2021,5,A,F,1",
        "TA:CENSUS(1.0),M,A,2021,0,A,F,0",
    ]


def test_flags_of_a_suppressed_table() -> None:
    """A hidden cell has no value, whether unsafe or secondary; nothing tells one from the other."""
    data = tc.samples.person_register(400, seed=1)
    table = tc.tabulate(data, ["sex", "marital"])
    made = tc.tables.Suppress().protect(table, tc.tables.MinimumFrequency(at_least=12).judge(table))
    assert made.secondary.any()
    rows = sdmx_rows(made, {"sex": "SEX", "marital": "LMS"})
    for value, status, secret, hidden in zip(
        rows["OBS_VALUE"], rows["OBS_STATUS"], rows["CONF_STATUS"], made.hidden, strict=True
    ):
        assert (status, secret) == (("Q", "C") if hidden else ("A", "F"))
        assert (value == "") == hidden


def test_published_values_leave_and_not_the_true_ones() -> None:
    data = tc.samples.person_register(400, seed=1)
    table = tc.tabulate(data, ["sex", "marital"])
    made = tc.tables.Round(base=5).protect(table, tc.tables.Unsafe.none(len(table)))
    assert [
        float(value) for value in sdmx_rows(made, {"sex": "SEX", "marital": "LMS"})["OBS_VALUE"]
    ] == made.values.tolist()


def test_all_cells_of_the_grid_are_written() -> None:
    """What is listed does not tell which zeros are true: an empty cell and one shown as 0 look the same."""
    people = tc.samples.census_register(300, seed=1, regions=9)
    (table,) = tc.tables.declare(people, [["municipality", "tenure"]]).tables
    shown = table.with_values(np.where(table.values < 3, 0, table.values))
    tidy = {"tenure": {"free of rent": "FREE", "co-operative": "COOP"}}
    rows = sdmx_rows(shown, {"municipality": "GEO", "tenure": "TENURE"}, codes=tidy)
    assert len(rows["GEO"]) == np.prod([len(d.codes) for d in table.dimensions]) > len(table)
    zero = {
        (status, secret)
        for value, status, secret in zip(rows["OBS_VALUE"], rows["OBS_STATUS"], rows["CONF_STATUS"], strict=True)
        if value == "0"
    }
    assert zero == {("A", "F")}


def test_several_tables_in_one_file(tmp_path: Path) -> None:
    age = Dimension.flat("age", ["young", "old"])
    other = tc.tables.table_from_cells({"age": ["Total", "young", "old"], "value": [5, 2, 3]}, [age])
    parts = [
        sdmx_rows(TABLE, {"sex": "STAT"}, codes=LETTERS, unreliable=[False, True, False]),
        sdmx_rows(other, {"age": "STAT"}, codes={"age": {"Total": None}}),
    ]
    found = lines(write_sdmx(parts, tmp_path / "made.csv", **FLOW))
    assert [(row["STAT"], row["OBS_VALUE"], row["OBS_STATUS"]) for row in found] == [
        ("T", "5", "A"),
        ("F", "5", "U"),
        ("M", "0", "A"),
        ("young", "2", "A"),
        ("old", "3", "A"),
    ]


def test_an_observation_twice_is_refused(tmp_path: Path) -> None:
    rows = sdmx_rows(TABLE, {"sex": "SEX"})
    with pytest.raises(ParameterError, match="each observation once"):
        write_sdmx([rows, rows], tmp_path / "made.csv", **FLOW)
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_there_stays(tmp_path: Path) -> None:
    rows = sdmx_rows(TABLE, {"sex": "SEX"})
    path = write_sdmx(rows, tmp_path / "made.csv", **FLOW)
    with pytest.raises(FileError, match="exists already"):
        write_sdmx(rows, path, **FLOW)
    assert write_sdmx(rows, path, **FLOW, overwrite=True) == path


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"names": {}}, "a column for the dimension 'sex'"),
        ({"names": {"sex": "OBS_VALUE"}}, "'OBS_VALUE' cannot be the name"),
        ({"names": {"sex": "S EX"}}, "'S EX' cannot be the name"),
        ({"names": {"sex": "SEX"}, "codes": {"sexx": {}}}, "'sexx', which is no dimension"),
        ({"names": {"sex": "SEX"}, "codes": {"sex": {"f": "=1+1"}}}, "letters, digits"),
        ({"names": {"sex": "SEX"}, "codes": {"sex": {"f": "m"}}}, "one of its own"),
        ({"names": {"sex": "SEX"}, "unreliable": [True]}, "'unreliable' must have one entry"),
        ({"names": {"sex": "SEX"}, "flags": {"POPULATED": ["1"]}}, "'POPULATED' must have one entry"),
        ({"names": {"sex": "SEX"}, "flags": {"SEX": ["1"] * 3}}, "the same name"),
    ],
)
def test_bad_rows(given: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        sdmx_rows(TABLE, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"dataflow": "CENSUS"}, "'dataflow'"),
        ({"dataflow": "TA:CENSUS(1.0)", "constants": {"TIME_PERIOD": "@x y"}}, "'constants'"),
        ({"dataflow": "TA:CENSUS(1.0)", "constants": {"SEX": "T"}}, "the same name"),
    ],
)
def test_bad_files(tmp_path: Path, given: dict[str, object], message: str) -> None:
    rows = sdmx_rows(TABLE, {"sex": "SEX"})
    with pytest.raises(ParameterError, match=message):
        write_sdmx(rows, tmp_path / "made.csv", **given)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"end in \.csv"):
        write_sdmx(rows, tmp_path / "made.txt", **FLOW)
    with pytest.raises(ParameterError, match="same columns"):
        write_sdmx([rows, {**rows, "MORE": rows["SEX"]}], tmp_path / "made.csv", **FLOW)
    assert not list(tmp_path.iterdir())
