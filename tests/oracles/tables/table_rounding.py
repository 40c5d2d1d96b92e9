"""Controlled rounding by trying every multiple of every cell."""

from __future__ import annotations

import math

import numpy as np

from tacita.tables.model.relations import Relations

__all__ = ["nearest_rounding_oracle", "nearest_whole_table_oracle"]


def _search(relations: Relations, choices: list[list[tuple[float, float]]]) -> tuple[float, list[float]]:
    """Try all combinations of (value, cost); a relation is checked when its last cell has a value."""
    rows = [(cells.tolist(), signs.tolist()) for cells, signs in map(relations.row, range(len(relations)))]
    closing: list[list[int]] = [[] for _ in choices]
    for number, (cells, _) in enumerate(rows):
        closing[max(cells)].append(number)
    cheapest = [min((cost for _, cost in options), default=math.inf) for options in choices]
    rest = [sum(cheapest[cell:]) for cell in range(len(choices) + 1)]
    best: list[tuple[float, list[float]]] = [(math.inf, [])]
    picked: list[float] = []

    def go(cell: int, cost: float) -> None:
        if cost + rest[cell] >= best[0][0] - 1e-9:
            return
        if cell == len(choices):
            best[0] = (cost, picked.copy())
            return
        for value, more in choices[cell]:
            picked.append(value)
            if all(abs(sum(s * picked[c] for c, s in zip(*rows[row], strict=True))) < 1e-9 for row in closing[cell]):
                go(cell + 1, cost + more)
            picked.pop()

    go(0, 0.0)
    return best[0]


def nearest_rounding_oracle(
    relations: Relations, values: np.ndarray, base: float, reach: int, lower: np.ndarray, upper: np.ndarray
) -> tuple[float, list[float]]:
    """Return the least distance of a rounding within some steps of the neighbouring multiples; inf where there is none."""
    choices = []
    for value, low, high in zip(values.tolist(), lower.tolist(), upper.tolist(), strict=True):
        below = math.floor(value / base + 1e-9)
        above = below if abs(below * base - value) < 1e-9 else below + 1
        steps = [base * k for k in range(below - reach, above + reach + 1)]
        options = [(x, abs(x - value)) for x in steps if low <= x <= high]
        choices.append(sorted(options, key=lambda option: option[1]))
    return _search(relations, choices)


def nearest_whole_table_oracle(
    relations: Relations, values: np.ndarray, weights: np.ndarray, lower: np.ndarray, upper: np.ndarray, reach: int
) -> float:
    """Return the least weighted distance of a table of whole numbers within ``reach`` of the values."""
    choices = []
    for value, weight, low, high in zip(values.tolist(), weights.tolist(), lower.tolist(), upper.tolist(), strict=True):
        whole = range(math.floor(value) - reach, math.ceil(value) + reach + 1)
        options = [(float(x), weight * abs(x - value)) for x in whole if low <= x <= high]
        choices.append(sorted(options, key=lambda option: option[1]))
    return _search(relations, choices)[0]
