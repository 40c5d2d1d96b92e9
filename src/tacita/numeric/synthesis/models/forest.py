"""Forest: a value drawn from a leaf of one of many trees, each grown on a bootstrap sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.numeric.synthesis.models.model import Donors, FittedColumnModel, bayesian_weights
from tacita.numeric.synthesis.models.sample import SampleModel
from tacita.numeric.synthesis.predictors import Predictors
from tacita.numeric.synthesis.smoothing import Smoothing
from tacita.numeric.synthesis.trees.forest import Forest, grow_forest
from tacita.numeric.synthesis.variables import ModelVariable

__all__ = ["ForestModel"]


@dataclass(frozen=True)
class _FittedForest:
    forest: Forest
    donors: Donors
    cuts: Predictors

    def draw(self, x: Sequence[ModelVariable], n: int, rng: np.random.Generator) -> FloatArray:
        return self.donors.give(self.forest.donors(self.cuts.binned_here(x), rng), rng)


@dataclass(frozen=True)
class ForestModel:
    """Draw the value of a donor out of the leaf that a record falls into in a tree drawn at random.

    Each tree is grown on a bootstrap sample and tries a few features at each split. Numbers are moved between their
    neighbours among all values, since a donor has another leaf in each tree. Proper draws give the records the weights of a
    Bayesian bootstrap before.

    Parameters
    ----------
    trees
        Number of trees.
    min_leaf
        Smallest number of records in a leaf.
    smoothing
        Whether numbers are moved between their neighbours.
    proper
        Whether the shares of the records are drawn.

    References
    ----------
    Breiman, L. (2001), Random forests, Machine Learning 45, 5-32; Caiola, G., Reiter, J. P. (2010), Random forests for generating
    partially synthetic, categorical data, Transactions on Data Privacy 3, 27-42.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> x = ModelVariable(np.arange(200.0))
    >>> fitted = ForestModel(smoothing="none").fit(ModelVariable((x.values > 99) * 1.0, 2), [x], rng)
    >>> fitted.draw([ModelVariable(np.array([10.0, 190.0]))], 2, rng).tolist()
    [0.0, 1.0]
    """

    trees: int = 10
    min_leaf: int = 5
    smoothing: Smoothing = "density"
    proper: bool = False
    uses_bins: ClassVar[bool] = True

    def fit(
        self,
        y: ModelVariable,
        x: Sequence[ModelVariable],
        rng: np.random.Generator,
        *,
        weights: FloatArray | None = None,
    ) -> FittedColumnModel:
        """Grow the trees. As many times the time of one."""
        if not len(x):
            return SampleModel(self.smoothing, self.proper).fit(y, x, rng, weights=weights)
        given = Predictors.from_variables(x)
        shares = bayesian_weights(len(y), weights, rng) if self.proper else weights
        own = np.random.default_rng(rng.integers(0, 2**63, 4))  # a keyed stream cannot have children
        forest = grow_forest(given.features(), y, rng=own, trees=self.trees, min_leaf=self.min_leaf, weights=shares)
        return _FittedForest(forest, Donors.of(y, self.smoothing), given.without_records())
