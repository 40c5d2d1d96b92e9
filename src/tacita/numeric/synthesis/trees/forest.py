"""Forests: many trees on bootstrap samples of the records, each split on the best of a few features drawn at random.

References
----------
Breiman, L. (2001). Random forests. Machine Learning 45, 5-32.
Caiola, G., Reiter, J. P. (2010). Random forests for generating partially synthetic, categorical data. Transactions on Data
Privacy 3, 27-42.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.numeric.compiled.threads import in_threads
from tacita.numeric.synthesis.trees.features import BinnedFeatures, Features
from tacita.numeric.synthesis.trees.tree import Tree, grow_tree
from tacita.numeric.synthesis.variables import ModelVariable

__all__ = ["Forest", "grow_forest"]


@dataclass(frozen=True)
class Forest:
    """Trees that were grown on samples of the same records."""

    trees: tuple[Tree, ...]

    def __len__(self) -> int:
        """Return the number of trees."""
        return len(self.trees)

    def donors(self, binned: BinnedFeatures, rng: np.random.Generator) -> IntArray:
        """Return a training record for each record: from the leaf where it lies in a tree that is drawn at random.

        synthpop draws from the leaves of all trees put together, which gives trees with large leaves more say; here each tree
        has the same, and a record goes down one tree only.
        """
        chosen = rng.integers(0, len(self), len(binned))
        found = np.empty(len(binned), np.int64)
        for number, tree in enumerate(self.trees):
            own = np.flatnonzero(chosen == number)
            leaves = tree.leaves(BinnedFeatures(np.ascontiguousarray(binned.codes[:, own])))
            found[own] = tree.donors(leaves, rng)
        return found


def grow_forest(
    features: Features,
    y: ModelVariable,
    *,
    rng: np.random.Generator,
    trees: int = 10,
    tried: int | None = None,
    min_leaf: int = 5,
    weights: FloatArray | None = None,
    rows: IntArray | None = None,
) -> Forest:
    """Grow trees, each on as many records as there are, drawn with replacement. The time of so many trees, on all cores.

    Parameters
    ----------
    features, y, weights, rows, min_leaf
        As for one tree. Records are drawn evenly and keep their weights.
    trees
        How many trees.
    tried
        Features drawn for each split: the root of their number for classes, a third of them for a number, if not given.

    Examples
    --------
    >>> from tacita.numeric.synthesis.trees.features import bin_features
    >>> rng = np.random.default_rng(1)
    >>> x = ModelVariable(np.arange(100.0))
    >>> features = bin_features([x])
    >>> forest = grow_forest(features, x, rng=rng, min_leaf=2)
    >>> donors = forest.donors(features.binned, rng)
    >>> bool(np.abs(donors - np.arange(100)).max() < 15)
    True
    """
    d = len(features)
    usual = max(1, d // 3 if y.is_number else int(np.sqrt(d)))
    chosen = np.arange(len(y)) if rows is None else np.asarray(rows)
    if weights is not None:
        chosen = chosen[weights[chosen] > 0]
    if len(chosen) == 0:
        raise ValueError("A forest needs a record with a weight.")

    def grown(own: np.random.Generator) -> Tree:
        drawn = np.sort(chosen[own.integers(0, len(chosen), len(chosen))])
        return grow_tree(
            features,
            y,
            min_leaf=min_leaf,
            weights=weights,
            rows=drawn,
            tried=usual if tried is None else tried,
            rng=own,
        )

    return Forest(tuple(in_threads(grown, rng.spawn(trees), records=len(chosen))))
