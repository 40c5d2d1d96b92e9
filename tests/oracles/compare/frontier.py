"""The frontier by its definition: compare every point with every other."""

from __future__ import annotations

__all__ = ["beaten_by_none"]


def beaten_by_none(x: list[float], y: list[float]) -> list[bool]:
    """Return which points no other point beats."""

    def beats(i: int, j: int) -> bool:
        return x[i] <= x[j] and y[i] <= y[j] and (x[i] < x[j] or y[i] < y[j])

    return [not any(beats(i, j) for i in range(len(x))) for j in range(len(x))]
