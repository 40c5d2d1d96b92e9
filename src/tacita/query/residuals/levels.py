"""Synthetic residuals of the levels of a categorical variable, as box plots."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.query.models.cases import Predictor
from tacita.query.residuals.shapes import Box, BoxPlot
from tacita.query.residuals.source import PlotSource

__all__ = ["boxes_of", "level_centres", "level_plot", "shown_levels"]


def shown_levels(source: PlotSource, predictor: Predictor) -> BoolArray:
    """Return which classes have enough records and were not absorbed into the reference."""
    counts = np.bincount(_codes(predictor), minlength=len(predictor.classes))
    shown = counts >= source.settings.count
    for code in source.fit.design.categories[predictor.name].absorbed:
        shown[code] = False
    return np.asarray(shown)


def level_centres(codes: IntArray, residuals: FloatArray, classes: int) -> FloatArray:
    """Return b of each class: the mean standardised residual.

    The paper sets b = 0, because the mean residual of a class with a dummy is 0. This does not hold for the reference when
    classes were absorbed into it (only all of them together have mean 0), nor with weights, robust fits, or standardising; the
    mean is right always, and 0 up to rounding where the paper is. O(n).
    """
    counts = np.bincount(codes, minlength=classes)
    return np.asarray(np.bincount(codes, residuals, classes) / np.maximum(counts, 1))


def boxes_of(
    groups: IntArray, values: FloatArray, labels: tuple[str, ...], shares: tuple[float, ...], n: IntArray
) -> tuple[Box, ...]:
    """Return five quantiles of the values of each group, for groups that have some.

    Parameters
    ----------
    groups
        Group of each value, -1 for none.
    values
        What is described.
    labels
        Of the groups.
    shares
        Five ascending shares in [0, 1].
    n
        The number to show for each group.
    """
    order = np.argsort(groups, kind="stable")
    ends = np.searchsorted(groups[order], np.arange(len(labels) + 1))
    found = []
    for place, label in enumerate(labels):
        inside = values[order[ends[place] : ends[place + 1]]]
        if len(inside):
            low, lower, median, upper, high = np.quantile(inside, shares).tolist()
            found.append(Box(label, low, lower, median, upper, high, int(n[place])))
    return tuple(found)


def level_plot(source: PlotSource, predictor: Predictor) -> BoxPlot:
    """Return box plots of synthetic residuals, one for each level with enough records.

    Levels are drawn from the records with replacement, and with each level a unit of it: v = t_j - b_j for a random j of the
    level. A record that is drawn at random is both at once. The five numbers are those of t = b + v + n, cut off at +- ``limit``.

    Parameters
    ----------
    source
        Residuals with their noise.
    predictor
        The variable.

    Returns
    -------
    BoxPlot
        Of min(``draws``, n) synthetic values; ``n`` of a box is the number of synthetic values in it. Sparse and absorbed levels
        are named only, as the published model names the latter too.

    Complexity
    ----------
    O(n).

    Notes
    -----
    The paper draws n values. Beyond 100 000 the five numbers move by less than they are rounded to.

    References
    ----------
    Lucero et al. (2011), section 3.2.1, with b corrected (see :func:`level_centres`).
    """
    settings, codes = source.settings, _codes(predictor)
    shown, classes = shown_levels(source, predictor), len(predictor.classes)
    rng = source.rng("levels", predictor.name)
    j = rng.integers(0, source.size, min(settings.draws, source.size))
    level = codes[j]
    b = level_centres(codes, source.fit.standardised, classes)
    v = source.standardised[j] - b[level]  # with the noise of the unit
    values = np.clip(b[level] + v, -settings.limit, settings.limit)
    groups = np.where(shown[level], level, -1)
    n = np.bincount(level, minlength=classes)
    boxes = boxes_of(groups, values, predictor.classes, (0.0, 0.25, 0.5, 0.75, 1.0), n)
    return BoxPlot(
        predictor.name, boxes, tuple(name for name, here in zip(predictor.classes, shown, strict=True) if not here)
    )


def _codes(predictor: Predictor) -> IntArray:
    return np.zeros(0, dtype=np.int64) if predictor.codes is None else predictor.codes
