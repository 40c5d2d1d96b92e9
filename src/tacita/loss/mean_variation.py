"""IL1 and IL1s: how far single values moved, relative to themselves or to the spread of their column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import MeasureError
from tacita.core.traits import MeasureTraits
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.loss.base import Loss
from tacita.numeric.statistics.moments import column_sd
from tacita.numeric.statistics.relative import relative_differences, row_means

__all__ = ["Il1", "Il1s", "il1", "il1s"]


def il1(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return IL1 of each record: (100/d) sum_j |x_ij - x'_ij| / |x_ij|. O(n d)."""
    return 100 * row_means(relative_differences(x, y))


def il1s(x: FloatArray, y: FloatArray, sd: FloatArray) -> FloatArray:
    """Return IL1s of each record: (1/d) sum_j |x_ij - x'_ij| / (sqrt(2) S_j). O(n d)."""
    return row_means(np.abs(x - y) / (np.sqrt(2) * sd))


@dataclass(frozen=True, kw_only=True)
class Il1(Loss):
    """Mean variation of the values, in percent of the original value.

    For record i, ``IL1 = (100/d) sum_j |x_ij - x'_ij| / |x_ij|``; the value for the file is the mean over records. It grows
    without bound for values near 0.

    Returns
    -------
    Measured
        The mean, and the value of each record.

    Complexity
    ----------
    O(n d) time, O(n) memory.

    Notes
    -----
    Where an original value is 0, the masked value takes its place in the denominator; where both are 0, the cell is
    left out and d is smaller for that record; a record with no cell left counts 0. Cells that are missing in either
    file are left out.

    References
    ----------
    Mateo-Sanz, Sebe and Domingo-Ferrer (2004), Outlier protection in continuous microdata masking, section 3.1.

    Examples
    --------
    >>> import numpy as np
    >>> il1(np.array([[100.0, 50.0]]), np.array([[110.0, 45.0]]))
    array([10.])
    """

    name = "il1"
    title = "Mean variation of values"
    traits = MeasureTraits(scales={"numeric"}, paired=True, per_record=True, unit="%")

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the mean over records."""
        records, gaps = np.empty(len(pair.rows)), 0
        for part, x, y in pair.blocks(names):
            records[part] = il1(x, y)
            gaps += _gaps(x, y)
        return Measured(float(records.mean()), per_record=records, note=_left_out(gaps))


@dataclass(frozen=True, kw_only=True)
class Il1s(Loss):
    """Mean change of the values in units of the column's spread.

    For record i, ``IL1s = (1/d) sum_j |x_ij - x'_ij| / (sqrt(2) S_j)``, where S_j is the standard deviation of the original
    column; the value for the file is the mean over records.

    Returns
    -------
    Measured
        The mean, and the value of each record.

    Complexity
    ----------
    O(n d) time, O(n) memory.

    Notes
    -----
    S_j has the denominator n - 1. A column that is constant in the original has no spread to compare with and is left
    out, which the note says. Cells that are missing in either file are left out.

    References
    ----------
    Yancey, Winkler and Creecy (2002); Mateo-Sanz, Sebe and Domingo-Ferrer (2004), section 3.1.

    Examples
    --------
    >>> import numpy as np
    >>> il1s(np.array([[1.0]]), np.array([[1.0 + np.sqrt(2)]]), np.array([2.0]))
    array([0.5])
    """

    name = "il1s"
    title = "Mean change of values, standardised"
    traits = MeasureTraits(scales={"numeric"}, paired=True, per_record=True, unit="√2 SD")

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the mean over records."""
        sd = np.array([column_sd(pair.original.float(name)[:, None])[0] for name in names])
        kept = tuple(name for name, s in zip(names, sd, strict=True) if s > 0)
        if not kept:
            raise MeasureError("Il1s: every column is constant in the original, so there is no spread to compare with.")
        records, gaps = np.empty(len(pair.rows)), 0
        for part, x, y in pair.blocks(kept):
            records[part] = il1s(x, y, sd[sd > 0])
            gaps += _gaps(x, y)
        constant = [name for name in names if name not in kept]
        note = f"constant, left out: {', '.join(constant)}. " if constant else ""
        return Measured(float(records.mean()), per_record=records, note=(note + _left_out(gaps)).strip())


def _gaps(x: FloatArray, y: FloatArray) -> int:
    return int((np.isnan(x) | np.isnan(y)).sum())


def _left_out(count: int) -> str:
    return f"{count} missing cells left out" if count else ""
