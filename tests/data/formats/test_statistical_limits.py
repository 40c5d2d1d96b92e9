"""SPSS, Stata and SAS: what the formats cannot hold, damaged files, and SAS."""

from __future__ import annotations

import datetime
import io
import warnings
from types import SimpleNamespace

import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest

from tacita.core.errors import FileError, TacitaWarning
from tacita.data.formats import foreign, foreign_child
from tacita.data.microdata import Microdata
from tacita.data.read import read
from tacita.data.schema import Column, Schema
from tacita.data.write import write

# --- what the formats can and cannot hold -------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["sav", "dta"])
def test_limits(tmp_path, ending):
    for table, words in (
        (pa.table({"x": [2**53 + 1]}), "beyond 2\\^53"),
        (pa.table({"x": [float("inf"), 1.0]}), "has 1 infinite or extreme value,"),
        (pa.table({"x": [datetime.timedelta(1)]}), "holds duration"),
        (pa.table({"a b": [1], "ok": [1], "Ok": [1], "with": [1], "x" * 65: [1]}), "rename: a b, ok, Ok, with, xxx"),
    ):
        with pytest.raises(FileError, match=words):
            write(Microdata.from_frame(table), tmp_path / f"a.{ending}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", ["sav", "dta"])
def test_other_types(tmp_path, ending):
    table = pa.table(
        {
            "yes": [True, None],
            "small": pa.array([1, 2], pa.uint8()),
            "none": pa.nulls(2),
            "cut": pa.array([1.25, 2.5]).cast(pa.decimal128(5, 2)),
            "cat": pa.array(["x", "y"]).dictionary_encode(),
            "zone": pa.array([datetime.datetime(2024, 1, 2), None], pa.timestamp("ns", "UTC")),
        }
    )
    again = read(write(Microdata.from_frame(table), tmp_path / f"a.{ending}")).to_arrow()
    assert again.to_pydict() == {
        "yes": [1, None],
        "small": [1, 2],
        "none": [None, None],
        "cut": [1.25, 2.5],
        "cat": ["x", "y"],
        "zone": [datetime.datetime(2024, 1, 2), None],
    }


@pytest.mark.parametrize("ending", ["sav", "dta"])
def test_no_records(tmp_path, ending):
    table = pa.table({"i": pa.array([], pa.int64()), "s": pa.array([], pa.string())})
    data = read(write(Microdata.from_frame(table), tmp_path / f"a.{ending}"))
    assert data.to_arrow().equals(table)


@pytest.mark.parametrize("ending", ["sav", "dta"])
def test_words_that_the_format_cannot_hold_are_told(tmp_path, ending):
    schema = Schema((Column(name="x", scale="numeric", missing=("refused", -9)),))
    data = Microdata(pa.table({"x": [1, None, None]}), schema, user_missing={"x": pa.array([None, "refused", "-9"])})
    with pytest.warns(TacitaWarning, match="Column 'x': .* cannot hold codes of text among other values, so 1 of them"):
        write(data, tmp_path / f"a.{ending}")
    assert read(tmp_path / f"a.{ending}", schema=None).to_arrow().column("x").to_pylist() == [1, None, -9]


