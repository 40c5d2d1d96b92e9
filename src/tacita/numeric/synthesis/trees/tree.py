"""Trees: records are divided by one feature at a time until a target hardly varies in a leaf; donors come from leaves.

This is CART (Breiman and others, 1984) as synthpop uses it (Nowok, Raab and Dibben, 2016), on binned features. The steps:
``features.py`` cuts the given columns into bins, ``grow.py`` divides the records, ``number_splits.py`` and ``class_splits.py``
find the best division of a node, and this file sends new records down the tree.

References
----------
Breiman, L., Friedman, J., Olshen, R., Stone, C. (1984). Classification and regression trees. Wadsworth.
Nowok, B., Raab, G. M., Dibben, C. (2016). synthpop: bespoke creation of synthetic data in R. Journal of Statistical Software
74(11), 1-26.
Light, R. J., Margolin, B. H. (1971). An analysis of variance for categorical data. Journal of the American Statistical
Association 66, 534-544.
Satterthwaite, F. E. (1946). An approximate distribution of estimates of variance components. Biometrics Bulletin 2, 110-114.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from tacita.core.arrays import Bool1, BoolArray, FloatArray, Int1, IntArray, Place2, PlaceArray, Word1, WordArray
from tacita.core.kernel import entry
from tacita.numeric.synthesis.trees.features import BinnedFeatures, Codes2, Features
from tacita.numeric.synthesis.trees.grow import CHILD, CUT, GONE, SPLIT, grow, has_class
from tacita.numeric.synthesis.trees.workspace import NEVER_UNLIKELY, GrowthLimits, MovedRecords, make_bins, make_scratch
from tacita.numeric.synthesis.variables import ModelVariable

__all__ = ["Tree", "grow_tree"]

NOISE = 1e-12
"""A gain below this share of the impurity of all records may be rounding."""


@dataclass(frozen=True)
class Tree:
    """A tree that was grown, with the training records of each leaf.

    Parameters
    ----------
    nodes
        (m, 3): feature (-1 for a leaf), cut, and left child of each node.
    sets
        The classes that go left, a bit each, at the places that the cuts of splits on classes name.
    is_nominal
        (d,): which features are classes.
    leaf_of
        (m,): the number of each node among the leaves.
    starts
        (leaves + 1,): where the training records of each leaf begin.
    rows
        The training records, leaf by leaf.
    upto
        Their weights added up, from 0 on; empty where all count the same.
    """

    nodes: PlaceArray
    sets: WordArray
    is_nominal: BoolArray
    leaf_of: IntArray
    starts: IntArray
    rows: IntArray
    upto: FloatArray

    def __len__(self) -> int:
        """Return the number of leaves."""
        return len(self.starts) - 1

    def leaves(self, binned: BinnedFeatures) -> IntArray:
        """Return the leaf of each record. O(depth) for each."""
        if len(self) == 1:
            return np.zeros(len(binned), np.int64)
        return _leaves(binned.codes, self.nodes, self.sets, self.is_nominal, self.leaf_of)

    def donors(self, leaves: IntArray, rng: np.random.Generator) -> IntArray:
        """Return a training record of the leaf of each record, drawn at random, by weight where there are weights."""
        begin, end = self.starts[leaves], self.starts[leaves + 1]
        if len(self.upto):
            drawn = self.upto[begin] + rng.random(len(leaves)) * (self.upto[end] - self.upto[begin])
            places = np.searchsorted(self.upto, drawn, side="right") - 1
        else:
            places = begin + (rng.random(len(leaves)) * (end - begin)).astype(np.int64)
        return self.rows[np.clip(places, begin, end - 1)]


def grow_tree(
    features: Features,
    y: ModelVariable,
    *,
    min_leaf: int = 5,
    min_split: int | None = None,
    most_depth: int = 30,
    least_gain: float = 1e-8,
    chance: float = 1.0,
    weights: FloatArray | None = None,
    rows: IntArray | None = None,
    tried: int | None = None,
    rng: np.random.Generator | None = None,
) -> Tree:
    """Grow a tree. O(n d log n) time for a tree that is about as deep everywhere, O(n) memory and the histograms of a few nodes.

    Parameters
    ----------
    features
        The given columns, binned.
    y
        The target, of the same records: a number is divided by its sum of squares, classes by the Gini index.
    min_leaf
        Least number of records of a leaf.
    min_split
        Least number of records of a node that is divided; three times ``min_leaf`` if not given, as in rpart.
    most_depth
        Most splits above a leaf.
    least_gain
        By how much a split must lower the impurity, as a share of that of all records.
    chance
        A branch stays where its splits lower the impurity by more than noise would with this chance, all of them together; 1 for
        a tree that is not cut back.
    weights
        How much each record counts; those with 0 take no part.
    rows
        The records to grow on, which may repeat themselves; all if not given.
    tried
        How many features are drawn for each split; all if not given. More are drawn as long as none of them can be split.
    rng
        Where these draws come from.

    Notes
    -----
    Limits are those of rpart, but for one: rpart takes back splits on classes that do not change the most frequent class of a
    side. Donors need the shares of the other classes too, so here such splits stay.

    A class of a feature that no training record of a node has goes to the side with more records.

    In pure noise a split of n records into two lowers the sum of squares by a share ``X^2 / n`` of it, with X standard normal;
    the Gini index, with more classes, by a weighted mean of such squares, whose distribution is near that of chi squared (Light
    and Margolin, 1971; Satterthwaite, 1946). That the best of many splits is looked at is not counted: it makes trees larger.

    Examples
    --------
    >>> x = ModelVariable(np.array([1.0, 2.0, 3.0, 11.0, 12.0, 13.0]))
    >>> y = ModelVariable(np.array([0.0, 0.0, 0.1, 5.0, 5.1, 5.0]))
    >>> from tacita.numeric.synthesis.trees.features import bin_features
    >>> features = bin_features([x])
    >>> tree = grow_tree(features, y, min_leaf=2)
    >>> tree.leaves(features.binned).tolist()
    [0, 0, 0, 1, 1, 1]
    >>> tree.donors(np.array([0, 1]), np.random.default_rng(1)).tolist()
    [1, 5]
    """
    if tried is not None and rng is None:
        raise ValueError("'tried' needs 'rng'.")
    chosen = np.arange(len(y)) if rows is None else np.asarray(rows)
    if weights is not None and (weights[chosen] <= 0).any():
        chosen = chosen[weights[chosen] > 0]
    if len(chosen) == 0:
        raise ValueError("A tree needs a record with a weight.")
    shares = np.empty(0) if weights is None else np.ascontiguousarray(weights[chosen], np.float64)
    target, classes = _target(y, chosen)
    limits = GrowthLimits(
        max(1, min_leaf),
        3 * min_leaf if min_split is None else min_split,
        most_depth,
        max(least_gain, NOISE) * _impurity(target, shares, classes),
        NormalDist().inv_cdf(1 - chance) if chance < 1 else NEVER_UNLIKELY,
        classes,
        min(tried or 0, len(features)),
        max(256, 2 * int(features.bins.sum()) // max(len(features), 1)),
    )
    places = chosen.astype(np.uint32)
    moved = MovedRecords(places, target, shares, np.empty_like(places), np.empty_like(target), np.empty_like(shares))
    state = np.zeros(1, np.uint64) if rng is None or tried is None else rng.integers(0, 2**64, 1, np.uint64)
    bins = make_bins(features)
    nodes, spans, sets = grow(bins, moved, limits, make_scratch(bins, len(places), limits, state))
    is_leaf = (nodes[:, SPLIT] < 0) & (nodes[:, SPLIT] != GONE)
    starts = np.append(np.sort(spans[is_leaf, 0]), len(places))
    return Tree(
        nodes,
        sets,
        bins.is_nominal,
        np.searchsorted(starts, spans[:, 0]),
        starts,
        moved.rows.astype(np.int64),
        np.append(0.0, np.cumsum(moved.weights)) if len(shares) else shares,
    )


def _target(y: ModelVariable, chosen: IntArray) -> tuple[FloatArray, int]:
    """Return the target as trees see it, and how many classes it has: 0 for a number, and for two classes as 0 and 1.

    Numbers are counted from one of them, the nearest to their mean: sums keep their digits, and whole numbers stay whole.
    """
    values = np.ascontiguousarray(y.values[chosen], np.float64)
    if y.is_number:
        return values - values[np.argmin(np.abs(values - values.mean()))], 0
    codes = values.astype(np.int64)
    is_there = np.bincount(codes, minlength=y.classes) > 0
    present = int(is_there.sum())
    return (np.cumsum(is_there) - 1)[codes].astype(np.float64), present if present > 2 else 0


def _impurity(target: FloatArray, weights: FloatArray, classes: int) -> float:
    """Return the sum of squares around the mean, or the weight times the Gini index."""
    shares = weights if len(weights) else None
    if classes:
        sums = np.bincount(target.astype(np.int64), shares, classes)
        return float(sums.sum() - (sums**2).sum() / sums.sum())
    return float(np.average((target - np.average(target, weights=shares)) ** 2, weights=shares)) * (
        float(weights.sum()) if len(weights) else len(target)
    )


@entry
def _leaves(codes: Codes2, nodes: Place2, sets: Word1, is_nominal: Bool1, leaf_of: Int1) -> IntArray:
    """Send each record down the tree."""
    found = np.empty(codes.shape[1], np.int64)
    for i in range(np.uint64(codes.shape[1])):
        node = np.uint64(0)
        while nodes[node, SPLIT] >= 0:
            j, cut = np.uint64(nodes[node, SPLIT]), np.int64(nodes[node, CUT])
            code = np.int64(codes[j, i])
            if is_nominal[j]:
                node = np.uint64(nodes[node, CHILD]) + np.uint64(not has_class(sets, cut, code))
            else:
                node = np.uint64(nodes[node, CHILD]) + np.uint64(code > cut)
        found[i] = leaf_of[node]
    return found
