"""PIL: information loss as a probability, bounded between 0 and 100."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import MeasureError
from tacita.core.parameters import Interval, Length
from tacita.core.traits import MeasureTraits
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.loss.base import Loss
from tacita.numeric.statistics.moments import covariance

__all__ = ["Pil", "pil_all_pairs", "pil_columns", "pil_pairs", "probability_of_difference"]


_BLOCK = 2**13
"""Records that are worked on at a time: their powers stay in the processor's cache."""

QUANTILES = tuple(round(0.05 * i, 2) for i in range(1, 20))


def probability_of_difference(theta: FloatArray, masked: FloatArray, variance: FloatArray) -> FloatArray:
    """Return ``100 * 2 P(0 <= Z <= |theta - theta'| / sd(theta))`` for standard normal Z.

    A statistic without variance loses nothing when it is unchanged and everything when it is not.
    """
    from scipy.special import erf

    gap = np.abs(theta - masked)
    gap = np.where(gap <= 1e-12 * np.maximum(np.abs(theta), np.abs(masked)), 0.0, gap)  # rounding is no loss
    with np.errstate(divide="ignore", invalid="ignore"):
        score = gap / np.sqrt(variance)
    score = np.where(variance > 0, score, np.where(gap > 0, np.inf, 0.0))
    return np.asarray(100 * erf(score / np.sqrt(2)))  # 2 (Phi(z) - 1/2) = erf(z / sqrt 2)


def pil_columns(x: FloatArray, y: FloatArray, quantiles: tuple[float, ...]) -> dict[str, float]:
    """Return PIL of mean, variance and quantiles of one column. O(n log n)."""
    n = len(x)
    x, y = np.sort(x), np.sort(y)  # once for quantiles and densities
    squares = (x - x.mean()) ** 2
    mu2, mu4 = float(squares.mean()), float((squares**2).mean())
    means = probability_of_difference(x.mean(), y.mean(), np.asarray(mu2 / n))
    variances = probability_of_difference(np.asarray(mu2), np.asarray(y.var()), np.asarray(max(mu4 - mu2**2, 0.0) / n))
    q = np.asarray(quantiles)
    at_x, at_y = np.quantile(x, q), np.quantile(y, q)
    spread = q * (1 - q) / (n * _density(x, q) ** 2)
    quantile_loss = probability_of_difference(at_x, at_y, spread)
    return {"means": float(means), "variances": float(variances), "quantiles": float(quantile_loss.mean())}


def _density(ordered: FloatArray, q: FloatArray) -> FloatArray:
    """Return the density at quantiles from the distance of order statistics n^(4/5) / 2 ranks away on each side.

    Where so many values are equal that the distance is 0, the density is infinite: the quantile has no variance.
    """
    n = len(ordered)
    reach = max(1, round(0.5 * n**0.8))
    place = np.rint(q * (n - 1)).astype(np.int64)
    low, high = np.maximum(place - reach, 0), np.minimum(place + reach, n - 1)
    width = ordered[high] - ordered[low]
    with np.errstate(divide="ignore"):
        return np.asarray((high - low) / n / width)


def pil_pairs(a: FloatArray, b: FloatArray, a2: FloatArray, b2: FloatArray) -> dict[str, float]:
    """Return PIL of covariance and correlation of one pair of columns; ``a2``, ``b2`` are the masked columns. O(n)."""
    n = len(a)
    u, v = a - a.mean(), b - b.mean()
    mu11, mu22 = float((u * v).mean()), float((u**2 * v**2).mean())
    mu20, mu02 = float((u**2).mean()), float((v**2).mean())
    masked11 = float(((a2 - a2.mean()) * (b2 - b2.mean())).mean())
    found = {
        "covariances": float(
            probability_of_difference(np.asarray(mu11), np.asarray(masked11), np.asarray(max(mu22 - mu11**2, 0.0) / n))
        )
    }
    spread = a2.std() * b2.std()
    if mu20 > 0 and mu02 > 0 and spread > 0:
        r, masked_r = mu11 / np.sqrt(mu20 * mu02), masked11 / spread
        variance = _correlation_variance(u, v, r, n)
        found["correlations"] = float(
            probability_of_difference(np.asarray(r), np.asarray(masked_r), np.asarray(variance))
        )
    return found


def _correlation_variance(u: FloatArray, v: FloatArray, r: float, n: int) -> float:
    """Return the large-sample variance of a correlation coefficient.

    The usual form divides by mu11, which may be 0; multiplied out by r^2 it has no such division.
    """
    s, t = u / np.sqrt((u**2).mean()), v / np.sqrt((v**2).mean())
    m22, m31, m13 = float((s**2 * t**2).mean()), float((s**3 * t).mean()), float((s * t**3).mean())
    m40, m04 = float((s**4).mean()), float((t**4).mean())
    return max(m22 + r**2 * (m40 + m04 + 2 * m22) / 4 - r * (m31 + m13), 0.0) / n


