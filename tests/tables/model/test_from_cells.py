"""Tables from given cells."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, DataError
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.from_cells import table_from_cells
from tests.oracles.tables.tables import cells_of, leaves_under
from tests.tables.examples import REGION, SIZE, dimensions

INNER = {
    "region": ["n1", "n1", "n2", "n2", "s1", "s1"],
    "size": ["small", "large"] * 3,
    "value": [1, 2, 3, 4, 5, 6],
    "n": [1, 1, 1, 1, 2, 2],
}


def test_totals_are_computed() -> None:
    table = table_from_cells(INNER, [REGION, SIZE], count="n", response="turnover")
    assert table.values[0] == 21
    assert table.values[table.find({"region": "N", "size": "large"})].tolist() == [6.0]
    assert table.counts is not None
    assert table.counts[0] == 8
    assert not table.is_frequency
    table.check_additive()


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames(frame: type) -> None:
    table = table_from_cells(frame(INNER), [REGION, "size"])
    assert table.values[0] == 21
    assert table.dimensions[1].codes == ("Total", "small", "large")


@given(dimensions("a"), dimensions("b"), st.data())
def test_any_hierarchy(a: Dimension, b: Dimension, data: st.DataObject) -> None:
    inner = [(i, j) for i in a.leaves for j in b.leaves]
    amounts = dict(
        zip(inner, data.draw(st.lists(st.integers(-9, 9), min_size=len(inner), max_size=len(inner))), strict=True)
    )
    wanted = [
        sum(v for (i, j), v in amounts.items() if i in leaves_under(a, x) and j in leaves_under(b, y))
        for x, y in cells_of([a, b])
    ]
    rows = {"a": [i for i, _ in inner], "b": [j for _, j in inner], "value": list(amounts.values())}
    assert table_from_cells(rows, [a, b]).values.tolist() == wanted
    whole = {
        "a": [x for x, _ in cells_of([a, b])],
        "b": [y for _, y in cells_of([a, b])],
        "value": wanted,
    }
    assert table_from_cells(whole, [a, b]).values.tolist() == wanted


def test_totals_that_are_given() -> None:
    rows = {"size": ["all", "small", "large"], "value": [9.0, 4.0, 5.0], "lower": [0, None, 1]}
    table = table_from_cells(rows, ["size"], lower="lower")
    assert table.dimensions[0].codes == ("all", "small", "large")
    assert table.lower is not None
    assert table.lower.tolist() == [0, -np.inf, 1]


def test_two_sets_of_leaves() -> None:
    """A total with two breakdowns that do not know each other; the cells are given, so nothing must be known of them."""
    two = Dimension("a", ("T", "x", "y", "u", "v"), (("T", ("x", "y")), ("T", ("u", "v"))))
    table = table_from_cells({"a": ["x", "y", "u", "v"], "value": [1, 4, 2, 3]}, [two])
    assert table.values[0] == 5
    with pytest.raises(DataError, match="1 of 2 relations are off"):
        table_from_cells({"a": ["x", "y", "u", "v"], "value": [1, 4, 2, 4]}, [two])


def test_absent_cells() -> None:
    rows = {"region": ["n1"], "size": ["small"], "value": [7]}
    table = table_from_cells(rows, [REGION, SIZE], absent_is_empty=True)
    assert table.values[0] == 7
    assert (table.values == 0).sum() == 18 - 6
    with pytest.raises(DataError, match=r"17 cell\(s\) are not listed"):
        table_from_cells(rows, [REGION, SIZE])


def test_unknown_values() -> None:
    rows = {"size": ["Total", "small", "large"], "value": [9, None, None]}
    table = table_from_cells(rows, ["size"], unknown=np.array([False, True, True]))
    assert np.isnan(table.values).tolist() == [False, True, True]


def test_additivity_names_the_relations() -> None:
    rows = {"size": ["Total", "small", "large"], "value": [73517351, 1, 2]}
    with pytest.raises(DataError, match="size=Total is the sum of size=small; size=large") as caught:
        table_from_cells(rows, ["size"])
    assert "7351" not in str(caught.value)


def test_all_problems_at_once() -> None:
    rows = {
        "region": ["n1", "n1", "m9", "s1"],
        "size": ["small", "small", "small", "large"],
        "value": [73517351, 1, 2, None],
        "n": [1, 1, 1.5, 0],
    }
    with pytest.raises(DataError) as caught:
        table_from_cells(rows, [REGION, SIZE], count="n")
    text = str(caught.value)
    for part in (
        "no code 'm9'",
        "region=n1, size=small stands on 2 rows",
        "1 cell(s) have no finite value",
        "no whole number",
        "not listed",
    ):
        assert part in text
    assert "7351" not in text


def test_bad_input() -> None:
    with pytest.raises(ColumnError, match="Did you mean 'value'"):
        table_from_cells(INNER, [REGION, SIZE], value="valu")
    with pytest.raises(ColumnError, match="'sex' is not among the cells"):
        table_from_cells(INNER, ["sex"])
    with pytest.raises(DataError, match="must hold numbers"):
        table_from_cells({"size": ["a"], "value": ["CANARY"]}, ["size"])
    with pytest.raises(DataError, match="same length"):
        table_from_cells({"size": ["a"], "value": [1, 2]}, ["size"])
