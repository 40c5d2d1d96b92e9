"""Plots without synthetic values: winsorised box plots over bins, and binned averages for logistic models."""

from __future__ import annotations

import numpy as np

from tacita.query.residuals.binning import BinGroups
from tacita.query.residuals.levels import boxes_of
from tacita.query.residuals.shapes import AveragePlot, BoxPlot, Mean
from tacita.query.residuals.source import PlotSource

__all__ = ["average_plot", "binned_boxes"]


def binned_boxes(source: PlotSource, label: str, groups: BinGroups) -> BoxPlot:
    """Return box plots of the residuals in bins, winsorised.

    In each bin, residuals below the ``winsor``-th percentile and above the (100 - ``winsor``)-th are moved there: the whiskers
    end at these percentiles, and no outlier is drawn. Residuals have their noise, as everywhere.

    Parameters
    ----------
    source
        Residuals with their noise.
    label
        The variable.
    groups
        Its bins or levels.

    Returns
    -------
    BoxPlot
        Bins with too few records are named only; ``n`` is the number of records rounded to multiples of ``count``.

    Complexity
    ----------
    O(n).

    References
    ----------
    Sparks, R. et al. (2008), Remote access methods for exploratory data analysis and statistical modelling:
    Privacy-Preserving Analytics, Computer Methods and Programs in Biomedicine 91, 208-222.
    """
    settings = source.settings
    cut = settings.winsor / 100
    values = np.clip(source.standardised, -settings.limit, settings.limit)
    codes = np.where(groups.shown[groups.codes], groups.codes, -1)
    # Winsorising leaves quartiles and median where they are, since at most a quarter is cut off.
    boxes = boxes_of(codes, values, groups.labels, (cut, 0.25, 0.5, 0.75, 1 - cut), groups.counts(settings.count))
    return BoxPlot(label, boxes, groups.suppressed)


def average_plot(source: PlotSource, label: str, groups: BinGroups) -> AveragePlot:
    """Return the mean residuals of a logistic model in bins, with two standard errors.

    A single residual of a logistic model shows the response by its sign, with any noise that leaves it useful; means do not. In
    bin B, with fitted probabilities p,

        mean = sum of (y_j - p_j + n_j) / |B|,    limit = 2 sqrt((mean of p_j (1 - p_j) + variance of n) / |B|).

    Parameters
    ----------
    source
        Residuals with their noise.
    label
        The variable.
    groups
        Its bins or levels, or those of the fitted probabilities.

    Returns
    -------
    AveragePlot
        Bins with too few records are named only; ``n`` is the number of records rounded to multiples of ``count``.

    Complexity
    ----------
    O(n).

    Notes
    -----
    The noise of a mean is the mean of its records' noises. So it is the same in every model, wording and bin that the record is
    in, up to the model's layer, and to split a bin and add it up again gains nothing.

    References
    ----------
    Reiter, J. and Kohnen, C. (2005), Categorical data regression diagnostics for remote access servers, Journal of Statistical
    Computation and Simulation 75, 889-903.
    """
    settings, fit, size = source.settings, source.fit, len(groups.labels)
    exact = np.maximum(np.bincount(groups.codes, minlength=size), 1)
    mean = np.bincount(groups.codes, source.noisy, size) / exact
    spread = np.bincount(groups.codes, fit.fitted * (1 - fit.fitted), size) / exact
    noise = float(np.var(source.noisy - fit.residuals))
    limit = 2 * np.sqrt((spread + noise) / exact)
    rounded = groups.counts(settings.count)
    found = tuple(
        Mean(
            groups.labels[g],
            None if groups.x is None else float(groups.x[g]),
            float(mean[g]),
            float(limit[g]),
            int(rounded[g]),
        )
        for g in range(size)
        if groups.shown[g]
    )
    return AveragePlot(label, found, groups.suppressed)
