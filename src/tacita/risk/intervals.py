"""Interval disclosure: how often the original lies in a narrow interval around the masked value."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import MeasureError
from tacita.core.parameters import Interval, Length
from tacita.core.traits import MeasureTraits
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.numeric.compiled.threads import in_threads
from tacita.numeric.statistics.moments import column_sd
from tacita.risk.base import Risk

__all__ = ["IntervalDisclosure", "RankIntervals", "SdIntervals", "rank_interval_hits", "sd_interval_hits"]

WIDTHS = tuple(float(p) for p in range(1, 11))
Widths = Annotated[tuple[Annotated[float, Interval(0, 100)], ...], Length(1)]

_AT_ONCE = 4
"""Columns looked at side by side."""
_LARGE = 2**22
"""From so many records on, one column at a time is as much as the memory should hold."""


_BLOCK = 2**21
"""Records whose ranks are looked up at a time."""


def rank_interval_hits(x: FloatArray, y: FloatArray, released: FloatArray, widths: tuple[float, ...]) -> FloatArray:
    """Return for one column the share of widths whose rank interval around y holds x. O(n (log n + widths))."""
    from tacita.numeric.linkage.value_intervals import rank_hits  # loads when used

    ordered = np.sort(released)  # those that are not there come last
    ordered = ordered[: len(ordered) - int(np.isnan(released).sum())]
    gone = np.isnan(x) | np.isnan(y)
    reaches = np.asarray(widths, dtype=np.float64) * len(ordered) / 100
    hits = np.full(len(x), np.nan)
    for start in range(0, len(x), _BLOCK):  # ranks of a block at a time
        part = slice(start, start + _BLOCK)
        if not gone[part].any():
            hits[part] = rank_hits(x[part], y[part], ordered, reaches) / len(widths)
        else:
            there = np.flatnonzero(~gone[part]) + start
            hits[there] = rank_hits(x[there], y[there], ordered, reaches) / len(widths)
    return hits


def sd_interval_hits(x: FloatArray, y: FloatArray, sd: float, widths: tuple[float, ...]) -> FloatArray:
    """Return for one column the share of widths p with |x - y| <= p/100 sd. O(n widths)."""
    from tacita.numeric.linkage.value_intervals import distance_hits  # loads when used

    limits = np.asarray(widths, dtype=np.float64) / 100 * sd
    hits = np.asarray(distance_hits(x, y, limits), dtype=np.float64)
    hits /= len(widths)
    return hits


def _rank_hits(pair: Pair, name: str, widths: tuple[float, ...]) -> FloatArray:
    masked = pair.after(name)
    released = masked if pair.is_aligned else pair.masked.float(name)
    return rank_interval_hits(pair.before(name), masked, released, widths)


def _sd_hits(pair: Pair, name: str, widths: tuple[float, ...]) -> FloatArray:
    x = pair.before(name)
    whole = x if pair.is_aligned else pair.original.float(name)
    sd = float(column_sd(whole[:, None])[0])
    del whole
    return sd_interval_hits(x, pair.after(name), sd, widths)


@dataclass(frozen=True, kw_only=True)
class _IntervalRisk(Risk):
    """Base of both interval risks.

    Parameters
    ----------
    widths
        Widths of the interval on each side, in percent; the value is the mean over them.

    Returns
    -------
    Measured
        Percent of cells; the mean of each record as a share; the percentage of each column.

    Complexity
    ----------
    O(d n (log n + widths)) time, O(n) memory beyond the files.
    """

    widths: Widths = WIDTHS

    @abstractmethod
    def hits(self, pair: Pair, name: str) -> FloatArray:
        """Return for one column the share of widths at which each paired record's original is inside; NaN where missing."""

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the percentage of original values inside."""
        total, cells = np.zeros(len(pair.rows)), np.zeros(len(pair.rows), dtype=np.int32)
        parts: dict[str, float] = {}
        at_once = _AT_ONCE if len(total) < _LARGE else 1
        for names_now in (names[a : a + at_once] for a in range(0, len(names), at_once)):
            # Few columns at once: all cells of a large file would be as large as the file.
            for name, hits in zip(names_now, in_threads(lambda one: self.hits(pair, one), names_now), strict=True):
                there = ~np.isnan(hits)
                if there.any():
                    parts[name] = 100 * float(hits[there].mean())
                np.add(total, hits, out=total, where=there)
                cells += there
            del hits, there  # before the next ones are made
        if not parts:
            raise MeasureError(f"{type(self).__name__}: no cell has a value in both files.")
        left_out = len(pair.rows) * len(names) - int(cells.sum(dtype=np.int64))
        return Measured(
            100 * float(total.sum() / cells.sum(dtype=np.int64)),
            per_record=total / np.maximum(cells, 1),
            parts=parts,
            note=f"{left_out} missing cells left out" if left_out else "",
        )


@dataclass(frozen=True, kw_only=True)
class RankIntervals(_IntervalRisk):
    """Share of original values within a few percent of the ranks around the masked value.

    For a masked value of rank r in its column, the interval ends at the masked order statistics r - p n/100 and
    r + p n/100. The measure is the percentage of original values inside, averaged over the widths p = 1, ..., 10.

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
    title = "Interval disclosure by ranks"
    traits = MeasureTraits(scales={"numeric"}, paired=True, per_record=True, unit="%", upper=100.0)

    def hits(self, pair: Pair, name: str) -> FloatArray:
        """Return the share of widths whose rank interval holds the original."""
        return _rank_hits(pair, name, self.widths)


