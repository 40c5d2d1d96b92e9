"""The shape of a protector: parameters in a frozen dataclass, one function from unsafe cells to a protected table."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import DataError
from tacita.core.method import Method
from tacita.core.traits import ProtectorTraits
from tacita.core.vocabulary import Kind
from tacita.tables.auditor.certificate import Certificate
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

    A subclass sets ``name``, claims by its ``traits`` what holds for whatever it makes, declares its parameters as annotated
    fields and writes :meth:`protect`, which returns what :meth:`result` makes. Nothing is taken on trust:
    what hides cells returns with the auditor's certificate, and what changes values with the unsafe cells that its
    published values do not protect (:attr:`Protected.exposed`). A result with neither does not count as safe.
    """

    kind: ClassVar[Kind] = "protector"
    traits: ClassVar[ProtectorTraits] = ProtectorTraits()

    secret: ClassVar[frozenset[str]] = frozenset()
    """Parameters that no report names, such as a seed that would undo the protection."""

    @abstractmethod
    def protect(self, table: Table, unsafe: Unsafe) -> Protected:
        """Return the protected table with its certificate, or with what its values leave exposed."""

    def words(self, chosen: Mapping[str, str] | None = None) -> str:
        """Return the protector with its parameters, as it stands in a report; ``chosen`` is what was left open."""
        given = dict(chosen or {}) | {
            name: value for name, value in self.to_plain().items() if name not in (chosen or {})
        }
        return f"{self.name}({', '.join(f'{k}={v}' for k, v in given.items() if k not in self.secret)})"

    def result(
        self,
        table: Table,
        unsafe: Unsafe,
        problem: Problem,
        *,
        begin: float,
        cost: float,
        bound: float,
        has_proof: bool = True,
        hidden: BoolArray | None = None,
        values: FloatArray | None = None,
        certificate: Certificate | None = None,
        method: str | None = None,
        notes: tuple[str, ...] = (),
        exposed: tuple[int, ...] | None = None,
        base: float | None = None,
        reach: float | None = None,
        seed: int | None = None,
    ) -> Protected:
        """Put what was found into its form; see :class:`Protected`.

        ``begin`` is when the work began, by ``time.perf_counter``. Where nothing is said of ``hidden`` and ``values``,
        nothing was hidden and no value changed.
        """
        return Protected(
            table=table,
            unsafe=unsafe,
            problem=problem,
            hidden=np.zeros(len(table), bool) if hidden is None else hidden,
            values=table.values if values is None else values,
            certificate=certificate,
            method=self.words() if method is None else method,
            cost=cost,
            bound=bound,
            has_proof=has_proof,
            seconds=time.perf_counter() - begin,
            notes=notes,
            exposed=exposed,
            base=base,
            reach=reach,
            seed=seed,
        )


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
