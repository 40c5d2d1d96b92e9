"""Plots without synthetic values: winsorised boxes and binned averages."""

import numpy as np
import pytest

from tacita.query.cutpoints.bins import Bins
from tacita.query.residuals.binned import average_plot, binned_boxes
from tacita.query.residuals.binning import BinGroups
from tacita.query.residuals.settings import ResidualSettings
from tests.query.residuals.builders import people, source

EXACT = ResidualSettings(sigma=0.0, model_sigma=0.0, limit=50.0)
BINS = Bins(cuts=(0.0, 5.0, 10.0, 60.0))


def test_boxes_are_winsorised_at_the_percentiles() -> None:
    data = people(2000)
    x = data.predictors[0].values
    assert x is not None
    made = source(data, ["x"], settings=EXACT)
    groups = BinGroups.of_bins(BINS, x, 10)
    plot = binned_boxes(made, "x", groups)
    assert plot.suppressed == ("above 60",)
    for box, g in zip(plot.boxes, range(4), strict=True):
        inside = made.fit.standardised[groups.codes == g]
        winsorised = np.clip(inside, *np.quantile(inside, [0.05, 0.95]))
        wanted = [winsorised.min(), *np.quantile(winsorised, [0.25, 0.5, 0.75]), winsorised.max()]
        assert [box.low, box.lower, box.median, box.upper, box.high] == pytest.approx(wanted)
        assert box.n % 10 == 0


def test_an_outlier_does_not_change_the_boxes() -> None:
    data = people(2000)
    made = source(data, ["x"], settings=EXACT)
    x = data.predictors[0].values
    assert x is not None
    before = binned_boxes(made, "x", BinGroups.of_bins(BINS, x, 10))
    top = int(made.fit.standardised.argmax())
    made.standardised[top] += 30
    assert binned_boxes(made, "x", BinGroups.of_bins(BINS, x, 10)) == before


def test_averages_are_those_of_reiter_and_kohnen() -> None:
    data = people(2000, binary=True)
    x = data.predictors[0].values
    assert x is not None
    made = source(data, ["x"], family="logistic", settings=EXACT)
    groups = BinGroups.of_bins(BINS, x, 10)
    plot, fit = average_plot(made, "x", groups), made.fit
    for mean, g in zip(plot.means, range(4), strict=True):
        here = groups.codes == g
        assert mean.mean == pytest.approx(fit.residuals[here].mean())
        error = np.sqrt((fit.fitted[here] * (1 - fit.fitted[here])).mean() / here.sum())
        assert mean.limit == pytest.approx(2 * error)
    assert plot.suppressed == ("above 60",)


def test_noise_hides_the_number_of_ones_and_widens_the_limits() -> None:
    """Without noise a mean residual, the fitted values and the size of a bin give the exact count of ones."""
    data = people(2000, binary=True)
    x = data.predictors[0].values
    assert x is not None
    groups = BinGroups.of_bins(Bins(cuts=(2.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 12.0, 14.0, 16.0, 20.0)), x, 10)
    wrong = {}
    for name, settings in {"exact": EXACT, "noisy": ResidualSettings()}.items():
        made = source(data, ["x"], family="logistic", settings=settings)
        means = np.array([mean.mean for mean in average_plot(made, "x", groups).means])
        sizes = np.bincount(groups.codes)
        ones = means * sizes + np.bincount(groups.codes, made.fit.fitted)
        wrong[name] = np.abs(ones - np.bincount(groups.codes, data.response)) > 0.5
    assert wrong["exact"].sum() == 0
    assert wrong["noisy"].mean() > 0.6


def test_levels_have_no_place_on_an_axis() -> None:
    data = people(800, binary=True)
    made = source(data, ["x", "g"], family="logistic")
    codes = data.predictors[1].codes
    assert codes is not None
    plot = average_plot(made, "g", BinGroups(data.predictors[1].classes, codes, np.array([True, True, True, False])))
    assert [mean.x for mean in plot.means] == [None] * 3
