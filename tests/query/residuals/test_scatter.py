"""Scatter plots of synthetic residuals: pattern kept, records hidden."""

import numpy as np
import pytest

from tacita.query.models.cases import ModelData, Predictor
from tacita.query.residuals.scatter import scatter_plot
from tacita.query.residuals.settings import ResidualSettings
from tests.query.residuals.builders import people, source


def bent(n: int = 3000) -> ModelData:
    rng = np.random.default_rng(8)
    x = rng.uniform(0, 10, n)
    return ModelData((x - 5) ** 2 + rng.normal(0, 1 + x, n), (Predictor("x", x),))


def test_the_pattern_of_mean_and_spread_is_kept() -> None:
    data = bent()
    x = data.predictors[0].values
    assert x is not None
    made = source(data, ["x"])
    plot, t = scatter_plot(made, "x", x), made.fit.standardised
    extra = np.var(made.standardised - t) + made.settings.point_sigma**2
    for low, high in [(0.5, 2), (2, 4), (4, 6), (6, 8), (8, 9.5)]:
        here, true = (plot.x > low) & (plot.x < high), (x > low) & (x < high)
        assert abs(plot.residuals[here].mean() - t[true].mean()) < 0.2
        assert plot.residuals[here].std() == pytest.approx(np.sqrt(t[true].var() + extra), rel=0.2)


def test_without_noise_and_with_the_nearest_unit_it_is_the_formula() -> None:
    from tacita.query.residuals.ordered import OrderedUnits
    from tacita.query.residuals.smoother import fixed_spline

    data = bent(400)
    x = data.predictors[0].values
    assert x is not None
    settings = ResidualSettings(sigma=0.0, model_sigma=0.0, point_sigma=0.0, near=1, limit=100.0)
    made = source(data, ["x"], settings=settings)
    plot, units = scatter_plot(made, "x", x), OrderedUnits.of(x)
    curve = fixed_spline(units, made.fit.standardised, df=5, count=10)
    for place in range(0, len(plot.x), 37):
        j = int(np.abs(x - plot.x[place]).argmin())
        b = curve.at(units.ranks(np.array([plot.x[place], x[j]])))
        assert plot.residuals[place] == pytest.approx(b[0] + made.fit.standardised[j] - b[1])


@pytest.mark.parametrize(("n", "points"), [(600, 600), (6000, 5000)])
def test_the_size_is_that_of_the_paper(n: int, points: int) -> None:
    data = people(n)
    x = data.predictors[0].values
    assert x is not None
    assert len(scatter_plot(source(data, ["x"]), "x", x).x) == points


def test_residuals_are_cut_off() -> None:
    data = bent(500)
    y = data.response.copy()
    y[7] += 1000
    x = data.predictors[0].values
    assert x is not None
    plot = scatter_plot(source(ModelData(y, data.predictors), ["x"]), "x", x)
    assert np.abs(plot.residuals).max() <= 4
    assert np.diff(plot.x).min() >= 0


def test_only_a_smoothed_plot_has_a_curve() -> None:
    data = bent(500)
    made = source(data, ["x"])
    assert len(scatter_plot(made, "fitted", made.fit.fitted, smoothed=True).curve[0]) == 60
    assert "curve" not in scatter_plot(made, "fitted", made.fit.fitted).to_plain()
