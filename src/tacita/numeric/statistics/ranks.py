"""Ranks and order statistics."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray

__all__ = ["mid_ranks", "normal_scores", "rank_correlations", "rank_window", "values_by_rank"]


def mid_ranks(values: FloatArray, ordered: FloatArray) -> FloatArray:
    """Return the rank 0, 1, ... of each value among the sorted ``ordered``; tied values share their middle rank."""
    first = np.searchsorted(ordered, values, side="left")
    last = np.searchsorted(ordered, values, side="right") - 1
    return np.asarray((first + last) / 2)


def rank_window(ranks: FloatArray, ordered: FloatArray, width: float) -> tuple[FloatArray, FloatArray]:
    """Return the order statistics at ``rank - width`` and ``rank + width``, cut at the ends of the file."""
    n = len(ordered)
    lower = np.clip(np.ceil(ranks - width - 1e-9), 0, n - 1).astype(np.int64)
    upper = np.clip(np.floor(ranks + width + 1e-9), 0, n - 1).astype(np.int64)
    return ordered[lower], ordered[upper]


def normal_scores(values: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Return Phi^-1((rank + 1/2) / n) among the n values that are there, 0 for a missing one.

    Tied values share their ranks out at random.
    """
    from scipy.special import ndtri

    n = int((~np.isnan(values)).sum())
    order = np.lexsort((rng.random(len(values)), values))[:n]  # missing values come last
    scores = np.zeros(len(values))
    scores[order] = ndtri((np.arange(n) + 0.5) / max(n, 1))
    return scores


def values_by_rank(scores: FloatArray, values: FloatArray) -> FloatArray:
    """Return the values rearranged so that they have the order of the scores."""
    made = np.empty_like(values)
    made[np.argsort(scores, kind="stable")] = np.sort(values)
    return made


def rank_correlations(x: FloatArray) -> FloatArray:
    """Return Spearman's rank correlations; a missing value has the middle rank, a constant column correlates with none."""
    n, d = x.shape
    ranks = np.zeros((n, d))
    for j in range(d):
        there = ~np.isnan(x[:, j])
        found = mid_ranks(x[there, j], np.sort(x[there, j]))
        ranks[there, j] = found - found.mean() if found.size else found
    length = np.sqrt((ranks**2).sum(axis=0))
    scaled = ranks / np.where(length > 0, length, 1.0)
    correlations = scaled.T @ scaled
    np.fill_diagonal(correlations, 1.0)
    return np.asarray(correlations)
