"""Slow, obvious microaggregation: full distance matrices, lists and loops; every step as the papers say it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import numpy as np


def distances(x: np.ndarray) -> np.ndarray:
    """All squared distances."""
    return ((x[:, None, :] - x[None, :, :]) ** 2).sum(axis=-1)


def groups_of(labels: np.ndarray) -> set[frozenset[int]]:
    """A partition as a set of sets, so that two can be compared whatever their labels."""
    return {frozenset(np.flatnonzero(labels == g).tolist()) for g in np.unique(labels)}


def sse(x: np.ndarray, groups: object) -> float:
    """Sum of squared distances from the group means."""
    parts = groups_of(groups) if isinstance(groups, np.ndarray) else groups
    return float(sum(((x[list(g)] - x[list(g)].mean(axis=0)) ** 2).sum() for g in parts))


def partitions(items: list[int], k: int) -> Iterator[list[frozenset[int]]]:
    """All partitions into groups of k or more."""
    if not items:
        yield []
        return
    head, rest = items[0], items[1:]
    for size in range(k - 1, len(rest) + 1):
        for mates in combinations(rest, size):
            left = [i for i in rest if i not in mates]
            if len(left) == 0 or len(left) >= k:
                for others in partitions(left, k):
                    yield [frozenset((head, *mates)), *others]


def best_partition(x: np.ndarray, k: int) -> float:
    """The least sum of squares of all partitions into groups of k or more."""
    return min(sse(x, groups) for groups in partitions(list(range(len(x))), k))


# --- one column ------------------------------------------------------------------------------------------------------


def exact_sse(values: list[float], labels: np.ndarray) -> Fraction:
    """Sum of squares of a partition of numbers, without rounding."""
    exact = [Fraction(v) for v in values]
    total = Fraction(0)
    for g in np.unique(labels):
        group = [exact[i] for i in np.flatnonzero(labels == g)]
        total += sum(v * v for v in group) - sum(group) ** 2 / len(group)
    return total


def best_runs(ordered: list[float], k: int) -> Fraction:
    """The least sum of squares of runs of sorted numbers, over runs of any length, without rounding."""
    exact = [Fraction(v) for v in ordered]
    best: list[Fraction | None] = [Fraction(0)] + [None] * len(exact)
    for i in range(k, len(exact) + 1):
        for j in range(i - k + 1):
            if best[j] is not None:
                run = exact[j:i]
                cost = best[j] + sum(v * v for v in run) - sum(run) ** 2 / len(run)
                best[i] = cost if best[i] is None else min(best[i], cost)
    assert best[-1] is not None
    return best[-1]


def quadratic_runs(ordered: np.ndarray, k: int) -> float:
    """The least sum of squares of runs of sorted numbers, over runs of any length, with prefix sums."""
    x = ordered - ordered.mean()
    n = len(x)
    sums, squares = np.concatenate([[0], np.cumsum(x)]), np.concatenate([[0], np.cumsum(x * x)])
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    for i in range(k, n + 1):
        j = np.arange(i - k + 1)
        best[i] = (best[j] + squares[i] - squares[j] - (sums[i] - sums[j]) ** 2 / (i - j)).min()
    return float(best[n])


# --- several columns -------------------------------------------------------------------------------------------------


def with_nearest(d: np.ndarray, seed: int, left: list[int], count: int) -> list[int]:
    """The seed and the records left that are nearest to it, earlier ones first among equals."""
    others = sorted((i for i in left if i != seed), key=lambda i: (d[seed, i], i))
    return [seed, *others[:count]]


def join_rest(x: np.ndarray, groups: list[list[int]], rest: list[int]) -> list[list[int]]:
    """Put what is left into the groups with the nearest centroids."""
    centres = [x[g].mean(axis=0) for g in groups]
    for i in rest:
        nearest = min(range(len(groups)), key=lambda g: ((x[i] - centres[g]) ** 2).sum())
        groups[nearest] = [*groups[nearest], i]
    return groups


def centroid_groups(x: np.ndarray, k: int) -> list[list[int]]:
    """Centroid-based fixed-size groups."""
    d, left, groups = distances(x), list(range(len(x))), []
    while len(left) >= k:
        centre = x[left].mean(axis=0)
        seed = max(left, key=lambda i: (((x[i] - centre) ** 2).sum(), -i))
        groups.append(with_nearest(d, seed, left, k - 1))
        left = [i for i in left if i not in groups[-1]]
    return join_rest(x, groups, left)


def diameter_groups(x: np.ndarray, k: int) -> list[list[int]]:
    """Fixed-size groups around the two records that are farthest apart."""
    d, left, groups = distances(x), list(range(len(x))), []
    while len(left) >= 2 * k:
        r, s = max(combinations(left, 2), key=lambda pair: d[pair])
        for seed, other in ((r, s), (s, r)):
            groups.append(with_nearest(d, seed, [i for i in left if i != other], k - 1))
            left = [i for i in left if i not in groups[-1]]
    return [*groups, left] if len(left) >= k else join_rest(x, groups, left)


def growth_groups(x: np.ndarray, k: int) -> list[list[int]]:
    """Groups that grow by the record nearest to their running centroid."""
    left, groups = list(range(len(x))), []
    while len(left) >= 2 * k:
        start = x[left].mean(axis=0)
        for _ in range(2):
            if len(left) < 2 * k:
                break
            seed = max(left, key=lambda i: ((x[i] - start) ** 2).sum())
            group = [seed]
            while len(group) < k:
                centre = x[group].mean(axis=0)
                others = [i for i in left if i not in group]
                group.append(min(others, key=lambda i: ((x[i] - centre) ** 2).sum()))
            groups.append(group)
            left = [i for i in left if i not in group]
            start = x[seed]
    return [*groups, left]


def variable_groups(x: np.ndarray, k: int, gamma: float) -> list[list[int]]:
    """V-MDAV, before groups of 2k are divided."""
    d, left, groups = np.sqrt(distances(x)), list(range(len(x))), []
    from_centre = ((x - x.mean(axis=0)) ** 2).sum(axis=1)
    while len(left) >= k:
        seed = max(left, key=lambda i: (from_centre[i], -i))
        group = with_nearest(d, seed, left, k - 1)
        left = [i for i in left if i not in group]
        while left and len(group) < 2 * k - 1:
            closest = min(left, key=lambda i: min(d[i, m] for m in group))
            inside = min(d[closest, m] for m in group)
            outside = min((d[closest, i] for i in left if i != closest), default=np.inf)
            if not inside < gamma * outside:
                break
            group.append(closest)
            left.remove(closest)
        groups.append(group)
    return join_rest(x, groups, left)


def ward_groups(x: np.ndarray, k: int) -> list[list[int]]:
    """k-Ward: all pairs of clusters are looked at before every union."""
    rows, done = [list(range(len(x)))], []
    while rows:
        part = rows.pop()
        if len(part) < 2 * k:
            done.append(part)
            continue
        d = distances(x[part])
        r, s = max(combinations(range(len(part)), 2), key=lambda pair: d[pair])
        first = with_nearest(d, r, [i for i in range(len(part)) if i != s], k - 1)
        second = with_nearest(d, s, [i for i in range(len(part)) if i not in first], k - 1)
        clusters = [first, second, *([i] for i in range(len(part)) if i not in first and i not in second)]
        while min(map(len, clusters)) < k:
            allowed = [(a, b) for a, b in combinations(clusters, 2) if len(a) < k or len(b) < k]
            a, b = min(allowed, key=lambda pair: _ward(x[part], *pair))
            clusters = [c for c in clusters if c is not a and c is not b] + [a + b]
        rows += [sorted(part[i] for i in cluster) for cluster in clusters]
    return done


def _ward(x: np.ndarray, a: list[int], b: list[int]) -> float:
    gap = x[a].mean(axis=0) - x[b].mean(axis=0)
    return len(a) * len(b) / (len(a) + len(b)) * float((gap**2).sum())


def spanning_lengths(x: np.ndarray) -> np.ndarray:
    """Squared lengths of the edges of a minimum spanning tree, by Prim's algorithm on the full matrix."""
    d, inside = distances(x), {0}
    found = []
    while len(inside) < len(x):
        length, vertex = min((d[i, j], j) for i in inside for j in range(len(x)) if j not in inside)
        found.append(length)
        inside.add(vertex)
    return np.sort(found)


