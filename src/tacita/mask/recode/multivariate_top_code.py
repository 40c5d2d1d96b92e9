"""Multivariate top coding: records that stand out are drawn to the edge of the crowd."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.attacks import Attack
from tacita.core.parameters import Interval
from tacita.core.traits import Traits
from tacita.mask.numeric_mask import Draw, JointMask

__all__ = ["MultivariateTopCode", "drawn_in"]


def drawn_in(x: FloatArray, centre: FloatArray, cov: FloatArray, limit: float) -> FloatArray:
    """Move records whose squared Mahalanobis distance exceeds ``limit`` towards the centre until it is the limit. O(n d^2).

    Examples
    --------
    >>> drawn_in(np.array([[1.0, 0.0], [0.0, 8.0]]), np.zeros(2), np.eye(2), 4.0).tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    from tacita.numeric.statistics.robust_covariance import robust_distances  # loads when used

    distance = robust_distances(x, centre, cov)
    far = distance > limit
    made = x.copy()
    made[far] = centre + np.sqrt(limit / distance[far])[:, None] * (x[far] - centre)
    return made


@dataclass(frozen=True, kw_only=True)
class MultivariateTopCode(JointMask):
    """Draw records that stand out from all others in several columns together to the edge of the crowd.

    The squared robust Mahalanobis distance of a record from the centre is compared with the chi-square quantile that ``beyond_p``
    percent of normal records exceed. Beyond it ``x' = c + sqrt(q / distance) (x - c)``: the record goes straight towards the
    centre c until it lies on the ellipsoid. All others stay.

    Protects the records that are easiest to recognise, also those of which no single value is extreme, but the combination is.
    Does not protect anybody within the ellipsoid; the direction in which a record stood out can still be seen.

    Parameters
    ----------
    beyond_p
        Percentage of the records that would lie beyond the ellipsoid if the data were normal; more do where tails are long.

    Returns
    -------
    Microdata
        With the chosen columns coded together.

    Raises
    ------
    ParameterError
        When ``beyond_p`` is not within 0 and 50.

    Preserves
    ---------
    Nothing for every input. Medians hardly move; variances and the weight of tails shrink.

    Complexity
    ----------
    O(n d^2) a step of the robust covariance, which takes some tens of them.

    Notes
    -----
    Centre and covariance are those of the minimum covariance determinant (MCD), without chance. A direction in which half of
    the records do not vary is left out. For skewed columns take logarithms first, or more than ``beyond_p`` percent are
    coded. Records with different patterns of missing values are looked at apart. With ``keep_zeros`` zeros take no part.

    References
    ----------
    Rousseeuw, P. J. and van Driessen, K. (1999), A fast algorithm for the minimum covariance determinant estimator; Templ, M. and
    Meindl, B. (2008), Robustification of microdata masking methods and the comparison with existing methods.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = MultivariateTopCode(columns=["age", "savings"]).apply(data)
    """

    name = "multivariate_top_code"
    title = "Top coding of several columns"
    attacks = (Attack(measure="dld", knows="records that stood out were drawn towards the centre, the others stayed"),)
    traits = Traits(scales={"numeric"})
    beyond_p: Annotated[float, Interval(0, 50, closed="right")] = 2.5

    @property
    def keeps_at_most(self) -> float | None:
        """Any share but all: only records that stand out change."""
        return 1.0

    def look_at(self, before: dict[str, FloatArray], masked: dict[str, FloatArray], data: object) -> None:
        """Say nothing of records that stay: most do."""

    def mask_records(self, x: FloatArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        """Draw the records that stand out to the ellipsoid."""
        from tacita.numeric.statistics.robust_covariance import chi_square_quantile, robust_covariance

        if not len(x):
            return x.copy()
        centre, cov = robust_covariance(x)
        return drawn_in(x, centre, cov, chi_square_quantile(1 - self.beyond_p / 100, x.shape[1]))
