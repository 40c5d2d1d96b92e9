"""Pairing: by the link, by row order when told so, by nearness otherwise."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ColumnError, MeasureError, ParameterError
from tacita.core.selectors import Selector
from tacita.data.microdata import Microdata
from tacita.data.pairing import absent_columns, misfit_columns, pair_records


def make(a: list[float], **more: list[float]) -> Microdata:
    return Microdata.from_frame(pa.table({"a": a, **more}))


def test_auto_uses_the_link() -> None:
    data = make([1.0, 2.0, 3.0, 4.0])
    masked = data.with_numbers({"a": np.array([9.0, 8.0, 7.0, 6.0])}).take(np.array([3, 1]))
    pair = pair_records(data, masked)
    assert pair.how == "link"
    assert pair.is_true_pairing
    assert pair.rows.tolist() == [3, 1]
    x, y = pair.arrays(("a",))
    assert x.ravel().tolist() == [4, 2]
    assert y.ravel().tolist() == [6, 8]


def test_both_files_may_be_parts_of_a_third() -> None:
    data = make([1.0, 2.0, 3.0, 4.0, 5.0])
    original, masked = data.take(np.array([4, 2, 0])), data.take(np.array([0, 1, 2]))
    pair = pair_records(original, masked)
    assert pair.masked_rows.tolist() == [0, 2]
    assert pair.rows.tolist() == [2, 1]


def test_records_without_an_original_are_left_out() -> None:
    data = make([1.0, 2.0, 3.0])
    synthetic = make([10.0, 20.0, 30.0, 40.0]).with_origin(data, np.array([2, -1, 0, -1]))
    pair = pair_records(data, synthetic)
    assert pair.masked_rows.tolist() == [0, 2]
    assert pair.rows.tolist() == [2, 0]


def test_auto_without_a_link_is_by_nearness_never_by_order() -> None:
    pair = pair_records(make([1.0, 5.0, 9.0]), make([8.8, 1.2, 5.1, 4.9]))
    assert pair.how == "nearest"
    assert not pair.is_true_pairing
    assert pair.rows.tolist() == [2, 0, 1, 1]


def test_order_when_told_so() -> None:
    pair = pair_records(make([1.0, 5.0]), make([5.0, 1.0]), "order")
    assert pair.how == "order"
    assert pair.rows.tolist() == pair.masked_rows.tolist() == [0, 1]


def test_nearness_uses_standardised_columns_that_both_have() -> None:
    """Without standardising, the wide column b would decide; c is in one file only and the weight describes the sample."""
    original = Microdata.from_frame(
        pa.table({"a": [0.0, 1.0, 2.0], "b": [0.0, 1000.0, 0.0], "c": [1.0, 2.0, 3.0], "w": [1.0, 5.0, 9.0]}),
        weight="w",
    )
    masked = Microdata.from_frame(pa.table({"w": [9.0], "b": [100.0], "a": [1.9]}), weight="w")
    assert pair_records(original, masked).rows.tolist() == [2]


def test_missing_values_lie_at_the_mean() -> None:
    original = Microdata.from_frame(pa.table({"a": [0.0, 10.0, None]}))
    masked = Microdata.from_frame(pa.table({"a": pa.array([None, 9.0, 5.1])}))
    assert pair_records(original, masked).rows.tolist() == [2, 1, 2]


@pytest.mark.parametrize(
    ("original", "masked", "pairing", "words"),
    [
        (make([1.0]), make([1.0]), "link", "carry no link to this original"),
        (make([1.0]), make([1.0, 2.0]), "order", "equal length, got 1 and 2 records"),
        (make([]), make([1.0]), "nearest", "both files have records and share a numeric column"),
        (make([1.0]), make([]), "auto", "both files have records"),
        (make([1.0]), Microdata.from_frame(pa.table({"b": [1.0]})), "nearest", "share no column"),
        (make([1.0]), Microdata.from_frame(pa.table({"b": [1.0]})), "order", "share no column"),
        (make([1.0]), Microdata.from_frame(pa.table({"a": ["x"]})), "nearest", "share a numeric column"),
    ],
)
def test_what_cannot_be_paired(original: Microdata, masked: Microdata, pairing: str, words: str) -> None:
    with pytest.raises(MeasureError, match=words):
        pair_records(original, masked, pairing)  # type: ignore[arg-type]


def test_unknown_pairing() -> None:
    with pytest.raises(ParameterError, match="'pairing' must be one of auto, link, order, nearest, got 'rows'"):
        pair_records(make([1.0]), make([1.0]), "rows")  # type: ignore[arg-type]


def test_rules_select_among_shared_columns() -> None:
    data = make([1.0, 2.0], b=[1.0, 2.0])
    pair = pair_records(data, data.drop(["b"]))
    from tacita.core.selectors import numeric

    assert pair.resolve(numeric(), owner="Toy", scales=frozenset({"numeric"})) == ("a",)
    with pytest.raises(ColumnError, match="Toy: column 'b' is not in the masked file, only in the original"):
        pair.resolve(("b",), owner="Toy", scales=frozenset({"numeric"}))
    with pytest.raises(ColumnError, match="Toy: column 'b' is not in the original, only in the masked file"):
        pair_records(data.drop(["b"]), data).resolve(("b",), owner="Toy", scales=frozenset({"numeric"}))
    with pytest.raises(ColumnError, match="Column 'c' is not in the data"):
        pair.resolve(("c",), owner="Toy", scales=frozenset({"numeric"}))


def test_absent_columns_are_those_that_describe_respondents() -> None:
    data = Microdata.from_frame(
        pa.table({"a": [1.0], "s": ["x"], "i": ["n1"], "w": [1.0]}), identifiers=["i"], weight="w"
    )
    assert absent_columns(data, make([1.0])) == ("s",)
    assert absent_columns(data, data) == ()


def test_columns_that_are_numbers_in_one_file_only() -> None:
    """Numbers that only one schema calls categories can be compared as categories, texts with numbers never."""
    numbers, texts = make([1.0, 2.0], b=[1.0, 2.0]), Microdata.from_frame(pa.table({"a": ["x", "y"], "b": [1.0, 2.0]}))
    assert misfit_columns(numbers, texts) == misfit_columns(texts, numbers) == ("a",)
    codes = Microdata.from_frame(pa.table({"a": [1, 2]}), scales={"a": "nominal"})
    assert misfit_columns(codes, numbers) == ()
    assert misfit_columns(numbers, codes) == ("a",)
    pair = pair_records(numbers, texts, "order")
    rule = Selector("numeric columns")
    assert pair.resolve(rule, owner="Toy", scales=frozenset({"numeric"})) == ("b",)
    assert pair.left_out(rule, scales=frozenset({"numeric"})) == ((), ("a",))
    assert pair.left_out(("a",), scales=frozenset({"numeric"})) == ((), ())
    assert pair.resolve(rule, owner="Toy", scales=frozenset({"numeric", "nominal"})) == ("a", "b")
    with pytest.raises(ColumnError, match="Toy: column 'a' is numeric in the original and nominal in the masked file"):
        pair.resolve(("b", "a"), owner="Toy", scales=frozenset({"numeric"}))


def test_link_is_not_shown() -> None:
    data = make([1.0, 2.0])
    assert "rows" not in repr(pair_records(data, data.take(np.array([1, 0]))))


def test_some_records_are_compared_with_whole_files() -> None:
    data = make([1.0, 2.0, 3.0, 4.0])
    masked = data.with_numbers({"a": np.array([9.0, 8.0, 7.0, 6.0])}).take(np.array([3, 1, 0]))
    part = pair_records(data, masked).among(np.array([True, False, True, True]))
    assert part.rows.tolist() == [3, 0]
    assert part.masked_rows.tolist() == [0, 2]
    assert len(part.masked) == 3
    assert [values.ravel().tolist() for values in part.files(("a",))] == [[4, 1], [6, 9]]


def test_among_needs_a_truth_value_for_each_original() -> None:
    pair = pair_records(make([1.0, 2.0]), make([1.0, 2.0]), "order")
    for wrong in (np.array([True]), np.array([0, 1])):
        with pytest.raises(ParameterError, match="one truth value for each of 2 original records"):
            pair.among(wrong)
    with pytest.raises(MeasureError, match="No masked record"):
        pair.among(np.array([False, False]))


def test_files_side_by_side_need_no_rows_to_be_picked() -> None:
    data = tc.samples.household_survey(100, seed=1)
    masked = tc.mask.RankSwap(columns=["income"], p=10).apply(data, seed=7)
    pair, turned = pair_records(data, masked), pair_records(data, masked.take(np.arange(100)[::-1]))
    assert pair.is_aligned
    assert not turned.is_aligned
    assert not pair.among(np.arange(100) < 50).is_aligned
    for one in (pair, turned):
        x, y = one.arrays(("income", "age"))
        assert np.array_equal(x, one.original.floats(["income", "age"])[one.rows], equal_nan=True)
        assert np.array_equal(y, one.masked.floats(["income", "age"])[one.masked_rows], equal_nan=True)
        assert x.flags.c_contiguous
