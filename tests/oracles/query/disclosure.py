"""Disclosure by differencing, added up over all ways to drop records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb, factorial, prod

__all__ = ["apparent_oracle", "bounds_oracle", "compositions", "disclosure_oracle", "summands"]


def compositions(total: int, cells: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to write a number as a sum over cells."""
    if cells == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, cells - 1):
            yield (first, *rest)


def multinomial(x: Sequence[int], p: Sequence[Fraction]) -> Fraction:
    """Return the probability of counts x."""
    ways = factorial(sum(x)) // prod(factorial(v) for v in x)
    return ways * prod((pi**v for pi, v in zip(p, x, strict=True)), start=Fraction(1))


def disclosure_oracle(p: Sequence[Fraction], k: int, smallest: int = 2) -> Fraction:
    """Return (5), summand by summand."""
    return sum(
        (
            Fraction(1, k - smallest + 1) ** 2
            * Fraction(factorial(q), prod(factorial(v) for v in x)) ** 2
            * prod((pi ** (2 * v) for pi, v in zip(p, x, strict=True)), start=Fraction(1))
            for q in range(smallest, k + 1)
            for x in compositions(q, len(p))
        ),
        start=Fraction(0),
    )


def summands(cells: int, k: int) -> int:
    """Return how many summands the paper says that (5) has."""
    return comb(cells + k, cells) - (cells + 1)


def bounds_oracle(cells: int, k: int) -> tuple[Fraction, Fraction]:
    """Return both sides of (6)."""
    return disclosure_oracle([Fraction(1, cells)] * cells, k), Fraction(1, k - 1)


def apparent_oracle(
    first: Sequence[Fraction], second: Sequence[Fraction], k: int, target: int, smallest: int = 2
) -> dict[int, Fraction]:
    """Return the probability of a single 1 in each cell, over all pairs of numbers of drops and all pairs of drops."""
    found = dict.fromkeys(range(len(first)), Fraction(0))
    for q1 in range(smallest, k + 1):
        for q2 in range(smallest, k + 1):
            for x in compositions(q1, len(first)):
                for y in compositions(q2, len(first)):
                    shown = [b - a + (c == target) for c, (a, b) in enumerate(zip(x, y, strict=True))]
                    if sorted(shown) == [0] * (len(first) - 1) + [1]:
                        found[shown.index(1)] += multinomial(x, first) * multinomial(y, second)
    return {cell: chance / (k - smallest + 1) ** 2 for cell, chance in found.items()}
