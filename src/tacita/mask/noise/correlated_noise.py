"""Correlated noise: errors that have the covariance structure of the data, with and without rescaling."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.attacks import Attack
from tacita.core.parameters import Interval
from tacita.core.traits import Traits
from tacita.mask.numeric_mask import BoolArray, Draw, NumericMask
from tacita.numeric.compiled.threads import in_threads
from tacita.numeric.statistics.covariances import factor, sample_covariance, shrunk_covariance
from tacita.numeric.statistics.moments import column_mean

__all__ = ["CorrelatedNoise", "LinearNoise", "adjust_subpopulation", "correlated_noise", "rescaled_noise"]


def correlated_noise(x: FloatArray, normals: FloatArray, *, sd_ratio: float, cov: FloatArray) -> FloatArray:
    """Return x + e with Cov(e) = sd_ratio^2 cov, made from independent standard normals. O(n d^2) time."""
    # Columns lie side by side in memory, so the product is taken with records as columns.
    noise = (sd_ratio * factor(cov)) @ normals.T
    noise += x.T
    return noise.T


def rescaled_noise(x: FloatArray, normals: FloatArray, *, sd_ratio: float, cov: FloatArray) -> FloatArray:
    """Return mean + (x - mean + e) / sqrt(1 + sd_ratio^2): equation (1) of Oganian (2011). O(n d^2) time."""
    mean = column_mean(x)
    made = correlated_noise(x, normals, sd_ratio=sd_ratio, cov=cov)
    made -= mean
    made /= np.sqrt(1 + sd_ratio**2)
    made += mean
    return made


def adjust_subpopulation(subset: FloatArray, whole: FloatArray, *, sd_ratio: float) -> tuple[FloatArray, FloatArray]:
    """Return mean and covariance of a subpopulation as they were before :class:`LinearNoise`.

    For data users who were told ``sd_ratio``. With a = sd_ratio^2 and c = 1 / sqrt(1 + a), the masked values of a subpopulation
    have mean ``c m_s + (1 - c) m`` and covariance ``c^2 (S_s + a S)``, where m and S belong to the whole file; both are
    solved for m_s and S_s.

    Parameters
    ----------
    subset
        Masked records of the subpopulation.
    whole
        All masked records.
    sd_ratio
        The parameter of the mask.

    References
    ----------
    Kim, J. J. (1986), A method for limiting disclosure in microdata based on random noise and transformation.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> whole = rng.normal(size=(1000, 2))
    >>> mean, cov = adjust_subpopulation(whole, whole, sd_ratio=0.5)
    >>> bool(np.allclose(mean, whole.mean(axis=0)))
    True
    """
    a = sd_ratio**2
    c = 1 / np.sqrt(1 + a)
    mean = (column_mean(subset) - (1 - c) * column_mean(whole)) / c
    cov = sample_covariance(subset) / c**2 - a * sample_covariance(whole)
    return np.asarray(mean), np.asarray(cov)


@dataclass(frozen=True, kw_only=True)
class _JointNoise(NumericMask):
    """Base of both noises.

    Parameters
    ----------
    sd_ratio
        Standard deviation of the noise in standard deviations of the column; its square is the factor alpha of the
        covariance matrix.
    shrinkage
        Shrink the estimated correlations towards zero before noise is drawn; steadier where records are few.

    Raises
    ------
    ParameterError
        When ``sd_ratio`` is negative.

    Complexity
    ----------
    O(n d^2) time, three arrays of the size of the data.
    """

    attacks = (
        Attack(
            measure="dld",
            knows="noise of {sd_ratio:g} standard deviations with the correlations of the columns was added",
            settings={"distance": "mahalanobis"},
        ),
    )
    sd_ratio: Annotated[float, Interval(0)] = 0.1
    shrinkage: bool = False

    @abstractmethod
    def _noisy(self, x: FloatArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        """Return the noisy values, NaN where missing."""

    def mask_values(self, x: FloatArray, active: BoolArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        """Add noise to the values that take part; the others say nothing about mean and spread either."""
        if active.all():
            return self._noisy(x, names, draw)
        return np.where(active, self._noisy(np.where(active, x, np.nan), names, draw), x)

    def _covariance(self, x: FloatArray) -> FloatArray:
        return shrunk_covariance(x)[0] if self.shrinkage else sample_covariance(x)


def _normals(n: int, names: tuple[str, ...], draw: Draw) -> FloatArray:
    """Draw independent normals, each column from its own stream and so on any core."""
    made = np.empty((len(names), n))
    rngs = [draw.column(name) for name in names]
    in_threads(lambda j: rngs[j].standard_normal(out=made[j]), range(len(names)))
    return made.T


@dataclass(frozen=True, kw_only=True)
class CorrelatedNoise(_JointNoise):
    """Add normal noise whose covariance matrix is proportional to that of the data.

    ``Z = X + E`` with ``E ~ N(0, alpha Sigma)`` and ``alpha = sd_ratio^2``, where Sigma is the covariance matrix of the chosen
    columns.

    Protects against exact matching of continuous values. Does not protect outliers well, nor values that follow from
    others by a formula: noise with the data's own correlations leaves strong relations visible.

    Returns
    -------
    Microdata
        With noise in the chosen columns.

    Preserves
    ---------
    Nothing exactly. In expectation means and correlations are kept; the covariance matrix grows by the factor 1 + alpha.

    Notes
    -----
    Sigma has the denominator n - 1 and uses, for each pair of columns, the records that have both values; a singular
    matrix is no obstacle. Missing values stay missing. Within strata (``by``) Sigma is the stratum's own.
    A value that noise carries beyond a declared bound is reflected
    there: a mean near the bound moves inwards by twice the mean excess, and the spread shrinks.

    References
    ----------
    Domingo-Ferrer, J. (2007), Statistical databases, section "Additive noise" (masking by correlated noise addition).

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = CorrelatedNoise(columns=["age", "savings"], sd_ratio=0.2).apply(data, seed=7)
    """

    name = "correlated_noise"
    faces = ("distance_link", "noise_filter", "two_release_average")
    traits = Traits(scales={"numeric"}, stochastic=True)

    def _noisy(self, x: FloatArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        return correlated_noise(x, _normals(len(x), names, draw), sd_ratio=self.sd_ratio, cov=self._covariance(x))


@dataclass(frozen=True, kw_only=True)
class LinearNoise(_JointNoise):
    """Add correlated noise and shrink the result linearly, so that means and covariances stay.

    ``X_m = m + (X - m + E) / sqrt(1 + k)`` with ``E ~ N(0, k Sigma)``, ``k = sd_ratio^2`` and m the mean. The sample covariance
    matrix of the masked data is an unbiased estimator of that of the original.

    Protects against exact matching of continuous values. Does not protect outliers well. Statistics of subpopulations
    are biased unless the user knows ``sd_ratio`` and corrects them with :func:`adjust_subpopulation`.

    Returns
    -------
    Microdata
        With the chosen columns masked together.

    Preserves
    ---------
    Nothing exactly. Mean vector and covariance matrix are kept in expectation.

    Notes
    -----
    This is Kim's noise with linear transformation, ``G = c Z + (1 - c) m`` with ``c = 1 / sqrt(1 + alpha)``: since the noise is
    drawn with the sample covariance matrix (denominator n - 1), this c makes the estimator exactly unbiased. Equation
    (1) of Oganian is the same formula. With ``shrinkage`` it is unbiased for the shrunk matrix's variances only.
    A value that noise carries beyond a declared bound is reflected
    there: a mean near the bound moves inwards by twice the mean excess, and the spread shrinks. Both are then no longer kept.

    References
    ----------
    Kim, J. J. (1986), A method for limiting disclosure in microdata based on random noise and transformation; Oganian,
    A. (2011), Multiplicative noise for masking numerical microdata with constraints, equation (1).

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = LinearNoise(columns=["age", "savings"], sd_ratio=0.4).apply(data, seed=7)
    """

    name = "linear_noise"
    title = "Correlated noise, linearly transformed"
    faces = ("distance_link", "two_release_average")
    traits = Traits(scales={"numeric"}, stochastic=True)

    def _noisy(self, x: FloatArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        return rescaled_noise(x, _normals(len(x), names, draw), sd_ratio=self.sd_ratio, cov=self._covariance(x))
