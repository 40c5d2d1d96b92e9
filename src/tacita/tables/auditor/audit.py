"""The auditor: what every attacker can learn from a suppressed table, proven; it trusts no protector.

A level counts as held only when a move is at hand that was checked against every relation and bound, and
as missed only when relations were found that bound the cell more closely.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import get_args

import numpy as np

from tacita.core.arrays import BoolArray
from tacita.core.errors import ParameterError
from tacita.tables.auditor.attacker import CellAttacker
from tacita.tables.auditor.audit_run import AuditRun
from tacita.tables.auditor.basis import Basis
from tacita.tables.auditor.certificate import Certificate, Leak, attackers_in_words
from tacita.tables.model.seats import Seats, SeatsName
from tacita.tables.protect.problem import Problem

__all__ = ["audit", "infeasible"]


def audit(
    problem: Problem,
    hidden: BoolArray,
    *,
    exact: bool = False,
    integer: bool = False,
    seats: SeatsName = "contributors",
    only: BoolArray | None = None,
) -> Certificate:
    """Prove for the outsider and for every seat that the protection levels hold, or say by which relations they fail.

    The attacker's tables are ``A x = 0`` with ``x = a`` on published cells and ``lower <= x <= upper`` on hidden ones;
    a seat knows the cells that it is alone in, and that no other is smaller than what it has there. See
    :class:`~tacita.tables.protect.problem.Problem` for the levels.

    Parameters
    ----------
    problem
        The table, its bounds, levels and seats.
    hidden
        (n,): hidden cells.
    exact
        Whether the exact interval of every hidden cell is wanted, secondary ones included, and not only the proof of
        the levels.
    integer
        Whether the attacker knows that all cells are whole numbers.
    seats
        From where to look beside outside: from all seats of the problem (``contributors``), from them with no more than the
        cells that each is alone in (``singletons``), or not at all (``none``). The certificate names it.
    only
        (n,): unsafe cells to look at; None for all.

    Returns
    -------
    Certificate
        Its leaks are those of the outsider, then those of the seats. What an outsider finds is not repeated for each
        seat, although every seat finds it too.

    Raises
    ------
    ParameterError
        When ``hidden`` or ``only`` do not fit the table.
    DataError
        When ``integer`` and values or relations are not whole.

    Complexity
    ----------
    In the unsafe cells u about u small linear programmes or fewer, and one for each pair of a seat and an unsafe cell
    whose moves all use what the seat knows. With ``exact`` up to two on the whole block for each hidden
    cell. Memory O(entries of the relations + cells of the moves).

    Notes
    -----
    An unsafe cell that is published misses each of its levels with a share of 0. Levels within
    :meth:`~tacita.tables.protect.problem.Problem.tolerance` count as held.

    References
    ----------
    Fischetti, M. and Salazar, J. J. (2001), Solving the cell suppression problem on tabular data with linear
    constraints, Management Science 47(7), 1008-1027.

    Examples
    --------
    A total of three parts, of which two are hidden: their sum is known, each of them may be 0 up to the sum.

    >>> from tacita.tables.model.relations import Relations
    >>> yes, no, none = np.array([False, True, False, False]), np.zeros(4, bool), np.zeros(4)
    >>> table = Problem(Relations.of([(0, [1, 2, 3])], 4), np.array([9.0, 2, 3, 4]), none, np.full(4, np.inf), yes,
    ...                 none + 1.0, none + 1.0, none, np.ones(4), no)
    >>> audit(table, np.array([False, True, True, False])).is_safe
    True
    >>> alone = audit(table, yes)
    >>> [(leak.cell, leak.side, leak.share, leak.relations) for leak in alone.leaks]
    [(1, 'below', 0.0, (0,)), (1, 'above', 0.0, (0,))]
    """
    begin = time.perf_counter()
    if only is not None and (only.shape != (problem.size,) or only.dtype != np.bool_):
        raise ParameterError(f"audit: 'only' must be one truth value for each of the {problem.size} cells.")
    if seats not in get_args(SeatsName):
        raise ParameterError(f"audit: 'seats' must be one of {', '.join(get_args(SeatsName))}, got {seats!r}.")
    if seats != "contributors":
        problem = replace(problem, seats=problem.seats.singletons() if seats == "singletons" else Seats.nobody())
    attacker = CellAttacker(problem, hidden, integer=integer)
    targets = problem.unsafe if only is None else problem.unsafe & only
    run = AuditRun(attacker)
    leaks = run.from_outside(np.flatnonzero(targets))
    if len(problem.seats):
        from tacita.tables.auditor.seat_audit import leaks_from_seats

        leaks += leaks_from_seats(run, targets, leaks)
    low, high, is_exact = run.intervals(np.flatnonzero(hidden))
    if exact:
        from tacita.tables.auditor.intervals import exact_intervals

        low, high, is_exact = exact_intervals(attacker)
    return Certificate(
        hidden=np.flatnonzero(hidden).astype(np.int64),
        low=low,
        high=high,
        is_exact=is_exact,
        leaks=tuple(leaks),
        seats=problem.seats.count,
        solves=attacker.solves,
        seconds=time.perf_counter() - begin,
        is_integer=integer,
        basis=Basis.of(problem, hidden),
        attackers=attackers_in_words(problem.seats, floor=float(problem.lower[hidden].min()) if hidden.any() else 0.0),
    )


def infeasible(problem: Problem, *, integer: bool = False) -> tuple[Leak, ...]:
    """Return the levels that no pattern can meet, with the relations that force it.

    Everything that can be hidden is hidden; whatever leaks even then leaks from every pattern.
    """
    return audit(problem, problem.can_hide | problem.unsafe, integer=integer).leaks
