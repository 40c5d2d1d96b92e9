"""Box plots of levels: sparse levels, centres where classes were absorbed, five numbers."""

import numpy as np
import pytest

from tacita.query.models.cases import ModelData, Predictor
from tacita.query.residuals.levels import boxes_of, level_centres, level_plot, shown_levels
from tacita.query.residuals.settings import ResidualSettings
from tests.query.residuals.builders import people, source

QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


def test_sparse_and_absorbed_levels_are_named_only() -> None:
    data = people(800)
    made = source(data, ["x", "g"])
    assert shown_levels(made, data.predictors[1]).tolist() == [True, True, True, False]
    plot = level_plot(made, data.predictors[1])
    assert [box.label for box in plot.boxes] == ["a", "b", "c"]
    assert plot.suppressed == ("rare",)
    assert sum(box.n for box in plot.boxes) <= data.size


def test_an_absorbed_level_with_many_records_is_not_shown() -> None:
    data = people(800)
    made = source(data, ["x", "g"])
    design = made.fit.design
    categories = {"g": design.categories["g"].without(2)}
    object.__setattr__(design, "categories", categories)
    assert shown_levels(made, data.predictors[1]).tolist() == [True, True, False, False]


def test_the_mean_residual_is_0_but_for_a_reference_with_absorbed_levels() -> None:
    """The paper's b = 0 holds for classes with a dummy and fails where classes were absorbed."""
    rng = np.random.default_rng(3)
    g = np.repeat([0, 1, 2], [60, 50, 8])
    y = np.where(g == 2, 40.0, g) + rng.normal(0, 1, len(g))
    predictor = Predictor("g", codes=g, classes=("a", "b", "sparse"))
    made = source(ModelData(y, (predictor,)), ["g"])
    assert made.fit.design.categories["g"].absorbed == (2,)
    b = level_centres(g, made.fit.residuals, 3)
    assert abs(b[1]) < 1e-9
    assert b[0] < -4
    assert b[2] > 30
    assert b @ np.bincount(g) == pytest.approx(b[1] * 50, abs=1e-6)  # together the reference has mean 0


def test_the_boxes_are_those_of_bootstrapped_residuals() -> None:
    data = people(1500)
    made = source(data, ["x", "g"], settings=ResidualSettings(sigma=0.0, model_sigma=0.0))
    t, codes = made.fit.standardised, data.predictors[1].codes
    for box, level in zip(level_plot(made, data.predictors[1]).boxes[:3], (0, 1, 2), strict=True):
        wanted = np.quantile(t[codes == level], [0.25, 0.5, 0.75])
        assert np.allclose([box.lower, box.median, box.upper], wanted, atol=0.25)
        assert -4 <= box.low <= box.lower <= box.median <= box.upper <= box.high <= 4


def test_draws_have_a_limit() -> None:
    data = people(800)
    made = source(data, ["x", "g"], settings=ResidualSettings(draws=100))
    assert sum(box.n for box in level_plot(made, data.predictors[1]).boxes) <= 100


def test_boxes_have_the_quantiles_of_their_groups() -> None:
    groups, values = np.array([1, -1, 0, 1, 1, 0]), np.array([1.0, 99.0, 5.0, 3.0, 2.0, 7.0])
    found = boxes_of(groups, values, ("a", "b", "c"), QUARTERS, np.array([2, 3, 0]))
    assert [(box.label, box.low, box.median, box.high, box.n) for box in found] == [
        ("a", 5, 6, 7, 2),
        ("b", 1, 2, 3, 3),
    ]
