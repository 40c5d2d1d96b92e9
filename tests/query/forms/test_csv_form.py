"""CSV: every reader finds the cells again, no field is a formula, no gap is 0."""

from __future__ import annotations

import csv
import io
import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import csv as arrow_csv

from tacita.data.formats.formulas import neutral_texts
from tacita.query.camouflage.model_intervals import CoefficientInterval, IntervalModel
from tacita.query.forms.csv_form import correlations_csv, csv_bytes, model_csv, number_csv, quantiles_csv, table_csv
from tacita.query.models.correlate import CorrelationOutcome
from tacita.query.models.model_result import Coefficient, FittedModel, ModelTable
from tacita.query.tables.cell_table import CellTable
from tests.effort import examples
from tests.query.forms.tables import counts, hostile, means


def read(content: bytes) -> list[dict[str, str]]:
    """The rows, as the module of the standard library reads them."""
    return list(csv.DictReader(io.StringIO(content.decode("utf-8"), newline="")))


@pytest.mark.parametrize("table", [counts(), means()])
def test_a_table_is_found_again(table: CellTable) -> None:
    rows, back = table.to_rows(), read(table_csv(table))
    assert list(back[0]) == list(rows)
    for name, column in rows.items():
        assert [row[name] for row in back] == ["" if value is None else str(value) for value in column]


def test_a_cell_without_a_value_is_empty() -> None:
    assert [row["count"] for row in read(table_csv(counts()))] == ["3", "0", "", "5", "1", "2"]
    assert read(table_csv(means()))[2] == {"health": "bad", "mean": "", "standard_error": "", "flag": ""}


def test_lines_end_as_the_standard_says() -> None:
    content = table_csv(counts())
    assert content.count(b"\r\n") == 7
    assert content.endswith(b"\r\n")
    assert b"\n" not in content.replace(b"\r\n", b"")


def test_no_field_is_a_formula() -> None:
    rows = list(csv.reader(io.StringIO(table_csv(hostile()).decode(), newline="")))
    assert rows[0] == ["'=cmd", "a,b", "percent"]
    assert list(dict.fromkeys(row[0] for row in rows[1:])) == ["'=1+1", "'+a", "-9", "'@x"]
    assert list(dict.fromkeys(row[1] for row in rows[1:])) == ['say "no"', "two\r\nlines", "北", "é"]
    assert float(rows[1][2]) == -8  # a negative number is none


def test_arrow_reads_it_too() -> None:
    found = arrow_csv.read_csv(pa.BufferReader(table_csv(means())))
    assert found["mean"].to_pylist() == [-1.25, 2.0, None]


@settings(max_examples=examples(30))
@given(st.lists(st.tuples(st.text(max_size=5), st.none() | st.floats(allow_infinity=False)), min_size=1, max_size=5))
def test_any_texts_and_numbers_are_found_again(rows: list[tuple[str, float | None]]) -> None:
    texts, numbers = zip(*rows, strict=True)
    back = list(csv.reader(io.StringIO(csv_bytes(["a", "b"], [texts, numbers]).decode("utf-8"), newline="")))[1:]
    assert [row[0] for row in back] == neutral_texts(texts)
    shown = [None if number is None or math.isnan(number) else number for number in numbers]
    assert [float(row[1]) if row[1] else None for row in back] == shown


def model() -> FittedModel:
    intercept = Coefficient("(intercept)", (), 1.5, 0.0, np.nan, np.nan)
    slope = Coefficient("log(x)", (("x", "log", None),), -2.0, 0.5, -4.0, 0.001)
    return FittedModel(
        "y", "linear", "least squares", (intercept, slope), 100, 0.5, ModelTable("anova", ()), (), (), "t"
    )


def test_a_model_has_a_row_for_each_coefficient() -> None:
    assert read(model_csv(model())) == [
        {"label": "(intercept)", "estimate": "1.5", "error": "0.0", "statistic": "", "p_value": ""},
        {"label": "log(x)", "estimate": "-2.0", "error": "0.5", "statistic": "-4.0", "p_value": "0.001"},
    ]


def test_quantiles_have_a_row_for_each_level() -> None:
    found = {
        "response": "x",
        "quantiles": [{"level": 0.5, "bin": "3 to 4", "value": 3.5}, {"level": 0.9, "bin": "above 4"}],
    }
    assert read(quantiles_csv(found)) == [
        {"response": "x", "level": "0.5", "bin": "3 to 4", "value": "3.5"},
        {"response": "x", "level": "0.9", "bin": "above 4", "value": ""},
    ]
    assert quantiles_csv({"response": "x", "quantiles": []}) == b"response,level,bin,value\r\n"


def test_correlations_are_a_square() -> None:
    found = CorrelationOutcome((), "pearson", ("x", "y"), ((1.0, 0.5), (0.5, 1.0)))
    assert correlations_csv(found) == b"variable,x,y\r\nx,1.0,0.5\r\ny,0.5,1.0\r\n"


def test_one_number() -> None:
    assert number_csv(7.5) == b"value\r\n7.5\r\n"
    assert read(number_csv(None, (1.0, 2.0))) == [{"low": "1.0", "high": "2.0"}]
    assert b"0" not in number_csv(None)


def test_a_model_of_intervals_has_two_ends_a_coefficient() -> None:
    model = IntervalModel("income", (CoefficientInterval("(intercept)", -1.5, 2.0),), (1.0, 2.0))
    assert model_csv(model) == b"label,low,high\r\n(intercept),-1.5,2.0\r\n"
