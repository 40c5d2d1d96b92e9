"""IL: the loss of the overview's score, five discrepancies of values and moments averaged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

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


class FileMoments(NamedTuple):
    """Of each column of a file: its largest value, its mean, and the covariances with all columns."""

    largest: FloatArray
    mean: FloatArray
    covariance: FloatArray

    @classmethod
    def of(cls, x: FloatArray, *, overwrite: bool = False) -> FileMoments:
        """Compute them; with ``overwrite`` the values are lost, and no second array of their size is needed."""
        return cls(_largest(x), column_mean(x), covariance(x, overwrite=overwrite))


def moment_discrepancies(x: FloatArray | FileMoments, y: FloatArray | FileMoments) -> dict[str, float]:
    """Return mean variations of means, covariances, variances and the mean absolute error of correlations.

    ``x`` and ``y`` are all records of the two files, or their moments; they need not be equally long. O(n d^2).
    """
    (mean_x, v_x), (mean_y, v_y) = clean_moments(x, y)
    upper = np.triu_indices(len(mean_x))
    above = np.triu_indices(len(mean_x), 1)
    found = {
        "means": _mean(relative_differences(mean_x, mean_y)),
        "covariances": _mean(relative_differences(v_x[upper], v_y[upper])),
        "variances": _mean(relative_differences(np.diag(v_x), np.diag(v_y))),
    }
    r_x, r_y = _correlation(v_x), _correlation(v_y)
    found["correlations"] = _mean(np.abs(r_x - r_y)[above])
    return found


def clean_moments(
    x: FloatArray | FileMoments, y: FloatArray | FileMoments
) -> tuple[tuple[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]:
    """Return means and covariance matrices of the original and the masked file, without what is rounding only.

    A mean is measured by the largest value of its column, a covariance by the spreads of its two columns.
    """
    x, y = (given if isinstance(given, FileMoments) else FileMoments.of(given) for given in (x, y))
    size, v_x = np.fmax(x.largest, y.largest), x.covariance
    spread = np.sqrt(np.outer(np.diag(v_x), np.diag(v_x)))
    first = (without_rounding(x.mean, size), without_rounding(v_x, spread))
    return first, (without_rounding(y.mean, size), without_rounding(y.covariance, spread))


def moments_of_files(pair: Pair, names: tuple[str, ...], owner: str) -> tuple[FileMoments, FileMoments]:
    """Return the moments of both files, which are looked at one after the other; every column needs a value in both."""
    found = []
    for values_of in (pair.original_file, pair.masked_file):
        x = values_of(names)
        empty = [name for j, name in enumerate(names) if np.isnan(x[:, j]).all()]
        if empty:
            raise MeasureError(
                f"{owner}: column '{empty[0]}' has no value in one of the files; leave it out of 'columns'."
            )
        found.append(FileMoments.of(x, overwrite=True))
        del x
    return found[0], found[1]


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
        cells = np.empty((len(pair.rows), len(names)))
        for part, x, y in pair.blocks(names):
            cells[part] = relative_differences(x, y)
        values = _mean(cells)
        del cells  # gone before the files come
        parts = {"values": values, **moment_discrepancies(*moments_of_files(pair, names, "IlMoments"))}
        shown = {name: 100 * value for name, value in parts.items()}
        return Measured(sum(shown.values()) / 5, parts=shown)
