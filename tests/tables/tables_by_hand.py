"""Small tables with known contributors, for tests of rules."""

from __future__ import annotations

import numpy as np

from tacita.tables.model.contributions import Contributions
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.relations import Relations
from tacita.tables.model.table import Table


def contributions(
    cells: list[list[float]], *, weights: list[list[float]] | None = None, depth: int = 3
) -> Contributions:
    """The largest contributions: of the total first, then of each cell; owners are numbered as they stand in the total."""
    n = len(cells)
    amounts, times, owners = np.zeros((n, depth)), np.zeros((n, depth)), np.full((n, depth), -1)
    number = 0
    for row, cell in enumerate(cells):
        order = sorted(range(len(cell)), key=lambda i: -abs(cell[i]))
        for place, i in enumerate(order[:depth]):
            amounts[row, place] = cell[i]
            times[row, place] = 1.0 if weights is None else weights[row][i]
            owners[row, place] = number + i
        number += len(cell) if row else 0
    return Contributions(np.array([len(cell) for cell in cells]), amounts, times, owners)


def row_of(cells: list[list[float]], *, weights: list[list[float]] | None = None, depth: int = 3) -> Table:
    """A table of one dimension whose cells have these contributors, with the total last in the list and first in it."""
    everybody = [amount for cell in cells for amount in cell]
    times = None if weights is None else [[w for cell in weights for w in cell], *weights]
    found = contributions([everybody, *cells], weights=times, depth=depth)
    sums = [
        sum(a * (1.0 if times is None else times[i][j]) for j, a in enumerate(cell))
        for i, cell in enumerate([everybody, *cells])
    ]
    names = [f"c{i}" for i in range(len(cells))]
    n = len(cells) + 1
    return Table(
        (Dimension.flat("cell", names),),
        np.arange(n)[:, None],
        np.array(sums),
        Relations.of([(0, list(range(1, n)))], n),
        response="amount",
        responses=("amount",),
        counts=found.counts,
        units=found,
    )
