"""Audit of a published table alone: what can be computed from it, whoever made it and however."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tacita.core.errors import DataError, ParameterError
from tacita.solve import solve
from tacita.tables.audit import audit
from tacita.tables.problem import Problem
from tacita.tables.seats import Seats
from tacita.tables.table import Table

__all__ = ["PublishedAudit", "audit_published", "fill_in"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PublishedAudit:
    """What an outsider can compute about each hidden cell of a published table.

    Parameters
    ----------
    hidden
        Numbers of the hidden cells.
    low, high
        The interval in which each of them must lie.
    span
        Width below which an interval counts as too narrow, in percent of its middle.
    seconds
        Time it took.
    """

    hidden: IntArray = field(repr=False)
    low: FloatArray = field(repr=False)
    high: FloatArray = field(repr=False)
    span: float
    seconds: float

    @property
    def is_disclosed(self) -> BoolArray:
        """For each hidden cell whether its value can be computed exactly."""
        return np.asarray(self.high - self.low <= 1e-6 * np.maximum(1.0, np.abs(self.low)), bool)

    @property
    def is_narrow(self) -> BoolArray:
        """For each hidden cell whether its interval is too narrow; disclosed ones included."""
        middle = np.abs(self.low + self.high) / 2
        with np.errstate(invalid="ignore"):
            return np.asarray(self.is_disclosed | (self.high - self.low < self.span / 100 * middle), bool)

    @property
    def is_safe(self) -> bool:
        """Whether no interval is too narrow."""
        return not bool(self.is_narrow.any())


def fill_in(table: Table, hidden: BoolArray) -> FloatArray:
    """Return values that agree with all that is published: the published ones, and any that fit for the hidden cells.

    Raises
    ------
    DataError
        When no values fit: the published cells contradict the sums.
    """
    low, high = table.bounds_published(hidden)
    part, rows = table.relations.among(hidden)
    known = np.where(hidden, 0.0, table.values)
    side = -table.relations.residuals(known)
    whole = np.setdiff1d(np.arange(len(table.relations)), rows)
    size = abs(table.relations.matrix) @ np.abs(known)
    off = whole[np.abs(side[whole]) > 1e-6 * np.maximum(size[whole], 1.0)]
    if len(off):
        named = "; ".join(table.relation_title(r) for r in off[:5].tolist())
        raise DataError(
            f"{len(off)} sums of published cells do not hold: {named}{' and more' if len(off) > 5 else ''}.",
            details={"relations": off.tolist()},
        )
    values = known
    if part.size:
        found = solve(np.zeros(part.size), part.matrix, side[rows], side[rows], low[hidden], high[hidden])
        if not found.has_solution:
            raise DataError(
                "No values of the hidden cells agree with the published cells, the sums and the bounds; check the sums, "
                "or allow negative values."
            )
        values[hidden] = np.clip(found.values, low[hidden], high[hidden])
    return values


def audit_published(table: Table, hidden: BoolArray, *, span: float = 0.0, integer: bool = False) -> PublishedAudit:
    """Compute for every hidden cell of a published table the interval in which an outsider can place it.

    Parameters
    ----------
    table
        The table; the values of hidden cells are not looked at and may be missing.
    hidden
        (n,): hidden cells.
    span
        Intervals narrower than this percent of their middle count as too narrow.
    integer
        Whether the attacker knows that all cells are whole numbers.

    Notes
    -----
    The true values are not needed: the interval depends on what is published alone. What cannot be judged without them is
    whether the interval is wide enough for the rule that made the cell unsafe; audit the protected table itself for
    that.
    """
    if hidden.shape != (len(table),):
        raise ParameterError(f"audit_published: 'hidden' must have one entry for each of the {len(table)} cells.")
    values = fill_in(table, hidden)
    low, high = table.bounds_published(hidden)
    n, nothing = len(table), np.zeros(len(table))
    problem = Problem(
        table.relations, values, low, high, np.zeros(n, bool), nothing, nothing, nothing, np.ones(n),
        np.zeros(n, bool), Seats.nobody(),
    )  # fmt: skip
    found = audit(problem, hidden, exact=True, integer=integer, seats=False)
    return PublishedAudit(found.hidden, found.low, found.high, span, found.seconds)
