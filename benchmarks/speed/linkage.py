"""Distance linkage against brute force, and its growth with the number of records."""

from __future__ import annotations

import math
import resource
from typing import Any

import numpy as np

from benchmarks.tables import ratio_of, timed
from tacita.risk.linkage import linked_share

__all__ = ["run"]


def _files(n: int, d: int, noise: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    x = rng.standard_normal((n, d))
    return x, x + noise * rng.standard_normal((n, d)), np.arange(n)


def _brute_force(x: np.ndarray, y: np.ndarray, own: np.ndarray) -> np.ndarray:
    """The obvious version, a block of the distance matrix at a time."""
    hits = np.zeros(len(y))
    squares = (x**2).sum(axis=1)
    for a in range(0, len(y), 500):
        distance = squares - 2 * y[a : a + 500] @ x.T
        hits[a : a + 500] = distance.argmin(axis=1) == own[a : a + 500]
    return hits


def run(quick: bool) -> list[dict[str, Any]]:
    """Time linkage of a file with itself under noise."""
    rows: list[dict[str, Any]] = []
    for noise in (0.1, 0.5):
        n = 5000 if quick else 20_000
        files = _files(n, 5, noise)
        ours, brute = timed(lambda f=files: linked_share(*f)), timed(lambda f=files: _brute_force(*f), repeats=1)
        case = f"against brute force, noise {noise}"
        rows.append({"case": case, "n": n, "d": 5, "ours_s": ours, "ratio": ratio_of(brute, ours)})
    sizes = (10_000, 100_000) if quick else (100_000, 1_000_000)
    grown = [_files(n, 5, 0.1) for n in sizes]
    times = [timed(lambda f=files: linked_share(*f), repeats=1) for files in grown]
    growth = math.log(times[1] / times[0]) / math.log(sizes[1] / sizes[0])
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rows += [{"case": "growth", "n": n, "d": 5, "ours_s": t} for n, t in zip(sizes, times, strict=True)]
    rows.append(
        {"case": f"growth exponent (peak memory of the process {memory:.0f} MB)", "ratio": growth, "target": "near 1"}
    )
    return rows
