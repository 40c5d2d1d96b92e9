"""SPSS, Stata and SAS: labels, measures and user-missing codes survive a round trip.

It tests ``tacita.data.formats.statistical_write`` through the only door that they have.
"""

from __future__ import annotations

import datetime

import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest

from tacita.core.errors import FileError, TacitaWarning
from tacita.data.microdata import Microdata
from tacita.data.read import read
from tacita.data.schema import Column, Schema
from tacita.data.write import write


def same(first: Microdata, second: Microdata) -> bool:
    codes = [{name: array.to_pylist() for name, array in data.user_missing.items()} for data in (first, second)]
    plain = [data.to_arrow(codes=False) for data in (first, second)]
    return first.schema == second.schema and plain[0].equals(plain[1]) and codes[0] == codes[1]


@pytest.fixture
def spss(tmp_path):
    """An SPSS file as another program writes it."""
    frame = pd.DataFrame(
        {
            "sex": [1.0, 2.0, 9.0, None],
            "income": [1.5, 97.0, 98.5, -1.0],
            "age": [31.0, -9.0, 47.0, 200.0],
            "job": ["clerk", "REFUSED", "", "Müller"],
            "born": [datetime.date(1990, 5, 17), None, datetime.date(1582, 10, 15), datetime.date(2024, 2, 29)],
            "asked": pd.to_datetime(
                ["2024-01-02 03:04:05", None, "1999-12-31 23:59:59", "2000-01-01"], format="ISO8601"
            ),
            "grade": [1.0, 2.0, 3.0, 1.0],
        }
    )
    path = tmp_path / "in.sav"
    pyreadstat.write_sav(
        frame,
        str(path),
        column_labels={"sex": "Sex of the respondent", "income": "Net income (€)"},
        variable_value_labels={"sex": {1.0: "male", 2.0: "female", 9.0: "refused"}, "job": {"REFUSED": "no answer"}},
        missing_ranges={"sex": [9], "income": [{"lo": 97, "hi": 99}, -1], "age": [-9, 199, 200], "job": ["REFUSED"]},
        variable_measure={"sex": "nominal", "income": "scale", "age": "scale", "grade": "ordinal"},
        variable_format={"sex": "F1.0", "age": "F3.0", "grade": "F1.0", "income": "F8.2"},
    )
    return path


@pytest.fixture
def stata(tmp_path):
    """A Stata file as another program writes it."""
    frame = pd.DataFrame(
        {
            "sex": pd.Series([1, 2, "a", None, 1], dtype=object),
            "income": pd.Series([1.5, "b", 2.5, "z", None], dtype=object),
            "children": pd.Series([0, 1, 2, 3, 4], dtype="int32"),
            "job": ["clerk", "", "a", "Müller", "x" * 3000],
            "born": [datetime.date(1990, 5, 17), None, None, datetime.date(1950, 1, 1), datetime.date(2024, 2, 29)],
            "asked": pd.to_datetime(
                ["2024-01-02 03:04:05.678", None, "1959-12-31", "2000-01-01", "2000-01-01"], format="ISO8601"
            ),
            "big": [2.0**40, 1.0, 2.0, 3.0, 4.0],
        }
    )
    path = tmp_path / "in.dta"
    pyreadstat.write_dta(
        frame,
        str(path),
        version=14,
        column_labels={"sex": "Sex of the respondent"},
        variable_value_labels={"sex": {1: "male", 2: "female", "a": "refused", "c": "not asked"}},
        missing_user_values={"sex": ["a", "c"], "income": ["b", "z"]},
        variable_format={"big": "%20.0f"},
    )
    return path


# --- SPSS -----------------------------------------------------------------------------------------------------------------


def test_spss_values_labels_and_codes(spss):
    data = read(spss)
    plain = data.to_arrow(codes=False)
    assert plain.column("sex").to_pylist() == [1, 2, None, None]
    assert plain.column("sex").type == pa.int64()
    assert data.user_missing["sex"].to_pylist() == [None, None, 9, None]
    assert data.schema["sex"].labels == ((1, "male"), (2, "female"), (9, "refused"))
    assert data.schema["sex"].label == "Sex of the respondent"
    assert data.schema["sex"].missing == (9,)
    assert data.schema["income"].missing == ((97.0, 99.0), -1.0)
    assert plain.column("income").to_pylist() == [1.5, None, None, None]
    assert data.user_missing["income"].to_pylist() == [None, 97.0, 98.5, -1.0]
    assert data.schema["age"].missing == (-9, 199, 200)
    assert plain.column("job").to_pylist() == ["clerk", None, None, "Müller"]
    assert data.schema["job"].missing == ("REFUSED",)
    assert data.schema["job"].labels == (("REFUSED", "no answer"),)
    assert plain.column("born").to_pylist()[0] == datetime.date(1990, 5, 17)
    assert plain.column("born").to_pylist()[2] == datetime.date(1582, 10, 15)
    assert plain.column("asked").to_pylist()[2] == datetime.datetime(1999, 12, 31, 23, 59, 59)


