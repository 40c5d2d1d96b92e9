"""Tables of means: published from a linked pair of count and total, hidden where either of them is.

Whoever knows a mean and the count knows the total, and whoever knows a mean and the total knows the count. A table of
means is therefore protected as its two parents, and a mean is published only where both of them are.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.tables.model.table import Table

__all__ = ["Means", "means"]


@dataclass(frozen=True, eq=False)
class Means:
    """The cells of a table of means.

    Parameters
    ----------
    table
        The linked pair that the means come from.
    count_cells, total_cells
        (m,): the cells of the pair that belong to each mean.
    values
        (m,): total by count; NaN where it is hidden or nobody is counted.
    hidden
        (m,): means that must not be published.
    """

    table: Table
    count_cells: IntArray = field(repr=False)
    total_cells: IntArray = field(repr=False)
    values: FloatArray = field(repr=False)
    hidden: BoolArray = field(repr=False)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def is_empty(self) -> BoolArray:
        """(m,): cells in which nobody is counted; they have no mean."""
        return np.asarray(self.table.values[self.count_cells] == 0)

    def labels(self, cell: int) -> tuple[str, ...]:
        """Return the codes of one mean."""
        return self.table.labels(int(self.total_cells[cell]))


def means(table: Table, hidden: BoolArray | None = None, *, response: str | None = None) -> Means:
    """Turn a linked pair of count and total into means.

    Parameters
    ----------
    table
        A table with the counts and at least one response, such as :func:`tacita.tables.model.tabulate.tabulate_means` makes;
        link a frequency and a magnitude table to get one from cells.
    hidden
        (n,): hidden cells of the pair; None for none.
    response
        The response whose means are wanted; can be left out when there is only one.

    Raises
    ------
    ParameterError
        When the table has no counts, or the response is not said or not there.
    DataError
        When a total has no count beside it, or an amount where nobody is counted.

    Examples
    --------
    >>> from tacita.data.samples import business_survey
    >>> from tacita.tables.model.tabulate import tabulate_means
    >>> pair = tabulate_means(business_survey(300, seed=1), ["size_class"], "wages")
    >>> found = means(pair)
    >>> len(found), found.labels(0)
    (5, ('Total',))
    """
    if table.parts is None or "" not in table.responses:
        raise ParameterError("means: the table must have counts and a response; see tabulate_means.")
    others = [name for name in table.responses if name]
    if response is None and len(others) == 1:
        response = others[0]
    if response not in others:
        raise ParameterError(f"means: 'response' must be one of {', '.join(others) or 'none'}, got {response!r}.")
    cover = np.zeros(len(table), bool) if hidden is None else np.asarray(hidden, bool)
    if cover.shape != (len(table),):
        raise ParameterError(f"means: 'hidden' must have one entry for each of the {len(table)} cells.")
    counts = np.flatnonzero(table.parts == table.responses.index(""))
    totals = np.flatnonzero(table.parts == table.responses.index(response))
    at = {tuple(row): cell for row, cell in zip(table.codes[counts].tolist(), counts.tolist(), strict=True)}
    beside = [at.get(tuple(row), -1) for row in table.codes[totals].tolist()]
    of = np.array(beside, np.int64)
    if (of < 0).any():
        named = "; ".join(table.title(cell) for cell in totals[of < 0][:5].tolist())
        raise DataError(f"means: {int((of < 0).sum())} total(s) have no count beside them: {named}.")
    count, total = table.values[of], table.values[totals]
    if np.any((count == 0) & (total != 0)):
        raise DataError(
            "means: a total is not zero where nobody is counted; count and total must have the same records."
        )
    gone = cover[of] | cover[totals]
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.where(gone | (count == 0), np.nan, total / count)
    return Means(table, of, totals.astype(np.int64), values, gone)
