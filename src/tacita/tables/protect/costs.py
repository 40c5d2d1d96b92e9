"""What hiding a cell costs: by value, by number of contributors, all alike, by nearness, or by the user's own variable."""

from __future__ import annotations

from typing import Literal

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import DataError
from tacita.tables.model.relations import Relations
from tacita.tables.model.table import Table

__all__ = ["CostName", "cell_costs"]


CostName = Literal["value", "log", "frequency", "unity", "distance", "own"]
"""value      large cells are dear (Box-Cox with power 1)
log        the same, less steep (Box-Cox with power 0)
frequency  cells with many contributors are dear
unity      as few cells as possible
distance   cells far from the unsafe ones are dear
own        the table's own cost variable
"""


def cell_costs(table: Table, unsafe: BoolArray, cost: CostName, *, power: float | None = None) -> FloatArray:
    """Return a positive cost for every cell.

    Parameters
    ----------
    table
        The table.
    unsafe
        The unsafe cells, from which distances count.
    cost
        The kind of cost.
    power
        For ``value`` and ``frequency``: the exponent of a Box-Cox transformation ``((x + 1)^power - 1) / power``;
        1 leaves the differences as they are, towards 0 it becomes the logarithm.

    Notes
    -----
    Amounts enter without their sign and plus one, so that a zero has the smallest cost instead of none. Costs are scaled
    to a mean of one, which keeps the solver's numbers near each other and changes no optimum. ``distance`` counts the
    relations between a cell and the nearest unsafe one: 1 for an unsafe cell, 2 for one in the same sum, and so on.
    """
    if cost == "unity":
        return np.ones(len(table))
    if cost == "distance":
        return 1.0 + _steps(table.relations, unsafe)
    if cost == "own":
        if table.cost is None:
            raise DataError("cost='own': the table must have a cost variable; build it with 'cost'.")
        amount, exponent = np.abs(table.cost), 1.0 if power is None else power
    elif cost == "frequency":
        if table.counts is None:
            raise DataError("cost='frequency': the table must know how many records are in a cell.")
        amount, exponent = table.counts.astype(np.float64), 1.0 if power is None else power
    else:
        amount, exponent = np.abs(table.values), 0.0 if cost == "log" else 1.0 if power is None else power
    grown = np.log1p(amount) if abs(exponent) < 1e-9 else ((amount + 1.0) ** exponent - 1.0) / exponent
    mean = float(grown.mean()) if len(grown) else 1.0
    return np.asarray(grown / (mean if mean > 0 else 1.0) + 1e-3, np.float64)


def _steps(relations: Relations, unsafe: BoolArray) -> FloatArray:
    """Number of relations between each cell and the nearest unsafe one, by widening rings."""
    touch = abs(relations.matrix)
    found = np.full(relations.size, np.inf)
    ring, step = unsafe.copy(), 0
    while ring.any():
        found[ring] = step
        rows = (touch @ ring.astype(np.float64)) > 0
        ring = ((touch.T @ rows.astype(np.float64)) > 0) & ~np.isfinite(found)
        step += 1
    far = float(found[np.isfinite(found)].max(initial=0.0)) + 1.0
    return np.where(np.isfinite(found), found, far)