def test_spss_measure_is_the_scale(spss):
    scales = {column.name: column.scale for column in read(spss).schema}
    assert scales == {
        "sex": "nominal",
        "income": "numeric",
        "age": "numeric",
        "job": "nominal",
        "born": "date",
        "asked": "date",
        "grade": "ordinal",
    }


@pytest.mark.parametrize("ending", ["sav", "zsav"])
def test_spss_round_trip(spss, tmp_path, ending):
    data = read(spss)
    again = read(write(data, tmp_path / f"out.{ending}"))
    assert same(data, again)


def test_spss_open_range(tmp_path):
    frame = pd.DataFrame({"x": [-5.5, 1.5, 0.0]})
    pyreadstat.write_sav(frame, str(tmp_path / "a.sav"), missing_ranges={"x": [{"lo": float("-inf"), "hi": 0}]})
    data = read(tmp_path / "a.sav")
    assert data.schema["x"].missing == ((float("-inf"), 0.0),)
    assert data.to_arrow(codes=False).column("x").to_pylist() == [None, 1.5, None]
    assert same(data, read(write(data, tmp_path / "b.sav")))


def test_spss_written_file_as_others_see_it(spss, tmp_path):
    write(read(spss), tmp_path / "out.sav")
    frame, meta = pyreadstat.read_sav(str(tmp_path / "out.sav"), user_missing=True)
    assert frame["sex"].tolist()[:3] == [1.0, 2.0, 9.0]
    assert meta.missing_ranges["income"] == [{"lo": 97.0, "hi": 99.0}, {"lo": -1.0, "hi": -1.0}]
    assert meta.variable_measure["grade"] == "ordinal"
    assert frame["born"].tolist()[0] == datetime.date(1990, 5, 17)
    assert frame["asked"][0] == pd.Timestamp("2024-01-02 03:04:05")
    assert meta.original_variable_types["born"] == "DATE11"


def test_schema_file_and_spss_file_together(spss, tmp_path):
    (tmp_path / "s.toml").write_text('[columns.sex]\nrole = "key"\nlabel = "S"\nmissing = [2]\n')
    data = read(spss, schema=tmp_path / "s.toml")
    assert data.schema["sex"].roles == ("key",)
    assert data.schema["sex"].label == "S"
    assert data.schema["sex"].missing == (2, 9)
    assert data.schema["sex"].labels[0] == (1, "male")
    assert data.to_arrow(codes=False).column("sex").to_pylist() == [1, None, None, None]


def test_too_many_codes_for_spss(tmp_path):
    table = pa.table({"x": [1, 2]})
    for codes in ((1, 2, 3, 4), ((1.0, 2.0), 5, 6), ((1.0, 2.0), (5.0, 6.0))):
        data = Microdata(table, Schema((Column(name="x", scale="numeric", missing=codes),)))
        with pytest.raises(FileError, match="Column 'x': SPSS can mark three codes"):
            write(data, tmp_path / "a.sav")
    assert list(tmp_path.iterdir()) == []


# --- Stata ----------------------------------------------------------------------------------------------------------------


def test_stata_values_labels_and_codes(stata):
    data = read(stata)
    plain = data.to_arrow(codes=False)
    assert plain.column("sex").to_pylist() == [1, 2, None, None, 1]
    assert plain.column("sex").type == pa.int64()
    assert data.user_missing["sex"].to_pylist() == [None, None, "a", None, None]
    assert data.schema["sex"].missing == ("a",)
    assert data.schema["sex"].labels == ((1, "male"), (2, "female"), ("a", "refused"), ("c", "not asked"))
    assert data.schema["sex"].label == "Sex of the respondent"
    assert data.schema["sex"].scale == "nominal"  # every value has a label
    assert plain.column("income").to_pylist() == [1.5, None, 2.5, None, None]
    assert data.user_missing["income"].to_pylist() == [None, "b", None, "z", None]
    assert plain.column("children").type == pa.int64()
    assert data.schema["children"].scale == "numeric"
    assert plain.column("job").to_pylist() == ["clerk", None, "a", "Müller", "x" * 3000]
    assert plain.column("born").to_pylist()[3] == datetime.date(1950, 1, 1)
    assert plain.column("asked").to_pylist()[0] == datetime.datetime(2024, 1, 2, 3, 4, 5, 678000)
    assert plain.column("asked").to_pylist()[2] == datetime.datetime(1959, 12, 31)
    assert plain.column("big").to_pylist()[0] == 2**40
    assert plain.column("big").type == pa.int64()


