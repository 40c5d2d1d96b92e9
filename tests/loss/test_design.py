"""Terms of models: the same in both files."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.data.microdata import Microdata
from tacita.data.pairing import pair_records
from tacita.loss.design import categorical_terms, numeric_terms, side_by_side


def file(a: list, s: list) -> Microdata:
    return Microdata.from_frame(pa.table({"a": a, "s": pa.array(s, pa.string())}))


def test_numbers_have_the_unit_of_the_original() -> None:
    pair = pair_records(file([1.0, -4.0], ["x", "y"]), file([2.0, 8.0], ["x", "y"]), "order")
    terms = numeric_terms(pair, "a")
    assert terms.original[:, 0].tolist() == [0.25, -1]
    assert terms.masked[:, 0].tolist() == [0.5, 2]


def test_categories_but_the_first_have_a_term() -> None:
    pair = pair_records(file([1.0] * 4, ["x", "y", "z", None]), file([1.0] * 4, ["z", "q", "x", "y"]), "order")
    terms = categorical_terms(pair, "s")
    assert terms.names == ("s[2]", "s[3]")
    assert terms.original[:3].tolist() == [[0, 0], [1, 0], [0, 1]]
    assert terms.masked[[0, 2, 3]].tolist() == [[0, 1], [0, 0], [1, 0]]
    complete, masked_complete = terms.complete()
    assert complete.tolist() == [True, True, True, False]  # missing
    assert masked_complete.tolist() == [True, False, True, True]  # a category that the original does not have


def test_no_terms_still_have_records() -> None:
    pair = pair_records(file([1.0, 2.0], ["x", "y"]), file([1.0, 2.0], ["x", "y"]), "order")
    assert side_by_side(pair, []).original.shape == (2, 0)
    both = side_by_side(pair, [numeric_terms(pair, "a"), categorical_terms(pair, "s")])
    assert both.names == ("a", "s[2]")
    assert both.original == pytest.approx(np.array([[0.5, 0], [1, 1]]))