def pil_all_pairs(x: FloatArray, y: FloatArray | Callable[[], FloatArray]) -> dict[str, FloatArray]:
    """Return PIL of covariance and correlation of all pairs of columns that have spread and no missing value.

    The same as :func:`pil_pairs` for each of them, with all moments from a few matrix products. O(n d^2). Where the masked
    columns are made by a call, they are overwritten, and come when the original ones are not needed any more.
    """
    n, d = x.shape
    mean, sd = x.mean(axis=0), x.std(axis=0)
    m11, m22, m31 = np.zeros((d, d)), np.zeros((d, d)), np.zeros((d, d))
    for start in range(0, n, _BLOCK):
        z = (x[start : start + _BLOCK] - mean) / sd
        squares = z * z
        m11 += z.T @ z / n
        m22 += squares.T @ squares / n
        m31 += (squares * z).T @ z / n
    del x, z, squares
    masked = (covariance(y(), overwrite=True) if callable(y) else covariance(y)) / np.outer(sd, sd)
    i, j = np.tril_indices(d, -1)
    r, variance = m11[i, j], np.maximum(m22[i, j] - m11[i, j] ** 2, 0.0) / n
    found = {"covariances": probability_of_difference(r, masked[i, j], variance)}
    spread = np.sqrt(masked[i, i] * masked[j, j])
    i, j, r, spread = i[spread > 0], j[spread > 0], r[spread > 0], spread[spread > 0]
    fourth = (m22[i, i] + m22[j, j] + 2 * m22[i, j]) / 4
    variance = np.maximum(m22[i, j] + r**2 * fourth - r * (m31[i, j] + m31[j, i]), 0.0) / n
    found["correlations"] = probability_of_difference(r, masked[i, j] / spread, variance)
    return found


@dataclass(frozen=True, kw_only=True)
class Pil(Loss):
    """Probability that the masked statistics differ from the original by more than chance, averaged over statistics.

    For a statistic theta with large-sample variance Var(theta), ``PIL = 100 * 2 P(0 <= Z <= |theta - theta'| / sd(theta))``:
    0 when masking did not change it, 100 when the change is out of all proportion to its sampling error. The value is
    the mean over means, variances, covariances, correlations and quantiles.

    Parameters
    ----------
    quantiles
        The quantiles that are compared; by default 5, 10, ..., 95 percent.

    Returns
    -------
    Measured
        The mean of the five parts, and the parts.

    Complexity
    ----------
    O(d n log n + n d^2) time, O(n) memory beyond the data.

    Notes
    -----
    Variances of the statistics: mean mu2/n; variance (mu4 - mu2^2)/n; covariance (mu22 - mu11^2)/n; correlation by the usual
    expansion in moments up to order four; quantile q(1-q)/(n f^2) with the density f from order statistics n^(4/5)/2
    ranks away. Records need not be paired. Missing values are left out column by column, pairs of columns use the
    records that have both.

    References
    ----------
    Mateo-Sanz, J. M., Domingo-Ferrer, J. and Sebe, F. (2005), Probabilistic information loss measures in confidentiality
    protection of continuous microdata.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.arange(100.0)
    >>> pil_columns(x, x, (0.5,))
    {'means': 0.0, 'variances': 0.0, 'quantiles': 0.0}
    """

    name = "pil"
    title = "Probabilistic information loss"
    traits = MeasureTraits(scales={"numeric"}, unit="%", upper=100.0)
    quantiles: Annotated[tuple[Annotated[float, Interval(0, 1, closed="neither")], ...], Length(1)] = QUANTILES

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the mean over the kinds of statistics."""
        found: dict[str, list[float]] = {}
        units: dict[str, float] = {}
        at_once = []
        for name in names:
            a, b = pair.original_file((name,))[:, 0], pair.masked_file((name,))[:, 0]
            # The measure does not depend on the unit; fourth moments of very large or small numbers would overflow.
            units[name] = float(np.nanmax(np.abs(a), initial=0.0)) or 1.0
            a /= units[name]
            b /= units[name]
            if _has_spread_and_no_gap(a, b):
                at_once.append(name)
            else:
                a, b = a[~np.isnan(a)], b[~np.isnan(b)]
            if len(a) < 2 or len(b) < 2:
                raise MeasureError(f"Pil: column '{name}' has fewer than two values in one of the files.")
            for part, value in pil_columns(a, b, self.quantiles).items():
                found.setdefault(part, []).append(value)
            del a, b
        if len(at_once) > 1:
            scale = np.array([units[name] for name in at_once])
            masked = partial(_scaled, pair.masked_file, tuple(at_once), scale)
            for part, values in pil_all_pairs(_scaled(pair.original_file, tuple(at_once), scale), masked).items():
                found.setdefault(part, []).extend(values.tolist())
        for i, one in enumerate(names):
            for other in names[:i]:
                if one not in at_once or other not in at_once:
                    for part, value in _pil_with_gaps(pair, (one, other), units).items():
                        found.setdefault(part, []).append(value)
        parts = {part: float(np.mean(values)) for part, values in found.items() if values}
        return Measured(float(np.mean(list(parts.values()))), parts=parts)


def _scaled(values: Callable[[tuple[str, ...]], FloatArray], names: tuple[str, ...], scale: FloatArray) -> FloatArray:
    found = values(names)
    found /= scale
    return found


def _pil_with_gaps(pair: Pair, names: tuple[str, str], units: Mapping[str, float]) -> dict[str, float]:
    """Return PIL of one pair of columns over the records that have both; nothing where a file has fewer than two of them."""
    scale = np.array([units[name] for name in names])
    x, y = _scaled(pair.original_file, names, scale), _scaled(pair.masked_file, names, scale)
    x, y = x[~np.isnan(x).any(axis=1)], y[~np.isnan(y).any(axis=1)]
    return pil_pairs(x[:, 0], x[:, 1], y[:, 0], y[:, 1]) if len(x) > 1 and len(y) > 1 else {}


def _has_spread_and_no_gap(x: FloatArray, y: FloatArray) -> bool:
    return not np.isnan(x.sum() + y.sum()) and float(x.min()) < float(x.max())
