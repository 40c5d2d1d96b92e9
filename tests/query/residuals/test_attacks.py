"""Attacks on the noise of residual plots: weak keys are broken, the two layers hold.

The attacker is the strongest one: many models of one response on the household sample, all coefficients known, and for every
target the noisy residual itself, without synthetic points around it.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chi2

import tacita as tc
from tacita.core.arrays import FloatArray
from tacita.core.keyed import Key
from tacita.query.models.cases import ModelData, Predictor
from tacita.query.models.fit import fit_model
from tacita.query.models.terms import ModelSpec
from tacita.query.residuals import scatter
from tacita.query.residuals.noise import keyed_normals, layered_noise, step_of
from tacita.query.residuals.settings import ResidualSettings
from tacita.query.residuals.source import model_name
from tests.query.residuals.builders import KEY, source

SIGMA, MODEL_SIGMA, TARGETS = 0.4, 0.3, 400
NAMES = ("age", "sex", "urban", "education", "marital", "employment", "savings")


@cache
def household() -> ModelData:
    data = tc.samples.household_survey(2000, seed=1)
    frame = data.to_frame()
    made = []
    for name in NAMES:
        column = np.asarray(frame[name])
        if name in ("age", "savings"):
            made.append(Predictor(name, column.astype(float)))
        else:
            classes, codes = np.unique(column.astype(str), return_inverse=True)
            made.append(Predictor(name, codes=codes, classes=tuple(classes)))
    return ModelData(np.asarray(frame["income"], dtype=float), tuple(made))


@cache
def models() -> tuple[tuple[str, float, FloatArray], ...]:
    """Name, residual standard deviation and fitted values of every model with two to five of the predictors."""
    found = []
    for size in (2, 3, 4, 5):
        for names in combinations(NAMES, size):
            spec = ModelSpec.of("income", names)
            fit = fit_model(spec, household()).internal
            if fit is not None:
                scale = float(np.median(fit.residuals / fit.standardised))
                found.append((model_name(spec), scale, fit.fitted))
    return tuple(found)


def observed(how: str, unit: float = 1.0) -> tuple[FloatArray, FloatArray]:
    """What the attacker computes: fitted value and shown residual of each target in each model; and the models' scales.

    Incomes in other units lie otherwise between powers of two; errors are given in the first unit.
    """
    y, ids = household().response[:TARGETS], np.arange(TARGETS, dtype=np.uint64)
    shown = []
    for name, s, fit in models():
        if how == "one seed a response":
            n = SIGMA * s * keyed_normals(KEY, ids, "income")
        elif how == "fresh seed a model":
            n = SIGMA * s * keyed_normals(KEY, ids, name)
        else:
            n = layered_noise(
                KEY, ids, s * unit, response="income", model=name.encode(), sigma=SIGMA, model_sigma=MODEL_SIGMA
            )
            n /= unit
        shown.append(fit[:TARGETS] + (y - fit[:TARGETS] + n))
    return np.array(shown), np.array([s for _, s, _ in models()])


def relative_error(estimate: FloatArray, scale: float) -> tuple[float, float]:
    """The 99 % interval of the standard deviation of the attacker's error, in units of sigma times the scale."""
    error = (estimate - household().response[:TARGETS]) / (SIGMA * scale)
    squares = float(np.square(error).sum())
    return (
        float(np.sqrt(squares / chi2.ppf(0.995, TARGETS))),
        float(np.sqrt(squares / chi2.ppf(0.005, TARGETS))),
    )


def averaged(o: FloatArray, _s: FloatArray) -> FloatArray:
    """Take the mean of all models."""
    return np.asarray(o.mean(axis=0))


def solved(o: FloatArray, s: FloatArray) -> FloatArray:
    """Take the models with the largest and the smallest scale as two equations for y and the noise."""
    a, b = int(s.argmax()), int(s.argmin())
    return np.asarray((s[a] * o[b] - s[b] * o[a]) / (s[a] - s[b]))


def extrapolated(o: FloatArray, s: FloatArray) -> FloatArray:
    """Regress what is observed on the scale of the models; the intercept has no noise that grows with it."""
    return np.asarray(np.linalg.lstsq(np.column_stack([np.ones(len(s)), s]), o, rcond=None)[0][0])


def weighted(o: FloatArray, s: FloatArray, unit: float = 1.0) -> FloatArray:
    """Average, with the best weights for an attacker who knows how the noise is made."""
    steps = np.array([step_of(float(x) * unit) for x in s])
    shared = (steps[:, None] == steps[None, :]) * (SIGMA * 2.0 ** steps[:, None] / unit) ** 2
    inverse = np.linalg.solve(shared + np.diag((MODEL_SIGMA * s) ** 2), np.ones(len(s)))
    return np.asarray(inverse @ o / inverse.sum())


ATTACKS = {"average": averaged, "solve": solved, "extrapolate": extrapolated, "weigh": weighted}


def test_there_are_enough_models_and_their_scales_differ() -> None:
    _, s = observed("one seed a response")
    assert len(s) > 80
    assert s.max() / s.min() > 1.1


