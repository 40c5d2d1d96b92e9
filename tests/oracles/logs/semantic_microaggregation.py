"""Algorithms 1 to 5 of Erola et al. (2011) as they are printed, with the corrections: dictionaries, lists, and loops over all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import floor

__all__ = ["aggregate", "classification", "incidence", "partition"]


def classification(queries: list[list[int]], topics: list[list[Counter[int]]]) -> list[list[Counter[int]]]:
    """Algorithm 1: for every level and user how often his queries fall into each category; topics[l][q] counts terms."""
    return [[sum((topics_l[q] for q in asked), Counter()) for asked in queries] for topics_l in topics]


def incidence(matrices: list[list[Counter[int]]]) -> list[list[int]]:
    """Algorithm 2; the diagonal is ignored."""
    users = range(len(matrices[0]))
    return [[0 if i == j else sum(min(m[i][c], m[j][c]) for m in matrices for c in m[i]) for j in users] for i in users]


def partition(similar: list[list[int]], k: int) -> list[int]:
    """Algorithms 3 and 4: rows and columns are really added up; who is left over joins the nearest group."""
    n = len(similar)
    matrix = [row.copy() for row in similar]
    left, groups = list(range(n)), []
    while len(left) >= k:
        first, second = max(
            ((i, j) for i in left for j in left if i < j), key=lambda p: (matrix[p[0]][p[1]], -p[0], -p[1])
        )
        merged, group = [row.copy() for row in matrix], [first, second]
        while len(group) < k:
            for s in range(n):
                merged[s][first] += merged[s][second]
            for s in range(n):
                merged[first][s] += merged[second][s]
            second = max((s for s in left if s not in group), key=lambda s: (merged[first][s], -s))
            group.append(second)
        groups.append(group)
        left = [i for i in left if i not in group]
    label = {i: g for g, group in enumerate(groups) for i in group}
    for i in left:
        label[i] = max(range(len(groups)), key=lambda g: (sum(similar[i][j] for j in groups[g]), -g))
    return [label[i] for i in range(n)]


def aggregate(queries: list[list[int]], label: list[int], draws: Iterator[float]) -> list[Counter[int]]:
    """Algorithm 5 for all groups: what each user adds; draws are taken user by user, query by query."""
    added: list[Counter[int]] = []
    for i, asked in enumerate(queries):
        cluster = [queries[j] for j in range(len(queries)) if label[j] == label[i]]
        contribution = Fraction(len(asked), sum(len(q) for q in cluster))
        quota = Fraction(len(asked), len(cluster))
        centroid: Counter[int] = Counter()
        for query, repetitions in sorted(Counter(asked).items(), key=lambda pair: (-pair[1], pair[0])):
            presence, draw = contribution * repetitions, next(draws)
            if sum(centroid.values()) < quota:
                centroid[query] += floor(presence) + (draw < float(presence - floor(presence)))
        added.append(+centroid)
    return added
