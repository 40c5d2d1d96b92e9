"""The cell key method, slowly: a Python number for each record, cell by cell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from tacita.core.keyed import Key

__all__ = ["perturbed_count", "sums_record_by_record"]


def sums_record_by_record(
    ids: Sequence[int], codes: Iterable[tuple[str, ...]], key: Key, unit: str
) -> dict[tuple[str, ...], tuple[int, int, int]]:
    """Number and key sums of every cell with its margins; a margin has None in place of the code."""
    own = key.derive("record keys", unit)
    found: dict[tuple[str, ...], list[int]] = defaultdict(lambda: [0, 0, 0])
    for identity, code in zip(ids, codes, strict=True):
        a, b = own.record_keys(np.array([identity], dtype=np.uint64))[0].tolist()
        cells: list[tuple[str, ...]] = [()]
        for part in code:
            cells = [(*cell, word) for cell in cells for word in (part, "Total")]
        for cell in cells:
            now = found[cell]
            found[cell] = [now[0] + 1, now[1] + a, now[2] + b]
    return {cell: (n, a, b) for cell, (n, a, b) in found.items()}


def perturbed_count(count: int, row: Sequence[float], bound: int, u: float) -> int:
    """The first result whose cumulative probability exceeds u."""
    total = 0.0
    last = count
    for place, p in enumerate(row):
        if p > 0:
            total += p
            last = count + place - bound
            if u < total:
                return last
    return last
