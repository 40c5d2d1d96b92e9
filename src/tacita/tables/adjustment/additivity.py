"""Additivity repair: the nearest table whose sums hold, after noise or rounding broke them."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.clock import Clock
from tacita.core.errors import DataError, ParameterError
from tacita.solve import solve
from tacita.solve.nearest_table import nearest_in_squares
from tacita.tables.model.relations import Relations
from tacita.tables.rounding.model import RoundingModel
from tacita.tables.rounding.search import improve_by_parts, search_rounding

__all__ = ["Norm", "restore_additivity"]


Norm = Literal["l1", "l2"]
"""l1: the weighted sum of absolute changes; l2: the weighted sum of squared changes."""

FAR = 2**31
"""Steps that a whole number may move: as many as it takes."""
LONGEST = 3000.0
"""Seconds for one linear model; a limit keeps the solver's search for dependent equations short."""


def restore_additivity(
    relations: Relations,
    values: FloatArray,
    *,
    lower: FloatArray | None = None,
    upper: FloatArray | None = None,
    weights: FloatArray | None = None,
    norm: Norm = "l1",
    integer: bool = False,
    fixed: BoolArray | None = None,
    time_limit: float | None = 60.0,
) -> FloatArray:
    """Change a table as little as possible so that all its sums hold.

    ``min sum w |x - a|`` (l1) or ``min sum w (x - a)^2`` (l2) subject to ``A x = 0`` and ``lower <= x <= upper``: tabular
    adjustment without unsafe cells.

    Parameters
    ----------
    relations
        A with ``A x = 0``.
    values
        (n,): values that do not add up.
    lower, upper
        (n,): bounds of the repaired cells; 0 (minus infinity where a value is negative) and infinity by default.
    weights
        (n,): what a unit of change costs in each cell, positive; 1 by default.
    norm
        ``"l1"`` changes few cells, ``"l2"`` spreads the changes.
    integer
        Whether the repaired values must be whole numbers. With l2, the nearest table is found first and then rounded to
        neighbouring whole numbers, or a little beyond where these do not add up.
    fixed
        (n,): cells that must stay as they are.
    time_limit
        Seconds after which the best whole table so far is returned, for ``integer`` only; None to go on until it is
        proven to be the nearest.

    Returns
    -------
    ndarray
        (n,): values that add up.

    Raises
    ------
    ParameterError
        When an array has the wrong length or a weight is not positive.
    DataError
        When no table meets the relations, the bounds and the fixed cells; or none was found in time.

    Complexity
    ----------
    l1: one linear programme. l2: some dozen factorisations of ``A D A'``. Whole numbers: as controlled rounding.

    Notes
    -----
    l2 is unique; with l1 several tables may be equally near. Where the relations are a network (two dimensions, one of
    them nested) and the values are whole, l1 gives whole numbers by itself.

    References
    ----------
    Castro, J. (2006), Minimum-distance controlled perturbation methods for large-scale tabular data protection, European
    Journal of Operational Research 171, 39-52.

    Examples
    --------
    >>> rows = Relations.of([(0, [1, 2])], 3)
    >>> restore_additivity(rows, np.array([9.0, 4.0, 2.0]), norm="l2")
    array([8., 5., 3.])
    """
    values, low, high, weight = _checked(relations, values, lower, upper, weights, fixed)
    if norm not in get_args(Norm):
        raise ParameterError(f"restore_additivity: 'norm' must be 'l1' or 'l2', got {norm!r}.")
    found: FloatArray | None
    if integer and norm == "l1":
        found = _whole(relations, values, low, high, weight, time_limit, reach=FAR)
    elif norm == "l1":
        found = _linear(relations.matrix, values, low, high, weight)
    else:
        found = _squares(relations.matrix, values, low, high, weight)
        if integer and found is not None:
            near = np.clip(found, np.ceil(low), np.floor(high))
            found = _whole(relations, near, low, high, weight, time_limit, reach=0)
            found = _whole(relations, near, low, high, weight, time_limit, reach=FAR) if found is None else found
    if found is None:
        raise DataError(
            "restore_additivity: no table was found that meets the relations within 'lower' and 'upper' with the 'fixed' "
            "cells as they are; widen the bounds or free cells."
        )
    return found


def _checked(
    relations: Relations,
    values: FloatArray,
    lower: FloatArray | None,
    upper: FloatArray | None,
    weights: FloatArray | None,
    fixed: BoolArray | None,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    n = relations.size
    values = np.asarray(values, np.float64)
    if values.shape != (n,) or not np.isfinite(values).all():
        raise ParameterError(f"restore_additivity: 'values' must be one finite number for each of the {n} cells.")
    low = np.full(n, 0.0 if (values >= 0).all() else -np.inf) if lower is None else np.array(lower, np.float64)
    high = np.full(n, np.inf) if upper is None else np.array(upper, np.float64)
    weight = np.ones(n) if weights is None else np.asarray(weights, np.float64)
    hold = np.zeros(n, bool) if fixed is None else np.asarray(fixed, bool)
    for name, array in (("lower", low), ("upper", high), ("weights", weight), ("fixed", hold)):
        if array.shape != (n,):
            raise ParameterError(f"restore_additivity: '{name}' must have one entry for each of the {n} cells.")
    if not (np.isfinite(weight).all() and (weight > 0).all()):
        raise ParameterError("restore_additivity: 'weights' must be positive and finite.")
    low[hold] = high[hold] = values[hold]
    crossed = np.flatnonzero(low > high)
    if len(crossed):
        raise ParameterError(
            f"restore_additivity: 'lower' is above 'upper' in {len(crossed)} cells.",
            details={"cells": crossed.tolist()},
        )
    return values, low, high, weight


def _linear(rows: Any, values: FloatArray, low: FloatArray, high: FloatArray, weight: FloatArray) -> FloatArray | None:
    """Return the nearest table in absolute changes: x = a + p - q."""
    import scipy.sparse as sp

    inside = np.clip(values, low, high)  # a value beyond its bound has that way to go in any case
    sides = -(rows @ inside)
    up, down = high - inside, inside - low
    # Going back towards a value beyond the bound is not possible, so the cost of a change is its size on both sides.
    answer = solve(
        np.concatenate([weight, weight]),
        sp.hstack([rows, -rows]).tocsr(),
        sides,
        sides,
        np.zeros(2 * len(values)),
        np.concatenate([up, down]),
        time_limit=LONGEST,
    )
    if answer.status != "optimal":
        return None
    n = len(values)
    return np.asarray(np.clip(inside + answer.values[:n] - answer.values[n:], low, high))


def _squares(rows: Any, values: FloatArray, low: FloatArray, high: FloatArray, weight: FloatArray) -> FloatArray | None:
    moves = nearest_in_squares(rows, -(rows @ values), np.zeros(len(values)), weight, low - values, high - values)
    return None if moves is None else np.clip(values + moves, low, high)


def _whole(
    relations: Relations,
    values: FloatArray,
    low: FloatArray,
    high: FloatArray,
    weight: FloatArray,
    time_limit: float | None,
    *,
    reach: int,
) -> FloatArray | None:
    clock = Clock.of(time_limit)
    model = RoundingModel.of(relations, values, 1.0, low, high, weight)
    found = search_rounding(model, reach, clock)
    if time_limit is not None:
        improve_by_parts(model, found, reach, clock)
    return found.steps
