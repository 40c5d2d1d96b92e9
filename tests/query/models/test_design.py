"""Columns of a model against a slow construction."""

from __future__ import annotations

import numpy as np

from tacita.query.models.cases import ModelData, Predictor
from tacita.query.models.design import Categories, design_of
from tacita.query.models.terms import ModelSpec
from tests.query.models.builders import built, full_spec, sample


def test_columns_are_products_of_their_effects() -> None:
    data = sample(60)
    made = built(full_spec(), data, count=2)
    matrix = made.matrix()
    for j, column in enumerate(made.columns):
        expected = np.ones(60)
        for term, name in column.effects:
            predictor = data.named(term.variable)
            if name is None:
                expected *= np.log(predictor.values) if term.transform == "log" else predictor.values
            else:
                expected *= np.array([predictor.classes[code] == name for code in predictor.codes])  # type: ignore[union-attr]
        np.testing.assert_allclose(matrix[:, j], expected, err_msg=column.label)
    assert made.terms == ("x", "log(z)", "g", "h", "x:g", "g:h")
    assert [made.leading(t) for t in range(7)] == [0, 1, 2, 4, 6, 8, 12]


def test_three_way_interactions_come_last_and_work() -> None:
    rng = np.random.default_rng(2)
    data = ModelData(
        np.zeros(30),
        tuple(Predictor(name, codes=rng.integers(0, 2, 30), classes=("0", "1")) for name in "abc"),
    )
    spec = ModelSpec.of("y", ["a", "b", "c"], [("a", "b", "c"), ("a", "b"), ("a", "c"), ("b", "c")])
    made = design_of(spec, data, {name: Categories(0, (1,)) for name in "abc"})
    assert made.terms[-1] == "a:b:c"
    abc = np.prod([data.named(name).codes for name in "abc"], axis=0)
    np.testing.assert_array_equal(made.matrix()[:, -1], abc)


def test_a_term_without_classes_is_left_out() -> None:
    data = ModelData(
        np.zeros(4), (Predictor("g", codes=np.array([0, 0, 0, 1]), classes=("a", "b")), Predictor("x", np.arange(4.0)))
    )
    made = design_of(ModelSpec.of("y", ["g", "x"]), data, {"g": Categories(0, (), (1,))})
    assert made.terms == ("x",)
    assert [column.label for column in made.columns] == ["x"]


def test_absorbing_one_more() -> None:
    assert Categories(1, (0, 2), (3,)).without(2) == Categories(1, (0,), (2, 3))


def test_blocks_are_rows_of_the_matrix() -> None:
    made = built(full_spec(), sample(50), count=2)
    part = np.empty((made.width, 7))
    made.fill(slice(20, 27), part)
    np.testing.assert_array_equal(part.T, made.matrix()[20:27])
    few = np.empty((3, 7))
    made.fill(slice(20, 27), few)
    np.testing.assert_array_equal(few, part[:3])
