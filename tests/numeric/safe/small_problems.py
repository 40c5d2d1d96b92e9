"""Small files as counts of elementary cells, with the layout of their tables."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from tacita.core.arrays import IntArray
from tacita.numeric.safe.state import SafeLayout, TableCodes, lay_out

__all__ = ["SmallProblem", "small_problem"]


class SmallProblem(NamedTuple):
    """Counts, codes (m, v), numbers of categories, tables by the places of their variables, and the layout."""

    counts: IntArray
    codes: IntArray
    sizes: tuple[int, ...]
    tables: tuple[tuple[int, ...], ...]
    layout: SafeLayout


def small_problem(
    seed: int,
    sizes: tuple[int, ...] = (5, 3, 2),
    n: int = 40,
    crossings: int = 2,
    soft: int = 0,
    fixed: int | None = None,
) -> SmallProblem:
    """Draw n records of skewed variables, the first of which is the block; the last ``soft`` tables are soft.

    ``fixed`` is the place of a variable whose totals stay exact.
    """
    rng = np.random.default_rng(seed)
    drawn = [rng.choice(many, n, p=rng.dirichlet(np.full(many, 4.0))) for many in sizes]
    codes, counts = np.unique(np.stack(drawn, axis=1), axis=0, return_counts=True)
    ways = range(1, crossings + 1)
    tables = tuple(t for many in ways for t in itertools.combinations(range(len(sizes)), many))
    made = [TableCodes([codes[:, j] for j in t], [sizes[j] for j in t], 0 in t) for t in tables]
    split = len(made) - soft
    groups = None if fixed is None else np.unique(codes[:, fixed], return_inverse=True)[1]
    return SmallProblem(counts, codes, sizes, tables, lay_out(codes[:, 0], made[:split], made[split:], groups))
