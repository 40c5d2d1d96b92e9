"""Trees of a sequential synthesis against scikit-learn's fits of the same targets, in processor time of one run.

15 mixed columns of a made-up survey: numbers, ordinals, and classes, 45 in one column. Each column from the second on gets
a tree on those before it, with 5 records a leaf at least and every node of 10 divided. scikit-learn sees integer codes, and
splits classes as if they were numbers; ours puts them in order at every node, which is more work. ``bins`` and ``draw`` are
what a synthesis needs besides: cutting all columns once, and a donor for every record by every tree. One row is the whole
mask ``sequential_synthesis``: states, trees that are cut back, smoothed draws, records that repeat a person drawn again.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import tacita as tc
from benchmarks.tables import ratio_of
from tacita.numeric.synthesis.trees.features import Features, bin_features
from tacita.numeric.synthesis.trees.tree import Tree, grow_tree
from tacita.numeric.synthesis.variables import ModelVariable

__all__ = ["run"]


def survey(n: int) -> list[ModelVariable]:
    """15 columns that hang together by four factors."""
    rng = np.random.default_rng(1)
    z = rng.normal(size=(4, n))

    def classes(k: int, factor: np.ndarray, noise: float = 1.0) -> ModelVariable:
        score = factor + noise * rng.normal(size=n)
        cuts = np.quantile(score, np.sort(rng.random(k - 1)))
        return ModelVariable(rng.permutation(k)[np.searchsorted(cuts, score)].astype(float), k)

    def ranks(factor: np.ndarray, middle: float, spread: float, most: int) -> ModelVariable:
        return ModelVariable(np.clip(np.round(middle + spread * factor + 0.4 * spread * rng.normal(size=n)), 0, most))

    income = np.exp(9.5 + 0.5 * z[2] + 0.3 * z[3] + 0.3 * rng.normal(size=n))
    savings = np.where(rng.random(n) < 0.4, 0, np.round(income * np.exp(rng.normal(size=n)), 1))
    return [
        ranks(z[0], 45, 18, 99),
        classes(2, z[1], 2.0),
        classes(45, z[1]),
        ranks(z[2] - 0.3 * z[0], 3, 1.5, 7),
        classes(6, z[0]),
        classes(10, z[2]),
        classes(20, z[2] + z[1]),
        ModelVariable(np.round(income, 2)),
        ModelVariable(np.round(income * rng.uniform(0.05, 0.4, n))),
        ModelVariable(savings),
        ranks(z[3], 38, 8, 80),
        classes(4, z[3]),
        ranks(z[0], 2, 1, 12),
        classes(2, z[3], 0.5),
        ModelVariable(rng.normal(z[0] + z[2])),
    ]


def _seconds(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _theirs(x: np.ndarray, y: ModelVariable) -> Any:
    if y.is_number:
        return DecisionTreeRegressor(min_samples_leaf=5, random_state=1).fit(x, y.values)
    return DecisionTreeClassifier(min_samples_leaf=5, random_state=1).fit(x, y.values.astype(int))


def _drawn(tree: Tree, features: Features, rng: np.random.Generator) -> Any:
    return tree.donors(tree.leaves(features.binned), rng)


def _synthesis(columns: list[ModelVariable]) -> Any:
    arrays = [v.values if v.is_number else v.values.astype(np.int64).astype(str) for v in columns]
    data = tc.Microdata.from_frame(pa.table({f"v{j:02d}": array for j, array in enumerate(arrays)}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tc.TacitaNote)
        return tc.mask.SequentialSynthesis().apply(data, seed=1)


def run(quick: bool) -> list[dict[str, Any]]:
    """Fit all trees, each by both in turn."""
    n = 20_000 if quick else 100_000
    columns, rng = survey(n), np.random.default_rng(1)
    x = np.column_stack([column.values for column in columns]).astype(np.float32)
    bins = _seconds(lambda: bin_features(columns))
    features = bin_features(columns)
    grow_tree(features, columns[0], rows=np.arange(20))  # loads the kernels
    ours: dict[str, list[float]] = {"numbers": [], "classes": []}
    theirs: dict[str, list[float]] = {"numbers": [], "classes": []}
    draw = 0.0
    for j in range(1, len(columns)):
        kind, given = "numbers" if columns[j].is_number else "classes", features.some(range(j))
        start = time.process_time()
        tree = grow_tree(given, columns[j], min_split=10)
        ours[kind].append(time.process_time() - start)
        draw += _seconds(partial(_drawn, tree, given, rng))
        theirs[kind].append(_seconds(partial(_theirs, x[:, :j], columns[j])))
    rows = [
        {
            "case": f"{len(ours[kind])} trees of {kind}",
            "n": n,
            "ours_s": sum(ours[kind]),
            "sklearn_s": sum(theirs[kind]),
            "ratio": ratio_of(sum(theirs[kind]), sum(ours[kind])),
        }
        for kind in ours
    ]
    whole = bins + sum(sum(times) for times in ours.values())
    fits = sum(sum(times) for times in theirs.values())
    rows.append(
        {
            "case": "bins, and all trees",
            "n": n,
            "ours_s": whole,
            "sklearn_s": fits,
            "ratio": ratio_of(fits, whole),
            "target": ">= 3",
        }
    )
    made = _seconds(partial(_synthesis, columns))
    rows.append(
        {
            "case": "the whole synthesis",
            "n": n,
            "ours_s": made,
            "sklearn_s": fits,
            "ratio": ratio_of(fits, made),
            "target": ">= 0.2",
        }
    )
    rows.append({"case": "bins", "n": n, "ours_s": bins})
    rows.append({"case": "draw", "n": n, "ours_s": draw})
    return rows
