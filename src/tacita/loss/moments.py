"""IL: the loss of the overview's score, five discrepancies of values and moments averaged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import MeasureError
from tacita.core.traits import MeasureTraits
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.loss.base import Loss
from tacita.numeric.statistics.moments import column_mean, covariance
from tacita.numeric.statistics.relative import relative_differences, without_rounding

__all__ = ["IlMoments", "clean_moments", "moment_discrepancies"]


def moment_discrepancies(x: FloatArray, y: FloatArray) -> dict[str, float]:
    """Return mean variations of means, covariances, variances and the mean absolute error of correlations.

    ``x`` and ``y`` are all records of the two files; they need not be equally long. O(n d^2).
    """
    (mean_x, v_x), (mean_y, v_y) = clean_moments(x, y)
    upper = np.triu_indices(x.shape[1])
    above = np.triu_indices(x.shape[1], 1)
    found = {
        "means": _mean(relative_differences(mean_x, mean_y)),
        "covariances": _mean(relative_differences(v_x[upper], v_y[upper])),
        "variances": _mean(relative_differences(np.diag(v_x), np.diag(v_y))),
    }
    r_x, r_y = _correlation(v_x), _correlation(v_y)
    found["correlations"] = _mean(np.abs(r_x - r_y)[above])
    return found


def clean_moments(x: FloatArray, y: FloatArray) -> tuple[tuple[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]:
    """Return means and covariance matrices of the original and the masked file, without what is rounding only.

    A mean is measured by the largest value of its column, a covariance by the spreads of its two columns.
    """
    size = np.fmax(_largest(x), _largest(y))
    v_x = covariance(x)
    spread = np.sqrt(np.outer(np.diag(v_x), np.diag(v_x)))
    first = (without_rounding(column_mean(x), size), without_rounding(v_x, spread))
    return first, (without_rounding(column_mean(y), size), without_rounding(covariance(y), spread))


def _largest(x: FloatArray) -> FloatArray:
    return np.array([np.nanmax(np.abs(column), initial=0.0) for column in x.T])


def _mean(cells: FloatArray) -> float:
    gone = np.isnan(cells)
    there = cells[~gone] if gone.any() else cells.ravel()
    return float(there.mean()) if there.size else 0.0


def _correlation(v: FloatArray) -> FloatArray:
    sd = np.sqrt(np.diag(v))
    size = np.outer(sd, sd)
    # No spread, no correlation: NaN, also where a covariance is left over because only the variance was rounded to 0.
    return np.asarray(np.divide(v, size, out=np.full_like(v, np.nan), where=size > 0))


@dataclass(frozen=True, kw_only=True)
class IlMoments(Loss):
    """Information loss of the overview's score: values, means, covariances, variances and correlations.

    ``IL = 100/5 (MV(X) + MV(means) + MV(V) + MV(S) + MAE(R))``, where MV is the mean relative change of the components and
    MAE the mean absolute one; sums for V run over i <= j, for R over i < j.

    Returns
    -------
    Measured
        The average times 100, and the five parts (each times 100).

    Complexity
    ----------
    O(n d^2) time, O(n d) memory.

    Notes
    -----
    A component that is 0 in the original is compared with its masked value, and left out where both are 0, as for
    single values; what is 0 but for rounding counts as 0. Correlations of a constant column are left out. Moments use
    the values that are there (pairwise for covariances) and the denominator n.

    References
    ----------
    Domingo-Ferrer (2007), Statistical databases, section "Score construction"; misprints of its indices corrected.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[1.0, 2.0], [2.0, 1.0], [4.0, 3.0]])
    >>> moment_discrepancies(x, x)["covariances"]
    0.0
    """

    name = "il"
    title = "Information loss of the score"
    traits = MeasureTraits(scales={"numeric"}, paired=True, unit="%")

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the average of the five parts."""
        values = _mean(relative_differences(*pair.arrays(names)))  # these are gone before the files come
        x, y = pair.files(names)
        empty = [n for j, n in enumerate(names) if np.isnan(x[:, j]).all() or np.isnan(y[:, j]).all()]
        if empty:
            raise MeasureError(
                f"IlMoments: column '{empty[0]}' has no value in one of the files; leave it out of 'columns'."
            )
        parts = {"values": values, **moment_discrepancies(x, y)}
        shown = {name: 100 * value for name, value in parts.items()}
        return Measured(sum(shown.values()) / 5, parts=shown)
