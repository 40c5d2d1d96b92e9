"""Section 4 with dictionaries: every entropy is computed whole before every decision, and every peer is looked at for (2)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

__all__ = ["entropy", "play", "profile"]

_EQUAL = 1e-10


def entropy(counts: Counter[int]) -> float:
    total = sum(counts.values())
    return -math.fsum(c / total * math.log2(c / total) for c in counts.values()) if total else 0.0


def with_one_more(counts: Counter[int], item: int) -> Counter[int]:
    more = counts.copy()
    more[item] += 1
    return more


def change(counts: Counter[int], item: int) -> float:
    return entropy(with_one_more(counts, item)) - entropy(counts)


def play(
    owners: Sequence[int],
    queries: Sequence[int],
    neighbours: Sequence[Sequence[int]],
    helpful: Sequence[bool],
    attempts: int,
    preferred: Callable[[int, int], Sequence[int]],
) -> tuple[list[int], list[tuple[int, int, int]]]:
    """Return who submitted each query, and the requests; ``preferred`` gives the neighbours, best of equal ones first."""
    submitted = [Counter[int]() for _ in neighbours]
    forwarded: dict[tuple[int, int], Counter[int]] = {}
    submitters, requests = [], []
    for line, (i, x) in enumerate(zip(owners, queries, strict=True)):
        submitter = i
        if change(submitted[i], x) < -_EQUAL:  # not S_ii
            f = forwarded.setdefault((i, x), Counter())
            listed = preferred(i, x)
            assert sorted(listed) == sorted(neighbours[i])
            asked: list[int] = []
            while submitter == i and len(asked) < min(attempts, len(listed)):
                left = [j for j in listed if j not in asked]
                after = [entropy(with_one_more(f, j)) for j in left]
                k = next(j for j, bits in zip(left, after, strict=True) if bits >= max(after) - _EQUAL)  # (2)
                asked.append(k)
                f[k] += 1
                requests.append((line, i, k))
                if helpful[k] and change(submitted[k], x) > _EQUAL:  # T_ki
                    submitter = k
        submitted[submitter][x] += 1
        submitters.append(submitter)
    return submitters, requests


def profile(
    owners: Sequence[int], queries: Sequence[int], names: Sequence[int], peers: int
) -> tuple[float, float, float]:
    """Return recall, precision and overlap of what stands under the names, means over the peers."""
    recall, precision, overlap = [], [], []
    for peer in range(peers):
        true = Counter(x for i, x in zip(owners, queries, strict=True) if i == peer)
        seen = Counter(x for i, x in zip(names, queries, strict=True) if i == peer)
        both = set(true) & set(seen)
        if true:
            recall.append(len(both) / len(true))
            shares = [min(true[x] / sum(true.values()), seen[x] / max(sum(seen.values()), 1)) for x in both]
            overlap.append(math.fsum(shares))
        if seen:
            precision.append(len(both) / len(seen))
    return tuple(math.fsum(each) / len(each) for each in (recall, precision, overlap))  # type: ignore[return-value]
