"""Multiplicative noise on plain arrays: the parameters of the noise, its application, and what it does to moments.

All schemes of Oganian have one form. With ``s = sqrt(1 + k)`` and non-negative ``W = X + shift``,

    X_m = E[X] + (W exp(E) - E[W]) / s,    Sigma_E(i, j) = log(1 + k Sigma(i, j) / E[W_i W_j]),    mu_E = -diag(Sigma_E) / 2;

they differ in the shift: 0 gives (7), ``lag sigma - E[X]`` gives (15), ``(s - 1) E[X]`` gives (21).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from math import comb, prod, sqrt
from typing import Literal

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.numeric.statistics.moments import column_mean, column_sd, covariance
from tacita.numeric.statistics.psd import Repaired, repair_covariance

__all__ = [
    "Moments",
    "NoisePlan",
    "Scheme",
    "adjust_moments",
    "lag_bounds",
    "masked_moments",
    "noise_covariance",
    "plan_noise",
    "raw_moments",
    "zones_by_range",
]

Scheme = Literal["safe", "plain", "z-score"]
Moments = dict[tuple[int, ...], float]
"""Powers of the columns, such as (2, 1), and the mean of that product of powers."""


@dataclass(frozen=True)
class NoisePlan:
    """Everything about the noise that the data decide; normals are all that is missing.

    Parameters
    ----------
    k
        Variance inflation.
    origin, unit
        Columns are worked on as ``y = (x - origin) / unit``, which lies in [0, 1]: origin is below zero only for columns
        with negative values.
    shift
        ``w = y + shift`` is what the noise multiplies.
    base
        What is added after that, in units of y.
    moves
        Which columns get noise; a constant one has none.
    formula
        Covariance of the noise as the formula gives it; NaN where that is the logarithm of nothing or less.
    noise
        The same made positive semidefinite, and its factor.
    change
        By how much the expected covariance of the masked columns is off because of the repair, in units of y.
    """

    k: float
    origin: FloatArray
    unit: FloatArray
    shift: FloatArray
    base: FloatArray
    moves: BoolArray
    formula: FloatArray
    noise: Repaired
    change: FloatArray

    def apply(self, x: FloatArray, normals: FloatArray) -> FloatArray:
        """Mask records with independent standard normals of the same shape. O(n d^2) time."""
        exponent = normals @ self.noise.factor.T - np.diag(self.noise.matrix) / 2  # (9), (14)
        w = np.maximum((x - self.origin) / self.unit + self.shift, 0.0)
        made = self.origin + self.unit * (self.base + w * np.exp(exponent) / sqrt(1 + self.k))  # (7), (15), (21)
        return np.where(self.moves, made, x)


def plan_noise(
    x: FloatArray, *, k: float, scheme: Scheme = "safe", lag: float | Sequence[float] | None = None
) -> NoisePlan:
    """Find the noise for some records. O(n d^2) time.

    Parameters
    ----------
    x
        Records in rows, NaN where a value is missing or must stay.
    k
        Variance inflation of the noise.
    scheme
        ``plain`` is (7), ``z-score`` is (15), ``safe`` is (21).
    lag
        For ``z-score``: lag of every column in standard deviations, within :func:`lag_bounds`; None is the smallest.
    """
    low, high = _extremes(x)
    moves = (high > low) & (k > 0)
    origin = np.minimum(low, 0.0)
    unit = np.where(moves, high - origin, 1.0)
    y = np.where(moves, (x - origin) / unit, 0.0)
    mean, s = column_mean(y), sqrt(1 + k)
    if scheme == "safe":
        shift = (s - 1) * mean  # (21): the largest lag of (19), s E[X] / sigma
    elif scheme == "plain":
        shift = np.zeros_like(mean)  # (7)
    else:  # (11), (12): Z_p sigma = X - E[X] + lag sigma
        shift = -(low - origin) / unit if lag is None else np.asarray(lag) * column_sd(y) - mean
    base = np.zeros_like(mean) if scheme == "safe" else mean - (mean + shift) / s
    base = np.where(low >= 0, np.maximum(base, 0.0), base)  # rounding must not push a column below zero
    formula, scaled = _covariance_and_scale(y, shift, k, moves, safe=scheme == "safe")
    noise = repair_covariance(np.nan_to_num(formula))
    off = scaled * (np.exp(noise.matrix) - np.exp(np.nan_to_num(formula))) / (1 + k)
    return NoisePlan(
        k=k,
        origin=origin,
        unit=unit,
        shift=shift,
        base=base,
        moves=moves,
        formula=formula,
        noise=noise,
        change=np.asarray(off),
    )


def noise_covariance(x: FloatArray, *, k: float, scheme: Scheme = "safe") -> FloatArray:
    """Return the covariance matrix of the noise before any repair: (8), (13) or (23); NaN where there is none."""
    return plan_noise(x, k=k, scheme=scheme).formula


def _covariance_and_scale(
    y: FloatArray, shift: FloatArray, k: float, moves: BoolArray, *, safe: bool
) -> tuple[FloatArray, FloatArray]:
    """Return the covariance of the noise and E[W_i W_j]; each entry is taken over the records that have both values."""
    there = (~np.isnan(y)).astype(np.float64)
    filled = np.nan_to_num(y) if safe else np.where(there > 0, y + shift, 0.0)
    counts = np.maximum(there.T @ there, 1.0)
    sigma, squares = covariance(y), filled.T @ filled / counts
    if safe:
        # (23): E[W_i W_j] = E[Y_i Y_j] + k E[Y_i] E[Y_j], so the argument is (1 + k) E[Y_i Y_j] / E[W_i W_j]: never below 0.
        means = filled.T @ there / counts
        scale, argument = squares + k * means * means.T, (1 + k) * squares
    else:
        scale, argument = squares, squares + k * sigma  # (8), (13)
    related = (sigma != 0) & moves & moves[:, None]
    defined = related & (argument > 0) & (scale > 0)
    ratio = np.where(defined, k * sigma / np.where(defined, scale, 1.0), 0.0)
    # log1p keeps the digits of small covariances, the quotient those of an argument near zero.
    near = np.log1p(np.maximum(ratio, -0.5))
    far = np.log(np.where(defined, argument, 1.0) / np.where(defined, scale, 1.0))
    formula = np.where(ratio > -0.5, near, far)
    return np.where(related & ~defined, np.nan, formula), scale


def lag_bounds(x: FloatArray, *, k: float) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and the largest lag of each column for scheme (15), in standard deviations.

    The smallest is ``|min Z|``, so that no z-score stays negative. The largest, ``sqrt(1 + k) E[X] / sigma`` of (19), keeps
    masked values of non-negative columns from falling below zero; columns with negative values have none.
    """
    low, high = _extremes(x)
    moves = high > low
    width = np.where(moves, high - low, 1.0)
    y = np.where(moves, (x - low) / width, 0.0)
    mean, sd = column_mean(y), np.where(moves, column_sd(y), 1.0)
    upper = np.where((low >= 0) & moves, sqrt(1 + k) * (mean + low / width) / sd, np.inf)  # (19)
    return np.asarray(mean / sd), upper


