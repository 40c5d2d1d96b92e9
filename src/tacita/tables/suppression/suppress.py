"""Cell suppression: unsafe cells are hidden, and others with them, until no attacker comes too close."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np

from tacita.core.arrays import BoolArray
from tacita.core.errors import ParameterError, TacitaError
from tacita.core.method import Parameter
from tacita.core.parameters import Interval
from tacita.core.traits import ProtectorTraits
from tacita.tables.auditor.certificate import Certificate
from tacita.tables.model.seats import SeatsName
from tacita.tables.model.table import Table
from tacita.tables.protect.costs import CostName
from tacita.tables.protect.filled import filled_known
from tacita.tables.protect.infeasible import InfeasibleError
from tacita.tables.protect.pattern import Pattern
from tacita.tables.protect.problem import Problem
from tacita.tables.protect.protected import Protected
from tacita.tables.protect.protector import Protector, make_problem
from tacita.tables.rules.unsafe import Unsafe
from tacita.tables.suppression.engine import Asked, Engine, engines, find_engine
from tacita.tables.suppression.exact.engine import Exact
from tacita.tables.suppression.fast.engine import Effort, Fast
from tacita.tables.suppression.what_follows import without_what_follows

__all__ = ["AUTO", "QUICK", "Suppress"]

AUTO = "auto"
"""The method that chooses an engine by the size of the problem."""

QUICK = 2500
"""Cells that may be hidden times unsafe cells up to which ``exact`` takes seconds, measured on tables of 2 and 3 dimensions."""


@dataclass(frozen=True, kw_only=True)
class Suppress(Protector):
    """Hide the unsafe cells, and as few or as cheap other cells as protect them from recalculation.

    Whoever knows the published cells and all sums between them can compute for every hidden cell an interval in which its
    value must lie. The pattern is chosen so that this interval reaches beyond the protection levels of every unsafe
    cell for an outsider, and far enough for the rule to hold from the place of every contributor and every holding. At the
    end the auditor computes these intervals anew; a pattern that it does not certify is repaired until it does.

    Protects against recalculation from sums, by outsiders and by contributors who know what they have themselves. Does not
    protect against several contributors who act together, nor against other tables of the same data that are not linked
    to this one.

    Parameters
    ----------
    method
        How the pattern is looked for. ``auto`` takes ``exact`` where it is quick, which is when the cells that may be hidden
        times the unsafe ones are 2500 or fewer, else ``fast``.
    cost
        What hiding a cell costs: ``value``, ``log``, ``frequency``, ``unity`` (as few as possible), ``distance`` (near the
        unsafe cell) or ``own`` (the table's cost variable).
    power
        Exponent of a Box-Cox transformation of the costs ``value``, ``frequency`` and ``own``.
    time_limit
        Seconds after which the best safe pattern is taken; the audit comes on top. By default ``fast`` and ``modular``
        take as long as they need, and ``exact`` a minute.
    gap
        For ``exact``, also where ``auto`` takes it: stop when the cost is proven to be within this share of the cheapest.
    effort
        For ``fast``, also where ``auto`` takes it: ``quality`` spends ten times the usual work on a cheaper pattern.
    seats
        Who attacks beside outsiders. ``contributors``: every contributor and holding, with what it has in each of its
        cells. ``singletons``: those who are alone in a cell, with these cells and nothing else, as other tools have it.
        ``none``: outsiders only.
    hide_empty
        Whether cells without contributors may be hidden to protect others. A pattern without them is looked for too, and
        the cheaper one is taken; ``exact`` spends half of its time on each.
    knows_filled
        Whether readers of counts know that no hidden one is 0, as they do where empty cells are never hidden: to them each is 1
        at least. The levels end there, more cells are hidden, and the certificate is about this reader. Not with ``hide_empty``.
    accepts_leaks
        Whether to go on without the levels that no pattern can reach. The table then fails its audit, and its notes name
        the cells and the sums that force it; where ``exact`` and ``hypercube`` find no pattern, ``fast`` takes over.

    Returns
    -------
    Protected
        The table, its hidden cells, the proven bound of the cost, and the certificate.

    Raises
    ------
    DataError
        When the table is not additive, or no pattern protects an unsafe cell and leaks are not accepted; the sums that
        force it are named.

    Complexity
    ----------
    ``exact`` is hard in the worst case: time grows exponentially with the cells. The others solve O(u) linear programmes
    for u unsafe cells, each on a neighbourhood or a subtable; memory grows with the entries of the relations.

    Notes
    -----
    A pattern is found for continuous values; an attacker who knows that a table has whole numbers can be audited with
    ``integer=True``. A cell without contributors is published, so a reader of counts who knows the method knows that what is
    hidden is not 0; ``knows_filled`` is the audit against him. A count of 1 is then protected when it could be 2.

    An interrupt ends the search: the best safe pattern so far is taken, or the pattern so far is completed.

    References
    ----------
    Fischetti, M. and Salazar, J. J. (2001), Solving the cell suppression problem on tabular data with linear constraints,
    Management Science 47, 1008-1026; de Wolf, P. P. (2002), HiTaS: a heuristic approach to cell suppression in
    hierarchical tables; Giessing, S. and Repsilber, D. (2002), Tools and strategies to protect multiple tables with the
    GHQUAR cell suppression engine.

    Examples
    --------
    >>> Suppress(method="exact", cost="unity").to_plain()
    {'method': 'exact', 'cost': 'unity'}
    """

    name = "suppress"
    faces = ("hidden_cells", "table_difference")
    traits = ProtectorTraits(
        hides=True,
        safe_for_outsiders=True,
        safe_for_seats=True,
        additive=True,
        keeps_zeros=True,
        leaves_safe_tables=True,
    )
    method: str = AUTO
    cost: CostName = "value"
    power: float | None = None
    time_limit: Annotated[float, Interval(0)] | None = None
    gap: Annotated[float, Interval(0, 1)] = 0.0
    effort: Effort = "fast"
    seats: SeatsName = "contributors"
    hide_empty: bool = False
    knows_filled: bool = False
    accepts_leaks: bool = False

    @classmethod
    def methods(cls) -> tuple[str, ...]:
        """Return what ``method`` can be: ``auto``, or the name of an engine."""
        return AUTO, *(engine.name for engine in engines())

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return the parameters; ``method`` takes the name of every engine that is registered."""
        told = "; ".join(f"``{engine.name}`` {_clause(engine.summary())}" for engine in engines())
        names: Any = Literal.__getitem__(cls.methods())
        return tuple(
            replace(each, annotation=names, help=f"{each.help} {told}.") if each.name == "method" else each
            for each in super().parameters()
        )

    def check(self) -> None:
        """Refuse an option that the engine does not have, and those that contradict each other."""
        if self.knows_filled and self.hide_empty:
            raise ParameterError(
                "Suppress: 'knows_filled' must not stand with 'hide_empty': where empty cells are hidden, nobody knows that a "
                "hidden cell is not empty."
            )
        chosen = (Exact, Fast) if self.method == AUTO else (find_engine(self.method),)
        own = {name for engine in chosen for name in engine.options()}
        for name, owners in _owners().items():
            if name not in own and name in self.to_plain():
                raise ParameterError(
                    f"Suppress: '{name}' is an option of the method {' or '.join(map(repr, owners))}; "
                    f"'{self.method}' does not have it."
                )

    def protect(self, table: Table, unsafe: Unsafe) -> Protected:
        """Return the table with its pattern and certificate."""
        begin = time.perf_counter()
        if self.knows_filled:
            table, unsafe = filled_known(table, unsafe)
        problem = make_problem(
            table, unsafe, cost=self.cost, power=self.power, seats=self.seats, hide_empty=self.hide_empty
        )
        engine = self._engine(problem)
        try:
            pattern = self._pattern(engine, table, problem)
            hidden, certificate = self._completed(problem, pattern.hidden)
        except InfeasibleError as error:
            raise _in_words(error.cells, error.relations, table, problem) from None
        notes = []
        if not certificate.is_safe and not self.accepts_leaks:
            raise TacitaError(
                f"Suppress: {len(certificate.at_risk)} cells stay at risk after {_REPAIRS} repairs; this is a fault of the "
                "method. Nothing was published.",
                details={"cells": certificate.at_risk.tolist()},
            )
        if not certificate.is_safe:
            sums = dict.fromkeys(relation for leak in certificate.leaks for relation in leak.relations)
            told = _in_words(tuple(certificate.at_risk.tolist()), tuple(sums), table, problem)
            notes.append(f"Leaks were accepted. {told}")
        if more := int((hidden & ~pattern.hidden).sum()):
            notes.append(f"The audit asked for {more} cells more than the method had hidden.")
        return self.result(
            table,
            unsafe,
            problem,
            begin=begin,
            hidden=hidden,
            certificate=certificate,
            method=self.words({"method": engine.name}),
            cost=float(problem.cost[hidden].sum()),
            bound=pattern.bound,
            has_proof=pattern.has_proof,
            notes=tuple(notes),
        )

    def _completed(self, problem: Problem, hidden: BoolArray) -> tuple[BoolArray, Certificate]:
        """Audit a pattern, and repair it until it holds."""
        from tacita.tables.auditor.audit import audit
        from tacita.tables.suppression.fast.fast import repair

        hidden = without_what_follows(problem, hidden)
        certificate = audit(problem, hidden)
        for _ in range(_REPAIRS):
            if certificate.is_safe:
                break
            before, hidden = hidden, repair(problem, hidden, accepts_leaks=self.accepts_leaks)
            if self.accepts_leaks and np.array_equal(before, hidden):
                break
            certificate = audit(problem, hidden)
        return hidden, certificate

    def _engine(self, problem: Problem) -> Engine:
        """Return the engine with its options; ``auto`` looks at the problem, never at the clock."""
        kind = _for(problem) if self.method == AUTO else find_engine(self.method)
        return kind.of({name: getattr(self, name) for name in _owners()})

    def _pattern(self, engine: Engine, table: Table, problem: Problem) -> Pattern:
        """Look for a pattern; where empty cells may be hidden, for one without them too, since more choice can mislead."""
        limit = engine.seconds if self.time_limit is None else self.time_limit
        asked = Asked(table, problem, time_limit=limit, accepts_leaks=self.accepts_leaks)
        empty = table.is_empty & ~problem.unsafe & ~problem.locked
        if not self.hide_empty or not empty.any():
            return _found(engine, asked)
        begin = time.perf_counter()
        shown = replace(problem, locked=problem.locked | empty)
        plain = None
        with suppress(InfeasibleError):
            half = None if limit is None else limit / 2
            plain = _found(engine, replace(asked, problem=shown, time_limit=half, accepts_leaks=False))
        left = None if limit is None else max(limit - (time.perf_counter() - begin), 0.0)
        found = _found(engine, replace(asked, time_limit=left, start=None if plain is None else plain.hidden))
        if plain is None or found.cost <= plain.cost:
            return found
        return replace(plain, bound=min(found.bound, plain.cost), seconds=time.perf_counter() - begin)


def _for(problem: Problem) -> type[Engine]:
    """The engine that ``auto`` takes."""
    return Exact if int(problem.can_hide.sum()) * int(problem.unsafe.sum()) <= QUICK else Fast


def _found(engine: Engine, asked: Asked) -> Pattern:
    """Ask an engine; where it finds no pattern and leaks are accepted, the fast search takes over."""
    try:
        return engine.find(asked)
    except InfeasibleError:
        if not asked.accepts_leaks or isinstance(engine, Fast):
            raise
    return Fast().find(asked)


def _owners() -> dict[str, list[str]]:
    """The options that not every engine has, and the engines that have them; of those that ``Suppress`` can give."""
    found: dict[str, list[str]] = {}
    for engine in engines():
        for name in engine.options():
            if name in Suppress.__dataclass_fields__:
                found.setdefault(name, []).append(engine.name)
    return found


def _clause(sentence: str) -> str:
    """A sentence as a part of another."""
    return sentence[:1].lower() + sentence[1:].rstrip(".")


_REPAIRS = 5
_NAMED = 5


def _in_words(cells: Sequence[int], relations: Sequence[int], table: Table, problem: Problem) -> InfeasibleError:
    """Name the cells that no pattern can protect, and the sums that force it."""
    from tacita.tables.auditor.audit import infeasible

    leaks = infeasible(problem)
    cells = list(dict.fromkeys(leak.cell for leak in leaks)) or cells
    sums = list(dict.fromkeys(r for leak in leaks for r in leak.relations)) or relations
    named = "; ".join(table.title(cell) for cell in cells[:_NAMED]) + (" and more" if len(cells) > _NAMED else "")
    forced = "; ".join(table.relation_title(r) for r in sums[:_NAMED]) + (" and more" if len(sums) > _NAMED else "")
    who = "" if any(leak.seat is None for leak in leaks) else " from the place of a contributor"
    return InfeasibleError(
        f"Suppress: no pattern can protect {len(cells)} unsafe cells{who}, even with everything hidden that may be: {named}. "
        f"What forces it: {forced or 'bounds that everybody knows'}. Merge codes, unlock cells, or lower the levels.",
        cells=cells,
        relations=sums,
    )
