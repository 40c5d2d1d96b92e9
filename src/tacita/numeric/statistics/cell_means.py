"""Population means of the cells of a table, by log-linear models that do or do not look at sampling weights.

Sample counts f_k are Poisson with means mu_k = pi_k lambda_k. A log-linear model says log of a mean = sum of one term for each
cell of each of its margins. Four ways to fit it:

    poisson             log mu_k, from the counts; pi_k = pi = n / N for all cells
    clogg-eliason       log mu_k - log z_k with the offset z_k = f_k / w_k, the mean chance of selection in the cell; pi_k = z_k
    pseudo-likelihood   log lambda_k, from the weighted counts w_k; pi_k = pi
    weighted            log mu_k with the weight w_k of the cell as one more regressor; pi_k = f_k / w_k

where w_k is the sum of the weights in cell k. All but the last are solved by iterative proportional fitting, which finds the
maximum of the (pseudo-)likelihood of a hierarchical model; the regressor of the last adds a search in one dimension, in which
the score falls.

References
----------
Skinner, C. J. and Holmes, D. J. (1998), Estimating the re-identification risk per record in microdata; Clogg, C. C. and
Eliason, S. R. (1987), Some common problems in log-linear analysis; Skinner, C. and Shlomo, N. (2008), Assessing identification
risk in survey microdata using log-linear models, section on complex designs (pseudo-likelihood).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.numeric.statistics.log_linear import fit_margins

__all__ = ["CellMeans", "CellModel", "cell_means", "independent_means"]

CellModel = Literal["poisson", "clogg-eliason", "pseudo-likelihood", "weighted"]
_STEEPEST = 30.0
"""Largest change of a log mean by the weight of a cell: beyond it the likelihood has no maximum."""


@dataclass(frozen=True, eq=False)
class CellMeans:
    """What a model says about every cell of a table.

    Parameters
    ----------
    sample
        Fitted means mu of the sample counts.
    population
        Means lambda of the population counts.
    fraction
        Chance of selection pi of the cell.
    """

    sample: FloatArray = field(repr=False)
    population: FloatArray = field(repr=False)
    fraction: FloatArray = field(repr=False)


def cell_means(
    counts: FloatArray, weights: FloatArray, margins: Sequence[tuple[int, ...]], model: CellModel, *, fraction: float
) -> CellMeans:
    """Fit a log-linear model to a table. O(K) memory; O(margins K) time a round of the fit.

    Parameters
    ----------
    counts
        Sample counts, one axis for each variable.
    weights
        Sums of the weights in each cell, of the same shape.
    margins
        The terms of the model, as axes; every axis is in one of them at least.
    model
        Which model, and so what the weights are for.
    fraction
        Sampling fraction of the whole file.

    Examples
    --------
    >>> counts = np.array([[2.0, 1.0], [1.0, 0.0]])
    >>> cell_means(counts, 10 * counts, [(0,), (1,)], "poisson", fraction=0.1).population.round(2).tolist()
    [[22.5, 7.5], [7.5, 2.5]]
    """
    own = np.divide(counts, weights, out=np.full(counts.shape, fraction), where=(counts > 0) & (weights > 0))
    own = np.minimum(own, 1.0)
    if model == "pseudo-likelihood":
        lam = fit_margins(weights, margins)
        return CellMeans(lam * fraction, lam, np.full(counts.shape, fraction))
    if model == "poisson":
        mu = fit_margins(counts, margins)
        return CellMeans(mu, mu / fraction, np.full(counts.shape, fraction))
    mu = (
        fit_margins(counts, margins, start=own)
        if model == "clogg-eliason"
        else _with_regressor(counts, weights, margins)
    )
    return CellMeans(mu, mu / own, own)


def _with_regressor(counts: FloatArray, weights: FloatArray, margins: Sequence[tuple[int, ...]]) -> FloatArray:
    """Fit log mu = terms of the margins + slope * weight: the slope at which sum w (f - mu) is 0, by halving.

    The likelihood that is left when the other terms are fitted is concave in the slope, so that the sum falls in it.
    """
    scaled = weights / max(float(weights.max()), 1e-300)
    low, high = -_STEEPEST, _STEEPEST
    fitted = counts
    for _ in range(50):  # the interval is then 60 / 2^50 wide
        slope = (low + high) / 2
        fitted = fit_margins(counts, margins, start=np.exp(slope * scaled))
        if float((scaled * (counts - fitted)).sum()) > 0:
            low = slope
        else:
            high = slope
    return fitted


def independent_means(codes: IntArray, amounts: FloatArray) -> FloatArray:
    """Return the means of some cells when the variables are independent: the product of their margins. O(m d), without a table.

    Parameters
    ----------
    codes
        (m, d): the cells that have something, -1 for missing.
    amounts
        (m,): what each of them has, counts or sums of weights.

    Examples
    --------
    >>> independent_means(np.array([[0, 0], [0, 1], [1, 0]]), np.array([2.0, 1.0, 1.0])).round(2).tolist()
    [2.25, 0.75, 0.75]
    """
    total = float(amounts.sum())
    means = np.full(len(codes), total)
    for column in codes.T:
        margin = np.bincount(column + 1, weights=amounts)
        means *= margin[column + 1] / total
    return means
