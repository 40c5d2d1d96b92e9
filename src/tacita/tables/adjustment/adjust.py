"""Adjustment as a protector: values are changed a little, so that every unsafe cell leaves its protection interval."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import TacitaError
from tacita.core.parameters import Interval
from tacita.core.traits import ProtectorTraits
from tacita.tables.model.relations import unit_of
from tacita.tables.model.table import Table
from tacita.tables.protect.problem import Problem
from tacita.tables.protect.protected import Protected
from tacita.tables.protect.protector import Protector, make_problem
from tacita.tables.rules.unsafe import Unsafe

__all__ = ["Adjust"]


@dataclass(frozen=True, kw_only=True)
class Adjust(Protector):
    """Publish the nearest table that adds up and in which every unsafe cell lies outside its protection interval.

    Every cell is published, none with a promise that it is exact. An unsafe cell goes down by its lower level or up by its
    upper one, or further; the others move as little as the sums allow. Changes are weighed by one over the value, so
    that a large cell may move by more than a small one. Locked cells stay.

    Protects against recalculation: nothing is hidden, and the sums hold for the changed values. Does not protect against
    readers who know how far values were moved, nor against averages over several adjusted tables of the same data. It is
    checked against readers: what contributors find who know their own amounts is not looked at.

    Parameters
    ----------
    norm
        How distances are measured: ``l1`` sums them, ``l2`` sums their squares.
    method
        ``exact`` proves the best directions, or says how far it may be from them; ``heuristic`` fixes directions first.
    time_limit
        Seconds after which the best table found is taken.
    gap
        For ``exact``: stop when the distance is proven to be within this share of the nearest.

    Returns
    -------
    Protected
        The table with its new values, the distance and its proven bound; nothing is hidden.

    Raises
    ------
    DataError
        When the table is not additive, or bounds and locked cells leave an unsafe cell nowhere to go.
    TacitaError
        When the adjusted table does not keep what is promised; no such table is returned.

    Complexity
    ----------
    One linear programme in O(n) variables for given directions; finding the best directions is hard in the worst case and
    grows exponentially with the unsafe cells.

    Notes
    -----
    Levels below a thousandth of the value would leave a cell next to where it was; rules ask for at least that much. A side
    whose level is 0 is no way out, so a zero goes up. A cell with no level on either side leaves by its sliding level, which
    is not looked at otherwise. Before the table is returned, its levels, sums, bounds and locked cells are checked.

    References
    ----------
    Dandekar, R. and Cox, L. (2002), Synthetic tabular data; Castro, J. (2006), Minimum-distance controlled perturbation
    methods for large-scale tabular data protection, European Journal of Operational Research 171, 39-52.

    Examples
    --------
    >>> Adjust(norm="l2").to_plain()
    {'norm': 'l2'}
    """

    name = "adjust"
    faces = ("bounded_noise",)
    traits = ProtectorTraits(safe_for_outsiders=True, additive=True, leaves_safe_tables=True)
    norm: Literal["l1", "l2"] = "l1"
    method: Literal["exact", "heuristic"] = "exact"
    time_limit: Annotated[float, Interval(0)] | None = 60.0
    gap: Annotated[float, Interval(0, 1)] = 0.01

    def protect(self, table: Table, unsafe: Unsafe) -> Protected:
        """Return the table with its new values."""
        from tacita.tables.adjustment.tabular_adjustment import tabular_adjustment

        begin = time.perf_counter()
        problem = _with_levels(make_problem(table, unsafe, seats="none", hide_empty=True))
        weights = 1.0 / np.maximum(np.abs(table.values), 1.0)
        found = tabular_adjustment(
            problem, norm=self.norm, method=self.method, weights=weights, time_limit=self.time_limit, gap=self.gap
        )
        _check(problem, found.values)
        return self.result(
            table,
            unsafe,
            problem,
            begin=begin,
            values=found.values,
            cost=found.distance,
            bound=found.bound,
            notes=(
                f"{found.changed} of {len(table)} cells are changed; {int(found.up.sum())} unsafe cells were raised.",
            ),
            exposed=(),
        )


def _with_levels(problem: Problem) -> Problem:
    """Let a cell without levels on either side, such as a zero, leave by the width that it must not be found within."""
    bare = problem.unsafe & (problem.below == 0) & (problem.above == 0)
    if not bare.any():
        return problem
    room_down, room_up = problem.values - problem.lower, problem.upper - problem.values
    return replace(
        problem,
        below=np.where(bare, np.minimum(problem.sliding, room_down), problem.below),
        above=np.where(bare, np.minimum(problem.sliding, room_up), problem.above),
    )


def _check(problem: Problem, values: FloatArray) -> None:
    """Hold the adjusted values against what the method promises: levels, sums, bounds and locked cells."""
    slack = 1e-6 * np.maximum(unit_of(problem.values), np.abs(problem.values))
    moved = values - problem.values
    # No slack may be as wide as a level, or standing still would do.
    up = (problem.above > 0) & (moved >= problem.above - np.minimum(slack, 0.01 * problem.above))
    down = (problem.below > 0) & (-moved >= problem.below - np.minimum(slack, 0.01 * problem.below))
    faults = {
        "unsafe cells are still within their protection intervals": problem.unsafe & ~up & ~down,
        "cells are outside their bounds": (values < problem.lower - slack) | (values > problem.upper + slack),
        "locked cells are changed": problem.locked & (moved != 0),
    }
    wrong = [f"{int(cells.sum())} {what}" for what, cells in faults.items() if cells.any()]
    off = problem.relations.violated(values)
    wrong += [f"{len(off)} sums do not hold"] if len(off) else []
    if wrong:
        raise TacitaError(
            f"Adjust: {', '.join(wrong)}; this is a fault of the method. Nothing was published.",
            details={
                "cells": np.flatnonzero(np.any(list(faults.values()), axis=0)).tolist(),
                "relations": off.tolist(),
            },
        )
