"""A slow and obvious linear solver in exact fractions, which sees all answered sets record by record."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from fractions import Fraction

__all__ = ["determines_combination", "determines_sum", "is_determined", "rank", "rows_of"]

Matrix = list[list[Fraction]]


def rows_of(sets: Iterable[Iterable[int]], n: int) -> Matrix:
    """The 0/1 vectors of sets of records."""
    chosen = [set(members) for members in sets]
    return [[Fraction(int(i in members)) for i in range(n)] for members in chosen]


def rank(matrix: Sequence[Sequence[Fraction]]) -> int:
    """Rank over the rationals, by elimination."""
    rows = [list(row) for row in matrix]
    found = 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(found, len(rows)) if rows[i][column] != 0), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for i in range(found + 1, len(rows)):
            if rows[i][column] != 0:
                factor = rows[i][column] / rows[found][column]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[found], strict=True)]
        found += 1
    return found


def is_determined(matrix: Matrix, vector: list[Fraction]) -> bool:
    """Whether the vector lies in the row space."""
    return rank([*matrix, vector]) == rank(matrix)


def _small_sets(n: int, limit: int) -> Iterable[tuple[int, ...]]:
    return itertools.chain.from_iterable(itertools.combinations(range(n), size) for size in range(1, min(limit, n + 1)))


def determines_sum(sets: Iterable[Iterable[int]], n: int, limit: int) -> bool:
    """Whether the sum of a non-empty set of fewer than ``limit`` records follows."""
    matrix = rows_of(sets, n)
    return any(is_determined(matrix, rows_of([small], n)[0]) for small in _small_sets(n, limit))


def determines_combination(sets: Iterable[Iterable[int]], n: int, limit: int) -> bool:
    """Whether a non-zero combination of fewer than ``limit`` records follows.

    Some combination of the rows is zero outside a set, and not zero, if and only if the rank falls when the set is cut out.
    """
    matrix = rows_of(sets, n)
    whole = rank(matrix)
    return any(
        rank([[x for i, x in enumerate(row) if i not in small] for row in matrix]) < whole
        for small in _small_sets(n, limit)
    )
