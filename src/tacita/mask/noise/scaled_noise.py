"""Noise that is scaled back: by columns, or with a factor that looks at the number of records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.attacks import Attack
from tacita.core.parameters import Interval
from tacita.core.traits import Traits
from tacita.mask.numeric_mask import ColumnwiseMask, Draw, JointMask
from tacita.numeric.statistics.covariances import factor, sample_covariance
from tacita.numeric.statistics.moments import column_mean

__all__ = ["RestrictedNoise", "ScaledNoise", "restriction_factor", "scaled_noise"]


_MANY = 500
"""Records from which the factor for large files is taken."""


def scaled_noise(x: FloatArray, normals: FloatArray, *, sd_ratio: float) -> FloatArray:
    """Return m + sqrt(1 - sd_ratio^2) (x - m) + sd_ratio s e for one column with mean m and deviation s. O(n).

    Examples
    --------
    >>> scaled_noise(np.array([0.0, 2.0]), np.zeros(2), sd_ratio=0.6).round(3).tolist()
    [0.2, 1.8]
    """
    if len(x) < 2:
        return x.copy()
    mean, sd = x.mean(), x.std(ddof=1)
    return np.asarray(mean + np.sqrt(1 - sd_ratio**2) * (x - mean) + sd_ratio * sd * normals)


def restriction_factor(n: int, alpha: float) -> float:
    """Return the factor c of ``c (x + e) + (1 - c) m`` for n records and noise with alpha times their covariance.

    ``sqrt((n - 1 - alpha) / ((n + 1)(1 + alpha)))`` below 500 records, else ``sqrt((n - 1) / (n (1 + alpha) - 1))``.

    Examples
    --------
    >>> round(restriction_factor(100, 0.25), 4), round(restriction_factor(10_000, 0.25), 4)
    (0.8844, 0.8944)
    """
    if n < _MANY:
        return float(np.sqrt(max(n - 1 - alpha, 0.0) / ((n + 1) * (1 + alpha))))
    return float(np.sqrt((n - 1) / (n * (1 + alpha) - 1)))


@dataclass(frozen=True, kw_only=True)
class ScaledNoise(ColumnwiseMask):
    """Shrink every column towards its mean and fill its variance up with noise.

    ``X_m = m + sqrt(1 - d^2) (X - m) + d s e`` with ``d = sd_ratio``, mean m and standard deviation s of the column and a
    standard normal e, for every column by itself.

    Protects against exact matching of continuous values. Does not protect outliers well.

    Parameters
    ----------
    sd_ratio
        Standard deviation d of the noise in standard deviations of the column, from 0 to 1; at 1 nothing but noise is left.

    Returns
    -------
    Microdata
        With noise in the chosen columns.

    Raises
    ------
    ParameterError
        When ``sd_ratio`` is outside [0, 1].

    Preserves
    ---------
    Nothing exactly. Means and variances are kept in expectation.

    Complexity
    ----------
    O(n d) time, dominated by drawing the normals; one extra array of the size of a column.

    Notes
    -----
    Covariances shrink by the factor 1 - d^2, because the noise of different columns is independent. ``linear_noise`` adds noise
    with the correlations of the data, and keeps covariances too. Missing values stay missing. A value that noise carries beyond a
    declared bound is reflected there.

    References
    ----------
    Domingo-Ferrer, J., Sebe, F. and Castella, J. (2004), On the security of noise addition for privacy in statistical
    databases; Templ, M. (2008), Statistical disclosure control for microdata using sdcMicro (``correlated2``).

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = ScaledNoise(columns=["age"], sd_ratio=0.2).apply(data, seed=7)
    """

    name = "scaled_noise"
    attacks = (Attack(measure="dld", knows="noise of {sd_ratio:g} standard deviations was added to each column"),)
    faces = ("distance_link", "probabilistic_link", "two_release_average")
    traits = Traits(scales={"numeric"}, stochastic=True)
    sd_ratio: Annotated[float, Interval(0, 1)] = 0.1

    def mask_column(self, values: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Scale one column and add noise to it."""
        return scaled_noise(values, rng.standard_normal(len(values)), sd_ratio=self.sd_ratio)


@dataclass(frozen=True, kw_only=True)
class RestrictedNoise(JointMask):
    """Add correlated noise and scale it back by a factor that depends on the number of records.

    ``X_m = c (X + E) + (1 - c) m`` with ``E ~ N(0, alpha S)``, ``alpha = sd_ratio^2``, mean m and covariance matrix S of the
    columns. The factor is ``c = sqrt((n - 1 - alpha) / ((n + 1)(1 + alpha)))`` below 500 records and
    ``sqrt((n - 1) / (n (1 + alpha) - 1))`` from 500 on.

    Protects against exact matching of continuous values. Does not protect outliers well.

    Parameters
    ----------
    sd_ratio
        Standard deviation of the noise in standard deviations of the column; its square is alpha.

    Raises
    ------
    ParameterError
        When ``sd_ratio`` is negative.

    Preserves
    ---------
    Nothing exactly. Means are kept in expectation; covariances too, from a few hundred records on.

    Complexity
    ----------
    O(n d^2) time, three arrays of the size of the data.

    Notes
    -----
    ``linear_noise`` has the factor ``1 / sqrt(1 + alpha)``, which keeps the covariance matrix in expectation for any n; below
    500 records the factor here is smaller by about 1 / n of itself, so that variances are too small rather than too large.
    Records with different patterns of missing values are masked apart. A value that noise carries beyond a declared bound is
    reflected there.

    References
    ----------
    Kim, J. J. (1986), A method for limiting disclosure in microdata based on random noise and transformation; Brand, R.
    (2002), Microdata protection through noise addition.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = RestrictedNoise(columns=["age", "savings"], sd_ratio=0.4).apply(data, seed=7)
    """

    name = "restricted_noise"
    attacks = (
        Attack(
            measure="dld",
            knows="noise of {sd_ratio:g} standard deviations with the correlations of the columns was added",
            settings={"distance": "mahalanobis"},
        ),
    )
    faces = ("distance_link", "probabilistic_link", "two_release_average")
    traits = Traits(scales={"numeric"}, stochastic=True)
    sd_ratio: Annotated[float, Interval(0)] = 0.1

    def mask_records(self, x: FloatArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        """Add noise and scale it back."""
        if len(x) < 2:
            return x.copy()
        mean, c = column_mean(x), restriction_factor(len(x), self.sd_ratio**2)
        normals = draw.joint(names).standard_normal(x.shape)
        noise = self.sd_ratio * normals @ factor(sample_covariance(x)).T
        return np.asarray(c * (x + noise) + (1 - c) * mean)
