"""Column models against what they estimate."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tacita.numeric.synthesis.models.cart import CartModel
from tacita.numeric.synthesis.models.constant import ConstantModel
from tacita.numeric.synthesis.models.design import RegressionDesign
from tacita.numeric.synthesis.models.forest import ForestModel
from tacita.numeric.synthesis.models.linear import LinearModel
from tacita.numeric.synthesis.models.logistic import LogisticModel
from tacita.numeric.synthesis.models.model import ColumnModel, draw_rows
from tacita.numeric.synthesis.models.nested import NestedModel
from tacita.numeric.synthesis.models.normal_rank import NormalRankModel
from tacita.numeric.synthesis.models.pmm import PmmModel
from tacita.numeric.synthesis.models.sample import SampleModel
from tacita.numeric.synthesis.variables import ModelVariable

NUMBERS: tuple[ColumnModel, ...] = (
    CartModel(),
    ForestModel(trees=3),
    SampleModel(),
    LinearModel(),
    NormalRankModel(),
    PmmModel(),
    ConstantModel(),
    NestedModel(),
)
CLASSES: tuple[ColumnModel, ...] = (
    CartModel(),
    ForestModel(trees=3),
    SampleModel(),
    LogisticModel(),
    ConstantModel(),
    NestedModel(),
)


def var(values: object, classes: int = 0) -> ModelVariable:
    return ModelVariable(np.asarray(values, np.float64), classes)


def kind(model: object) -> str:
    return type(model).__name__


def given(n: int, rng: np.random.Generator) -> list[ModelVariable]:
    """A number, a column of three classes, and one that is constant."""
    return [var(rng.normal(size=n)), var(rng.integers(0, 3, n) * 1.0, 4), var(np.full(n, 7.0))]


@pytest.mark.parametrize("model", NUMBERS, ids=kind)
@pytest.mark.parametrize("n", [1, 2, 7])
def test_few_records_and_no_given_column_are_enough_for_numbers(model: ColumnModel, n: int) -> None:
    rng = np.random.default_rng(n)
    y = var(rng.normal(size=n))
    for x in ([], given(n, rng)):
        drawn = model.fit(y, x, rng).draw([v.of(np.zeros(9, np.int64)) for v in x], 9, rng)
        assert drawn.shape == (9,)
        assert np.isfinite(drawn).all()


@pytest.mark.parametrize("model", CLASSES, ids=kind)
@pytest.mark.parametrize("n", [1, 2, 7])
def test_few_records_are_enough_for_classes(model: ColumnModel, n: int) -> None:
    """Only classes that were there come out; most of the five are not."""
    rng = np.random.default_rng(n)
    y = var(rng.integers(2, 4, n) * 1.0, 5)
    for x in ([], given(n, rng)):
        drawn = model.fit(y, x, rng).draw([v.of(np.zeros(9, np.int64)) for v in x], 9, rng)
        assert set(drawn) <= set(y.values)


@pytest.mark.parametrize("model", [*NUMBERS, LogisticModel()], ids=kind)
def test_a_weight_is_a_number_of_records(model: ColumnModel) -> None:
    """Means and shares of draws from weighted records are those from repeated ones."""
    rng = np.random.default_rng(5)
    n, many = 300, 6000
    x = var(rng.normal(size=n))
    y = var((x.values + rng.normal(size=n) > 0) * 1.0, 2) if isinstance(model, LogisticModel) else var(x.values**2)
    weights = rng.integers(1, 6, n).astype(float)
    rows = np.repeat(np.arange(n), weights.astype(int))
    new = [x.of(rng.choice(rows, many))] if not isinstance(model, NestedModel) else []
    old = [x] if new else []
    one = model.fit(y, old, np.random.default_rng(1), weights=weights).draw(new, many, rng)
    two = model.fit(y.of(rows), [v.of(rows) for v in old], np.random.default_rng(1)).draw(new, many, rng)
    assert abs(one.mean() - two.mean()) < 5 * max(one.std(), 0.01) * np.sqrt(2 / many) + 0.02


# --- linear -----------------------------------------------------------------------------------------------------------------


def test_least_squares_are_those_of_the_definition() -> None:
    rng = np.random.default_rng(2)
    x = given(200, rng)
    y = 3 + 2 * x[0].values - (x[1].values == 2) + rng.normal(size=200)
    fitted = LinearModel().fit(var(y), x, rng)
    design = np.column_stack([np.ones(200), x[0].values, *(x[1].values == k for k in (0, 1))])
    b, left, *_ = np.linalg.lstsq(design, y, rcond=None)
    np.testing.assert_allclose(fitted.design.times(x, 200, fitted.estimate), design @ b, atol=1e-5)
    assert fitted.spread == pytest.approx(np.sqrt(left[0] / (200 - 5)), rel=1e-5)  # the constant column counts as one


def test_proper_parameters_have_their_posterior_distribution() -> None:
    """Mean and variance of drawn slopes: b and s^2 (X'X)^-1 n / (n - 2); 1500 draws, five standard errors."""
    rng = np.random.default_rng(3)
    n, times = 30, 1500
    x = var(rng.normal(size=n))
    y = var(x.values + rng.normal(size=n))
    estimate = LinearModel().fit(y, [x], rng)
    slopes = np.array([LinearModel(proper=True).fit(y, [x], rng).coefficients[1] for _ in range(times)])
    variance = estimate.spread**2 / n * (n - 2) / (n - 4)
    assert abs(slopes.mean() - estimate.estimate[1]) < 5 * np.sqrt(variance / times)
    assert slopes.var() == pytest.approx(variance, rel=0.2)


def test_columns_that_follow_from_others_do_no_harm() -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=500)
    twice = [var(x), var(2 * x + 1), var((x > 0) * 1.0, 2), var((x <= 0) * 1.0, 2)]
    drawn = LinearModel().fit(var(x + 5), twice, rng).draw(twice, 500, rng)
    np.testing.assert_allclose(drawn, x + 5, atol=1e-3)


