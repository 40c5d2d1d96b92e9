"""A-priori knowledge: what the user says about single cells, put over the verdict of rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.tables.model.table import Table
from tacita.tables.protect.costs import CostName
from tacita.tables.rules.unsafe import Unsafe

__all__ = ["Apriori", "listed"]


_MOST_NAMED = 10


@dataclass(frozen=True, eq=False)
class Apriori:
    """What an a-priori file says about the cells of a table; :func:`tacita.tables.read_apriori` makes one.

    Parameters
    ----------
    table
        The table that it speaks of.
    name
        Name of the file, for reports.
    unsafe, safe, published, hidden
        (n,): cells that the file calls so. A cell can be safe and published: no rule counts, and it may not be hidden.
    below, above
        (n,): protection levels; NaN where the file gives none.
    cost
        (n,): what hiding a cell costs; NaN where the file says nothing.
    lines
        (n,): the line that spoke of a cell last; 0 for none.
    span
        Protection level of an unsafe cell without levels, in percent of its value.
    """

    table: Table = field(repr=False)
    name: str
    unsafe: BoolArray = field(repr=False)
    safe: BoolArray = field(repr=False)
    published: BoolArray = field(repr=False)
    hidden: BoolArray = field(repr=False)
    below: FloatArray = field(repr=False)
    above: FloatArray = field(repr=False)
    cost: FloatArray = field(repr=False)
    lines: IntArray = field(repr=False)
    span: float = 30.0

    @property
    def has_costs(self) -> bool:
        """Whether the file gives the cost of a cell."""
        return not bool(np.isnan(self.cost).all())

    def over(self, unsafe: Unsafe | None = None) -> Unsafe:
        """Put what the file says over the verdict of rules.

        Safe cells are released. Unsafe ones are added, with the wider levels where a rule found them too. Levels of the
        file take the place of all others, the sliding one included. Published cells are locked. A hidden cell becomes an
        unsafe one that needs no level: every pattern hides it, and it protects whom it can. Adjustment, which hides nothing,
        refuses a table with such cells.

        Parameters
        ----------
        unsafe
            The verdict of rules; None for none.

        Raises
        ------
        DataError
            When a cell that must stay published is unsafe, or a cell with levels is not; cells and lines are named.

        Notes
        -----
        A level cannot ask for more than what everybody knows beforehand leaves open; it ends at these bounds.
        """
        n = len(self.table)
        found = Unsafe.none(n) if unsafe is None else unsafe
        if len(found.cells) != n:
            raise ParameterError(f"Apriori: 'unsafe' must speak of the {n} cells of the table, got {len(found.cells)}.")
        low, high = self.table.bounds
        down, up = self.table.values - low, high - self.table.values
        reach, given = self.span / 100 * np.abs(self.table.values), ~np.isnan(self.below)
        found = found.released(np.flatnonzero(self.safe))
        before = self.hidden & ~found.cells
        if self.unsafe.any():
            found = found | self._named("unsafe", self.unsafe, np.minimum(reach, down), np.minimum(reach, up))
        if before.any():
            found = found | self._named("hidden before", before, np.zeros(n), np.zeros(n))
        self._refuse(given & ~found.cells, "has protection levels, but it is not unsafe; add a line with 'u' above it")
        found = replace(
            found,
            below=np.where(given, np.minimum(self.below, down), found.below),
            above=np.where(given, np.minimum(self.above, up), found.above),
            sliding=np.where(given, 0.0, found.sliding),
            inside=found.from_inside.with_levels(given, np.minimum(self.below, down), np.minimum(self.above, up)),
        )
        self._refuse(
            self.published & found.cells, "must stay published, but it is unsafe; add a line with 's' if it may be"
        )
        return found.lock(np.flatnonzero(self.published))

    def priced(self, cost: CostName = "value") -> Table:
        """Return the table with costs of its own, to be protected with ``cost="own"``.

        Parameters
        ----------
        cost
            What cells cost of which the file says nothing: ``value``, ``frequency``, ``unity``, or ``own`` for the
            table's cost variable. The numbers of the file are on the same scale.
        """
        bases = {
            "value": np.abs(self.table.values),
            "frequency": self.table.counts,
            "unity": np.ones(len(self.table)),
            "own": self.table.cost,
        }
        if cost not in bases:
            raise ParameterError(
                f"Costs of an a-priori file are amounts, so 'cost' must be one of {', '.join(bases)}, got '{cost}'."
            )
        base = bases[cost]
        if base is None:
            what = "a cost variable" if cost == "own" else "how many records are in a cell"
            raise DataError(f"cost='{cost}': the table must have {what}.")
        return replace(self.table, cost=np.where(np.isnan(self.cost), base, self.cost))

    def _named(self, word: str, cells: BoolArray, below: FloatArray, above: FloatArray) -> Unsafe:
        nothing = np.zeros(len(cells))
        return Unsafe(
            cells,
            np.where(cells, below, 0.0),
            np.where(cells, above, 0.0),
            nothing,
            (f"named_cells({self.name}, {word})",),
            cells[:, None],
            np.zeros(len(cells), bool),
            about=("named",),
        )

    def _refuse(self, cells: BoolArray, why: str) -> None:
        wrong = np.flatnonzero(cells).tolist()
        if wrong:
            named = [f"line {self.lines[cell]}: the cell {self.table.title(cell)} {why}." for cell in wrong]
            raise DataError(listed(f"'{self.name}' contradicts the rules or itself", named))


def listed(head: str, problems: Sequence[str]) -> str:
    """Return a message with the first problems below each other, and how many more there are."""
    more = f"\n  and {len(problems) - _MOST_NAMED} more" if len(problems) > _MOST_NAMED else ""
    return f"{head}:\n  - " + "\n  - ".join(problems[:_MOST_NAMED]) + more
