"""The types that CSV columns get, against a slow and obvious version of the rules (Hypothesis)."""

from __future__ import annotations

import datetime
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.data.read import read
from tests.effort import examples

NUMBERS = ["0", "-0", "7", "-12", "+5", " 3 ", "9223372036854775807", "0.5", "-2.5", ".5", "5.", "1e3", "-1E-2", "+1.5"]
CODES = ["01", "-007", "+01", " 00", "9223372036854775808", "0x1F"]
WORDS = ["NA", "NaN", "N/A", "NULL", "null", "nan", ".", " NA "]
DATES = ["2024-02-29", "1999-12-31", " 2000-01-01"]
OTHERS = ["2024-02-30", "x", "true", "false", "True", "1 000", "1_0", "--1", "1e", "e5", "é", "-", "12a"]

COLUMN = st.one_of(
    st.lists(st.sampled_from(group), min_size=1, max_size=6)
    for group in (
        NUMBERS,
        [*NUMBERS, *WORDS, ""],
        [*DATES, *WORDS, ""],
        ["true", "false", ""],
        [*NUMBERS, *CODES],
        [*NUMBERS, *WORDS, *DATES, *OTHERS, *CODES, ""],
    )
)


def slow_column(fields: list[str]) -> list[Any]:
    """Type one column, value by value."""
    missing = {"", "NA", "NaN", "N/A", "NULL", "null", "nan", "."}
    there = [field.strip() for field in fields if field.strip() not in missing]
    if there and all(is_number(field) for field in there):
        as_number = int if all(re.fullmatch(r"[+-]?\d+", field) for field in there) else float
        whole = [field for field in there if re.fullmatch(r"[+-]?\d+", field)]
        if as_number is float and any(int(field) != int(float(field)) for field in whole):
            return [field or None for field in fields]
        return [None if field.strip() in missing else as_number(field) for field in fields]
    if there and all(is_date(field) for field in there):
        return [None if f.strip() in missing else datetime.date.fromisoformat(f.strip()) for f in fields]
    texts = [field for field in fields if field]
    if (texts and set(texts) <= {"true", "false"}) or (texts and set(texts) <= {"True", "False"}):
        return [field in ("true", "True") if field else None for field in fields]
    return [field or None for field in fields]


def is_number(field: str) -> bool:
    if re.match(r"[+-]?0\d", field) or re.fullmatch(r"\+\d+", field):
        return False
    if re.fullmatch(r"[+-]?\d+", field):
        return -(2**63) <= int(field) < 2**63
    return re.fullmatch(r"[+-]?(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?", field) is not None


def is_date(field: str) -> bool:
    try:
        return re.fullmatch(r"\d{4}-\d\d-\d\d", field) is not None and bool(datetime.date.fromisoformat(field))
    except ValueError:
        return False


@pytest.mark.filterwarnings("ignore::tacita.core.errors.TacitaWarning")
@settings(max_examples=examples(150), deadline=None)
@given(COLUMN, st.sampled_from([",", ";"]))
def test_types_are_those_of_the_slow_rules(fields, separator):
    rows = "".join(f"k{separator}{field}\n" for field in fields)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.csv"
        path.write_text(f"key{separator}value\n{rows}", encoding="utf-8")
        found = read(path).to_arrow().column("value").to_pylist()
    expected = slow_column(fields)
    assert found == expected
    assert [type(value) for value in found] == [type(value) for value in expected]


@pytest.mark.filterwarnings("ignore::tacita.core.errors.TacitaWarning")
@settings(max_examples=examples(60), deadline=None)
@given(COLUMN)
def test_decimal_commas_give_what_points_give(fields):
    with tempfile.TemporaryDirectory() as folder:
        for sign in ".,":
            path = Path(folder) / f"{ord(sign)}.csv"
            rows = "".join(f"k;{field if field.strip() == '.' else field.replace('.', sign)}\n" for field in fields)
            path.write_text(f"key;value\n{rows}", encoding="utf-8")
        point = read(Path(folder) / f"{ord('.')}.csv", decimal=".").to_arrow().column("value").to_pylist()
        comma = read(Path(folder) / f"{ord(',')}.csv", decimal=",").to_arrow().column("value").to_pylist()
    if all(isinstance(value, str) or value is None for value in point):
        comma = [value if value is None else value.replace(",", ".") for value in comma]
    assert comma == point
