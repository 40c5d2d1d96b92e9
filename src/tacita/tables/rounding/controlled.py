"""Controlled rounding: every cell becomes a multiple of a base, and all sums still hold."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.clock import Clock
from tacita.core.errors import DataError, ParameterError
from tacita.tables.model.relations import Relations
from tacita.tables.protect.pattern import relative_gap
from tacita.tables.rounding.model import RoundingModel
from tacita.tables.rounding.search import RoundingSearch, improve_by_parts, search_rounding

__all__ = ["Rounded", "controlled_rounding"]


FARTHEST = 64
"""Largest number of steps beyond the neighbouring multiples that is tried."""


@dataclass(frozen=True, eq=False)
class Rounded:
    """A rounded table and what is known about it.

    Parameters
    ----------
    values
        (n,): multiples of the base that add up.
    steps
        (n,): steps beyond the two neighbouring multiples, with sign; all 0 in a zero-restricted rounding.
    distance
        Sum of the absolute changes.
    bound
        No rounding of the kind that was looked for is nearer.
    is_restricted
        Whether every cell has one of its two neighbouring multiples, and multiples stayed as they were.
    has_no_restricted
        Whether it is proven that no zero-restricted rounding exists.
    largest_jump
        Largest change of a cell in units of the base; below 1 in a zero-restricted rounding.
    seconds
        Time it took.
    """

    values: FloatArray = field(repr=False)
    steps: IntArray = field(repr=False)
    distance: float
    bound: float
    is_restricted: bool
    has_no_restricted: bool
    largest_jump: float
    seconds: float

    @property
    def gap(self) -> float:
        """Largest possible excess over the nearest rounding, as a share of the distance."""
        return relative_gap(self.distance, self.bound)

    def to_plain(self) -> dict[str, Any]:
        """Return what is known about the rounding ready for JSON, without the values."""
        return {
            "distance": self.distance,
            "bound": self.bound,
            "gap": self.gap,
            "restricted": self.is_restricted,
            "no_restricted_rounding_exists": self.has_no_restricted,
            "cells_beyond": int(np.count_nonzero(self.steps)),
            "largest_jump": self.largest_jump,
            "seconds": round(self.seconds, 3),
        }


def controlled_rounding(
    relations: Relations,
    values: FloatArray,
    *,
    base: float,
    restricted: bool = True,
    lower: FloatArray | None = None,
    upper: FloatArray | None = None,
    time_limit: float | None = None,
    gap: float = 0.0,
) -> Rounded:
    """Round every cell to a multiple of a base so that all relations hold exactly, as near to the values as possible.

    ``min sum |x - a|`` subject to ``A x = 0``, ``lower <= x <= upper`` and x a multiple of the base. A zero-restricted
    rounding gives each cell one of its two neighbouring multiples and leaves multiples as they are.

    Protects against small counts and exact differences: a rounded value stands for all values within a base of it. Does
    not protect against an attacker who also has tables of the same data rounded otherwise: the intervals can be
    intersected.

    Parameters
    ----------
    relations
        A with ``A x = 0``.
    values
        (n,): values; they need not add up exactly themselves.
    base
        Cells become multiples of it.
    restricted
        Look for a zero-restricted rounding first. Without, cells may go one step further where that brings the table
        nearer to the values, and multiples may move.
    lower, upper
        (n,): bounds of the rounded cells; 0 (minus infinity where a value is negative) and infinity by default.
    time_limit
        Seconds after which the best rounding so far is returned; None to go on until it is proven to be the nearest.
    gap
        Stop when the distance is proven to be within this share of the least.

    Returns
    -------
    Rounded
        The rounded values with distance and bound. ``is_restricted`` says whether the cells have neighbouring
        multiples; where none such exists or none was found in time, the fewest steps beyond that work are allowed.

    Raises
    ------
    ParameterError
        When the base is not positive or an array has the wrong length.
    DataError
        When a cell has no multiple between its bounds, or no rounding was found at all.

    Complexity
    ----------
    One linear programme where the relations are a network (two dimensions, one of them nested): seconds for 150 000 cells.
    Otherwise a whole-number programme around the cells that the linear one leaves fractional; in three and more
    dimensions that is most of the table, and the nearest rounding is proven for some thousand cells only.

    Notes
    -----
    In three dimensions a zero-restricted rounding need not exist. Then one step beyond the neighbours is allowed, then
    two, and so on; within that reach the nearest table is looked for. If time ends before any rounding is found, the
    cells that are no totals are rounded and added up, and parts of that are improved while time is left.

    References
    ----------
    Cox, L. H. (1987), A constructive procedure for unbiased controlled rounding, JASA 82, 520-524; Salazar-Gonzalez, J. J.
    (2006), Controlled rounding and cell perturbation, Mathematical Programming 105, 583-603; Causey, B. D., Cox, L. H. and
    Ernst, L. R. (1985), Applications of transportation theory to statistical problems, JASA 80, 903-909 (a table in three
    dimensions without a zero-restricted rounding).

    Examples
    --------
    >>> rows = Relations.of([(0, [1, 2, 3])], 4)
    >>> controlled_rounding(rows, np.array([7.0, 1.0, 2.0, 4.0]), base=5).values.tolist()
    [5.0, 0.0, 0.0, 5.0]
    """
    begin = time.perf_counter()
    model = _model(relations, values, base, lower, upper)
    clock = Clock.of(time_limit)
    reach, impossible, found = 0 if restricted else 1, False, RoundingSearch(None, 0.0)
    while reach <= FARTHEST:
        rest = Clock.of(clock.share(0.6)) if reach == 0 else clock
        found = search_rounding(model, reach, rest, gap=gap)
        if found.steps is not None or clock.left <= 0:
            break
        impossible = impossible or (reach == 0 and found.is_impossible)
        reach = max(1, 2 * reach) if not found.is_impossible or reach > 2 else reach + 1
    if found.steps is None:
        found, reach = _last_resort(model)
    if time_limit is not None:
        improve_by_parts(model, found, reach, clock, gap=gap)
    return _rounded(model, found, impossible, time.perf_counter() - begin)


def _model(
    relations: Relations, values: FloatArray, base: float, lower: FloatArray | None, upper: FloatArray | None
) -> RoundingModel:
    values = np.asarray(values, np.float64)
    if not (np.isfinite(base) and base > 0):
        raise ParameterError(f"Controlled rounding: 'base' must be positive, got {base!r}.")
    if values.shape != (relations.size,) or not np.isfinite(values).all():
        raise ParameterError(
            f"Controlled rounding: 'values' must be one finite number for each of the {relations.size} cells."
        )
    low = np.full(len(values), 0.0 if (values >= 0).all() else -np.inf) if lower is None else np.asarray(lower, float)
    high = np.full(len(values), np.inf) if upper is None else np.asarray(upper, float)
    for name, bound in (("lower", low), ("upper", high)):
        if bound.shape != values.shape:
            raise ParameterError(
                f"Controlled rounding: '{name}' must have one entry for each of the {len(values)} cells."
            )
    return RoundingModel.of(relations, values, float(base), low, high)


def _last_resort(model: RoundingModel) -> tuple[RoundingSearch, int]:
    """Round from the bottom up; return the rounding and how far it goes beyond the neighbouring multiples."""
    steps = model.summed()
    if steps is None:
        raise DataError(
            "Controlled rounding: no additive rounding was found; allow more time, widen 'lower' and 'upper', or take "
            "another base."
        )
    found = RoundingSearch(steps, model.least_distance)
    return found, int(np.abs(model.beyond(steps)).max(initial=0))


def _rounded(model: RoundingModel, found: RoundingSearch, impossible: bool, seconds: float) -> Rounded:
    if found.steps is None or not model.is_additive(found.steps):
        raise DataError(
            "Controlled rounding: the sums of the rounded table are too large to be exact; scale the values."
        )
    beyond = model.beyond(found.steps)
    moved = np.abs(found.steps - model.floor - model.part)
    distance = model.distance(found.steps)
    return Rounded(
        values=found.steps * model.base + 0.0,
        steps=beyond.astype(np.int64),
        distance=distance,
        bound=min(found.bound, distance),
        is_restricted=not beyond.any(),
        has_no_restricted=impossible,
        largest_jump=float(moved.max(initial=0.0)),
        seconds=seconds,
    )
