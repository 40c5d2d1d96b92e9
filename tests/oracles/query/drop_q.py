"""Drop q with sets, whole numbers and a full sort."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tacita.core.keyed import Key

__all__ = ["drop_q_oracle"]


def drop_q_oracle(
    members: Iterable[int],
    strata: Sequence[int],
    ids: Sequence[int],
    key: Key,
    *,
    k: int,
    smallest: int = 2,
    least: int = 3,
) -> list[int]:
    """Return the rows that are kept, one stratum after the other."""
    kept: list[int] = []
    rows = set(members)
    for stratum in sorted({strata[row] for row in rows}):
        part = [row for row in rows if strata[row] == stratum]
        hashes = [key.record_keys(np.array([ids[row]], dtype=np.uint64))[0].tolist() for row in part]
        h1, h2 = (sum(column) for column in zip(*hashes, strict=True))
        u = key.digest("drop q", h1, h2, len(part), stratum)
        q = smallest + int.from_bytes(u[:16], "big") % (k - smallest + 1)
        word = int.from_bytes(u[16:24], "big")

        def number(row: int, word: int = word) -> list[int]:
            block = np.array([[ids[row], word]], dtype=np.uint64)
            return list(key.derive("drop q order").record_keys(block)[0].tolist())

        left = sorted(part, key=number)[q:]
        kept += left if len(left) >= least else []
    return sorted(kept)
