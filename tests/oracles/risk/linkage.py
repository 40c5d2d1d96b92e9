"""Distance linkage by looking at every pair of records."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Rows = Sequence[Sequence[float]]


def squared_distance(a: Sequence[float], b: Sequence[float]) -> Fraction:
    """The exact squared Euclidean distance."""
    return sum(((Fraction(p) - Fraction(q)) ** 2 for p, q in zip(a, b, strict=True)), Fraction(0))


def nearest(originals: Rows, query: Sequence[float]) -> int:
    """The row of the nearest original; the first of equally near ones."""
    return min(range(len(originals)), key=lambda i: (squared_distance(originals[i], query), i))


def linked_share(originals: Rows, masked: Rows, own: Sequence[int]) -> list[float]:
    """1/m where the own original is one of the m nearest, otherwise 0."""
    shares = []
    for query, mine in zip(masked, own, strict=True):
        distances = [squared_distance(row, query) for row in originals]
        smallest = min(distances)
        ties = distances.count(smallest)
        shares.append(1 / ties if distances[mine] == smallest else 0.0)
    return shares
