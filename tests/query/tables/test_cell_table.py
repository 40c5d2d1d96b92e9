"""A table as it leaves: cells by name, rows, JSON, and marks of what cannot be relied on."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.query.tables.cell_table import CellTable, reliability_flags

VALUES = np.array([[10.0, np.nan, 0.0], [4.0, 5.0, 6.0]])
ERRORS = np.array([[1.0, np.nan, 2.0], [1.0, 2.5, np.nan]])
CLASSES = {"sex": ("f", "m"), "size": ("1", "2", "true")}


def table(
    statistic: str = "mean", errors: np.ndarray | None = ERRORS, by: tuple[str, str] = ("sex", "size")
) -> CellTable:
    return CellTable(by, dict(zip(by, CLASSES.values(), strict=True)), statistic, VALUES, errors)


def test_cells_are_found_by_their_classes() -> None:
    assert table()[{"sex": "m", "size": "2"}] == 5
    assert table()[{"size": 2, "sex": "m"}] == 5
    assert table()[{"size": True, "sex": "m"}] == 6
    assert np.isnan(table()[{"sex": "f", "size": 2.0}])
    assert table().shape == (2, 3)


@pytest.mark.parametrize("named", [{}, {"sex": "m"}, {"sex": "m", "size": "1", "age": "1"}, {"sex": "m", "age": "1"}])
def test_a_cell_has_a_class_of_each_variable(named: dict[str, str]) -> None:
    with pytest.raises(ParameterError, match="a class of each of sex, size"):
        table()[named]


def test_other_classes_have_no_cell() -> None:
    with pytest.raises(ParameterError, match="'sex' has no class 'x'"):
        table()[{"sex": "x", "size": "1"}]


def test_the_form_of_json() -> None:
    plain = table().to_plain()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain["by"] == ["sex", "size"]
    assert plain["classes"] == {"sex": ["f", "m"], "size": ["1", "2", "true"]}
    assert plain["values"] == [10.0, None, 0.0, 4.0, 5.0, 6.0]
    assert plain["standard_errors"] == [1.0, None, 2.0, 1.0, 2.5, None]
    assert plain["flags"] == ["", "", "**", "*", "**", "**"]
    assert "standard_errors" not in table(errors=None).to_plain()
    assert table(errors=None).flags is None


def test_counts_are_whole_numbers() -> None:
    assert [type(v) for v in table("count", None).to_plain()["values"]] == [int, type(None), int, int, int, int]
    assert isinstance(table("percent", None).to_plain()["values"][0], float)


def test_rows_are_cells() -> None:
    rows = table().to_rows()
    assert list(rows) == ["sex", "size", "mean", "standard_error", "flag"]
    assert list(zip(rows["sex"], rows["size"], rows["mean"], strict=True))[4] == ("m", "2", 5.0)
    assert {len(column) for column in rows.values()} == {6}
    for i, (sex, size) in enumerate(zip(rows["sex"], rows["size"], strict=True)):
        cell = table()[{"sex": sex, "size": size}]
        assert rows["mean"][i] == (None if np.isnan(cell) else cell)


def test_variables_may_be_called_like_the_columns_of_values() -> None:
    rows = table("count", by=("count", "flag")).to_rows()
    assert list(rows) == ["count", "flag", "count_", "standard_error", "flag_"]
    assert rows["count"][0] == "f"
    assert rows["count_"][0] == 10


def test_nothing_is_shown_of_values_where_a_table_is_printed() -> None:
    assert "10.0" not in repr(table())


@pytest.mark.parametrize(
    ("value", "error", "flag"),
    [
        (100, 24.9, ""), (100, 25, "*"), (100, 49.9, "*"), (100, 50, "**"), (-100, 30, "*"), (0, 0, ""), (0, 1, "**"),
        (5, 0, ""), (5, np.nan, "**"), (np.nan, np.nan, ""), (np.nan, 0, ""), (5, 1e300, "**"),
    ],
)  # fmt: skip
def test_marks_of_reliability(value: float, error: float, flag: str) -> None:
    assert reliability_flags(np.array([value], dtype=float), np.array([error], dtype=float)) == [flag]


# --- read back --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("statistic", ["count", "weighted_count", "percent", "mean", "total"])
@pytest.mark.parametrize("errors", [ERRORS, None], ids=["errors", "none"])
def test_a_table_is_read_back(statistic: str, errors: np.ndarray | None) -> None:
    plain = json.loads(json.dumps(table(statistic, errors).to_plain(), sort_keys=True))
    back = CellTable.from_plain(plain)
    assert back.to_plain() == plain
    assert back.to_rows() == table(statistic, errors).to_rows()
    assert (back.by, back.shape, back.flags) == (("sex", "size"), (2, 3), table(statistic, errors).flags)
    assert back[{"sex": "m", "size": 2}] == 5


WRONG: dict[str, dict[str, Any]] = {
    "no variables": {"by": []},
    "variables twice": {"by": ["sex", "sex"]},
    "many variables": {"by": [f"v{i}" for i in range(33)]},
    "classes of another": {"classes": {"sex": ["f", "m"], "age": ["1"]}},
    "classes lacking": {"classes": {"sex": ["f", "m"]}},
    "classes too many": {"classes": {**{k: list(v) for k, v in CLASSES.items()}, "age": []}},
    "classes twice": {"classes": {"sex": ["f", "f"], "size": ["1", "2", "true"]}},
    "classes that are numbers": {"classes": {"sex": ["f", "m"], "size": [1, 2, 3]}},
    "an unknown statistic": {"statistic": "variance"},
    "few values": {"values": [1, 2, 3]},
    "many values": {"values": [1] * 7},
    "texts": {"values": ["1"] * 6},
    "halves of counts": {"statistic": "count", "values": [0.5] * 6},
    "few errors": {"standard_errors": [1]},
    "other marks": {"flags": [""] * 6},
    "no marks": {"flags": None},
    "more": {"totals": []},
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_table_is_an_error(name: str) -> None:
    with pytest.raises(ParameterError, match="table"):
        CellTable.from_plain(table().to_plain() | WRONG[name])


@pytest.mark.parametrize("lost", ["by", "classes", "statistic", "values", "standard_errors", "flags"])
def test_a_table_has_all_its_parts(lost: str) -> None:
    plain = {name: part for name, part in table().to_plain().items() if name != lost}
    with pytest.raises(ParameterError, match=lost if lost != "standard_errors" else "flags"):
        CellTable.from_plain(plain)
