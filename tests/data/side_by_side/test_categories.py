"""Codes that mean the same in both files."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tacita.data.microdata import Microdata
from tacita.data.pairing import pair_records
from tacita.data.side_by_side.categories import file_codes, paired_codes, shared_codes


def file(values: list) -> Microdata:
    return Microdata.from_frame(pa.table({"a": pa.array(values, pa.string())}))


def test_new_categories_follow_and_missing_is_last() -> None:
    pair = pair_records(file(["b", "d", None]), file(["a", "d", "b"]), "order")
    codes = shared_codes(pair, "a")
    assert (codes.known, codes.named, codes.size) == (2, 3, 4)
    assert codes.original.tolist() == [0, 1, 3]  # b, d, missing
    assert codes.masked.tolist() == [2, 1, 0]  # a is new


def test_missing_is_a_category_only_where_it_occurs() -> None:
    pair = pair_records(file(["b", "d"]), file(["d", "d"]), "order")
    assert shared_codes(pair, "a").size == 2
    empty = pair_records(file([None]), file([None]), "order")
    assert shared_codes(empty, "a").size == 1


def test_paired_codes_stand_side_by_side() -> None:
    data = file(["a", "b", "c", "d"])
    pair = pair_records(data, data.take(np.array([3, 1])))
    codes = paired_codes(pair, "a")
    assert codes.original.tolist() == codes.masked.tolist() == [3, 1]
    assert file_codes(pair, "a").original.tolist() == [0, 1, 2, 3]
    part = pair.among(np.array([True, True, False, False]))
    assert file_codes(part, "a").original.tolist() == [1]


def test_categories_of_different_types_are_different_categories() -> None:
    whole = Microdata.from_frame(pa.table({"a": [1, 2]}), scales={"a": "nominal"})
    codes = shared_codes(pair_records(whole, file(["1", "2"]), "order"), "a")
    assert codes.named == 4