def test_what_cannot_be_held_is_told_without_values(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise pyreadstat.PyreadstatError("value CANARY-7351 is bad")

    monkeypatch.setattr(pyreadstat, "write_sav", fail)
    with pytest.raises(FileError, match="SPSS cannot hold these data") as caught:
        write(Microdata.from_frame(pa.table({"x": [1]})), tmp_path / "a.sav")
    assert "CANARY" not in str(caught.value)
    assert "CANARY" in caught.value.details["reason"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("keep", [10, 100, 0.5])
@pytest.mark.parametrize("ending", ["sav", "dta", "xpt", "sas7bdat"])
def test_damaged_files(tmp_path, ending, keep):
    path = tmp_path / f"bad.{ending}"
    frame = pd.DataFrame({"x": [1.0, 2.0], "s": ["a", "b"]})
    make = {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta, "xpt": pyreadstat.write_xport}
    make.get(ending, pyreadstat.write_dta)(frame, str(path))  # a Stata file is no SAS file
    content = path.read_bytes()
    path.write_bytes(content[: keep if isinstance(keep, int) else int(len(content) * keep)])
    with pytest.raises(FileError, match="truncated, damaged or of another format") as caught:
        read(path)
    assert caught.value.__cause__ is None


def test_dates_that_no_calendar_has_stay_numbers(tmp_path):
    frame = pd.DataFrame({"d": [1e300, 13.8e9], "t": [1e300, 13.8e9]})
    pyreadstat.write_sav(frame, str(tmp_path / "a.sav"), variable_format={"d": "DATE11", "t": "DATETIME20"})
    assert read(tmp_path / "a.sav").to_arrow().to_pydict() == {"d": [1e300, 13.8e9], "t": [1e300, 13.8e9]}


# --- SAS ------------------------------------------------------------------------------------------------------------------


def test_sas_transport(tmp_path):
    frame = pd.DataFrame(
        {"x": [1.5, None], "s": ["a", ""], "d": [datetime.date(1960, 1, 2), datetime.date(2024, 2, 29)]}
    )
    pyreadstat.write_xport(frame, str(tmp_path / "a.xpt"), column_labels={"x": "An x"})
    data = read(tmp_path / "a.xpt")
    assert data.to_arrow().to_pydict() == {"x": [1.5, None], "s": ["a", None], "d": frame["d"].tolist()}
    assert data.schema["x"].label == "An x"
    assert data.schema["d"].scale == "date"


def test_spss_portable(tmp_path):
    frame = pd.DataFrame({"x": [1.5, None], "s": ["a", ""]})
    pyreadstat.write_por(frame, str(tmp_path / "a.por"))
    data = read(tmp_path / "a.por")
    assert data.to_arrow().to_pydict() == {"X": [1.5, None], "S": ["a", None]}


def in_this_process(asked, limits, take):
    """What the child process sends, without one."""
    sent = io.BytesIO()
    foreign_child.send_file(asked, sent)
    sent.seek(0)
    return take(sent, lambda: 0)


def test_sas_table(tmp_path, monkeypatch):
    # No free program writes sas7bdat, so what pyreadstat would return is played.
    lists = {"x": [1.0, "A", None], "d": [0.0, 1.0, None], "t": [86400.0, None, 0.5], "s": ["q", "", "r"]}
    meta = SimpleNamespace(
        column_names=list(lists),
        column_names_to_labels={"x": "An x", "d": None, "t": None, "s": ""},
        missing_user_values={"x": ["A"]},
        missing_ranges={},
        readstat_variable_types={"x": "double", "d": "double", "t": "double", "s": "string"},
        original_variable_types={"x": "BEST12", "d": "DATE9", "t": "DATETIME20", "s": "$8"},
        variable_value_labels={},
        variable_measure=dict.fromkeys(lists, "unknown"),
        number_rows=3,
    )
    monkeypatch.setattr(pyreadstat, "read_sas7bdat", lambda *_, **__: (lists, meta))
    monkeypatch.setattr(foreign, "_ask_child", in_this_process)
    monkeypatch.setattr(foreign_child, "_limit", lambda *_: None)
    (tmp_path / "a.sas7bdat").write_bytes(b"played")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = read(tmp_path / "a.sas7bdat")
    assert data.to_arrow().to_pydict() == {
        "x": [1.0, None, None],
        "d": [datetime.date(1960, 1, 1), datetime.date(1960, 1, 2), None],
        "t": [datetime.datetime(1960, 1, 2), None, datetime.datetime(1960, 1, 1, 0, 0, 0, 500000)],
        "s": ["q", None, "r"],
    }
    assert data.user_missing["x"].to_pylist() == [None, "A", None]
    assert data.schema["x"].label == "An x"
