from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tacita.numeric.synthesis.trees.features import bin_features
from tacita.numeric.synthesis.trees.forest import grow_forest
from tacita.numeric.synthesis.variables import ModelVariable


def test_every_tree_gives_donors_and_all_from_its_own_leaf() -> None:
    rng = np.random.default_rng(1)
    x = [ModelVariable(rng.integers(0, 50, 800).astype(float)), ModelVariable(rng.integers(0, 6, 800).astype(float), 6)]
    y = ModelVariable((x[0].values > 20) * 2.0 + (x[1].values == 3))
    features = bin_features(x)
    forest = grow_forest(features, y, rng=rng, trees=7)
    assert len(forest) == 7
    assert len({tuple(tree.rows.tolist()) for tree in forest.trees}) == 7
    assert min(np.diff(tree.starts).min() for tree in forest.trees) >= 5
    donors = forest.donors(features.binned, rng)
    leaves = [tree.leaves(features.binned) for tree in forest.trees]
    assert all(any(own[i] == own[donor] for own in leaves) for i, donor in enumerate(donors))
    assert np.mean(y.values[donors] == y.values) > 0.8


def test_the_same_generator_gives_the_same_donors_whatever_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    x = ModelVariable(np.random.default_rng(1).normal(size=300))
    features = bin_features([x, x, x])

    def drawn() -> list[int]:
        rng = np.random.default_rng(2)
        return list(grow_forest(features, x, rng=rng, trees=4).donors(features.binned, rng))

    first = drawn()
    monkeypatch.setattr("tacita.numeric.compiled.threads.LONG", 1)
    assert drawn() == first


def test_a_column_that_nothing_explains_keeps_its_shares() -> None:
    rng = np.random.default_rng(3)
    x = ModelVariable(rng.normal(size=3000))
    y = ModelVariable(rng.choice(3, 3000, p=[0.6, 0.3, 0.1]).astype(float), 3)
    features = bin_features([x])
    forest = grow_forest(features, y, rng=rng, trees=5, min_leaf=20)
    drawn = y.values[forest.donors(features.binned, rng)].astype(int)
    wanted = np.bincount(y.values.astype(int))
    assert stats.chi2_contingency([np.bincount(drawn, minlength=3), wanted]).pvalue > 1e-3


def test_records_without_weight_are_nobodys_donors() -> None:
    rng = np.random.default_rng(4)
    x = ModelVariable(rng.normal(size=400))
    features = bin_features([x])
    weights = (np.arange(400) % 2).astype(float)
    donors = grow_forest(features, x, rng=rng, weights=weights).donors(features.binned, rng)
    assert (donors % 2 == 1).all()
    with pytest.raises(ValueError, match="weight"):
        grow_forest(features, x, rng=rng, weights=np.zeros(400))
