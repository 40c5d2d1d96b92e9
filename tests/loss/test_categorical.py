"""Direct comparison of categories: by hand and against the slow version."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, MeasureError
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema
from tacita.loss import DirectCategorical
from tests.oracles.loss import categorical_losses as oracle

LEVELS = ("low", "middle", "high", "top")


def file(sex: list, level: list) -> Microdata:
    schema = Schema(
        (Column(name="sex", scale="nominal"), Column(name="level", scale="ordinal", categories=LEVELS)),
    )
    return Microdata(pa.table({"sex": pa.array(sex, pa.string()), "level": pa.array(level, pa.string())}), schema)


def test_by_hand() -> None:
    """Sex: one of four changed. Level: low to high passes low and middle, 2 of 4; suppressed counts 1."""
    data = file(["f", "m", "f", None], ["low", "middle", "top", "high"])
    masked = file(["f", "f", "f", None], ["high", "middle", None, "middle"])
    found = DirectCategorical()(data, masked, pairing="order")
    assert found.parts == pytest.approx({"sex": 25, "level": 100 * (0.5 + 0 + 1 + 0.25) / 4})
    assert found.per_record == pytest.approx([0.25, 0.5, 0.5, 0.125])
    assert found.value == pytest.approx((25 + 43.75) / 2)


rows = st.tuples(*[st.sampled_from([None, "f", "m", "x"])] * 2, *[st.sampled_from([None, *LEVELS])] * 2)


@given(st.lists(rows, min_size=1, max_size=12))
def test_against_the_slow_version(records: list) -> None:
    sex, sex2, level, level2 = (list(column) for column in zip(*records, strict=True))
    found = DirectCategorical()(file(sex, level), file(sex2, level2), pairing="order")
    nominal, ordinal = oracle.direct(sex, sex2, None), oracle.direct(level, level2, LEVELS)
    assert found.per_record == pytest.approx([(a + b) / 2 for a, b in zip(nominal, ordinal, strict=True)])


def test_an_order_that_is_not_declared_is_sorted_over_both_files() -> None:
    def numbers(values: list) -> Microdata:
        return Microdata.from_frame(pa.table({"a": values}), scales={"a": "ordinal"})

    found = DirectCategorical()(numbers([1, 2, 4]), numbers([1, 3, 4]), pairing="order")
    assert found.per_record == pytest.approx([0, 1 / 4, 0])  # 1, 2, 3, 4


def test_a_category_without_a_place_in_the_order_is_far_from_all() -> None:
    data = file(["f", "f"], ["low", "top"])
    schema = Schema((Column(name="sex", scale="nominal"), Column(name="level", scale="nominal")))
    masked = Microdata(pa.table({"sex": ["f", "f"], "level": ["low or middle", "top"]}), schema)
    found = DirectCategorical()(data, masked, pairing="order")
    assert found.parts["level"] == 50
    assert found.note == "categories without a place in the order: level"


def test_categories_without_a_common_order_are_refused() -> None:
    data = Microdata.from_frame(pa.table({"a": [1, 2]}), scales={"a": "ordinal"})
    masked = Microdata.from_frame(pa.table({"a": ["1-2", "1-2"]}), scales={"a": "ordinal"})
    with pytest.raises(MeasureError, match="'a' is ordinal, but its categories in the two files have no common order"):
        DirectCategorical()(data, masked, pairing="order")


def test_numeric_columns_are_refused() -> None:
    data = Microdata.from_frame(pa.table({"a": [1.0, 2.0]}))
    with pytest.raises(ColumnError, match="works on ordinal and nominal columns, but 'a' is numeric"):
        DirectCategorical(columns=("a",))(data, data)
