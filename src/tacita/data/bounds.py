"""Declared bounds: which values of a file lie outside what the definition of their column allows."""

from __future__ import annotations

import math

from tacita.core.errors import DataError
from tacita.data.microdata import Microdata

__all__ = ["bounds_of", "check_bounds", "outside_bounds"]


def bounds_of(data: Microdata, name: str) -> tuple[float, float]:
    """Return the declared bounds of a column, infinite where it has none."""
    low, high = data.schema[name].bounds or (None, None)
    return -math.inf if low is None else float(low), math.inf if high is None else float(high)


def outside_bounds(data: Microdata) -> dict[str, int]:
    """Return how many values of each numeric column lie outside its declared bounds; columns without any are left out."""
    found: dict[str, int] = {}
    for column in data.schema:
        if column.bounds is None or column.scale != "numeric":
            continue
        values, (low, high) = data.float(column.name), bounds_of(data, column.name)
        count = int(((values < low) | (values > high)).sum())  # a comparison with NaN is false
        if count:
            found[column.name] = count
    return found


def check_bounds(data: Microdata) -> None:
    """Refuse to hand out values that their column cannot have.

    Raises
    ------
    DataError
        With the names of the columns and how many values lie outside, never the values.
    """
    found = outside_bounds(data)
    if found:
        words = ", ".join(f"{count} in '{name}'" for name, count in found.items())
        raise DataError(
            f"Some values lie outside the declared bounds of their column ({words}). They tell that the column was masked, and "
            "how; mask it within its bounds, or correct the bounds in the schema."
        )
