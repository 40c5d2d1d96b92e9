"""Microaggregation: 100 SSE / SST of MDAV, the fast and the quality mode, and the fast mode's time in MDAVs."""

from __future__ import annotations

import csv
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.tables import timed_in_turn
from tacita.numeric.microaggregation.improve.improve import (
    default_moves,
    fast_partition,
    improve_partition,
    settled_partition,
)
from tacita.numeric.microaggregation.mdav.mdav import mdav_partition
from tacita.numeric.microaggregation.partition import partition_sse, total_sse

__all__ = ["run"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

KS = (3, 4, 5, 10)
FAST = {
    "tarragona": (15.64, 19.24, 22.46, 33.19),
    "census": (5.35, 7.18, 8.69, 14.01),
    "eia": (0.471, 0.671, 1.54, 3.28),
}
QUALITY = {
    "tarragona": (14.71, 17.29, 20.40, 30.70),
    "census": (4.80, 6.17, 7.43, 11.51),
    "eia": (0.357, 0.520, 0.742, 1.96),
}
DATA = Path(os.environ.get("TACITA_REFERENCE_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")


def run(quick: bool) -> list[dict[str, Any]]:
    """Compare on the reference data (where they are) and time on drawn ones; quick takes a tenth of the moves."""
    rows = []
    for name in FAST:
        path = DATA / f"{name}.csv"
        if path.exists():
            x = _records(path)
            moves = default_moves(len(x)) // (10 if quick else 1)
            rows += [_reference_row(name, x, k, FAST[name][a], QUALITY[name][a], moves) for a, k in enumerate(KS)]
    for n in (10_000,) if quick else (10_000, 100_000):
        rng = np.random.default_rng(1)
        for name, x in (
            (f"normal {n} x 13", rng.standard_normal((n, 13))),
            (f"normal {n} x 5", rng.standard_normal((n, 5))),
            (f"log-normal {n} x 5", np.exp(rng.standard_normal((n, 5)))),
        ):
            rows += [_time_row(name, (x - x.mean(axis=0)) / x.std(axis=0), k) for k in (3, 10)]
    return rows


def _reference_row(name: str, x: FloatArray, k: int, fast: float, quality: float, moves: int) -> dict[str, Any]:
    start, quick = mdav_partition(x, k), fast_partition(x, k)
    improve_partition(x, settled_partition(x, k), k, rng_seed=1, moves=1000)  # compiled before it is timed
    mdav_seconds, fast_seconds = timed_in_turn(lambda: mdav_partition(x, k), lambda: fast_partition(x, k), repeats=40)
    best, seconds = _once(lambda: improve_partition(x, settled_partition(x, k), k, rng_seed=1, moves=moves))
    return {
        "data": name,
        "k": k,
        "mdav": _percent(x, start),
        "fast": _percent(x, quick),
        "fast_target": f"<= {fast}",
        "quality": _percent(x, best),
        "quality_target": f"<= {quality}",
        "mdav_s": mdav_seconds,
        "fast_s": fast_seconds,
        "quality_s": seconds,
        "fast_s/mdav_s": fast_seconds / mdav_seconds,
        "ratio_target": "<= 3",
    }


def _time_row(name: str, x: FloatArray, k: int) -> dict[str, Any]:
    mdav_seconds, fast_seconds = timed_in_turn(lambda: mdav_partition(x, k), lambda: fast_partition(x, k))
    return {
        "data": name,
        "k": k,
        "mdav": _percent(x, mdav_partition(x, k)),
        "fast": _percent(x, fast_partition(x, k)),
        "mdav_s": mdav_seconds,
        "fast_s": fast_seconds,
        "fast_s/mdav_s": fast_seconds / mdav_seconds,
        "ratio_target": "<= 3",
    }


def _once(work: Callable[[], IntArray]) -> tuple[IntArray, float]:
    start = time.perf_counter()
    labels = work()
    return labels, time.perf_counter() - start


def _percent(x: FloatArray, labels: IntArray) -> float:
    return 100 * partition_sse(x, labels) / total_sse(x)


def _records(path: Path) -> FloatArray:
    """Standardised columns; of eia UTILITYID and the ten revenues and sales."""
    with path.open(newline="") as file:
        head, *rows = list(csv.reader(file))
    chosen = [0, *range(5, 15)] if path.stem == "eia" else range(len(head))
    x = np.array([[float(row[c]) for c in chosen] for row in rows])
    return (x - x.mean(axis=0)) / x.std(axis=0)


if __name__ == "__main__":
    for row in run(quick=False):
        print(
            "  ".join(
                f"{key} {value:.4g}" if isinstance(value, float) else f"{key} {value}" for key, value in row.items()
            )
        )
