"""Synthetic residuals over a numerical variable: curve, deviation of a near unit, noise (Reiter 2003)."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.query.residuals.ordered import OrderedUnits
from tacita.query.residuals.shapes import ScatterPlot
from tacita.query.residuals.smoother import fixed_spline, kernel_curve
from tacita.query.residuals.source import PlotSource
from tacita.query.residuals.synthetic import end_values, rounding_step, synthetic_numbers

__all__ = ["scatter_plot"]


def scatter_plot(source: PlotSource, label: str, values: FloatArray, *, smoothed: bool = False) -> ScatterPlot:
    """Return a scatter plot of synthetic standardised residuals over a synthetic variable.

    For each synthetic value x_k, with j one of the units near it,

        t_k = b(x_k) + (t_j - b(x_j)) + n_j,    cut off at +- ``limit``.

    Parameters
    ----------
    source
        Residuals with their noise.
    label
        What the variable is called.
    values
        Its values, or the fitted ones.
    smoothed
        Whether a kernel smoother goes with the points.

    Returns
    -------
    ScatterPlot
        min(``points``, n) points, by ascending x.

    Complexity
    ----------
    O(n log n).

    Notes
    -----
    The noise n_j is that of the unit, not of the point: an isolated unit is near to many points, and their mean would show it.
    A little noise of the points comes on top, so that they do not line up by units.

    References
    ----------
    Reiter, J. (2003), Model diagnostics for remote access regression servers, Statistics and Computing 13, 371-380; Lucero et
    al. (2011), section 3.2.1.
    """
    settings, rng = source.settings, source.rng("scatter", label)
    units = OrderedUnits.of(values)
    x = synthetic_numbers(units, min(settings.points, source.size), settings.count, rng)
    curve = fixed_spline(units, source.fit.standardised, df=settings.df, count=settings.count)
    j = units.near(x, settings.near, rng)
    shown = curve.at(units.ranks(x)) - curve.at(units.ranks(values[j])) + source.standardised[j]
    shown += settings.point_sigma * rng.standard_normal(len(x))
    np.clip(shown, -settings.limit, settings.limit, out=shown)
    step = rounding_step(*end_values(units, settings.count))
    return ScatterPlot(label, x, shown, step, kernel_curve(x, shown) if smoothed else (np.zeros(0), np.zeros(0)))
