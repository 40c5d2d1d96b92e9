"""Key columns with their levels, held against loops over the rows of the hierarchy."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import ColumnError, DataError
from tacita.data.hierarchy import Hierarchy
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema
from tacita.mask.recode.ladders import as_text, key_ladder, recoded_column, with_labels

AGES = Hierarchy(tuple((str(a), f"{a // 10}0s", "young" if a < 40 else "old", "*") for a in range(20, 60, 5)))


def file(values: list[int | None], hierarchy: Hierarchy | None = AGES, **more: object) -> Microdata:
    column = Column(name="age", scale="numeric", roles=("key",), hierarchy=hierarchy, **more)  # type: ignore[arg-type]
    return Microdata(pa.table({"age": pa.array(values, pa.int64())}), Schema((column,)))


def test_groups_labels_and_shares_are_those_of_a_loop() -> None:
    values = [20, 35, None, 55, 40, 20]
    ladder = key_ladder(file(values), "age", owner="M")
    for level in range(AGES.depth):
        up = {row[0]: row[level] for row in AGES.rows}
        for value, code in zip(values, ladder.codes.tolist(), strict=True):
            label = None if value is None else up[str(value)]
            at_root = level == AGES.depth - 1
            assert ladder.labels[level][ladder.up[level, code]] == ("*" if at_root else label)
            covered = sum(row[level] == label for row in AGES.rows)
            share = 1.0 if value is None else (covered - 1) / (len(AGES.rows) - 1)
            assert ladder.share[level, code] == pytest.approx(share)


def test_a_column_without_a_hierarchy_has_two_levels() -> None:
    ladder = key_ladder(file([1, 2, 2, None], None), "age", owner="M")
    assert ladder.labels == (("1", "2", None), ("*",))
    assert ladder.up.tolist() == [[0, 1, 2], [0, 0, 0]]


def test_loss_by_level_counts_steps() -> None:
    ladder = key_ladder(file([20, 35, None]), "age", owner="M").ladder("precision")
    assert ladder.loss[:, 0].tolist() == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert (ladder.loss[:, -1] == 1).all(), "missing is lost at every level"


def test_a_value_outside_the_hierarchy_is_an_error_without_the_value() -> None:
    with pytest.raises(DataError, match=r"1 value\(s\) in 2 record\(s\)") as told:
        key_ladder(file([20, 99, 99]), "age", owner="M")
    assert "99" not in str(told.value)
    assert told.value.details["values"] == ["99"]


@pytest.mark.parametrize(("value", "text"), [(3.0, "3"), (3.5, "3.5"), ("a", "a"), (7, "7")])
def test_values_as_they_stand_in_a_hierarchy(value: object, text: str) -> None:
    assert as_text(value) == text


def test_recoded_columns_are_ordered_where_groups_are_intervals() -> None:
    column = Column(name="age", scale="numeric", hierarchy=AGES)
    assert recoded_column(column, AGES, 0) is column
    tens = recoded_column(column, AGES, 1)
    assert (tens.scale, tens.categories) == ("ordinal", ("20s", "30s", "40s", "50s"))
    assert tens.hierarchy is not None
    assert set(tens.hierarchy.values) == {"20s", "30s", "40s", "50s"}
    odd = Hierarchy(tuple((str(a), "even" if a % 2 == 0 else "odd", "*") for a in range(6)))
    assert recoded_column(column, odd, 1).scale == "nominal", "groups that interlock have no order"


def test_labels_take_the_place_of_values() -> None:
    data = file([20, 35, None])
    column = Column(name="age", scale="nominal", roles=("key",))
    made = with_labels(data, "age", np.array([1, 0, -1]), ["x", None], column, owner="M")
    assert made.to_arrow(codes=False).column("age").to_pylist() == [None, "x", None]
    weight = data.with_schema(data.schema.change("age", roles=("weight",)))
    with pytest.raises(ColumnError, match="describes the sample"):
        with_labels(weight, "age", np.array([0, 0, 0]), ["x"], column, owner="M")