# --- normal rank and matching ------------------------------------------------------------------------------------------------


def test_normal_rank_keeps_the_distribution_and_the_rank_correlation() -> None:
    rng = np.random.default_rng(6)
    n = 4000
    x = var(rng.normal(size=n))
    y = var(np.exp(2 * (0.8 * x.values + 0.6 * rng.normal(size=n))))
    drawn = NormalRankModel().fit(y, [x], rng).draw([x], n, rng)
    assert stats.ks_2samp(drawn, y.values).pvalue > 1e-4
    assert stats.spearmanr(x.values, drawn)[0] == pytest.approx(stats.spearmanr(x.values, y.values)[0], abs=0.05)


def test_donors_are_the_five_with_the_nearest_prediction() -> None:
    """Against all distances, at both ends and between; the fifth nearest is inside."""
    rng = np.random.default_rng(7)
    x = var(np.sort(rng.normal(size=40)))
    y = var(2 * x.values)  # the prediction is the value itself
    fitted = PmmModel(smoothing="none").fit(y, [x], rng)
    for wanted in (-10.0, -0.3, 0.0, 0.71, 10.0):
        drawn = fitted.draw([var(np.full(400, wanted))], 400, rng)
        nearest = np.argsort(np.abs(y.values - 2 * wanted))[:5]
        assert set(drawn.tolist()) == set(y.values[nearest].tolist())


# --- logistic ----------------------------------------------------------------------------------------------------------------


