"""Audit of a published table alone: what can be computed from it, whoever made it and however."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.solve import solve
from tacita.tables.auditor.attacker import CellAttacker
from tacita.tables.auditor.audit import audit
from tacita.tables.auditor.basis import Basis
from tacita.tables.model.seats import Seats
from tacita.tables.model.table import Table
from tacita.tables.protect.problem import Problem

__all__ = ["PublishedAudit", "audit_published", "fill_in"]


_EXACT = 1e-6
"""An interval up to this share of its value, or of one unit, counts as exact: the rest is rounding of the solver."""
_LARGE = 10
"""The largest value of a table of small amounts is brought to about two to this power before the solver sees it."""


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
    problem
        The table as the attacker sees it, with values that agree with what is published.
    factor
        The values of ``problem`` are this many times those of the table.
    is_integer
        Whether the attacker was allowed to know that the cells are whole numbers.
    basis
        Hashes of the published cells and the relations that the intervals follow from.
    unknown
        (n,): cells that are not published: the hidden ones, and those that are not listed at all.
    """

    hidden: IntArray = field(repr=False)
    low: FloatArray = field(repr=False)
    high: FloatArray = field(repr=False)
    span: float
    seconds: float
    problem: Problem = field(repr=False)
    unknown: BoolArray = field(repr=False)
    factor: float = 1.0
    is_integer: bool = False
    basis: Basis | None = None

    @property
    def is_disclosed(self) -> BoolArray:
        """For each hidden cell whether its value can be computed exactly."""
        largest = _largest(self.problem.values) / self.factor
        unit = max(min(1.0, largest), 1e-12 * largest)
        is_finite = np.isfinite(self.low) & np.isfinite(self.high)
        low, high = np.where(is_finite, self.low, 0.0), np.where(is_finite, self.high, 0.0)
        return np.asarray(is_finite & (high - low <= _EXACT * np.maximum(unit, np.abs(low))), bool)

    @property
    def is_narrow(self) -> BoolArray:
        """For each hidden cell whether its interval is too narrow; disclosed ones included."""
        with np.errstate(invalid="ignore"):
            middle = np.abs(self.low + self.high) / 2
            return np.asarray(self.is_disclosed | (self.high - self.low < self.span / 100 * middle), bool)

    @property
    def is_safe(self) -> bool:
        """Whether no interval is too narrow."""
        return not bool(self.is_narrow.any())

    def relations(self, cell: int) -> tuple[int, ...]:
        """Return the relations that force the interval of a hidden cell, few of them; none where its bounds alone do.

        They are those that have a price when the solver bounds the cell from both sides; or the one that has no other
        hidden cell.
        """
        places = np.flatnonzero(self.hidden == cell)
        if not len(places):
            raise ParameterError(f"relations: cell {cell} is not hidden.")
        columns = self.problem.relations.columns
        for relation in columns.indices[columns.indptr[cell] : columns.indptr[cell + 1]].tolist():
            if self._attacker.hidden[self.problem.relations.row(relation)[0]].sum() == 1:
                return (int(relation),)
        value, place = float(self.problem.values[cell]), int(places[0])
        ends: dict[Literal["below", "above"], float] = {
            "below": value - self.factor * float(self.low[place]),
            "above": self.factor * float(self.high[place]) - value,
        }
        used: dict[int, None] = {}
        for side, end in ends.items():
            if not np.isfinite(end):
                continue
            beyond = 1.0 if self.is_integer else max(1e-3 * abs(value), 0.1 * end, 1e-2)
            used |= dict.fromkeys(self._attacker.reach(cell, side, max(end, 0.0) + beyond).prices)
        return tuple(used)

    @cached_property
    def _attacker(self) -> CellAttacker:
        return CellAttacker(self.problem, self.unknown, integer=self.is_integer)


def _largest(values: FloatArray) -> float:
    return float(np.abs(values).max(initial=0.0))


def _enlarged(table: Table, hidden: BoolArray) -> tuple[Table, float]:
    """Bring a table of small amounts to a size for which the tolerances of the solver are made, by a power of two."""
    largest = _largest(table.values[~hidden])
    power = _LARGE - int(np.ceil(np.log2(largest))) if largest > 0 else 0
    if power <= 0:
        return table, 1.0
    factor = 2.0**power
    lower, upper = (None if side is None else side * factor for side in (table.lower, table.upper))
    return replace(table, values=table.values * factor, lower=lower, upper=upper), factor


def fill_in(table: Table, hidden: BoolArray, *, integer: bool = False) -> FloatArray:
    """Return values that agree with all that is published: the published ones, and any that fit for the hidden cells.

    Parameters
    ----------
    table
        The table; the values of hidden cells are not looked at and may be missing.
    hidden
        (n,): hidden cells.
    integer
        Whether the values of hidden cells must be whole numbers.

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
    off = np.intersect1d(whole, table.relations.violated(known))
    if len(off):
        named = "; ".join(table.relation_title(r) for r in off[:5].tolist())
        raise DataError(
            f"{len(off)} sums of published cells do not hold: {named}{' and more' if len(off) > 5 else ''}.",
            details={"relations": off.tolist()},
        )
    values = known
    if part.size:
        found = solve(
            np.zeros(part.size), part.matrix, side[rows], side[rows], low[hidden], high[hidden],
            integer=np.ones(part.size, bool) if integer else None,
        )  # fmt: skip
        if not found.has_solution:
            raise DataError(
                "No values of the hidden cells agree with the published cells, the sums and the bounds; check the sums, "
                "or allow negative values."
            )
        fitting = np.rint(found.values) if integer else found.values
        values[hidden] = np.clip(fitting, low[hidden], high[hidden])
    return values


def audit_published(
    table: Table,
    hidden: BoolArray,
    *,
    span: float = 0.0,
    integer: bool = False,
    unlisted: BoolArray | None = None,
) -> PublishedAudit:
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
    unlisted
        (n,): further cells that are not published, such as a total that a file does not list. They are not to be
        protected, so what follows of them is no leak; None for none.

    Raises
    ------
    ParameterError
        When ``hidden`` or ``unlisted`` do not fit the table.
    DataError
        When the published cells contradict the sums or the bounds.

    Notes
    -----
    The true values are not needed: the interval depends on what is published alone. What cannot be judged without them is
    whether the interval is wide enough for the rule that made the cell unsafe; audit the protected table itself for
    that.
    """
    if hidden.shape != (len(table),):
        raise ParameterError(f"audit_published: 'hidden' must have one entry for each of the {len(table)} cells.")
    unknown = hidden if unlisted is None else hidden | unlisted
    if unknown.shape != (len(table),):
        raise ParameterError(f"audit_published: 'unlisted' must have one entry for each of the {len(table)} cells.")
    basis = Basis.of_cells(table.values, unknown, table.relations)
    table, factor = (table, 1.0) if integer else _enlarged(table, unknown)
    values = fill_in(table, unknown, integer=integer)
    low, high = table.bounds_published(unknown)
    n, nothing = len(table), np.zeros(len(table))
    problem = Problem(
        table.relations, values, low, high, np.zeros(n, bool), nothing, nothing, nothing, np.ones(n),
        np.zeros(n, bool), Seats.nobody(),
    )  # fmt: skip
    found = audit(problem, unknown, exact=True, integer=integer, seats="none")
    asked = hidden[found.hidden]
    low, high = found.low[asked] / factor, found.high[asked] / factor
    return PublishedAudit(found.hidden[asked], low, high, span, found.seconds, problem, unknown, factor, integer, basis)
