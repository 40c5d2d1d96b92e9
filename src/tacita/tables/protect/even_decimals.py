"""Decimals of changed values, which must not tell which cells were changed."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import DataError
from tacita.tables.protect.protected import Protected
from tacita.tables.rounding.controlled import controlled_rounding

__all__ = ["with_even_decimals", "without_noise"]


_MOST = 6
"""Values with more decimals have no number of decimals of their own: those that were changed look like the others."""
_EXACT_WHOLE = 2.0**50
_SECONDS = 30.0


def without_noise(values: FloatArray) -> FloatArray:
    """The values to 15 digits: what a sum of decimal numbers has beyond them comes from the arithmetic."""
    return np.array([float(f"{value:.15g}") for value in values.tolist()])


def with_even_decimals(protected: Protected) -> tuple[Protected, int | None]:
    """Give changed values the decimals that the original ones have, or say how many all cells are written with.

    A value of three decimals among others of two has been changed. Where all values are multiples of a base, whether they were
    changed or not, their decimals tell nothing.
    """
    shown = ~protected.hidden
    true, now = without_noise(protected.table.values[shown]), without_noise(protected.values[shown])
    wanted, there = _decimals(true), _decimals(now)
    if np.array_equal(true, now) or there <= wanted or wanted > _MOST or protected.base is not None:
        return protected, None
    found = _at_decimals(protected, wanted)
    if found is not None:
        note = f"Changed values are published with {wanted} decimals, as the original ones; more would tell which they are."
        return replace(protected, values=found, notes=(*protected.notes, note)), None
    note = (
        f"No table with {wanted} decimals, as the original values have, keeps the sums and the levels. All cells are written "
        f"with {min(there, _MOST)} decimals; zeros at the end may tell which cells were not changed."
    )
    return replace(protected, notes=(*protected.notes, note)), min(there, _MOST)


def _decimals(values: FloatArray) -> int:
    """Return how many decimals the values have at most."""
    return max((max(0, -int(Decimal(f"{value:.15g}").normalize().as_tuple().exponent)) for value in values), default=0)


def _at_decimals(protected: Protected, decimals: int) -> FloatArray | None:
    """Return the nearest table of so many decimals whose sums, bounds and levels hold; None when none is found."""
    problem, scale = protected.problem, 10.0**decimals
    units = protected.values * scale
    if np.abs(units).max(initial=0.0) > _EXACT_WHOLE:
        return None
    whole = np.rint(units)
    units = np.where(np.abs(units - whole) <= 1e-6 + 1e-12 * np.abs(units), whole, units)
    low, high = problem.lower * scale, problem.upper * scale
    is_up = problem.unsafe & (protected.values > problem.values)
    is_down = problem.unsafe & (protected.values < problem.values)
    low = np.where(is_up, np.maximum(low, (problem.values + problem.above) * scale), low)
    high = np.where(is_down, np.minimum(high, (problem.values - problem.below) * scale), high)
    low, high = np.ceil(low - 1e-6), np.floor(high + 1e-6)
    low, high = np.where(problem.locked, units, low), np.where(problem.locked, units, high)
    if np.any(low > high):
        return None
    try:
        found = controlled_rounding(
            problem.relations, units, base=1.0, lower=low, upper=high, time_limit=_SECONDS
        ).values
    except DataError:
        return None
    holds = np.all(found >= low) and np.all(found <= high) and not np.any(problem.relations.matrix @ found)
    return found / scale if holds else None
