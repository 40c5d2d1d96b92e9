"""Features: given columns cut into bins once, for all trees that grow on them and for new records.

A number with few distinct values gets a bin for each, with cuts halfway between neighbours. One with more is cut at its
quantiles, so that bins hold about as many records each. A class is a bin of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import ArrayForm, FloatArray, IntArray
from tacita.numeric.compiled.threads import in_threads
from tacita.numeric.synthesis.variables import ModelVariable

__all__ = ["BinnedFeatures", "CodeArray", "Codes2", "Features", "bin_features"]

CodeArray: TypeAlias = npt.NDArray[np.uint16]
Codes2: TypeAlias = Annotated[CodeArray, ArrayForm("uint16", 2)]
"""(d, n): the bin of each record, a feature a row."""

MOST_CODES = 1 << 16


@dataclass(frozen=True)
class BinnedFeatures:
    """The bins of some records.

    Parameters
    ----------
    codes
        (d, n): the bin of each record, a feature a row.
    """

    codes: CodeArray

    def __len__(self) -> int:
        return int(self.codes.shape[1])


@dataclass(frozen=True)
class Features:
    """Where given columns are cut, and the bins of the records that they were cut for.

    Parameters
    ----------
    cuts
        For each feature the limits between its bins, rising; none for classes. A value on a limit lies above it.
    bins
        (d,): number of bins of each feature.
    classes
        (d,): number of classes of each feature; 0 for a number.
    middles
        For each feature the mean value of each bin; none for classes.
    binned
        The bins of the records at hand.
    """

    cuts: tuple[FloatArray, ...]
    bins: IntArray
    classes: IntArray
    middles: tuple[FloatArray, ...]
    binned: BinnedFeatures

    def __len__(self) -> int:
        return len(self.cuts)

    def apply(self, x_new: Sequence[ModelVariable]) -> BinnedFeatures:
        """Return the bins of new records by the same cuts; what lies outside goes to the bins at the ends."""
        n = len(x_new[0]) if x_new else 0
        codes = np.empty((len(self), n), np.uint16)

        def fill(j: int) -> None:
            codes[j] = _codes(x_new[j].values, self.cuts[j], int(self.classes[j]))

        in_threads(fill, range(len(self)), records=n)
        return BinnedFeatures(codes)

    def some(self, chosen: Iterable[int]) -> Features:
        """Return some of the features; the first ones share the memory of all."""
        places = list(chosen)
        codes = self.binned.codes
        codes = codes[: len(places)] if places == list(range(len(places))) else np.ascontiguousarray(codes[places])
        return Features(
            tuple(self.cuts[j] for j in places),
            self.bins[places],
            self.classes[places],
            tuple(self.middles[j] for j in places),
            BinnedFeatures(codes),
        )


def bin_features(x: Sequence[ModelVariable], most_bins: int = 256) -> Features:
    """Cut columns into bins. O(d n log n) time, two bytes for each value.

    Parameters
    ----------
    x
        The columns, all of the same records. At least one.
    most_bins
        Most bins of a number, at most 65536. Classes keep a bin each.

    Examples
    --------
    >>> ages = ModelVariable(np.array([20.0, 60.0, 20.0, 40.0]))
    >>> features = bin_features([ages])
    >>> features.cuts[0].tolist(), features.binned.codes.tolist()
    ([30.0, 50.0], [[0, 2, 0, 1]])
    >>> features.apply([ModelVariable(np.array([5.0, 49.0, 99.0]))]).codes.tolist()
    [[0, 1, 2]]
    """
    if not 1 <= most_bins <= MOST_CODES or max((v.classes for v in x), default=0) > MOST_CODES:
        raise ValueError(f"A feature has 1 to {MOST_CODES} bins.")
    n = len(x[0]) if x else 0
    codes = np.empty((len(x), n), np.uint16)

    def cut(j: int) -> tuple[FloatArray, FloatArray]:
        values, classes = x[j].values, x[j].classes
        cuts = np.empty(0) if classes else _cuts(values, most_bins)
        codes[j] = _codes(values, cuts, classes)
        if classes:
            return cuts, np.empty(0)
        counts = np.bincount(codes[j], minlength=len(cuts) + 1)
        return cuts, np.bincount(codes[j], values, len(cuts) + 1) / np.maximum(counts, 1)

    found = in_threads(cut, range(len(x)), records=n)
    classes = np.array([v.classes for v in x], np.int64)
    bins = np.array([v.classes or len(found[j][0]) + 1 for j, v in enumerate(x)], np.int64)
    return Features(tuple(f[0] for f in found), bins, classes, tuple(f[1] for f in found), BinnedFeatures(codes))


def _cuts(values: FloatArray, most_bins: int) -> FloatArray:
    """Return the limits between bins: halfway between distinct values, or at quantiles where these are too many."""
    ordered = np.sort(values)
    ends = np.flatnonzero(ordered[1:] > ordered[:-1])  # the last record of each distinct value but the largest
    if len(ends) >= most_bins:
        # The end of a distinct value that is nearest above each quantile; a value that fills several makes one bin.
        wanted = np.arange(1, most_bins) * (len(ordered) / most_bins) - 1
        ends = ends[np.unique(np.minimum(np.searchsorted(ends, wanted), len(ends) - 1))]
    low, high = ordered[ends], ordered[ends + 1]
    return np.asarray(np.maximum(low + (high - low) / 2, np.nextafter(low, np.inf)))


def _codes(values: FloatArray, cuts: FloatArray, classes: int) -> CodeArray:
    if classes:
        return values.astype(np.uint16)
    return np.searchsorted(cuts, values, side="right").astype(np.uint16)
