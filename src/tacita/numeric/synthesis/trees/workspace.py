"""What the kernels of a tree share: the records as they are moved about, the limits of growth, and working space."""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import ArrayForm, Bool1, Float1, Float2, Float3, Int1, IntArray, Word1, WordArray
from tacita.core.kernel import kernel
from tacita.numeric.synthesis.trees.features import Codes2, Features

__all__ = [
    "AT",
    "BINS",
    "CLEARLY",
    "FEATURE",
    "NEAR_RECORDS",
    "NEVER_UNLIKELY",
    "GivenBins",
    "GrowthLimits",
    "MovedRecords",
    "RowArray",
    "Scratch",
    "keep_best",
    "make_bins",
    "make_scratch",
    "noise_share",
]

RowArray: TypeAlias = npt.NDArray[np.uint32]
Row1: TypeAlias = Annotated[RowArray, ArrayForm("uint32", 1)]

CLEARLY = 1.0 + 1e-13
"""By so much a score must be above another: what differs by rounding alone is equal, and the first of equals is taken."""

NEAR_RECORDS = 4096
"""Records of a branch whose codes are brought together: a few times what histograms and codes take must fit into a cache."""

NEVER_UNLIKELY = -1e9
"""The limit of a tree that is not cut back."""

FEATURE, AT, BINS = 0, 1, 2
"""Places in ``Scratch.best``: feature of the best split, the place in its order that the left side ends with, and how many
bins that order has."""


class GivenBins(NamedTuple):
    """The features: bins of all records, and how they lie side by side in a histogram."""

    codes: Codes2
    first: Int1
    """(d + 1,): the first cell of each feature in a histogram of all."""
    words: Int1
    """(d + 1,): the first word of its marks."""
    is_nominal: Bool1
    middles: Float1
    """(cells,): the mean value of each bin."""


class MovedRecords(NamedTuple):
    """The training records; those of a node lie side by side."""

    rows: Row1
    """(m,): the column of ``codes`` that each is in."""
    y: Float1
    """(m,): the target: a number, or the number of a class."""
    weights: Float1
    """(m,), or empty."""
    spare_rows: Row1
    spare_y: Float1
    spare_weights: Float1


class GrowthLimits(NamedTuple):
    """When a node is a leaf, and what a split is."""

    min_leaf: int
    min_split: int
    most_depth: int
    least_gain: float
    """By how much a split must lower the impurity: the sum of squares, or the weight of a node times its Gini index."""
    unlikely: float
    """Normal quantile of the gain that noise has with some chance; ``NEVER_UNLIKELY`` for a tree that is not cut back."""
    classes: int
    """Classes of the target from three on; 0 where the target is a number, or two classes as 0 and 1."""
    tried: int
    """Features drawn for each split; 0 for all."""
    histogram_from: int
    """Records from which on a node has a histogram of all features."""


class Scratch(NamedTuple):
    """Working space. Marks and the histogram in slot 0 are clean between two nodes."""

    histograms: Float3
    """(slots, 3, cells): records, weight and sum of the target of each bin of each feature; slot 0 is for small nodes in turn."""
    free: Int1
    """Slots that are free, and in the last place how many."""
    marks: Word1
    order: Int1
    """(cells,): the occupied cells of each feature, in the order in which they are split, where its cells begin."""
    founds: Int1
    """(d,): how many these are."""
    scores: Float1
    best: Int1
    """See the places above."""
    surplus: Float1
    """(1,): by how much the best split lowers the impurity more than noise would."""
    best_order: Int1
    """The bins of the best split in their order."""
    features: Int1
    """The features, shuffled as they are drawn."""
    state: Word1
    """State of the generator that draws features."""
    starts: Int1
    ends: Int1
    """(cells,): where the entries of each bin stand among those of a node sorted by bin."""
    classes: Int1
    shares: Float1
    """(m,): the class and the weight of each entry: of one record, or of all records of a bin with one class."""
    labels: Int1
    """(m,): the class of each record of a node, counted among the classes that the node has."""
    by_class: Float2
    """(5, classes): weight in the node and left of a cut; the direction that bins are ordered along, its start, and the next."""
    ranks: Int1
    """(classes,): the number of each class among those that the node has."""
    near_codes: Codes2
    near_rows: Row1
    """Codes of the records of a branch of small nodes, side by side, and where these records come from."""
    cells: Float1
    """The weight of each class in each occupied bin, where that is shorter than the records."""


@kernel
def keep_best(best: IntArray, best_order: IntArray, j: int, at: int, first: int, order: IntArray) -> None:
    """Remember a split: its feature, the place of the cut, and the order of the bins."""
    best[FEATURE], best[AT], best[BINS] = j, at, len(order)
    for place in range(len(order)):
        best_order[place] = order[place] - first


@kernel
def noise_share(unlikely: float, freedom: float) -> float:
    """Return a quantile of chi squared, divided by its degrees of freedom: Wilson and Hilferty's cube of a normal one."""
    spread = 2.0 / (9.0 * max(freedom, 1.0))
    return float(max(1.0 - spread + unlikely * np.sqrt(spread), 0.0) ** 3)


def make_bins(features: Features) -> GivenBins:
    """Lay the bins of all features side by side."""
    is_number = features.classes == 0
    middles = [
        m if number else np.zeros(k) for m, number, k in zip(features.middles, is_number, features.bins, strict=True)
    ]
    return GivenBins(
        features.binned.codes,
        np.append(0, np.cumsum(features.bins)).astype(np.int64),
        np.append(0, np.cumsum((features.bins + 63) // 64)).astype(np.int64),
        ~is_number,
        np.concatenate([np.empty(0), *middles]),
    )


def make_scratch(bins: GivenBins, records: int, limits: GrowthLimits, state: WordArray) -> Scratch:
    """Make working space for a tree on so many records."""
    d, cells = len(bins.is_nominal), int(bins.first[-1])
    # Of nodes whose histograms wait, each has less than half the records of the one before; two more for the halves at work.
    slots = 1 if limits.classes or limits.tried else 3 + (records // limits.histogram_from).bit_length()
    by_class, near = records if limits.classes else 0, min(records, NEAR_RECORDS)
    return Scratch(
        np.zeros((slots, 3, cells)),
        np.append(np.arange(slots - 1, 0, -1), slots - 1),
        np.zeros(bins.words[-1], np.uint64),
        np.empty(cells, np.int64),
        np.zeros(d, np.int64),
        np.empty(cells),
        np.zeros(3, np.int64),
        np.zeros(1),
        np.empty(cells, np.int64),
        np.arange(d),
        state,
        np.zeros(cells, np.int64),
        np.zeros(cells, np.int64),
        np.empty(by_class, np.int64),
        np.empty(by_class),
        np.empty(by_class, np.int64),
        np.zeros((5, limits.classes)),
        np.zeros(limits.classes, np.int64),
        np.empty((d, near), np.uint16),
        np.empty(near, np.uint32),
        np.empty(min(by_class, cells * limits.classes)),
    )
