"""What the kernels of a tree share: the records as they are moved about, the limits of growth, and working space."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacita.core.arrays import Bool1, Float1, Float2, Float3, Int1, Place1, Word1, WordArray
from tacita.numeric.synthesis.trees.features import Codes2, Features

__all__ = [
    "AT",
    "BINS",
    "CLEARLY",
    "COUNT",
    "FEATURE",
    "FOUND",
    "PRESENT",
    "SUM",
    "WEIGHT",
    "GivenBins",
    "GrowthLimits",
    "MovedRecords",
    "Scratch",
    "make_scratch",
]

COUNT, WEIGHT, SUM = 0, 1, 2
"""Places in a cell of a histogram: records, their weight (only where there are weights), and the sum of the target."""

CLEARLY = 1.0 + 1e-13
"""By so much a score must be above another: what differs by rounding alone is equal, and the first of equals is taken."""

FEATURE, AT, BINS, FOUND, PRESENT = 0, 1, 2, 3, 4
"""Places in ``Scratch.best``: feature of the best split, the place in its order after which the right side begins, and how
many bins that has; then how many bins the last order has, and how many classes the node."""


class GivenBins(NamedTuple):
    """The features: bins of all records, and how they lie side by side in a histogram."""

    codes: Codes2
    first: Int1
    """(d + 1,): the first cell of each feature in a histogram of all."""
    is_nominal: Bool1
    middles: Float1
    """(cells,): the mean value of each bin."""


class MovedRecords(NamedTuple):
    """The training records; those of a node lie side by side."""

    rows: Place1
    """(m,): the column of ``codes`` that each is in."""
    y: Float1
    """(m,): the target: a number, or the number of a class."""
    weights: Float1
    """(m,), or empty."""
    spare_rows: Place1
    spare_y: Float1
    spare_weights: Float1


class GrowthLimits(NamedTuple):
    """When a node is a leaf, and what a split is."""

    min_leaf: int
    min_split: int
    most_depth: int
    least_gain: float
    """By how much a split must lower the impurity: the sum of squares, or the weight of a node times its Gini index."""
    classes: int
    """Classes of the target from three on; 0 where the target is a number, or two classes as 0 and 1."""
    tried: int
    """Features drawn for each split; 0 for all."""
    histogram_from: int
    """Records from which on a node has a histogram of all features."""


class Scratch(NamedTuple):
    """Working space. Histograms and marks are clean between two features."""

    histograms: Float3
    """(slots, cells, 3); slot 0 is for one feature at a time."""
    free: Int1
    """Slots that are free, and in the last place how many."""
    marks: Word1
    order: Int1
    """The occupied bins of a feature, in the order in which they are split."""
    scores: Float1
    best: Int1
    """See the places above."""
    best_order: Int1
    """The ``order`` of the best split."""
    features: Int1
    """The features, shuffled as they are drawn."""
    words: Word1
    """State of the generator that draws features."""
    totals: Float1
    left: Float1
    """(classes,): the weight of each class in the node, and left of a cut."""
    starts: Int1
    ends: Int1
    """Where the records of each bin stand in the two that follow."""
    labels: Place1
    label_weights: Float1
    """The classes and weights of a node's records, sorted by their bin."""
    direction: Float2
    """(2, classes): the direction along which classes of a feature are ordered, and the next one."""
    present: Int1
    """(classes,): the classes that a node has."""


def make_scratch(features: Features, records: int, limits: GrowthLimits, words: WordArray) -> Scratch:
    """Make working space for a tree on so many records."""
    bins, cells = int(features.bins.max(initial=1)), int(features.bins.sum())
    # Of nodes whose histograms wait, each has less than half the records of the one before; two more for the halves at work.
    slots = 1 if limits.classes or limits.tried else 3 + max(0, records // limits.histogram_from).bit_length()
    by_class = records if limits.classes else 0
    return Scratch(
        np.zeros((slots, cells, 3)),
        np.append(np.arange(slots - 1, 0, -1), slots - 1),
        np.zeros((bins + 63) // 64, np.uint64),
        np.empty(bins, np.int64),
        np.empty(bins),
        np.zeros(5, np.int64),
        np.empty(bins, np.int64),
        np.arange(len(features)),
        words,
        np.zeros(limits.classes),
        np.zeros(limits.classes),
        np.zeros(bins, np.int64),
        np.zeros(bins, np.int64),
        np.empty(by_class, np.int32),
        np.empty(by_class),
        np.zeros((2, limits.classes)),
        np.zeros(limits.classes + 1, np.int64),
    )
