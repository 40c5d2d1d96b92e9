"""Consistency: which cells are the same is found by what they are made of; how far they are apart is counted."""

from __future__ import annotations

import pytest

import tacita as tc
from tacita.core.errors import ParameterError
from tacita.tables.additive.consistency import consistency
from tacita.tables.model.dimension import Dimension

DATA = tc.samples.person_register(300, seed=1)
ONE, TWO = (tc.tabulate(DATA, ["sex", name]) for name in ("marital", "disability"))


def test_true_tables_agree() -> None:
    seen = consistency([ONE, TWO])
    assert (seen.cells, seen.differ, seen.largest, seen.share, seen.averaged) == (3, 0, 0.0, 0.0, 2.0)


def test_a_planted_difference_is_counted() -> None:
    values = TWO.values.copy()
    values[TWO.find({"sex": "male", "disability": "Total"})] += 2
    values[TWO.find({"sex": "male", "disability": "none"})] += 5
    seen = consistency([ONE, TWO.with_values(values)])
    assert (seen.cells, seen.differ, seen.largest, seen.spread) == (3, 1, 2.0, pytest.approx(2 / 3))
    assert seen.share == pytest.approx(1 / 3)


def test_a_code_by_another_name_is_the_same_cell() -> None:
    """'men' is made of 'male' alone: two cells of one table that must agree, and agree with the other table."""
    sex = Dimension("sex", ("All", "men", "male", "female"), (("All", ("men", "female")), ("men", ("male",))))
    table = tc.tabulate(DATA, [sex])
    assert consistency([table]).cells == 0
    seen = consistency([table, ONE])
    assert (seen.cells, seen.differ, seen.averaged) == (3, 0, 2.0)
    values = table.values.copy()
    values[table.find({"sex": "men"})] += 1
    assert consistency([table.with_values(values), ONE]).differ == 1


def test_no_tables_is_an_error() -> None:
    with pytest.raises(ParameterError, match="'tables' must have"):
        consistency([])
