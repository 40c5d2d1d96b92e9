"""What is written is read again, whatever stands in it (Hypothesis)."""

from __future__ import annotations

import datetime
import tempfile
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tacita.data.microdata import Microdata
from tacita.data.read import read
from tacita.data.schema import Column, Schema
from tacita.data.write import write
from tests.effort import examples

AWKWARD = st.sampled_from(list("\",;\t|\n\r '\\\x00\x85\u2028\ufeffé漢😀01.-NAe")) | st.characters(
    exclude_categories=["Cs"]
)
TEXT = (
    st.none() | st.text(AWKWARD, max_size=8) | st.sampled_from(["NA", "null", "01", "true", "1e5", "2024-01-01", " "])
)
WHOLE = st.none() | st.integers(-(2**63), 2**63 - 1)
FLOAT = st.none() | st.floats(allow_nan=False)
DATE = st.none() | st.dates()
ROWS = st.lists(st.tuples(TEXT, WHOLE, FLOAT, DATE, st.none() | st.booleans()), max_size=12)

# A first record that leaves no doubt about the types: a CSV file has no others than those its values show.
ANCHOR = ("text", 2, 0.5, datetime.date(2024, 1, 1), True)


def microdata(rows) -> Microdata:
    kinds = [pa.string(), pa.int64(), pa.float64(), pa.date32(), pa.bool_()]
    columns = list(zip(ANCHOR, *rows, strict=True))
    names = ["text", "whole", "float", "date", "yes"]
    return Microdata.from_frame(pa.table([pa.array(c, k) for c, k in zip(columns, kinds, strict=True)], names=names))


def through(data: Microdata, name: str, *, schema=None, **options) -> Microdata:
    with tempfile.TemporaryDirectory() as folder:
        path = write(data, Path(folder) / name, **options)
        again = path.with_name("again" + path.suffix)
        made = read(path, schema=schema)
        assert write(made, again, **options).read_bytes() == path.read_bytes()
        return made


@settings(max_examples=examples(25), deadline=None)
@given(ROWS)
@example([('a"b', None, float("inf"), None, None), ("", 0, -0.0, datetime.date(1, 1, 1), None)])
@example([("\x00", None, None, None, None)])
@example([("\ufeff", None, None, None, None), (None, None, None, None, None)])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("a.csv", {}),
        ("a.csv", {"separator": ";", "decimal": ","}),
        ("a.tsv", {}),
        ("a.txt", {"separator": "|"}),
        ("a.parquet", {}),
        ("a.feather", {}),
    ],
)
def test_round_trip(name, options, rows):
    data = microdata(rows)
    assert through(data, name, **options).same_content(data)


@settings(max_examples=examples(20), deadline=None)
@given(st.lists(TEXT, max_size=10), st.sampled_from(["text", '"', "a,b", "x\ny"]))
def test_round_trip_of_one_text_column(values, first):
    data = Microdata.from_frame(pa.table({"only": pa.array([first, *values], pa.string())}))
    assert through(data, "a.csv").same_content(data)


NUMBER_CODE = st.sampled_from(["refused", "-9", "don't know", "a,b"])


@settings(max_examples=examples(20), deadline=None)
@given(st.lists(st.tuples(st.none() | st.integers(0, 1000), st.none() | NUMBER_CODE), max_size=10))
def test_round_trip_of_text_codes_among_numbers(rows):
    schema = Schema(
        (
            Column(name="n", scale="nominal"),
            Column(name="x", scale="numeric", missing=("refused", "don't know", "a,b", -9)),
        )
    )
    values = [5, *(value for value, _ in rows)]
    codes = [None, *(code if value is None else None for value, code in rows)]
    table = pa.table({"n": ["t"] * len(values), "x": pa.array(values, pa.int64())})
    data = Microdata(table, schema, user_missing={"x": pa.array(codes, pa.string())})
    made = through(data, "a.csv", schema=schema)
    assert made.to_arrow(codes=False).equals(table)
    found = made.user_missing.get("x", pa.nulls(len(values)))
    assert [None if code is None else str(code) for code in found.to_pylist()] == codes


PLAIN = st.none() | st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8).filter(
    lambda text: text == text.rstrip() and text.strip()
)
STATISTICAL_ROW = st.tuples(
    PLAIN, st.none() | st.integers(-(2**53), 2**53), st.none() | st.floats(-1e300, 1e300), st.none() | st.dates()
)


@settings(max_examples=examples(20), deadline=None)
@given(st.lists(STATISTICAL_ROW, max_size=10))
@pytest.mark.parametrize("name", ["a.sav", "a.zsav", "a.dta"])
def test_round_trip_of_statistical_files(name, rows):
    kinds = [pa.string(), pa.int64(), pa.float64(), pa.date32()]
    columns = list(zip(*rows, strict=True)) or [[]] * 4
    table = pa.table(
        [pa.array(c, k) for c, k in zip(columns, kinds, strict=True)], names=["words", "whole", "share", "born"]
    )
    data = Microdata.from_frame(table)
    made = through(data, name)
    assert made.to_arrow().equals(data.to_arrow())
    assert made.schema == data.schema
