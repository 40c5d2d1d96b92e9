"""The cost of a table of counts by its definition, cell by cell, and what a step changes, by adding everything up again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["cost_by_hand", "price_by_hand", "sums_by_hand"]

Cell = Mapping[str, int]
"""aim, truth, reach, weight, steep, least and pull of a cell."""


def sums_by_hand(members: Sequence[Sequence[int]], inner: Sequence[int], size: int) -> list[int]:
    """All cells from the inner ones; ``members`` has the cells of each inner cell."""
    return [sum(count for count, cells in zip(inner, members, strict=True) if cell in cells) for cell in range(size)]


def cost_by_hand(cells: Sequence[Cell], values: Sequence[int]) -> int:
    """The cost of all cells: distance to the noisy count, and a charge for being far from the truth or small."""
    total = 0
    for cell, value in zip(cells, values, strict=True):
        far = max(abs(value - cell["truth"]) - cell["reach"], 0)
        small = min(value, cell["least"] - value) if value in range(1, cell["least"]) else 0
        total += cell["weight"] * abs(value - cell["aim"]) + cell["steep"] * (far + small)
        total += cell["pull"] * abs(value - cell["truth"])
    return total


def price_by_hand(
    members: Sequence[Sequence[int]], cells: Sequence[Cell], inner: Sequence[int], which: int, step: int
) -> int:
    """By how much the cost changes when one inner cell takes a step."""
    after = [count + step * (place == which) for place, count in enumerate(inner)]
    before = sums_by_hand(members, inner, len(cells))
    return cost_by_hand(cells, sums_by_hand(members, after, len(cells))) - cost_by_hand(cells, before)