@dataclass(frozen=True, kw_only=True)
class SdIntervals(_IntervalRisk):
    """Share of original values within a few percent of a standard deviation of the masked value.

    The interval around a masked value has half-width p percent of the standard deviation of the original column. The
    measure is the percentage of original values inside, averaged over the widths p = 1, ..., 10.

    Complexity
    ----------
    O(n d widths) time, O(n) memory beyond the files.

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
    title = "Interval disclosure by standard deviations"
    traits = MeasureTraits(scales={"numeric"}, paired=True, per_record=True, unit="%", upper=100.0)

    def hits(self, pair: Pair, name: str) -> FloatArray:
        """Return the share of widths whose interval holds the original."""
        return _sd_hits(pair, name, self.widths)


@dataclass(frozen=True, kw_only=True)
class IntervalDisclosure(_IntervalRisk):
    """Interval disclosure as the overview's score has it: by ranks, or by ranks and standard deviations averaged.

    With ``ranks`` it is ``rid``; with ``both`` it is the mean of ``rid`` and ``sdid``. The overview's
    ``Score = 0.5 IL + 0.125 DLD + 0.125 PLD + 0.25 ID`` and ``Score' = 0.5 IL' + 0.25 DLD' + 0.25 ID'`` contain it as ID.

    Parameters
    ----------
    intervals
        ``ranks``: rank intervals only. ``both``: the mean of rank intervals and standard deviation intervals.

    Notes
    -----
    The overview says that ID counts originals that fall into intervals around their masked values, and not which intervals.
    By computation on the census reference file ID' is the rank measure alone (40.4 and 61.2, published 40.23 and 60.34), so
    that is the default. With records paired by nearness the values of the nearest original take the place of the true ones.

    References
    ----------
    Domingo-Ferrer (2007), Statistical databases, section "Score construction"; Sebe (2002), section 5.1, for ID'.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> masked = tc.mask.RankSwap(columns=["income"], p=10).apply(data, seed=7)
    >>> ranks, sd = (tc.risk.RankIntervals(columns=["income"]), tc.risk.SdIntervals(columns=["income"]))
    >>> both = IntervalDisclosure(columns=["income"], intervals="both")(data, masked).value
    >>> abs(both - (ranks(data, masked).value + sd(data, masked).value) / 2) < 1e-9
    True
    """

    name = "id"
    title = "Interval disclosure of the score"
    traits = MeasureTraits(scales={"numeric"}, paired=True, per_record=True, unit="%", upper=100.0, by_default=False)
    intervals: Literal["ranks", "both"] = "ranks"

    def hits(self, pair: Pair, name: str) -> FloatArray:
        """Return the share of widths whose intervals hold the original."""
        by_rank = _rank_hits(pair, name, self.widths)
        return by_rank if self.intervals == "ranks" else (by_rank + _sd_hits(pair, name, self.widths)) / 2
