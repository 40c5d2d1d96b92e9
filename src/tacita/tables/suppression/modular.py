"""Modular suppression (HiTaS): a hierarchical table is protected subtable by subtable, from the top down."""

from __future__ import annotations

import heapq
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from tacita.core.arrays import BoolArray
from tacita.core.errors import ParameterError, TacitaWarning
from tacita.core.progress import task
from tacita.tables.model.table import Table
from tacita.tables.protect.infeasible import InfeasibleError
from tacita.tables.protect.pattern import Pattern
from tacita.tables.protect.problem import Problem
from tacita.tables.suppression.engine import Asked, Engine
from tacita.tables.suppression.fast.clean_up import clean_up
from tacita.tables.suppression.fast.fast import fast_suppression, repair
from tacita.tables.suppression.subtables import Subtable, part_of, subtables

__all__ = ["Inner", "Modular", "modular_suppression"]


Inner: TypeAlias = Callable[[Problem], Pattern]
"""Protects one subtable."""

SLIDING = 1e-4
"""A cell that another subtable hid must stay uncertain by this share of its value: enough not to be recomputed."""


def _quick(problem: Problem) -> Pattern:
    return fast_suppression(problem, accepts_leaks=True)


def modular_suppression(
    table: Table,
    problem: Problem,
    *,
    inner: Inner | None = None,
    time_limit: float | None = None,
    accepts_leaks: bool = False,
) -> Pattern:
    """Protect one subtable after another, top first, until none has to be touched again; then make the whole safe.

    A subtable is one sum of every dimension, crossed. Cells that an earlier subtable hid enter a later one as cells
    that must not be recomputed; an unsafe cell enters with its levels. When a margin is hidden in a lower table, the
    tables above that hold it are looked at again.

    Protects, after the last step, against outsiders and all seats. The subtables alone do not protect the whole table:
    an attacker combines relations of several, and a published table that was protected this way had up to 5.5 % of its
    sensitive cells at risk under a full audit. Therefore the pattern is completed over the whole table, and hidden cells
    that this makes needless are published.

    Parameters
    ----------
    table
        The table, for its dimensions.
    problem
        Levels, costs and seats of its cells.
    inner
        Protects one subtable; None for the fast suppression. What it reports as infeasible is left
        to the other subtables and to the last step.
    time_limit
        Seconds after which the subtables that are left are skipped; the last step is always taken.
    accepts_leaks
        Whether to go on without the levels that no pattern can reach; otherwise they are an error.

    Returns
    -------
    Pattern
        Safe; its bound is the cost of the unsafe cells alone.

    Raises
    ------
    InfeasibleError
        When levels are out of reach even with everything hidden.
    ParameterError
        When table and problem have different numbers of cells, or the time limit is negative.

    Complexity
    ----------
    The number of subtables times the work of ``inner``, a few times over; hidden cells only grow, so it ends.

    Notes
    -----
    de Wolf orders tables by the sum of the levels of their dimensions; tables of the same level go in the order of the
    codes. He goes back by starting anew at the table above; here only tables that hold a newly hidden cell are redone.
    An interrupt skips the subtables that are left; the last step is taken all the same.

    References
    ----------
    de Wolf, P. P. (2002), HiTaS: a heuristic approach to cell suppression in hierarchical tables, Inference Control in
    Statistical Databases, LNCS 2316, 74-82.
    """
    begin = time.perf_counter()
    if len(table) != problem.size:
        raise ParameterError(f"modular_suppression: the table has {len(table)} cells, the problem {problem.size}.")
    if time_limit is not None and not time_limit >= 0:
        raise ParameterError(f"modular_suppression: 'time_limit' must not be negative, got {time_limit}.")
    problem.check()
    until = np.inf if time_limit is None else begin + time_limit
    hidden = _by_subtables(subtables(table), problem, inner or _quick, until)
    try:
        hidden = clean_up(problem, hidden, accepts_leaks=accepts_leaks)
    except KeyboardInterrupt:  # without the search for cheaper cells
        hidden = repair(problem, hidden, accepts_leaks=accepts_leaks)
    return Pattern.of(problem, hidden, seconds=time.perf_counter() - begin)


@dataclass(frozen=True, kw_only=True)
class Modular(Engine, name="modular"):
    """Goes through the subtables of a hierarchy, from the top down."""

    def find(self, asked: Asked) -> Pattern:
        """Return the pattern of :func:`modular_suppression`."""
        return modular_suppression(
            asked.table, asked.problem, time_limit=asked.time_limit, accepts_leaks=asked.accepts_leaks
        )


def _by_subtables(tables: list[Subtable], problem: Problem, inner: Inner, until: float) -> BoolArray:
    """Protect subtables from the top down, going back up when one hides a margin of another."""
    hidden = problem.unsafe.copy()
    cells = [subtable.cells for subtable in tables]
    parts = [part_of(problem, chosen) for chosen in cells]
    holders: list[list[int]] = [[] for _ in range(problem.size)]
    for place, chosen in enumerate(cells):
        for cell in chosen.tolist():
            holders[cell].append(place)
    waiting = [(subtable.depth, place) for place, subtable in enumerate(tables)]
    heapq.heapify(waiting)
    is_waiting = np.ones(len(tables), bool)
    begin = time.perf_counter()
    try:
        with task("Protecting subtables", len(tables)) as running:
            while waiting and time.perf_counter() < until:
                _, place = heapq.heappop(waiting)
                is_waiting[place] = False
                running.advance(note=f"{len(waiting)} left, {time.perf_counter() - begin:.0f} s")
                if not hidden[cells[place]].any():
                    continue
                found = _protect(parts[place], hidden[cells[place]], inner)
                for cell in cells[place][found & ~hidden[cells[place]]].tolist():
                    hidden[cell] = True
                    for other in holders[cell]:
                        if other != place and not is_waiting[other]:
                            is_waiting[other] = True
                            heapq.heappush(waiting, (tables[other].depth, other))
    except KeyboardInterrupt:  # any pattern can be completed over the whole table
        warnings.warn(
            f"modular_suppression: the interrupt left out {len(waiting)} subtables; the pattern is completed over the "
            "whole table.",
            TacitaWarning,
            stacklevel=4,
        )
    return hidden


def _protect(part: Problem, hidden: BoolArray, inner: Inner) -> BoolArray:
    """Protect one subtable; cells that it cannot protect by itself are left to others."""
    size = np.maximum(1.0, np.abs(part.values))
    guarded = hidden & part.can_hide
    asked = replace(
        part,
        unsafe=guarded,
        below=np.where(part.unsafe, part.below, 0.0),
        above=np.where(part.unsafe, part.above, 0.0),
        sliding=np.where(part.unsafe, part.sliding, np.where(guarded, SLIDING * size, 0.0)),
    )
    while asked.unsafe.any():
        try:
            return inner(asked).hidden | hidden
        except InfeasibleError as error:
            unsafe = asked.unsafe.copy()
            unsafe[list(error.cells)] = False
            if not error.cells:
                break
            asked = replace(asked, unsafe=unsafe)
    return hidden
