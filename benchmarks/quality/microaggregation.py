"""Loss of homogeneity of microaggregation groups, 100 SSE/SST, beside the targets, on the field's reference files."""

from __future__ import annotations

import csv
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from tacita.numeric.mdav import mdav_partition
from tacita.numeric.moments import standardise
from tacita.numeric.partition import partition_sse, total_sse
from tacita.numeric.partition_search import fast_partition, improve_partition

__all__ = ["run"]

# data set: (k: (fast mode must reach, quality mode must reach)); the fast mode is never above MDAV.
TARGETS = {
    "tarragona": {3: (15.64, 14.71), 4: (19.24, 17.29), 5: (22.62, 20.40), 10: (33.22, 30.70)},
    "census": {3: (5.35, 4.80), 4: (7.18, 6.17), 5: (8.69, 7.43), 10: (14.01, 11.51)},
    "eia": {3: (0.471, 0.357), 4: (0.673, 0.520), 5: (1.54, 0.742), 10: (3.28, 1.96)},
}
_EIA = ("UTILITYID", "RES", "COM", "IND", "OTHR", "TOT")


def _folder() -> Path:
    given = os.environ.get("TACITA_REFERENCE_DATA")
    return Path(given) if given else Path(__file__).resolve().parents[3] / "shared" / "data"


def _standardised(name: str) -> np.ndarray | None:
    """Return the file's columns as the literature takes them, or None where the file is not there."""
    path = _folder() / f"{name}.csv"
    if not path.exists():
        return None
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    heads = rows[0]
    chosen = [j for j, head in enumerate(heads) if name != "eia" or (head.startswith(_EIA) and head != "UTILNAME")]
    return np.ascontiguousarray(standardise(np.array([[float(row[j]) for j in chosen] for row in rows[1:]])))


def run(quick: bool) -> list[dict[str, Any]]:
    """Measure MDAV, the fast mode and the quality mode."""
    rows: list[dict[str, Any]] = []
    for name, targets in TARGETS.items():
        x = _standardised(name)
        if x is None:
            rows.append({"data": f"{name}: not found; set TACITA_REFERENCE_DATA"})
            continue
        improve_partition(x[:200], fast_partition(x[:200], 3), 3, rng_seed=1, moves=1000)  # compiles
        for k, (fast_target, quality_target) in targets.items():
            rows.append(_row(name, x, k, fast_target, quality_target, quick))
    return rows


def _row(name: str, x: np.ndarray, k: int, fast_target: float, quality_target: float, quick: bool) -> dict[str, Any]:
    whole = total_sse(x)
    plain = mdav_partition(x, k)
    start = time.perf_counter()
    fast = fast_partition(x, k)
    fast_seconds = time.perf_counter() - start
    best = improve_partition(x, fast, k, rng_seed=1, moves=1_000_000 if quick else None)
    quality_seconds = time.perf_counter() - start - fast_seconds
    losses = [100 * partition_sse(x, labels) / whole for labels in (plain, fast, best)]
    return {
        "data": name,
        "k": k,
        "mdav": losses[0],
        "fast": losses[1],
        "fast target": min(fast_target, losses[0]),
        "fast_s": fast_seconds,
        "quality": losses[2],
        "quality target": quality_target,
        "quality_s": quality_seconds,
    }
