"""Hidden cells that follow from the published ones: hiding them hides nothing, so they are published."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import BoolArray
from tacita.tables.protect.problem import Problem

__all__ = ["without_what_follows"]


def without_what_follows(problem: Problem, hidden: BoolArray) -> BoolArray:
    """Return a pattern without cells that everybody can compute: those that are hidden alone in a sum, one after the other.

    Unsafe cells stay. The pattern is as safe as it was: who reads it knew these cells before, and no move that proves a level
    moves them. O(entries of the relations) for each time that something changes.

    Parameters
    ----------
    problem
        What is protected.
    hidden
        (n,): the pattern.
    """
    rows = abs(problem.relations.matrix).astype(bool).astype(np.int64).tocsr()
    left = hidden.copy()
    while True:  # ends: a cell leaves in every turn but the last
        alone = rows @ left.astype(np.int64) == 1
        follows = (rows[np.flatnonzero(alone)].T @ np.ones(int(alone.sum()), np.int64) > 0) & left & ~problem.unsafe
        if not follows.any():
            return left
        left &= ~follows
