"""The heat map of tables: every table once, the worst columns where there are many, and names that need no trust."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.loss.table_pmse import TablePmse
from tacita.report.render import svg_bytes
from tacita.report.synthetic.tables_map import TableRatios, heat_map, spoken_ratios, table_ratios

RATIOS = TableRatios(("age", "sex"), ((0.5, 12.0), (12.0, 2.0)), 0)


def drawn(found: TableRatios) -> list[dict]:
    chart = heat_map(found).to_dict()
    return (chart if "layer" not in chart else chart["layer"][0]).get("data", chart.get("data"))["values"]


def test_every_table_is_drawn_once() -> None:
    cells = drawn(RATIOS)
    assert [(cell["row"], cell["column"], cell["shown"]) for cell in cells] == [
        ("1. age", "1. age", "0.50"),
        ("2. sex", "1. age", "12"),
        ("2. sex", "2. sex", "2.0"),
    ]
    assert [cell["class"] for cell in cells] == ["up to 1: as chance", "above 10: not as the original", "1 to 3: good"]


def test_it_is_a_picture_with_figures_for_few_columns_and_without_for_many() -> None:
    few, many = svg_bytes(heat_map(RATIOS)), svg_bytes(heat_map(_large(20)))
    assert b">12<" in few
    assert many.count(b">0.50<") == 0
    assert b"20. " in many


def _large(size: int) -> TableRatios:
    return TableRatios(tuple(f"c{j}" for j in range(size)), ((0.5,) * size,) * size, 0)


def test_the_worst_are_said() -> None:
    assert spoken_ratios(RATIOS, 2) == "Heat map of tables, worst first: age by sex 12.0; sex 2.00"


def test_of_many_columns_the_worst_are_kept_in_their_order() -> None:
    rng = np.random.default_rng(1)
    data = tc.Microdata.from_frame(pa.table({f"c{j}": rng.integers(0, 3, 60).astype(float) for j in range(45)}))
    masked = data.with_numbers({"c44": np.zeros(60)})
    found = table_ratios(tc.evaluate(data, masked, measures=["table_pmse"]))
    assert found is not None
    assert (len(found.columns), found.left_out, found.columns[-1]) == (40, 5, "c44")
    assert list(found.columns) == sorted(found.columns, key=lambda name: int(name[1:]))


def test_a_card_without_the_measure_has_none() -> None:
    data = tc.samples.household_survey(60, seed=1)
    assert table_ratios(tc.evaluate(data, data, measures=["contingency"])) is None
    assert table_ratios(tc.evaluate(data, data, measures=[TablePmse(columns=["sex"])])) is not None


@pytest.mark.parametrize("name", ["<b>&", "a" * 200, "x\x00y"])
def test_odd_names_are_drawn(name: str) -> None:
    assert svg_bytes(heat_map(RATIOS._replace(columns=(name, "sex")))).startswith(b"<svg")