def test_one_seed_for_a_response_is_solved_by_two_models() -> None:
    o, s = observed("one seed a response")
    assert relative_error(solved(o, s), s.min())[1] < 1e-6
    assert relative_error(o.mean(axis=0), s.min())[0] > 0.8  # averaging is what it was made against


def test_a_fresh_seed_for_every_model_is_averaged_away() -> None:
    o, s = observed("fresh seed a model")
    low, high = relative_error(o.mean(axis=0), float(s.mean()))
    assert low < 1 / np.sqrt(len(s)) < high
    assert high < 0.15


@pytest.mark.parametrize("attack", ATTACKS)
def test_two_layers_keep_their_variance_against_every_combination_of_models(attack: str) -> None:
    o, s = observed("two layers")
    low, high = relative_error(ATTACKS[attack](o, s), s.min())
    assert high > np.sqrt(0.75)  # the bound of the docstring is not refuted
    assert low > 0.75  # and what is measured is near it or above, with 99 % certainty


@pytest.mark.parametrize("unit", [1.6, 1.77, 1.98])
def test_models_on_both_sides_of_a_power_of_two_gain_no_more_than_a_quarter(unit: float) -> None:
    """Two independent draws of the first layer: the best weights leave 3/4 of the smaller variance, and no less."""
    o, s = observed("two layers", unit)
    low, high = relative_error(weighted(o, s, unit), s.min())
    assert high > np.sqrt(0.75)
    assert low > 0.75
    assert len({step_of(float(x) * unit) for x in s}) == 2


def test_the_average_keeps_what_the_formula_says() -> None:
    o, s = observed("two layers")
    steps = np.array([step_of(float(x)) for x in s])
    common = steps == np.bincount(steps).argmax()
    c = 2.0 ** steps[common][0]
    wanted = np.sqrt((SIGMA * c) ** 2 + MODEL_SIGMA**2 * np.square(s[common]).sum() / common.sum() ** 2)
    low, high = relative_error(o[common].mean(axis=0), 1.0)
    assert low < wanted / SIGMA < high
    assert not low < 1.3 * wanted / SIGMA < high


def differences(model_sigma: float) -> tuple[FloatArray, FloatArray]:
    """Errors in the fitted difference of two models with and without savings, for all pairs of one step; and their scales."""
    ids, by_name = np.arange(TARGETS, dtype=np.uint64), {name: (s, fit) for name, s, fit in models()}
    errors, scales = [], []
    for size in (2, 3, 4):
        for names in combinations(NAMES[:-1], size):
            pair = [model_name(ModelSpec.of("income", chosen)) for chosen in (names, (*names, "savings"))]
            if not all(name in by_name for name in pair) or len({step_of(by_name[name][0]) for name in pair}) > 1:
                continue
            n = [
                layered_noise(
                    KEY,
                    ids,
                    by_name[name][0],
                    response="income",
                    model=name.encode(),
                    sigma=SIGMA,
                    model_sigma=model_sigma,
                )
                for name in pair
            ]
            errors.append(n[0] - n[1])
            scales.append(np.sqrt(sum(by_name[name][0] ** 2 for name in pair)))
    return np.array(errors), np.array(scales)


def test_without_the_second_layer_differences_are_exact() -> None:
    errors, _ = differences(0.0)
    assert np.abs(errors).max() == 0


def test_a_difference_keeps_the_second_layer_twice() -> None:
    errors, scales = differences(MODEL_SIGMA)
    ratio = (errors / scales[:, None]).std() / MODEL_SIGMA
    assert len(errors) > 20
    assert abs(ratio - 1) < 0.05


def test_many_pairs_average_as_the_docstring_says() -> None:
    """The weakest place, which the number of related models has to limit."""
    errors, scales = differences(MODEL_SIGMA)
    wanted = MODEL_SIGMA * np.sqrt(np.square(scales).sum()) / len(scales)
    assert abs(errors.mean(axis=0).std() / wanted - 1) < 0.15


@pytest.mark.parametrize(("layers", "holds"), [((0.4, 0.3, 0.0), True), ((0.0, 0.0, 0.5), False)])
def test_the_mean_of_all_points_of_an_isolated_unit_does_not_show_it(
    layers: tuple[float, float, float], holds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A unit between two heaps is the nearest to all points around it; noise of points alone averages away."""
    rng = np.random.default_rng(5)
    x = np.concatenate([rng.normal(0, 1, 150), [50.0], rng.normal(100, 1, 150)])
    monkeypatch.setattr(scatter, "synthetic_numbers", lambda *_: np.linspace(40, 60, 300))
    data = ModelData(0.02 * x + rng.normal(0, 1, len(x)), (Predictor("x", x),))
    sigma, model_sigma, point_sigma = layers
    settings = ResidualSettings(near=1, sigma=sigma, model_sigma=model_sigma, point_sigma=point_sigma)
    errors = []
    for number in range(25):
        made = source(data, ["x"], settings=settings, key=Key(b"key number %06d" % number))
        plot = scatter.scatter_plot(made, "x", x)
        errors.append(float(plot.residuals.mean() - made.fit.standardised[150]))
    assert (np.std(errors) > 0.3) == holds
    assert np.std(errors) > 0.3 or np.abs(errors).max() < 0.2
