"""Boxes in a small table, cell by cell: every box is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, product

__all__ = ["cells_of", "intersections_oracle", "maximal_oracle", "union_of"]

Box = tuple[int, ...]
Cell = tuple[int, ...]


def cells_of(box: Box, shape: Sequence[int]) -> set[Cell]:
    """Return the cells of a box."""
    return set(
        product(*([bit for bit in range(size) if mask >> bit & 1] for mask, size in zip(box, shape, strict=True)))
    )


def union_of(boxes: Iterable[Box], shape: Sequence[int]) -> set[Cell]:
    """Return the cells that lie in one of the boxes."""
    found: set[Cell] = set()
    for box in boxes:
        found |= cells_of(box, shape)
    return found


def maximal_oracle(boxes: Iterable[Box], shape: Sequence[int]) -> set[Box]:
    """Return all boxes that lie in the union and in no larger one that does."""
    inside = union_of(boxes, shape)
    every = product(*(range(1, 1 << size) for size in shape))
    fitting = {box: cells for box in every if (cells := cells_of(box, shape)) <= inside}
    return {box for box, cells in fitting.items() if not any(cells < other for other in fitting.values())}


def intersections_oracle(boxes: Sequence[Box], shape: Sequence[int]) -> set[Box]:
    """Return the intersections of all sets of two and more boxes that have a cell in common."""
    found = set()
    for number in range(2, len(boxes) + 1):
        for chosen in combinations(boxes, number):
            both = tuple(_common(masks) for masks in zip(*chosen, strict=True))
            if cells_of(both, shape):
                found.add(both)
    return found


def _common(masks: Iterable[int]) -> int:
    first, *rest = masks
    for mask in rest:
        first &= mask
    return first
