"""SDMX-CSV: the columns of the standard in their order, ids that are valid, labels that are kept."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.query.answer import Answer
from tacita.query.forms.sdmx_csv import table_sdmx_csv
from tacita.query.tables.cell_table import CellTable
from tests.query.forms.tables import counts, hostile, means


def read(answer: Any, **options: Any) -> list[list[str]]:
    return list(csv.reader(io.StringIO(table_sdmx_csv(answer, **options).decode("utf-8"), newline="")))


def test_columns_stand_in_the_order_of_the_standard() -> None:
    head, first, *_ = read(counts(), dataset="household survey", version="2.1.0", labels="id")
    assert head == [
        "STRUCTURE", "STRUCTURE_ID", "ACTION", "SEX", "SIZE", "STATISTIC", "OBS_VALUE", "OBS_STATUS", "CONF_STATUS",
        "UNIT_MEASURE",
    ]  # fmt: skip
    assert first == ["dataflow", "TACITA:HOUSEHOLD_SURVEY(2.1.0)", "I", "f", "up_to_2", "COUNT", "3", "A", "F", "PN"]


def test_labels_are_kept_beside_the_ids() -> None:
    head, *rows = read(counts(), dataset="survey")
    assert head[3:6] == ["SEX: sex", "SIZE: size", "STATISTIC: Statistic"]
    assert rows[2][1:7] == ["TACITA:SURVEY(1.0.0): survey", "I", "f: f", "_U: (missing)", "COUNT: count", ""]
    assert rows[0][7:] == ["A: Normal value", "F: Free (free for publication)", "PN: Pure number"]


def test_a_cell_without_a_value_is_empty_and_missing() -> None:
    rows = read(counts(), labels="id")[1:]
    assert [row[6] for row in rows] == ["3", "0", "", "5", "1", "2"]
    assert [row[7:9] for row in rows] == [["A", "F"]] * 2 + [["O", ""]] + [["A", "F"]] * 3


def test_values_that_cannot_be_relied_on_are_marked() -> None:
    head, *rows = read(means(), labels="id")
    assert head[-2:] == ["UNIT_MEASURE", "STD_ERROR"]
    assert [row[5:] for row in rows] == [
        ["-1.25", "A", "F", "", "0.1"],
        ["2.0", "U", "F", "", "1.9"],
        ["", "O", "", "", ""],
    ]


def test_an_answer_tells_the_response_and_the_unit() -> None:
    answer = Answer(
        status="answered", request={"kind": "tabulate", "response": "net income", "unit": "households"}, table=means()
    )
    head, first, *_ = read(answer, labels="id")
    assert head[4:7] == ["STATISTIC", "RESPONSE", "COUNTED_UNIT"]
    assert first[4:7] == ["MEAN", "NET_INCOME", "HOUSEHOLDS"]
    assert read(answer.to_plain(), labels="id") == read(answer, labels="id")


def test_refused_parts_are_suppressed() -> None:
    table = CellTable(
        ("sex", "a"), {"sex": ("f", "m"), "a": ("1", "2")}, "count", np.array([[1, np.nan], [np.nan, np.nan]])
    )
    parts = {"each": "sex", "answered": 1, "of": 2, "refused": {"m": ["set_size"]}}
    rows = read(Answer(status="answered", table=table, parts=parts), labels="id")[1:]
    assert [row[7] for row in rows] == ["A", "O", "Q", "Q"]


def test_no_field_is_a_formula_and_all_rows_are_as_long() -> None:
    rows = read(hostile())
    assert {len(row) for row in rows} == {len(rows[0])}
    assert len(rows) == 17
    assert not [field for row in rows for field in row if field[:1] in tuple("=+@")]
    assert rows[0][3:5] == ["CMD: =cmd", "A_B: a,b"]
    assert rows[1][3:5] == ["1_1: =1+1", 'say_no: say "no"']


def test_a_variable_called_like_a_column_of_the_standard() -> None:
    table = CellTable(
        ("obs_value", "statistic"), {"obs_value": ("a",), "statistic": ("b",)}, "percent", np.ones((1, 1))
    )
    head, row = read(table, labels="id")
    assert head[3:7] == ["OBS_VALUE_2", "STATISTIC_2", "STATISTIC", "OBS_VALUE"]
    assert len(set(head)) == len(head)
    assert row[3:7] == ["a", "b", "PERCENT", "1.0"]
    assert row[-1] == "PT"


@pytest.mark.parametrize(
    ("answer", "options"),
    [
        (Answer(status="answered", value=7.0), {}),
        (Answer(status="refused"), {}),
        ({"status": "answered"}, {}),
        (counts(), {"agency": "a b"}),
        (counts(), {"agency": "=1"}),
        (counts(), {"labels": "name"}),
    ],
)
def test_what_has_no_such_form(answer: Any, options: dict[str, Any]) -> None:
    with pytest.raises(ParameterError):
        table_sdmx_csv(answer, **options)
