"""Interval disclosure: how often the original lies in a narrow interval around the masked value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt

from tacita.core.errors import MeasureError
from tacita.core.parameters import Interval, Length
from tacita.core.traits import Traits
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.numeric.moments import column_sd
from tacita.numeric.ranks import mid_ranks, rank_window
from tacita.numeric.relative import row_means
from tacita.risk.base import Risk

__all__ = ["RankIntervals", "SdIntervals", "rank_interval_hits", "sd_interval_hits"]

FloatArray = npt.NDArray[np.float64]
WIDTHS = tuple(float(p) for p in range(1, 11))
Widths = Annotated[tuple[Annotated[float, Interval(0, 100)], ...], Length(1)]


def rank_interval_hits(x: FloatArray, y: FloatArray, released: FloatArray, widths: tuple[float, ...]) -> FloatArray:
    """Return for one column the share of widths whose rank interval around y holds x. O(n log n + n widths)."""
    ordered = np.sort(released[~np.isnan(released)])
    there = ~(np.isnan(x) | np.isnan(y))
    hits = np.full(len(x), np.nan)
    if not there.any():
        return hits
    ranks = mid_ranks(y[there], ordered)
    count = np.zeros(int(there.sum()))
    for p in widths:
        low, high = rank_window(ranks, ordered, p * len(ordered) / 100)
        count += (x[there] >= low) & (x[there] <= high)
    hits[there] = count / len(widths)
    return hits


def sd_interval_hits(x: FloatArray, y: FloatArray, sd: float, widths: tuple[float, ...]) -> FloatArray:
    """Return for one column the share of widths p with |x - y| <= p/100 sd. O(n log widths)."""
    limits = np.sort(np.asarray(widths)) / 100 * sd
    gap = np.abs(x - y)
    # The number of limits that are at least as large as the gap.
    inside = len(limits) - np.searchsorted(limits, gap * (1 - 1e-12), side="left")
    return np.asarray(np.where(np.isnan(gap), np.nan, inside / len(limits)))


@dataclass(frozen=True, kw_only=True)
class _IntervalRisk(Risk):
    """Base of both interval risks.

    Parameters
    ----------
    widths
        Widths of the interval on each side, in percent; the value is the mean over them.
    """

    widths: Widths = WIDTHS

    def _measured(self, cells: FloatArray, names: tuple[str, ...]) -> Measured:
        there = ~np.isnan(cells)
        if not there.any():
            raise MeasureError(f"{type(self).__name__}: no cell has a value in both files.")
        left_out = int((~there).sum())
        return Measured(
            100 * float(cells[there].mean()),
            per_record=row_means(cells),
            parts={
                name: 100 * float(cells[there[:, j], j].mean()) for j, name in enumerate(names) if there[:, j].any()
            },
            note=f"{left_out} missing cells left out" if left_out else "",
        )


@dataclass(frozen=True, kw_only=True)
class RankIntervals(_IntervalRisk):
    """Share of original values within a few percent of the ranks around the masked value.

    For a masked value of rank r in its column, the interval ends at the masked order statistics r - p n/100 and
    r + p n/100. The measure is the percentage of original values inside, averaged over the widths p = 1, ..., 10.

    Returns
    -------
    Measured
        Percent of cells; the mean of each record as a share; the percentage of each column.

    Complexity
    ----------
    O(d n (log n + widths)) time, O(n d) memory.

    Notes
    -----
    Ranks are taken in the masked file; tied values have their middle rank; both ends belong to the interval, which is
    cut at the ends of the file. Cells that are missing in either file are left out.

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz and Torra (2001); Mateo-Sanz, Sebe and Domingo-Ferrer (2004), section 3.2.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.arange(10.0)
    >>> float(rank_interval_hits(x, x, x, (10.0,)).mean())
    1.0
    """

    name = "rid"
    traits = Traits(scales={"numeric"}, paired=True, per_record=True, unit="%", upper=100.0)

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the percentage of original values inside."""
        x, y = pair.arrays(names)
        released = pair.masked.floats(names)
        cells = np.stack(
            [rank_interval_hits(x[:, j], y[:, j], released[:, j], self.widths) for j in range(len(names))], axis=-1
        )
        return self._measured(cells, names)


@dataclass(frozen=True, kw_only=True)
class SdIntervals(_IntervalRisk):
    """Share of original values within a few percent of a standard deviation of the masked value.

    The interval around a masked value has half-width p percent of the standard deviation of the original column. The
    measure is the percentage of original values inside, averaged over the widths p = 1, ..., 10.

    Returns
    -------
    Measured
        Percent of cells; the mean of each record as a share; the percentage of each column.

    Complexity
    ----------
    O(n d) time and memory.

    Notes
    -----
    The standard deviation has the denominator n - 1. In a constant column an unchanged value is inside, any other
    outside. Cells that are missing in either file are left out.

    References
    ----------
    Mateo-Sanz, Sebe and Domingo-Ferrer (2004), section 3.2.

    Examples
    --------
    >>> import numpy as np
    >>> sd_interval_hits(np.array([0.0, 0.0]), np.array([0.0, 5.5]), 100.0, tuple(range(1, 11)))
    array([1. , 0.5])
    """

    name = "sdid"
    traits = Traits(scales={"numeric"}, paired=True, per_record=True, unit="%", upper=100.0)

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the percentage of original values inside."""
        sd = column_sd(pair.original.floats(names))
        x, y = pair.arrays(names)
        cells = np.stack(
            [sd_interval_hits(x[:, j], y[:, j], float(sd[j]), self.widths) for j in range(len(names))], axis=-1
        )
        return self._measured(cells, names)
