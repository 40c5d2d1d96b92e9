"""The picture of an answered table: every number once, long tables cut, nothing for cells without a value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tacita.query.tables.cell_table import CellTable
from tacita.report.queries.tables import MOST_BARS, MOST_PANELS, cells_chart
from tacita.report.render import svg_bytes


def table(*shape: int, errors: bool = False) -> CellTable:
    names = tuple("abc"[: len(shape)])
    classes = {name: tuple(f"{name}{i}" for i in range(size)) for name, size in zip(names, shape, strict=True)}
    values = np.arange(1.0, np.prod(shape) + 1).reshape(shape)
    return CellTable(names, classes, "mean", values, values / 10 if errors else None)


def rows(chart: Any) -> list[dict[str, Any]]:
    """The cells that a chart of one panel, or a panel, draws."""
    return list(chart["data"]["values"])


def test_one_variable_is_bars() -> None:
    made = cells_chart(table(3, errors=True), title="A title", labels={"a": "Area"}).to_dict()
    (panel,) = made["hconcat"]
    assert [layer["mark"]["type"] for layer in panel["layer"]] == ["bar", "rule"]
    assert panel["layer"][0]["encoding"]["y"]["axis"]["title"] == "Area"
    assert [(row["row"], row["value"]) for row in rows(made)] == [("a0", 1.0), ("a1", 2.0), ("a2", 3.0)]
    assert made["title"]["text"] == "A title"


def test_few_columns_are_bars_side_by_side_on_one_scale() -> None:
    panels = cells_chart(table(3, 2)).to_dict()["hconcat"]
    assert [panel["title"] for panel in panels] == ["b0", "b1"]
    scales = [panel["layer"][0]["encoding"]["x"]["scale"]["domain"] for panel in panels]
    assert scales == [[0, 6], [0, 6]]


def test_many_columns_and_three_variables_are_shaded_cells() -> None:
    (one,) = cells_chart(table(3, 9)).to_dict()["concat"]
    assert one["mark"]["type"] == "rect"
    panels = cells_chart(table(2, 2, 3)).to_dict()["concat"]
    assert [panel["title"] for panel in panels] == ["c0", "c1", "c2"]
    assert {str(panel["encoding"]["color"]["scale"]["domain"]) for panel in panels} == {"[0.0, 12.0]"}


def test_a_cell_without_a_value_is_not_drawn() -> None:
    made = table(3)
    made.values[1] = np.nan
    assert [row["row"] for row in rows(cells_chart(made).to_dict())] == ["a0", "a2"]


def test_a_long_table_is_cut_and_says_so() -> None:
    made = cells_chart(table(MOST_BARS + 5, 2, MOST_PANELS + 1)).to_dict()
    assert len(made["concat"]) == MOST_PANELS
    assert len({row["row"] for row in rows(made["concat"][0])}) == MOST_BARS
    assert made["title"]["subtitle"] == ["the first 60 of 65 rows are drawn; the first 12 blocks are drawn"]


@pytest.mark.parametrize("shape", [(1,), (2, 2), (3, 7), (2, 3, 2), (2, 2, 3)])
def test_every_shape_is_drawn(shape: tuple[int, ...]) -> None:
    assert svg_bytes(cells_chart(table(*shape, errors=True))).startswith(b"<svg")


def test_a_table_without_any_value_is_drawn() -> None:
    for shape in ((2,), (2, 6)):
        made = table(*shape)
        made.values[...] = np.nan
        assert svg_bytes(cells_chart(made)).startswith(b"<svg")


def test_long_labels_that_begin_alike_stay_apart() -> None:
    long = "x" * 80
    made = CellTable(("a",), {"a": (long + "1", long + "2")}, "count", np.array([1.0, 2.0]))
    assert len({row["row"] for row in rows(cells_chart(made).to_dict())}) == 2
