"""Bins for residual plots: published cutpoints, fewer of them, or quantiles of the whole data version."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.query.cutpoints.bins import Bins
from tacita.query.models.significant import to_significant

if TYPE_CHECKING:
    from tacita.query.catalogue.version import Version

__all__ = ["BinGroups", "bins_of_variable", "fewer_bins", "quantile_bins"]


@dataclass(frozen=True, eq=False)
class BinGroups:
    """Records in bins or levels.

    Parameters
    ----------
    labels
        Of the bins.
    codes
        (n,): bin of each record.
    shown
        Which bins are shown.
    x
        Where each bin is drawn; None for levels.
    """

    labels: tuple[str, ...]
    codes: IntArray = field(repr=False)
    shown: BoolArray = field(repr=False)
    x: FloatArray | None = field(default=None, repr=False)

    @classmethod
    def of_bins(cls, bins: Bins, values: FloatArray, count: int) -> BinGroups:
        """Put values into bins; those with fewer than ``count`` records are not shown."""
        codes = bins.codes(values)
        shown = np.bincount(codes, minlength=bins.n_bins) >= count
        return cls(bins.labels, codes, np.asarray(shown), bins.midpoints)

    def counts(self, base: int) -> IntArray:
        """Return the number of records of each bin, rounded to multiples of ``base``."""
        exact = np.bincount(self.codes, minlength=len(self.labels))
        return ((exact + base // 2) // base * base).astype(np.int64)

    @property
    def suppressed(self) -> tuple[str, ...]:
        """Labels of the bins that are not shown."""
        return tuple(label for label, here in zip(self.labels, self.shown, strict=True) if not here)


def fewer_bins(bins: Bins, counts: IntArray, most: int, count: int) -> Bins:
    """Return bins between some of the published cutpoints: at most so many, with about the same number of records in each.

    Cutpoints are taken from the left: each that closes at least total / ``most`` and ``count`` records since the one before, as
    long as ``count`` are left beyond it. O(bins).

    Parameters
    ----------
    bins
        The published ones.
    counts
        Records of the whole data version in each.
    most
        Most bins.
    count
        Fewest records.

    Examples
    --------
    >>> fewer_bins(Bins(cuts=[1, 2, 3, 4]), np.array([10, 10, 10, 10, 10]), 2, 10).cuts
    (3.0,)
    """
    least = max(float(counts.sum()) / most, float(count))
    kept: list[float] = []
    inside, left = 0, int(counts.sum())
    for cut, here in zip(bins.cuts, counts.tolist(), strict=False):
        inside, left = inside + here, left - here
        if inside >= least - 1e-9 and left >= count and len(kept) < most - 1:
            kept.append(cut)
            inside = 0
    return Bins(cuts=tuple(kept), whole=bins.whole, low=bins.low, high=bins.high)


def quantile_bins(
    values: FloatArray, most: int, count: int, *, low: float | None = None, high: float | None = None
) -> Bins:
    """Return bins between quantiles of the values, rounded to two figures of their range, with enough records in each.

    Parameters
    ----------
    values
        Without missing ones.
    most, count
        Most bins, fewest records in each.
    low, high
        Smallest and largest value that is possible, from public knowledge.

    Notes
    -----
    Rounded quantiles are no values of records. Where rounding makes two of them equal, there is one bin fewer.

    Examples
    --------
    >>> quantile_bins(np.arange(1000.0), 4, 10).cuts
    (250.0, 500.0, 750.0)
    """
    from tacita.query.residuals.ordered import OrderedUnits
    from tacita.query.residuals.synthetic import end_values, rounding_step

    wanted = min(most, len(values) // max(count, 1))
    if wanted < 2:
        return Bins(low=low, high=high)
    ends = end_values(OrderedUnits(np.zeros(0, dtype=np.int64), np.sort(values), np.zeros(0, dtype=np.int64)), count)
    step = rounding_step(*ends, figures=2)
    cuts = np.unique(np.round(np.quantile(values, np.arange(1, wanted) / wanted) / step) * step)
    cuts = np.array([to_significant(float(cut), 9) for cut in cuts])
    cuts = cuts[(low is None or cuts > low) & (high is None or cuts < high) & (cuts < ends[1])]
    made = Bins(cuts=tuple(cuts.tolist()), low=low, high=high)
    counts = np.bincount(made.codes(values), minlength=made.n_bins)
    return fewer_bins(made, counts, most, count)


def bins_of_variable(version: Version, name: str, most: int, count: int) -> Bins:
    """Return the bins of a numerical variable: the published cutpoints, or quantiles of the whole version where it has none.

    Both are made of the whole data version, so the edges are the same in every universe and tell nothing of it.
    """
    variable = version.catalogue[name]
    if variable.bins is not None:
        return fewer_bins(variable.bins, version.table((name,))[: variable.bins.n_bins], most, count)
    values = version.values(name)
    return quantile_bins(values[np.isfinite(values)], most, count)
