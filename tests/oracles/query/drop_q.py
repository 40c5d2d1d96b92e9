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
    hashes: Sequence[Sequence[int]] | None = None,
) -> list[int]:
    """Return the rows that are kept, stratum after stratum; records are hashed under the key, or have the given hashes."""
    kept: list[int] = []
    rows = set(members)
    for stratum in sorted({strata[row] for row in rows}):
        part = [row for row in rows if strata[row] == stratum]
        listed = sorted((row for row in range(len(ids)) if strata[row] == stratum), key=lambda row: ids[row])
        pairs = [_hashed(key, ids[row]) if hashes is None else hashes[row] for row in part]
        h1, h2 = (sum(column) for column in zip(*pairs, strict=True))
        u = key.digest("drop q", h1, h2, len(part), stratum)
        q = smallest + int.from_bytes(u[:16], "big") % (k - smallest + 1)
        word = int.from_bytes(u[16:24], "big")
        if len(part) - q < least:
            continue
        is_drawn = len(part) >= 16 and 256 * len(part) >= len(listed)
        order = _hits(set(part), listed, key, word, q) if is_drawn else _by_number(part, ids, key, word)
        kept += set(part) - set(order[:q])
    return sorted(kept)


def _hashed(key: Key, record: int) -> list[int]:
    return list(key.record_keys(np.array([record], dtype=np.uint64))[0].tolist())


def _number(key: Key, first: int, second: int) -> int:
    """A keyed number of 62 bits."""
    high, low = key.derive("drop q order").record_keys(np.array([[first, second]], dtype=np.uint64))[0].tolist()
    return int(high << 31 | low)


def _by_number(part: Sequence[int], ids: Sequence[int], key: Key, word: int) -> list[int]:
    return sorted(part, key=lambda row: _number(key, ids[row], word))


def _hits(part: set[int], listed: Sequence[int], key: Key, word: int, q: int) -> list[int]:
    """Members in the order in which the stream hits them first."""
    found: list[int] = []
    turn = 0
    while len(found) < q:
        row = listed[int((_number(key, word, turn) >> 9) * 2.0**-53 * len(listed))]
        turn += 1
        if row in part and row not in found:
            found.append(row)
    return found
