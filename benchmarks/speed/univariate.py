"""Optimal univariate microaggregation against the sort that it needs and against the quadratic programme."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from tests.oracles.numeric.microaggregation import quadratic_runs

from benchmarks.tables import ratio_of, timed
from tacita.mask.microaggregation.optimal_univariate import OptimalUnivariate
from tacita.numeric.microaggregation.univariate import optimal_runs

__all__ = ["run"]


def _column(n: int) -> np.ndarray:
    return np.random.default_rng(1).lognormal(0, 2, n)


def run(quick: bool) -> list[dict[str, Any]]:
    """Time the cut of a sorted column and the whole partition of an unsorted one."""
    rows: list[dict[str, Any]] = []
    n = 200_000 if quick else 1_000_000
    x = _column(n)
    ordered = np.sort(x)
    sort, argsort = timed(lambda: np.sort(x), repeats=7), timed(lambda: np.argsort(x), repeats=7)
    for k in (3, 5, 10):
        cut = timed(lambda k=k: optimal_runs(ordered, k), repeats=7)
        target = "<= 3" if k == 3 else ""
        rows.append(
            {
                "case": "cut of sorted values / np.sort",
                "n": n,
                "k": k,
                "ours_s": cut,
                "ratio": cut / sort,
                "target": target,
            }
        )
    mask, rng = OptimalUnivariate(k=3), np.random.default_rng(1)
    whole = timed(lambda: mask.partition(x[:, None], rng), repeats=7)
    rows.append({"case": "order, cut and labels / np.sort", "n": n, "k": 3, "ours_s": whole, "ratio": whole / sort})
    rows.append(
        {
            "case": "order, cut and labels / np.argsort",
            "n": n,
            "k": 3,
            "ours_s": whole,
            "ratio": whole / argsort,
            "target": "<= 3",
        }
    )
    few = _column(3000 if quick else 10_000)
    few.sort()
    ours, naive = timed(lambda: optimal_runs(few, 3)), timed(lambda: quadratic_runs(few, 3), repeats=1)
    rows.append(
        {"case": "quadratic programme / ours", "n": len(few), "k": 3, "ours_s": ours, "ratio": ratio_of(naive, ours)}
    )
    sizes = (n // 10, n)
    times = [timed(lambda m=m: optimal_runs(ordered[:m], 3), repeats=7) for m in sizes]
    rows.append(
        {"case": "growth exponent of the cut", "k": 3, "ratio": math.log10(times[1] / times[0]), "target": "near 1"}
    )
    return rows
