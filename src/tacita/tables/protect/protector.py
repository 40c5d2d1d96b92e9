"""The shape of a protector: parameters in a frozen dataclass, one function from unsafe cells to a protected table."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tacita.core.errors import DataError
from tacita.core.method import Method
from tacita.core.traits import Traits
from tacita.core.vocabulary import Kind
from tacita.tables.model.seats import Seats, SeatsName
from tacita.tables.model.table import Table
from tacita.tables.protect.costs import CostName, cell_costs
from tacita.tables.protect.problem import Problem
from tacita.tables.protect.protected import Protected
from tacita.tables.rules.inside import Inside
from tacita.tables.rules.unsafe import Unsafe

__all__ = ["Protector", "make_problem"]


@dataclass(frozen=True, kw_only=True)
class Protector(Method):
    """A function from a table and its unsafe cells to a protected table.

    A subclass sets ``name``, declares its parameters as annotated fields and writes :meth:`protect`. Nothing is taken on trust:
    what hides cells returns with the auditor's certificate, and what changes values with the unsafe cells that its
    published values do not protect (:attr:`Protected.exposed`). A result with neither does not count as safe.
    """

    kind: ClassVar[Kind] = "protector"
    traits: ClassVar[Traits] = Traits()

    @abstractmethod
    def protect(self, table: Table, unsafe: Unsafe) -> Protected:
        """Return the protected table with its certificate, or with what its values leave exposed."""


def make_problem(
    table: Table,
    unsafe: Unsafe,
    *,
    cost: CostName = "value",
    power: float | None = None,
    seats: SeatsName = "contributors",
    hide_empty: bool = False,
) -> Problem:
    """Put a table and its unsafe cells into the form that protectors and the auditor take.

    Parameters
    ----------
    table
        The table; it must be additive.
    unsafe
        The unsafe cells and their levels.
    cost, power
        What hiding a cell costs; see :func:`tacita.tables.protect.costs.cell_costs`.
    seats
        Who attacks beside outsiders: all contributors and holdings (``contributors``), those who are alone in cells and know
        nothing but these (``singletons``), or nobody (``none``).
    hide_empty
        Whether a cell without contributors may be hidden to protect others. Readers often know that such a cell is
        empty, so that hiding it protects nobody.
    """
    unknown = np.flatnonzero(~np.isfinite(table.values))
    if len(unknown):
        raise DataError(
            f"{len(unknown)} cells have no value of {_responses(table)}, such as {table.title(int(unknown[0]))}; a table can "
            "be protected only when all its values are known, so take the one before cells were hidden.",
            details={"cells": unknown.tolist()},
        )
    table.check_additive()
    low, high = table.bounds
    locked = unsafe.locked.copy()
    if not hide_empty:
        locked |= table.is_empty & ~unsafe.cells
    locked |= table.is_structural
    made = Problem(
        table.relations,
        table.values.astype(np.float64),
        low,
        high,
        unsafe.cells,
        unsafe.below,
        unsafe.above,
        unsafe.sliding,
        cell_costs(table, unsafe.cells, cost, power=power),
        locked & ~unsafe.cells,
        *_seated(table, unsafe, seats),
    )
    made.check()
    return made


def _seated(table: Table, unsafe: Unsafe, seats: SeatsName) -> tuple[Seats, Inside | None]:
    """Who attacks, and what is asked from there."""
    if seats == "none":
        return Seats.nobody(), None
    if seats == "contributors":
        return table.seats, unsafe.from_inside
    # As the field's tools do it: the levels from outside, as far as somebody with a part in the cell can believe them.
    everybody = table.seats
    seat, cell, amount = everybody.parts()
    here = np.flatnonzero(unsafe.cells[cell] & (np.diff(everybody.start)[seat] > 0))
    seat, cell, most = seat[here], cell[here], np.maximum(table.values[cell[here]] - amount[here], 0.0)
    asked = Inside.alike(unsafe.below, unsafe.above, unsafe.sliding)
    part = asked.of_pairs(cell, seat)
    part[:, 0] = np.minimum(part[:, 0], most)
    return everybody.singletons(), Inside.of(asked.most, cell, seat, part)


def _responses(table: Table) -> str:
    names = table.responses or (table.response,)
    return " or ".join(f"'{name}'" if name else "the count" for name in names)
