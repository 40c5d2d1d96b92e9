"""Sparse categories: absorbed until nothing is sparse, in a fixed order."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.query.models.cases import ModelData, Predictor
from tacita.query.models.design import Categories, design_of
from tacita.query.models.sparse_rules import (
    SparseLimits,
    absorb_sparse,
    crossed_variables,
    is_saturated,
    most_common_reference,
    nearly_constant,
    rarest_class,
    records_off_mode,
)
from tacita.query.models.terms import ModelSpec
from tests.query.models.builders import numbers

TEN = SparseLimits(count=10)


def categorical(n: int, **columns: list[int]) -> ModelData:
    made = tuple(
        Predictor(name, codes=np.array(codes), classes=tuple("abcdefgh"[: max(codes) + 1]))
        for name, codes in columns.items()
    )
    return ModelData(np.arange(n) % 7.0, made)


def test_the_most_common_class_is_the_reference_and_ties_take_the_first() -> None:
    assert most_common_reference(np.array([5, 30, 30]), 5) == Categories(1, (0, 2))
    assert most_common_reference(np.array([9, 30, 10]), 10) == Categories(1, (2,), (0,))


def test_both_sides_of_a_dummy() -> None:
    """With two classes the other side of the rare one is the common one; a class of all but 9 has no dummy."""
    assert most_common_reference(np.array([9, 991]), 10).kept == ()
    assert most_common_reference(np.array([10, 990]), 10).kept == (0,)


def test_no_sparse_class_changes_nothing() -> None:
    data = categorical(60, g=[0, 1, 2] * 20)
    made, refused = absorb_sparse(ModelSpec.of("y", ["g"]), data, TEN)
    assert refused is None
    assert made == {"g": Categories(0, (1, 2))}


def test_nothing_left_is_a_refusal() -> None:
    data = categorical(60, g=[0] * 55 + [1] * 5)
    _, refused = absorb_sparse(ModelSpec.of("y", ["g"]), data, TEN)
    assert refused is not None
    assert refused.rule == "sparse_categories"


def test_an_interaction_absorbs_the_rarest_class_of_a_sparse_combination() -> None:
    """g has 60, 40, 20 records; the combination of its rarest class with h = 1 has 4."""
    g = [0] * 60 + [1] * 40 + [2] * 20
    h = [0] * 30 + [1] * 30 + [0] * 20 + [1] * 20 + [0] * 16 + [1] * 4
    data = categorical(120, g=g, h=h)
    spec = ModelSpec.of("y", ["g", "h"], [("g", "h")])
    made, refused = absorb_sparse(spec, data, TEN)
    assert refused is None
    assert made["g"] == Categories(0, (1,), (2,))
    assert made["h"] == Categories(0, (1,))
    assert absorb_sparse(spec, data, SparseLimits(count=4))[0]["g"] == Categories(0, (1, 2))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=30, max_size=120), st.integers(1, 12))
def test_what_passes_has_enough_records_everywhere(rows: list[tuple[int, int]], least: int) -> None:
    g, h = np.array(rows).T
    data = ModelData(
        np.zeros(len(rows)),
        (Predictor("g", codes=g, classes=tuple("abcd")), Predictor("h", codes=h, classes=tuple("xyz"))),
    )
    made, refused = absorb_sparse(ModelSpec.of("y", ["g", "h"], [("g", "h")]), data, SparseLimits(count=least))
    groups = {}
    for name, codes in (("g", g), ("h", h)):
        kept, c = made[name].kept, made[name]
        assert sorted([c.reference, *c.kept, *c.absorbed]) == list(range(len(data.named(name).classes)))
        groups[name] = [codes == k for k in kept] + [~np.isin(codes, kept)]
    if refused is None:
        for one, other in product(groups["g"], groups["h"]):
            assert (one & other).sum() >= least
        for mine in (*groups["g"], *groups["h"]):
            assert least <= mine.sum() <= len(rows) - least
    else:
        assert not (made["g"].kept and made["h"].kept)


def test_numbers_make_no_combinations() -> None:
    data = ModelData(
        np.zeros(4),
        (
            Predictor("g", codes=np.zeros(4, dtype=np.int64), classes=("a",)),
            Predictor("h", codes=np.zeros(4, dtype=np.int64), classes=("a",)),
            Predictor("x", np.arange(4.0)),
        ),
    )
    spec = ModelSpec.of("y", ["g", "h", "x"], [("g", "x"), ("g", "h"), ("h", "x"), ("g", "h", "x")])
    assert crossed_variables(spec, data) == (("g", "h"),)


def test_the_next_class_to_absorb() -> None:
    data = categorical(100, g=[0] * 50 + [1] * 30 + [2] * 20, h=[0] * 80 + [1] * 20)
    made = {"g": Categories(0, (1, 2)), "h": Categories(0, (1,))}
    assert rarest_class(made, data) == ("g", 2)
    assert rarest_class({"g": Categories(0, (), (1, 2))}, data) is None


@pytest.mark.parametrize(("ones", "refused"), [(1, True), (9, True), (10, False), (50, False), (90, False), (91, True)])
def test_a_number_that_is_a_dummy(ones: int, refused: bool) -> None:
    column = np.zeros(100)
    column[:ones] = 1.0
    assert min(ones, 100 - ones) == records_off_mode(column)
    spec = ModelSpec.of("y", ["x"])
    assert (nearly_constant(spec, numbers(np.arange(100.0), x=column), TEN) is not None) == refused
    assert (nearly_constant(spec, numbers(column, x=np.arange(100.0)), TEN) is not None) == refused


def test_saturated_by_the_records() -> None:
    """Three variables without their interaction of three: when c is absorbed, a, b and a:b are the table of means."""
    rng = np.random.default_rng(4)
    a, b = rng.integers(0, 2, 200).tolist(), rng.integers(0, 2, 200).tolist()
    spec = ModelSpec.of("y", ["a", "b", "c"], [("a", "b")])
    for c, expected in (([0] * 197 + [1] * 3, True), (rng.integers(0, 2, 200).tolist(), False)):
        data = categorical(200, a=a, b=b, c=c)
        made, refused = absorb_sparse(spec, data, TEN)
        assert refused is None
        found = is_saturated(spec, data, made, design_of(spec, data, made).width)
        assert (found is not None) == expected


def test_one_variable_alone_is_allowed() -> None:
    data = categorical(60, g=[0, 1, 2] * 20)
    assert is_saturated(ModelSpec.of("y", ["g"]), data, {"g": Categories(0, (1, 2))}, 2) is None