def binary_maximum(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Newton's method written down, with the same prior."""
    design, b = np.column_stack([np.ones(len(x)), (x - x.mean()) / x.std()]), np.zeros(2)
    for _ in range(50):
        p = 1 / (1 + np.exp(-design @ b))
        information = design.T @ (design * (p * (1 - p))[:, None]) + np.diag([0, 1 / 9])
        b += np.linalg.solve(information, design.T @ (y - p) - np.array([0, b[1] / 9]))
    return b


def test_two_classes_have_the_coefficients_of_newtons_method() -> None:
    rng = np.random.default_rng(8)
    x = rng.normal(3, 2, 400)
    y = (rng.random(400) < 1 / (1 + np.exp(1 - x))) * 1.0
    fitted = LogisticModel().fit(var(y, 2), [var(x)], rng)
    first = fitted.classes[0]  # the more frequent class has coefficients of 0
    sign = 1 if first == 0 else -1
    np.testing.assert_allclose(fitted.coefficients[:, 1], sign * binary_maximum(x, y), atol=2e-3)


def test_shares_of_many_classes_follow_a_given_class() -> None:
    rng = np.random.default_rng(9)
    n = 20_000
    group = rng.integers(0, 3, n)
    shares = rng.dirichlet(np.ones(12), 3)
    y = np.array([rng.choice(12, p=shares[g]) for g in group[:3000]])
    fitted = LogisticModel().fit(var(y * 1.0, 12), [var(group[:3000] * 1.0, 3)], rng)
    for g in range(3):
        drawn = fitted.draw([var(np.full(n, float(g)), 3)], n, rng)
        told = np.bincount(y[group[:3000] == g], minlength=12) / (group[:3000] == g).sum()
        np.testing.assert_allclose(np.bincount(drawn.astype(int), minlength=12) / n, told, atol=0.02)


def test_separated_classes_keep_chances_within_zero_and_one() -> None:
    rng = np.random.default_rng(10)
    x = np.concatenate([rng.uniform(-2, -1, 50), rng.uniform(1, 2, 50)])
    fitted = LogisticModel(proper=True).fit(var((x > 0) * 1.0, 2), [var(x)], rng)
    assert np.abs(fitted.coefficients).max() < 30
    assert fitted.draw([var(np.full(500, 1.5))], 500, rng).mean() > 0.9


def test_proper_coefficients_vary_as_much_as_those_of_new_samples() -> None:
    """The variance of drawn slopes is the inverse information, whether records are counted as patterns or one by one."""
    rng = np.random.default_rng(11)
    for x in (rng.normal(size=300), rng.integers(0, 2, 300) * 1.0):
        y = var((rng.random(300) < 1 / (1 + np.exp(-x))) * 1.0, 2)
        slopes = [abs(LogisticModel(proper=True).fit(y, [var(x)], rng).coefficients[1, 1]) for _ in range(40)]
        z = (x - x.mean()) / x.std()
        b = binary_maximum(x, y.values)
        p = 1 / (1 + np.exp(-b[0] - b[1] * z))
        design = np.column_stack([np.ones(300), z])
        expected = np.linalg.inv(design.T @ (design * (p * (1 - p))[:, None]) + np.diag([0, 1 / 9]))[1, 1]
        assert np.var(slopes) == pytest.approx(expected, rel=0.65)


# --- what models share ----------------------------------------------------------------------------------------------------------


def test_classes_that_nobody_has_get_no_column_and_rare_ones_beyond_sixty_share_the_intercept() -> None:
    rng = np.random.default_rng(12)
    assert RegressionDesign.of([var(np.zeros(5), 9)]).width == 1
    assert (
        RegressionDesign.of([var(rng.integers(0, 200, 5000) * 1.0, 300), var(rng.normal(size=5000))]).width
        == 1 + 60 + 1
    )


def test_rows_are_drawn_by_weight() -> None:
    rows = draw_rows(30_000, np.array([1.0, 0.0, 3.0]), np.random.default_rng(1))
    np.testing.assert_allclose(np.bincount(rows) / 30_000, [0.25, 0, 0.75], atol=0.01)


def test_a_group_that_nobody_is_in_gets_somebody_of_any() -> None:
    rng = np.random.default_rng(13)
    fitted = NestedModel().fit(var(np.array([0.0, 1.0, 2.0]), 3), [var(np.array([0.0, 0.0, 2.0]), 3)], rng)
    assert set(fitted.draw([var(np.ones(99), 3)], 99, rng)) == {0.0, 1.0, 2.0}
    assert set(fitted.draw([var(np.full(99, 2.0), 3)], 99, rng)) == {2.0}


def test_proper_draws_of_the_marginal_vary_in_their_shares() -> None:
    """A Bayesian bootstrap of 100 records with half ones: the share has a standard deviation of 0.05."""
    y = var(np.repeat([0.0, 1.0], 50), 2)
    rng = np.random.default_rng(14)
    shares = [SampleModel(proper=True).fit(y, (), rng).draw((), 4000, rng).mean() for _ in range(200)]
    assert np.std(shares) == pytest.approx(0.05, rel=0.2)


# --- trees ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [CartModel(), CartModel(proper=True), ForestModel(trees=20)], ids=str)
def test_trees_follow_steps_and_crossed_classes(model: ColumnModel) -> None:
    """A mean that jumps with a number, the other way round in each class; what no sum of the two could give."""
    rng = np.random.default_rng(15)
    n = 4000
    x, group = rng.uniform(-1, 1, n), rng.integers(0, 2, n)
    y = np.where((x > 0) == (group == 1), 100.0, 0.0) + rng.normal(0, 5, n)
    fitted = model.fit(var(y), [var(x), var(group, 2)], rng)
    for side in (-0.5, 0.5):
        for g in (0, 1):
            drawn = fitted.draw([var(np.full(500, side)), var(np.full(500, g), 2)], 500, rng)
            assert abs(drawn.mean() - 100 * ((side > 0) == (g == 1))) < 6, (
                "a leaf has few donors, whose mean is off by some"
            )


def test_without_smoothing_values_are_those_of_donors_and_with_it_hardly_any_is() -> None:
    rng = np.random.default_rng(16)
    x = var(rng.normal(size=1000))
    y = var(x.values + rng.normal(size=1000))
    plain = CartModel(smoothing="none").fit(y, [x], rng).draw([x], 1000, rng)
    smooth = CartModel().fit(y, [x], rng).draw([x], 1000, rng)
    assert np.isin(plain, y.values).all()
    assert np.isin(smooth, y.values).mean() < 0.12, "the ends of a leaf are values of its records"
    assert stats.ks_2samp(smooth, y.values).pvalue > 1e-3