def zones_by_range(x: FloatArray, bounds: Sequence[float]) -> IntArray:
    """Number each record by how many bounds its largest value exceeds; -1 where it has no value at all."""
    largest = np.fmax.reduce(x, axis=1, initial=-np.inf)
    return np.where(np.isneginf(largest), -1, np.searchsorted(np.asarray(bounds), largest, side="left"))


def _extremes(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return smallest and largest value of each column; 0 and 0 where a column has none."""
    low = np.fmin.reduce(x, axis=0, initial=np.inf)
    high = np.fmax.reduce(x, axis=0, initial=-np.inf)
    return np.where(np.isinf(low), 0.0, low), np.where(np.isinf(high), 0.0, high)


# --- moments ----------------------------------------------------------------------------------------------------------


def raw_moments(x: FloatArray, order: int = 4) -> Moments:
    """Return the means of all products of powers up to an order, over the records without missing values."""
    whole = x[~np.isnan(x).any(axis=1)]
    d = x.shape[1]
    products = {(0,) * d: np.ones(len(whole))}
    for p in _powers(d, order):
        j = next(j for j in range(d) if p[j])
        products[p] = products[(*p[:j], p[j] - 1, *p[j + 1 :])] * whole[:, j]
    return {p: float(values.mean()) if len(whole) else float("nan") for p, values in products.items()}


def masked_moments(original: Moments, k: float) -> Moments:
    """Return the moments to be expected after scheme (21): the corrected equation (25).

    ``E[prod X_m^p] = A (1 + k)^(-P/2) E[prod (X + (sqrt(1 + k) - 1) E[X])^p]`` with P the order and A from the noise.
    """
    growth, mean, s = *_growth(original, k), sqrt(1 + k)
    return {p: _amplified(p, growth) * s ** -sum(p) * _moved(original, p, (s - 1) * mean) for p in original}  # (25)


def adjust_moments(
    masked: FloatArray, k: float, *, origin: float | Sequence[float] | FloatArray = 0.0, order: int = 4
) -> Moments:
    """Recover third and fourth moments of the original data from data masked by scheme (21).

    For data users who were told k. First and second moments are those of the masked data; each higher one is the corrected
    equation (26) solved for the moment of the original of the same order:
    ``E[prod X^p] = (1 + k)^(P/2) / A E[prod X_m^p] - sum over i < p of what lower moments add``.

    Parameters
    ----------
    masked
        Masked records; those with a missing value are left out.
    k
        The parameter of the mask.
    origin
        For columns with negative values what the mask took for their smallest value (below zero); 0 for the others.
    order
        Highest order of the moments.

    Returns
    -------
    dict
        From powers of the columns, such as (2, 1, 0), to the mean of that product of powers.

    Notes
    -----
    With zones use it on each zone with its own k and average by the numbers of records; with a chain of inequalities use it
    on the differences. It is not exact where the covariance of the noise had to be repaired. Whether k may be
    released is for the data owner to decide: it helps an intruder too.

    References
    ----------
    Oganian, A. (2011), equations (24) to (26), with the cross term of A corrected to
    ``(1 + k) E[X_j X_l] / (E[X_j X_l] + k E[X_j] E[X_l])``.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.random.default_rng(1).gamma(2.0, size=(100_000, 1))
    >>> plan = plan_noise(x, k=0.15)
    >>> masked = plan.apply(x, np.random.default_rng(2).standard_normal(x.shape))
    >>> truth, found = raw_moments(x), adjust_moments(masked, k=0.15)
    >>> [round(m[(4,)] / truth[(4,)], 2) for m in (raw_moments(masked), found)]
    [1.11, 1.0]
    """
    start = np.broadcast_to(np.asarray(origin, dtype=np.float64), masked.shape[1:])
    seen = raw_moments(masked - start, order)
    growth, mean, s = *_growth(seen, k), sqrt(1 + k)
    w = {p: s ** sum(p) * value / _amplified(p, growth) for p, value in seen.items()}  # (26), solved for E[prod W^p]
    return {p: _moved(w, p, start - (s - 1) * mean) for p in seen}


def _growth(moments: Moments, k: float) -> tuple[FloatArray, FloatArray]:
    """Return c_jl = exp Sigma_E(j, l) of (23) and the means."""
    d = len(next(iter(moments)))
    unit = np.eye(d, dtype=int)
    mean = np.array([moments[tuple(map(int, row))] for row in unit])
    second = np.array([[moments[tuple(map(int, a + b))] for b in unit] for a in unit])
    below = second + k * np.outer(mean, mean)
    return np.where(below > 0, (1 + k) * second / np.where(below > 0, below, 1.0), 1.0), mean  # exp of (23)


def _amplified(p: tuple[int, ...], growth: FloatArray) -> float:
    """Return A of (26): the mean of prod exp(p_j E_j)."""
    d = len(p)
    own = prod(float(growth[j, j]) ** (p[j] * (p[j] - 1) / 2) for j in range(d))
    cross = prod(float(growth[j, m]) ** (p[j] * p[m]) for m in range(d) for j in range(m))
    return float(own * cross)  # (24), corrected


def _moved(moments: Mapping[tuple[int, ...], float], p: tuple[int, ...], offset: FloatArray) -> float:
    """Return E[prod (X + offset)^p] from the moments of X by the binomial formula."""
    total = 0.0
    for i in product(*(range(power + 1) for power in p)):
        weight = prod(comb(a, b) * float(o) ** (a - b) for a, b, o in zip(p, i, offset, strict=True))
        total += weight * moments[i]
    return total


def _powers(d: int, order: int) -> Iterator[tuple[int, ...]]:
    """Give the powers of all products up to an order, lower orders first."""
    for size in range(1, order + 1):
        for columns in combinations_with_replacement(range(d), size):
            yield tuple(columns.count(j) for j in range(d))
