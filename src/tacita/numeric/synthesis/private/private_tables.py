"""Synthesis from noisy tables (MST): one-way tables, a tree of pairs chosen in private, their two-way tables, and new records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.numeric.privacy.exact_noise import ExactNoise
from tacita.numeric.synthesis.private.budget import TablesBudget
from tacita.numeric.synthesis.private.fit import NoisyTables, fit_tree
from tacita.numeric.synthesis.private.rare import MergedClasses, merge_rare
from tacita.numeric.synthesis.private.tree import ColumnTree, TreeTables

__all__ = ["FittedTables", "choose_pairs", "fit_private_tables", "noisy_sum"]

WEIGHT_STEPS = 1000
"""Into how many steps the largest weight is cut."""


@dataclass(frozen=True)
class FittedTables:
    """What was learned, all of it from noisy numbers.

    Parameters
    ----------
    total
        The noisy number of records.
    merged
        For each column its classes, the rare ones merged.
    tree
        The pairs that were measured.
    tables
        The shares that fit the measurements.
    """

    total: float
    merged: tuple[MergedClasses, ...]
    tree: ColumnTree
    tables: TreeTables

    def drawn(self, n: int, rng: np.random.Generator) -> list[IntArray]:
        """Return n records as one array of codes for each column."""
        found = self.tree.drawn(self.tables, n, rng)
        return [part.drawn(codes, rng) for part, codes in zip(self.merged, found, strict=True)]


def fit_private_tables(
    codes: Sequence[IntArray], sizes: Sequence[int], budget: TablesBudget, noise: ExactNoise
) -> FittedTables:
    """Measure tables of some columns within a budget, and fit a distribution to them.

    Parameters
    ----------
    codes
        For each column the class of each record: 0, 1, 2, ...
    sizes
        How many classes each column has, which must not depend on the records.
    budget
        What may be spent.
    noise
        Where the noise comes from.

    Notes
    -----
    Records are looked at in three places: counts of one-way tables, scores of pairs, counts of two-way tables. What comes out of
    each is private by its noise, and all else is made of these. O(d^2 (n + cells)) time for d columns.

    References
    ----------
    McKenna, R., Miklau, G. and Sheldon, D. (2021), Winning the NIST contest: a scalable and general approach to differentially
    private synthetic data, algorithm 1.
    """
    variance = budget.variance(budget.single_rho)
    merged = []
    for column, size in zip(codes, sizes, strict=True):
        counts = np.bincount(column, minlength=size) + noise.gaussian(variance, size)
        merged.append(merge_rare(counts.astype(np.float64), float(variance)))
    new = [part.code[column] for part, column in zip(merged, codes, strict=True)]
    tree = ColumnTree.of(len(codes), choose_pairs(new, merged, budget, noise))
    pairs, variance = [], budget.variance(budget.pair_rho) if budget.pair_rho else variance
    for a, b in tree.edges:
        counts = _two_way(new[a], new[b], merged[a].size, merged[b].size)
        drawn = noise.gaussian(variance, counts.size).reshape(counts.shape)
        pairs.append((counts + drawn).astype(np.float64))
    noisy = NoisyTables(tuple(merged), tuple(pairs), float(variance))
    return FittedTables(noisy.total, tuple(merged), tree, fit_tree(tree, noisy))


def choose_pairs(
    codes: Sequence[IntArray], merged: Sequence[MergedClasses], budget: TablesBudget, noise: ExactNoise
) -> list[tuple[int, int]]:
    """Return the pairs of a spanning tree, each chosen in private among those that still connect something.

    The score of a pair is how far its two-way table is from that of columns that have nothing to do with each other, in records,
    less what noise alone adds to such a table. Tables that are compared with are whole numbers made of noisy ones, so that a
    record changes a score by at most 1.

    Notes
    -----
    Kruskal's algorithm with the exponential mechanism at each step. The correction for noise is that of AIM; without it, columns
    with many classes would be chosen for their noise.

    References
    ----------
    McKenna et al. (2021), algorithm 2. McKenna, R., Mullins, B., Sheldon, D. and Miklau, G. (2022), AIM: an adaptive and
    iterative mechanism for differentially private synthetic data, equation 1.
    """
    open_pairs = list(combinations(range(len(codes)), 2))
    if len(open_pairs) < 2:
        return open_pairs
    lost = (2 / np.pi) ** 0.5 * float(budget.variance(budget.pair_rho)) ** 0.5
    shares = [np.maximum(part.counts, 0.0) for part in merged]
    total = NoisyTables(tuple(merged), (), 1.0).total
    score = {}
    for a, b in open_pairs:
        expected = np.outer(_to_one(shares[a]), _to_one(shares[b])) * max(total, 0.0)
        counts = _two_way(codes[a], codes[b], merged[a].size, merged[b].size)
        away = int(np.abs(counts - np.rint(expected).astype(np.int64)).sum())
        score[a, b] = away - round(lost * counts.size)
    part = list(range(len(codes)))
    chosen: list[tuple[int, int]] = []
    while len(chosen) < len(codes) - 1:
        open_pairs = [(a, b) for a, b in open_pairs if part[a] != part[b]]
        a, b = open_pairs[noise.choose([score[pair] for pair in open_pairs], budget.choice_rate)]
        chosen.append((a, b))
        part = [part[a] if group == part[b] else group for group in part]
    return chosen


def noisy_sum(weights: FloatArray, largest: float, budget: TablesBudget, noise: ExactNoise) -> float:
    """Return the sum of weights, each cut off at 0 and at the largest, with noise.

    Examples
    --------
    >>> from fractions import Fraction
    >>> budget = TablesBudget(Fraction(10**6), columns=2, members=1, has_weights=True)
    >>> round(noisy_sum(np.array([1.0, 3.0, 9.0]), 5.0, budget, ExactNoise(np.random.default_rng(1))), 1)
    9.0
    """
    steps = np.rint(np.clip(np.nan_to_num(weights), 0.0, largest) * (WEIGHT_STEPS / largest)).astype(np.int64)
    drawn = noise.gaussian(budget.variance(budget.weights_rho, WEIGHT_STEPS), 1)
    return float(int(steps.sum()) + int(drawn[0])) * (largest / WEIGHT_STEPS)


def _two_way(one: IntArray, other: IntArray, rows: int, columns: int) -> IntArray:
    return np.bincount(one * columns + other, minlength=rows * columns).reshape(rows, columns)


def _to_one(shares: FloatArray) -> FloatArray:
    whole = float(shares.sum())
    return shares / whole if whole > 0 else np.full(len(shares), 1 / len(shares))
