"""A protected table: what may be published, what it was, and the auditor's certificate."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.core.views import view
from tacita.tables.auditor.certificate import Certificate, Leak
from tacita.tables.model.table import Table
from tacita.tables.protect.pattern import relative_gap
from tacita.tables.protect.problem import Problem
from tacita.tables.protect.utility import TableUtility, table_utility
from tacita.tables.rules.danger import dangers
from tacita.tables.rules.unsafe import Unsafe

__all__ = ["Protected"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Protected:
    """A table ready to be published; protectors make it by :meth:`tacita.tables.Protector.result`.

    Parameters
    ----------
    table
        The table as it was.
    unsafe
        Its unsafe cells.
    problem
        The same as arrays.
    hidden
        (n,): cells that are not published.
    values
        (n,): what is published; those of hidden cells must not leave.
    certificate
        The auditor's verdict; None for a method that changes values instead of hiding them, which has ``exposed``.
    method
        The protector with its parameters, in words.
    cost
        What it cost.
    bound
        No safe result of this kind costs less (suppression) or lies nearer (adjustment, rounding).
    has_proof
        Whether the method looked for a bound. Otherwise the bound is what the unsafe cells cost by themselves, and the gap says
        nothing about the result.
    seconds
        Time it took, audit included.
    notes
        What the user should know.
    exposed
        Where values are changed: numbers of the unsafe cells whose published value does not protect them. None when
        nobody looked, which is never safe without a certificate.
    base
        Where all published values are multiples of a base, that base.
    reach
        Where values are changed and the method tells how far at most, that distance; None where it does not.
    seed
        Where values were drawn, the seed; whoever has it can undo them, so it stays inside.
    """

    table: Table = field(repr=False)
    unsafe: Unsafe = field(repr=False)
    problem: Problem = field(repr=False)
    hidden: BoolArray = field(repr=False)
    values: FloatArray = field(repr=False)
    certificate: Certificate | None
    method: str
    cost: float
    bound: float
    has_proof: bool = True
    seconds: float
    notes: tuple[str, ...] = ()
    exposed: tuple[int, ...] | None = None
    base: float | None = None
    reach: float | None = None
    seed: int | None = field(default=None, repr=False)

    @property
    def is_safe(self) -> bool:
        """Whether the auditor found nothing, and the published values protect every unsafe cell.

        A table that was neither audited nor checked is not safe.
        """
        if self.certificate is None:
            return self.exposed is not None and not self.exposed
        return self.certificate.is_safe and not self.exposed

    @property
    def at_risk(self) -> IntArray:
        """The unsafe cells that are not protected, as far as the auditor or the check of the method found them."""
        found = np.array(self.exposed or (), np.int64)
        return found if self.certificate is None else np.union1d(found, self.certificate.at_risk)

    @property
    def verdict(self) -> str:
        """What the auditor found, in words, for the owner's eyes."""
        found = self.certificate
        if found is None:
            sums = "sums hold" if not len(self.table.relations.violated(self.values)) else "sums do not hold"
            if self.exposed is None:
                return f"NOT CHECKED: values are changed instead of hidden; {sums}"
            if self.exposed:
                return f"FAILED: the published values do not protect {len(self.exposed):,} unsafe cells; {sums}"
            return f"values are changed instead of hidden; {sums}"
        if not self.is_safe:
            return f"FAILED: {len(self.at_risk):,} cells at risk"
        return f"passed, for {found.attackers}"

    def as_published(self) -> Protected:
        """Return the same as readers see it: nothing tells which zeros are empty cells, and which values were changed."""
        return replace(self, table=replace(self.table, values=self.values, counts=None))

    @property
    def gap(self) -> float:
        """Largest possible distance to the best safe result, as a share of the cost; worth little without ``has_proof``."""
        return relative_gap(self.cost, self.bound)

    @property
    def secondary(self) -> BoolArray:
        """(n,): cells that are hidden only to protect others."""
        found: BoolArray = self.hidden & ~self.unsafe.cells
        return found

    @cached_property
    def status(self) -> list[str]:
        """For each cell, for the owner's eyes: ``safe``, ``unsafe`` (hidden), ``secondary`` (hidden), ``changed``, ``empty``."""
        words = np.full(len(self.table), "safe", dtype=object)
        words[self.table.is_empty | self.table.is_structural] = "empty"
        words[self.values != self.table.values] = "changed"
        words[self.hidden] = "secondary"
        words[self.hidden & self.unsafe.cells] = "unsafe"
        return list(words)

    @cached_property
    def utility(self) -> TableUtility:
        """What is left of the table, for the owner's eyes: by size of the cells in powers of ten, and for totals.

        It must not be published as a whole. The value of all hidden cells together is one more sum for an attacker, and
        how far values moved takes the protection back that moving them gave.
        """
        totals = np.zeros(len(self.table), bool)
        matrix = self.table.relations.matrix
        totals[matrix.indices[matrix.data < 0]] = True
        largest = float(np.abs(self.table.values).max(initial=0.0))
        top = int(np.floor(np.log10(largest))) if largest > 0 else 0
        return table_utility(
            self.table.values,
            self.values,
            hidden=self.hidden,
            unsafe=self.unsafe.cells,
            totals=totals,
            edges=(0.0, *(10.0**power for power in range(top - 3, top + 1))),
        )

    def explain(self, cell: int) -> str:
        """Say in words why a cell is hidden or published: which rule, or which unsafe cell it protects by which sum.

        The answer names codes of cells and no values; it is for the data owner.
        """
        if not 0 <= cell < len(self.table):
            raise ParameterError(f"explain: 'cell' must be a number from 0 to {len(self.table) - 1}, got {cell}.")
        name = self.table.title(cell)
        if self.unsafe.cells[cell]:
            why = "; ".join(str(danger) for danger in dangers(self.table, self.unsafe, cell))
            return f"{name} is unsafe: {why}."
        if not self.hidden[cell]:
            return f"{name} is published."
        return f"{name} is hidden to protect others. {self._served(cell)}"

    def _served(self, cell: int) -> str:
        """What an attacker would find if this cell were published."""
        from tacita.tables.auditor.audit import audit

        shown = self.hidden.copy()
        shown[cell] = False
        leaks = audit(self.problem, shown).leaks
        if not leaks:
            return "No single cell needs it any more; it could be published."
        parts = []
        for number in dict.fromkeys(leak.cell for leak in leaks):
            leak = next(found for found in leaks if found.cell == number)
            who = "anybody" if leak.seat is None else _who(leak)
            sums = [self.table.relation_title(r) for r in leak.relations[:3]]
            by = " by " + ", and ".join(f"'{title}'" for title in sums) if sums else ""
            parts.append(f"{self.table.title(number)} would be too well known to {who}{by}")
            if len(parts) == 5:
                break
        return "Without it " + "; ".join(parts) + "."

    def _repr_html_(self) -> str:
        shown: str = view("notebook")(self)
        return shown

    def to_plain(self) -> dict[str, Any]:
        """Return a summary ready for JSON, without values of cells."""
        return {
            "method": self.method,
            "rules": list(self.unsafe.rules),
            "cells": len(self.table),
            "relations": len(self.table.relations),
            "unsafe": int(self.unsafe.cells.sum()),
            "secondary": int(self.secondary.sum()),
            "changed": int((self.values != self.table.values).sum()),
            "reach": self.reach,
            "cost": self.cost,
            "bound": self.bound,
            "gap": self.gap if self.has_proof else None,
            "seconds": round(self.seconds, 3),
            "safe": self.is_safe,
            "at_risk": len(self.at_risk),
            "notes": list(self.notes),
        }


def _who(leak: Leak) -> str:
    """Say from where a leak comes, without a name or a value."""
    if leak.known:
        return "a contributor who is alone in a cell"
    return "a contributor who knows what it has in cells" if leak.floors else "a contributor"
