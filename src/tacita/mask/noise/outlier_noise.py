"""Outlier-aware noise: little for the crowd, more for records that stand out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.attacks import Attack
from tacita.core.parameters import Interval
from tacita.core.traits import Traits
from tacita.mask.numeric_mask import BoolArray, Draw, NumericMask
from tacita.numeric.statistics.moments import robust_centre_and_spread

__all__ = ["OutlierNoise", "standing_out"]


def standing_out(x: FloatArray) -> FloatArray:
    """Return how far each record stands out: the root mean square of its robust z-scores. O(n d) time.

    A robust z-score is the distance from the median in units of 1.4826 times the median absolute deviation.
    """
    centre, spread = robust_centre_and_spread(x)
    scores = (x - centre) / np.where(spread > 0, spread, np.inf)  # where nothing varies nobody stands out
    there = ~np.isnan(scores)
    squares = np.where(there, scores, 0.0) ** 2
    return np.asarray(np.sqrt(squares.sum(axis=1) / np.maximum(there.sum(axis=1), 1)))


@dataclass(frozen=True, kw_only=True)
class OutlierNoise(NumericMask):
    """Add normal noise that grows with how far a record stands out from the others.

    A record whose robust distance from the centre is at most ``cutoff`` gets noise of ``sd_ratio`` robust standard
    deviations in each column; one that stands out t times as far gets t times as much. With ``only_outliers`` the others
    stay unchanged.

    Protects extreme records better than noise of one size, which leaves them as extreme as they were. Does not protect
    the crowd when ``only_outliers`` is set: everybody else's true values are then published.

    Parameters
    ----------
    sd_ratio
        Standard deviation of the noise for an ordinary record, in robust standard deviations of the column.
    cutoff
        Robust distance, in standard deviations, up to which a record is ordinary.
    only_outliers
        Leave ordinary records unchanged.

    Returns
    -------
    Microdata
        With noise in the chosen columns.

    Raises
    ------
    ParameterError
        When ``sd_ratio`` is negative or ``cutoff`` is not positive.

    Preserves
    ---------
    Nothing exactly. Means are kept in expectation; variances grow, most for skewed columns.

    Complexity
    ----------
    O(n d) time (medians by selection), three arrays of the size of the data.

    Notes
    -----
    Centre and spread are median and 1.4826 MAD over the values that are there; where more than half of the values are
    equal the MAD is 0 and the standard deviation takes its place. A column without spread, and a record that is alone in its
    stratum, get no noise, with a warning for the record. The distance of a record is the root mean square of
    its robust z-scores, so that the cutoff does not depend on the number of columns. With ``only_outliers`` this is what users
    know as ``outdect``. Missing values stay missing.
    A value that noise carries beyond a declared bound is reflected
    there: a mean near the bound moves inwards by twice the mean excess, and the spread shrinks.

    References
    ----------
    Mateo-Sanz, Sebe and Domingo-Ferrer (2004), Outlier protection in continuous microdata masking, section 6, on why noise of
    one size does not protect outliers; Templ, M. (2008), Statistical disclosure control for microdata using sdcMicro.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = OutlierNoise(columns=["age", "savings"], sd_ratio=0.1).apply(data, seed=7)
    """

    name = "outlier_noise"
    attacks = (Attack(measure="dld", knows="noise of {sd_ratio:g} standard deviations was added"),)
    faces = ("distance_link", "probabilistic_link", "two_release_average")
    traits = Traits(scales={"numeric"}, stochastic=True)
    sd_ratio: Annotated[float, Interval(0)] = 0.1
    cutoff: Annotated[float, Interval(0, closed="neither")] = 2.0
    only_outliers: bool = False

    @property
    def keeps_at_most(self) -> float | None:
        """Half of the values, or any share but all where only outliers are masked."""
        return 1.0 if self.only_outliers else super().keeps_at_most

    def mask_values(self, x: FloatArray, active: BoolArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        """Add noise in proportion to how far a record stands out."""
        if len(x) == 0:
            return x
        taking_part = np.where(active, x, np.nan)
        times = np.maximum(standing_out(taking_part) / self.cutoff, 1.0)
        if self.only_outliers:
            times = np.where(times > 1.0, times, 0.0)
        spread = robust_centre_and_spread(taking_part)[1]
        noise = np.stack([draw.column(name).standard_normal(len(x)) for name in names], axis=-1)
        return np.where(active, x + self.sd_ratio * spread * times[:, None] * noise, x)
