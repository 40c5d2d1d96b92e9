"""Population uniqueness by log-linear models, and the test that chooses between models.

The key variables span a table with K cells. Population counts are Poisson with means lambda_k, sample counts f_k Poisson with
means mu_k = pi lambda_k for the sampling fraction pi, so that F_k - f_k given f_k is Poisson with mean h_k = (1 - pi) lambda_k.
With mu fitted by a log-linear model a sample unique in cell k is unique in the population with probability exp(-h_k), and a
match with it is right with E[1/F_k | f_k = 1] = (1 - exp(-h_k)) / h_k. Their sums over sample uniques are tau_1 and tau_2.

A model with too few terms overestimates tau, one with too many underestimates it. To second order the bias of tau = sum of
g(lambda_k) over sample uniques is estimated by

    B = sum_k lambda_k exp(-pi lambda_k) {-g'(lambda_k) (f_k - mu_k) + g''(lambda_k) [(f_k - mu_k)^2 - f_k] / (2 pi)},

whose variance under the model is the sum of lambda_k^2 exp(-2 mu_k) (g'^2 mu_k + g''^2 mu_k^2 / (2 pi^2)), because f - mu and
(f - mu)^2 - f are uncorrelated with variances mu and 2 mu^2. The model with the smallest abs(B / sd) is taken.

References
----------
Skinner, C. and Shlomo, N. (2008), Assessing identification risk in survey microdata using log-linear models, Journal of the
American Statistical Association 103, 989-1001.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import FloatArray, IntArray

__all__ = ["LogLinear", "cells", "fit_log_linear", "fit_margins", "match_chances", "model_tests"]


@dataclass(frozen=True, eq=False)
class LogLinear:
    """What a log-linear model says.

    Parameters
    ----------
    chances
        (m,): chance of each given cell to have one person in the population, if it has one record in the sample.
    matches
        (m,): chance that a match with the one record of the cell is right.
    population
        Expected number of population uniques.
    tests
        B / sd for the bias of tau_1 and of tau_2.
    """

    chances: FloatArray = field(repr=False)
    matches: FloatArray = field(repr=False)
    population: float
    tests: tuple[float, float]


def cells(codes: IntArray) -> tuple[tuple[int, ...], IntArray]:
    """Return the shape of the table that patterns span, and the cell of each; missing is a category of its own."""
    low = np.minimum(codes.min(axis=0, initial=0), 0)
    shape = tuple((codes.max(axis=0, initial=-1) - low + 1).tolist())
    place = np.zeros(len(codes), dtype=np.int64)
    for j, size in enumerate(shape):
        place = place * size + codes[:, j] - low[j]
    return shape, place


def fit_margins(
    table: FloatArray,
    margins: Sequence[tuple[int, ...]],
    *,
    tolerance: float = 1e-8,
    start: FloatArray | None = None,
) -> FloatArray:
    """Fit a table of means whose margins equal those of the given one, by iterative proportional fitting.

    Ends when no margin is off by more than ``tolerance`` times the total, after 500 rounds at the latest. O(margins K) a round.
    The means are those of ``start`` (by default all equal) times one factor for each cell of each margin: the model with an
    offset ``log start``.

    Examples
    --------
    >>> fit_margins(np.array([[1.0, 0.0], [1.0, 2.0]]), [(0,), (1,)]).tolist()
    [[0.5, 0.5], [1.5, 1.5]]
    """
    total = float(table.sum())
    others = [tuple(j for j in range(table.ndim) if j not in kept) for kept in margins]
    wanted = [table.sum(axis=axes, keepdims=True) for axes in others]
    fitted = np.full(table.shape, total / table.size) if start is None else start.copy()
    for _ in range(500):
        worst = 0.0
        for axes, goal in zip(others, wanted, strict=True):
            now = fitted.sum(axis=axes, keepdims=True)
            worst = max(worst, float(np.abs(now - goal).max()))
            fitted *= np.divide(goal, now, out=np.zeros_like(goal), where=now > 0)
        if worst <= tolerance * total:
            break
    return fitted


def fit_log_linear(codes: IntArray, counts: IntArray, fraction: float, *, order: int) -> LogLinear:
    """Fit the model with all interactions of ``order`` keys (1: independence) and test it. O(K) memory.

    Parameters
    ----------
    codes, counts
        The patterns of the sample and their frequencies.
    fraction
        Sampling fraction, above 0 and at most 1.
    order
        Number of keys in a term.
    """
    shape, place = cells(codes)
    table = np.zeros(int(np.prod(shape)))
    table[place] = counts
    margins = list(itertools.combinations(range(len(shape)), min(order, len(shape))))
    mu = fit_margins(table.reshape(shape), margins).ravel()
    tests = model_tests(table, mu, fraction)
    with np.errstate(under="ignore"):
        population = float((mu / fraction * np.exp(-mu / fraction)).sum())
    one, match = match_chances(mu[place] / fraction, np.full(len(place), 1 - fraction))
    return LogLinear(chances=one, matches=match, population=population, tests=tests)


def model_tests(counts: FloatArray, mu: FloatArray, fraction: float) -> tuple[float, float]:
    """Return B / sd of tau_1 and of tau_2 for fitted means of all cells. O(K)."""
    with np.errstate(under="ignore"):
        _, slope, bend = _unique(mu / fraction, 1 - fraction)
        _, match_slope, match_bend = _match(mu / fraction, 1 - fraction)
        return _test(counts, mu, fraction, slope, bend), _test(counts, mu, fraction, match_slope, match_bend)


def match_chances(means: FloatArray, rest: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return P(F = 1 | f = 1) and E[1/F | f = 1] of cells with population means and 1 - pi of their own. O(m).

    Examples
    --------
    >>> [round(float(c[0]), 4) for c in match_chances(np.array([2.0]), np.array([0.5]))]
    [0.3679, 0.6321]
    """
    h = rest * means
    with np.errstate(under="ignore"):
        return np.exp(-h), _match(h, 1.0)[0]


def _unique(means: FloatArray, rest: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return g = exp(-(1 - pi) lambda) and its two derivatives."""
    g = np.exp(-rest * means)
    return g, -rest * g, rest**2 * g


def _match(means: FloatArray, rest: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return g = (1 - exp(-x)) / x with x = (1 - pi) lambda, and its two derivatives; by series where x is small."""
    x = rest * means
    small = x < 0.01
    y = np.where(small, 1.0, x)
    e = np.exp(-y)
    g = np.where(small, 1 - x / 2 + x**2 / 6 - x**3 / 24, (1 - e) / y)
    slope = np.where(small, -1 / 2 + x / 3 - x**2 / 8 + x**3 / 30, (e * (1 + y) - 1) / y**2)
    bend = np.where(small, 1 / 3 - x / 4 + x**2 / 10 - x**3 / 36, (2 - e * (y**2 + 2 * y + 2)) / y**3)
    return g, rest * slope, rest**2 * bend


def _test(counts: FloatArray, mu: FloatArray, fraction: float, slope: FloatArray, bend: FloatArray) -> float:
    """Return B / sd; 0 where there is nothing to estimate, as in a sample of everybody."""
    weight = mu / fraction * np.exp(-mu)
    off = counts - mu
    bias = float((weight * (-slope * off + bend * (off**2 - counts) / (2 * fraction))).sum())
    spread = float((weight**2 * (slope**2 * mu + bend**2 * mu**2 / (2 * fraction**2))).sum())
    return bias / spread**0.5 if spread > 0 else 0.0
