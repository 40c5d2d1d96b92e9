"""Consistency: how many cells that are logically the same have different counts in different published tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tacita.core.errors import ParameterError
from tacita.tables.model.table import Table

__all__ = ["Consistency", "consistency"]


@dataclass(frozen=True)
class Consistency:
    """What a reader finds who lays several published tables side by side.

    Parameters
    ----------
    cells
        Cells that stand in more than one table.
    differ
        Those of them whose counts are not the same everywhere.
    largest
        Largest difference of two counts of one cell.
    spread
        Mean difference between the largest and the smallest count of such a cell.
    averaged
        Tables that have such a cell, on average: what an attacker can average over.
    """

    cells: int
    differ: int
    largest: float
    spread: float
    averaged: float

    @property
    def share(self) -> float:
        """Share of the shared cells that differ."""
        return self.differ / self.cells if self.cells else 0.0


def consistency(tables: Sequence[Table]) -> Consistency:
    """Count how many logically identical cells differ between published tables.

    Two cells are the same when they have the same code in every dimension that both tables have, and the total in the others;
    codes that are made of the same leaves are one code, whatever their names: a group of one member is the member.

    Parameters
    ----------
    tables
        Published tables of counts of the same records.

    Raises
    ------
    ParameterError
        When there is no table.

    Complexity
    ----------
    O(n log n) for n cells of all tables together.

    Notes
    -----
    Leaves are compared by name, so that a band of ages is the same in tables with and without single years only where both list
    the years.

    References
    ----------
    Giessing, S. and Hoehne, J. (2011), Eliminating small cells from census counts tables, SORT special issue, 59-80, section 5.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.person_register(200, seed=1)
    >>> one, two = (tc.tabulate(data, ["sex", name]) for name in ("marital", "disability"))
    >>> consistency([one, two]).cells, consistency([one, two.with_values(two.values + 1)]).differ
    (3, 3)
    """
    if not len(tables):
        raise ParameterError("consistency: 'tables' must have at least one table.")
    numbers: dict[tuple[str, frozenset[str]], int] = {}
    names = sorted({dimension.name for table in tables for dimension in table.dimensions})
    rows = []
    for table in tables:
        columns = np.zeros((len(table), len(names)), np.int64)
        for axis, dimension in enumerate(table.dimensions):
            # 0 is the total, whatever it is called and whatever leaves a table lists.
            everything = frozenset(dimension.leaves)
            at = [
                0
                if dimension.members[code] == everything
                else numbers.setdefault((dimension.name, dimension.members[code]), len(numbers) + 1)
                for code in dimension.codes
            ]
            columns[:, names.index(dimension.name)] = np.array(at, np.int64)[table.codes[:, axis]]
        rows.append(columns)
    _, cell = np.unique(np.concatenate(rows), axis=0, return_inverse=True)
    cell = cell.ravel()
    owner = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    # A cell that a table has under two names stands in one table.
    times = np.bincount(np.unique(cell * len(tables) + owner) // len(tables))
    values = np.concatenate([table.values for table in tables])
    high, low = np.full(len(times), -np.inf), np.full(len(times), np.inf)
    np.maximum.at(high, cell, values)
    np.minimum.at(low, cell, values)
    shared = times > 1
    apart = (high - low)[shared]
    return Consistency(
        int(shared.sum()),
        int((apart > 0).sum()),
        float(apart.max(initial=0.0)),
        float(apart.mean()) if len(apart) else 0.0,
        float(times[shared].mean()) if len(apart) else 0.0,
    )
