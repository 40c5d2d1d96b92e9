"""Masks of one million records against the cost that no version can go below: sorting the columns, drawing the normals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

import tacita as tc
from benchmarks.tables import timed_in_turn

__all__ = ["run"]


def run(quick: bool) -> list[dict[str, Any]]:
    """Time rank swapping and noise on five columns."""
    del quick  # smaller files would measure the overhead
    n, d = 1_000_000, 5
    rng = np.random.Generator(np.random.Philox(1))
    x = rng.standard_normal((d, n))
    names = [f"v{j}" for j in range(d)]
    data = tc.Microdata.from_frame(pa.table(dict(zip(names, x, strict=True))), keys=names)

    def sort() -> object:
        return [np.sort(column) for column in x]

    def order() -> object:
        return [np.argsort(column) for column in x]

    def normals() -> object:
        return [rng.standard_normal(n) for _ in range(d)]

    rows: list[dict[str, Any]] = []
    for case, mask, limit, floor, target in (
        ("rank swapping / sorting the values", tc.mask.RankSwap(p=5), "np.sort", sort, "<= 3"),
        ("rank swapping / sorting row numbers", tc.mask.RankSwap(p=5), "np.argsort", order, ""),
        (
            "additive noise / drawing the normals",
            tc.mask.AdditiveNoise(sd_ratio=0.1),
            "standard_normal",
            normals,
            "<= 3",
        ),
        (
            "correlated noise / drawing the normals",
            tc.mask.CorrelatedNoise(sd_ratio=0.1),
            "standard_normal",
            normals,
            "<= 3",
        ),
    ):
        seconds, limit_seconds = timed_in_turn(lambda m=mask: m.apply(data, seed=1), floor, repeats=9)
        rows.append(
            {
                "case": case,
                "n": n,
                "d": d,
                "ours_s": seconds,
                "limit": limit,
                "limit_s": limit_seconds,
                "ratio": seconds / limit_seconds,
                "target": target,
            }
        )
    return rows