def test_stata_round_trip(stata, tmp_path):
    data = read(stata)
    again = read(write(data, tmp_path / "out.dta"))
    assert same(data, again)


def test_stata_written_file_as_others_see_it(stata, tmp_path):
    write(read(stata), tmp_path / "out.dta")
    frame, meta = pyreadstat.read_dta(str(tmp_path / "out.dta"), user_missing=True)
    assert frame["sex"].tolist()[:3] == [1, 2, "a"]
    assert meta.missing_user_values == {"sex": ["a"], "income": ["b", "z"]}
    assert frame["born"].tolist()[0] == datetime.date(1990, 5, 17)
    assert pd.read_stata(tmp_path / "out.dta")["children"].tolist() == [0, 1, 2, 3, 4]


def test_stata_codes_and_declared_codes_together(stata, tmp_path):
    (tmp_path / "s.toml").write_text("[columns.sex]\nmissing = [2]\n")
    data = read(stata, schema=tmp_path / "s.toml")
    assert data.schema["sex"].missing == (2, "a")
    assert data.user_missing["sex"].to_pylist() == [None, "2", "a", None, None]
    write(data, tmp_path / "out.dta")
    assert read(tmp_path / "out.dta").to_arrow(codes=False).column("sex").to_pylist() == [1, 2, None, None, 1]


def test_column_of_codes_only(tmp_path):
    schema = Schema((Column(name="x", scale="numeric", missing=("a", "b")), Column(name="d", scale="date")))
    table = pa.table({"x": pa.nulls(3, pa.int64()), "d": pa.nulls(3, pa.date32())})
    data = Microdata(table, schema, user_missing={"x": pa.array(["a", None, "b"])})
    for _ in range(2):
        data = read(write(data, tmp_path / "a.dta", overwrite=True))
    assert data.to_arrow(codes=False).equals(table)
    assert data.user_missing["x"].to_pylist() == ["a", None, "b"]


def test_truncated_stata_file_without_its_labels(stata):
    stata.write_bytes(stata.read_bytes()[:-40])
    with pytest.raises(FileError, match="must be a whole Stata file"):
        read(stata)


# --- both -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["sav", "zsav", "dta"])
def test_same_data_same_bytes(spss, tmp_path, ending):
    data = read(spss)
    first = write(data, tmp_path / f"a.{ending}").read_bytes()
    # Both formats store the time of writing; another day must not change the file.
    source = first.find(b"1970" if ending == "dta" else b"01 Jan 70")
    assert source > 0
    second = write(read(spss), tmp_path / f"b.{ending}").read_bytes()
    assert first == second
    today = datetime.datetime.now(tz=datetime.UTC).strftime("%b %Y" if ending == "dta" else "%b %y")
    assert today.encode() not in first[:400]


def test_stata_letters_are_no_spss_codes(stata, tmp_path):
    with pytest.warns(TacitaWarning) as caught:
        write(read(stata).select(["sex", "income"]), tmp_path / "a.sav")
    assert len(caught) == 2
    assert read(tmp_path / "a.sav").schema["sex"].labels == ((1, "male"), (2, "female"))


def test_encoding_can_be_given(spss):
    assert read(spss, encoding="UTF-8").to_arrow().column("job").to_pylist()[3] == "Müller"
    with pytest.raises(FileError, match="in the encoding 'no-such'"):
        read(spss, encoding="no-such")


def test_damaged_count_of_records_does_not_fill_the_memory(spss):
    content = bytearray(spss.read_bytes())
    assert content[80:84] == (4).to_bytes(4, "little")
    content[80:84] = (500_000_000).to_bytes(4, "little")
    spss.write_bytes(content)
    with pytest.raises(FileError, match="damaged"):
        read(spss)