def cut_tree(edges: list[tuple[int, int]], n: int, k: int) -> set[frozenset[int]]:
    """Try the edges in the order given; cut one if both parts of its component have k vertices."""
    kept = [tuple(edge) for edge in edges]
    for edge in [tuple(edge) for edge in edges]:
        without = [e for e in kept if e != edge]
        parts = {frozenset(_component(without, edge[0])), frozenset(_component(without, edge[1]))}
        if min(map(len, parts)) >= k:
            kept = without
    return {frozenset(_component(kept, i)) for i in range(n)}


def _component(edges: list[tuple[int, int]], start: int) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        for a, b in edges:
            for this, other in ((a, b), (b, a)):
                if this == here and other not in found:
                    found.add(other)
                    waiting.append(other)
    return found


# --- any scale -------------------------------------------------------------------------------------------------------


def gower(a: tuple[object, ...], b: tuple[object, ...], kinds: list[tuple[str, float]]) -> float:
    """Gower's distance of two records, times the number of columns; None is missing."""
    total = 0.0
    for u, v, (kind, width) in zip(a, b, kinds, strict=True):
        if u is None or v is None:
            total += 0.0 if u is v else 1.0
        elif kind == "nominal":
            total += 0.0 if u == v else 1.0
        else:
            total += abs(u - v) / width  # type: ignore[operator]
    return total


def gower_groups(records: list[tuple[object, ...]], kinds: list[tuple[str, float]], k: int) -> list[list[int]]:
    """MDAV-generic with mean, median and mode as average."""
    left, groups = list(range(len(records))), []
    while len(left) >= 2 * k:
        centre = tuple(_average([records[i][j] for i in left], kind) for j, (kind, _) in enumerate(kinds))
        r = max(left, key=lambda i: (gower(records[i], centre, kinds), -i))
        seeds = [r]
        if len(left) >= 3 * k:
            others = [i for i in left if i != r]
            seeds.append(max(others, key=lambda i: (gower(records[i], records[r], kinds), -i)))
        for seed in seeds:
            others = [i for i in left if i not in seeds]
            near = sorted(others, key=lambda i: (gower(records[i], records[seed], kinds), i))
            groups.append([seed, *near[: k - 1]])
            left = [i for i in left if i not in groups[-1]]
        if len(seeds) == 1:
            break
    return [*groups, left]


def _average(values: list[object], kind: str) -> object:
    there = [v for v in values if v is not None]
    if kind == "nominal":
        counts = {v: values.count(v) for v in values}
        return min(counts, key=lambda v: (-counts[v], -1 if v is None else v))  # type: ignore[operator]
    if not there:
        return None
    return sorted(there)[(len(there) - 1) // 2] if kind == "ordinal" else sum(there) / len(there)  # type: ignore
