"""Texts that a spreadsheet would run: named when data leave, made harmless on request, kept otherwise."""

from __future__ import annotations

import csv

import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ParameterError, TacitaWarning
from tacita.data.formats.formulas import neutral, neutral_texts
from tacita.data.read import read
from tacita.data.write import write, write_release_data

EVIL = ["=cmd|' /C calc'!A0", "+1+cmd|x", "-2+3+cmd|x", "@SUM(1)", "\t=1", "\r=1", " =1+1", "\uff1d1"]
HARMLESS = ["north", "a=b", "-9", "+4930123", "-1.5e3", "", "x@y"]


@pytest.fixture
def data():
    table = pa.table({"s": EVIL, "n": [-1] * len(EVIL), "h": [*HARMLESS, "z"]})
    return tc.Microdata.from_frame(table, keys=["s"])


def column(path, name):
    with path.open(newline="", encoding="utf-8") as file:
        return [row[name] for row in csv.DictReader(file)]


def test_neutral_texts(data, tmp_path):
    write(data, tmp_path / "a.csv", formulas="neutralise")
    assert column(tmp_path / "a.csv", "s") == ["'" + text for text in EVIL]
    assert column(tmp_path / "a.csv", "h") == [*HARMLESS, "z"]
    assert column(tmp_path / "a.csv", "n") == ["-1"] * len(EVIL)
    assert neutral(neutral(pa.array(EVIL))).to_pylist() == ["'" + text for text in EVIL]
    assert neutral_texts([*EVIL, "-9", "north", ""]) == [*("'" + text for text in EVIL), "-9", "north", ""]


def test_texts_are_kept_when_nothing_is_said(data, tmp_path):
    write(data, tmp_path / "a.csv")
    assert column(tmp_path / "a.csv", "s") == EVIL


def test_what_leaves_is_warned_about_by_column_and_number(data, tmp_path):
    with pytest.warns(TacitaWarning, match=r"A spreadsheet would run texts of 's' \(8\)") as said:
        write_release_data(data, tmp_path / "a.csv")
    assert "cmd" not in str(said[0].message)
    write_release_data(data, tmp_path / "b.csv", formulas="neutralise")
    write_release_data(data, tmp_path / "c.parquet")  # no spreadsheet runs what stands there
    assert read(tmp_path / "c.parquet").to_arrow().column("s").to_pylist() == EVIL


def test_names_and_categories(tmp_path):
    table = pa.table({"=evil()": pa.array(["=1", "x"]).dictionary_encode()})
    data = tc.Microdata.from_frame(table)
    with pytest.warns(TacitaWarning, match="the names of columns"):
        write_release_data(data, tmp_path / "a.csv")
    write(data, tmp_path / "b.csv", formulas="neutralise")
    assert (tmp_path / "b.csv").read_text() == "'=evil()\n'=1\nx\n"


def test_wrong_words(data, tmp_path):
    with pytest.raises(ParameterError, match="'formulas' must be one of keep, warn, neutralise"):
        write(data, tmp_path / "a.csv", formulas="none")
    with pytest.raises(ParameterError, match="'formulas' has no meaning"):
        write(data, tmp_path / "a.parquet", formulas="neutralise")


def test_release_and_command_line(data, tmp_path):
    data = data.drop(["h"])  # a column without a role that names every record is warned of for itself
    release = tc.Recipe([tc.mask.Rounding(columns=["n"], base=5)]).apply(data, seed=1)
    with pytest.warns(TacitaWarning, match="spreadsheet"):
        release.write(tmp_path / "warned")
    release.write(tmp_path / "neutral", formulas="neutralise")
    assert sorted(column(tmp_path / "neutral" / "public" / "data.csv", "s")) == sorted("'" + text for text in EVIL)
    from typer.testing import CliRunner

    from tacita.cli.main import app

    write(data, tmp_path / "in.csv")
    data.schema.write(tmp_path / "in.toml")
    (tmp_path / "far").mkdir()
    words = [
        "mask",
        str(tmp_path / "in.csv"),
        "-s",
        str(tmp_path / "in.toml"),
        "-m",
        "rounding",
        "--set",
        "columns=n",
        "--set",
        "base=5",
        "--no-report",
    ]
    done = CliRunner().invoke(app, [*words, "-o", str(tmp_path / "far" / "out"), "--neutralise-formulas"])
    assert done.exit_code == 4, done.output  # written, and not judged
    assert "'=cmd" in (tmp_path / "far" / "out" / "public" / "data.csv").read_text()
