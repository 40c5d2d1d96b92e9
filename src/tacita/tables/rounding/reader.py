"""What a reader of a rounded table knows: an interval for every cell, from the base, the kind of rounding and the sums."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.solve.narrowed_sums import narrowed_by_sums
from tacita.tables.model.relations import unit_of
from tacita.tables.protect.problem import Problem

__all__ = ["exposed_by_rounding", "rounding_intervals"]


def rounding_intervals(
    problem: Problem, published: FloatArray, *, base: float, is_nearest: bool = False, steps: int = 0
) -> tuple[FloatArray, FloatArray]:
    """Return the interval in which a reader of a rounded table knows each value to lie, ends included.

    A value that was rounded to one of its two neighbouring multiples is less than a base away from what is published; one that
    was rounded to the nearest is at most half a base away. What everybody knows beforehand and the sums of the true
    values, which hold whether or not those of the rounded ones do, narrow it further.

    Parameters
    ----------
    problem
        Relations and bounds; values are not looked at.
    published
        (n,): the rounded values.
    base
        The base.
    is_nearest
        Whether every value went to the nearest multiple.
    steps
        How many multiples beyond the neighbouring ones a value may have gone.

    Notes
    -----
    Sums are used one by one, again and again until nothing changes: total from parts, part from total and the other
    parts. Several sums at once could say more in rare cases.

    Complexity: O(m) for m entries of the relations, times a few sweeps.

    Examples
    --------
    >>> from tacita.tables.model.relations import Relations
    >>> none, all_, no = np.zeros(3), np.full(3, np.inf), np.zeros(3, bool)
    >>> problem = Problem(Relations.of([(0, [1, 2])], 3), none, none, all_, no, none, none, none, np.ones(3), no)
    >>> low, high = rounding_intervals(problem, np.array([5.0, 0.0, 0.0]), base=5, is_nearest=True)
    >>> low.tolist(), high.tolist()
    ([2.5, 0.0, 0.0], [5.0, 2.5, 2.5])
    """
    away = base / 2 if is_nearest else base * (1 + steps)
    low, high = np.maximum(published - away, problem.lower), np.minimum(published + away, problem.upper)
    sums = problem.relations
    return narrowed_by_sums(sums.start, sums.cells, sums.signs, low, high, change=1e-9 * base)


def exposed_by_rounding(
    problem: Problem,
    published: FloatArray,
    is_whole: BoolArray,
    *,
    base: float,
    is_nearest: bool = False,
    steps: int = 0,
) -> IntArray:
    """Return the unsafe cells that a reader of the rounded table knows too well.

    Parameters
    ----------
    problem
        True values, relations, bounds, and the unsafe cells with their levels.
    published
        (n,): the rounded values.
    is_whole
        (n,): cells that readers know to be whole numbers.
    base, is_nearest, steps
        As in :func:`rounding_intervals`.

    Notes
    -----
    A level is met by an end of the interval, also where the end itself is just out of reach: a count between 0 and 5 that
    is neither counts as protected from 0 to 5. The width of the interval of a whole number is that between the
    smallest and the largest whole number in it, ends left out: with base 1 it is 0, which no unsafe cell may have.
    """
    low, high = rounding_intervals(problem, published, base=base, is_nearest=is_nearest, steps=steps)
    slack = 1e-6 * np.maximum(unit_of(problem.values), np.abs(problem.values))
    inner = 1e-6 * base
    # An end belongs to the interval where it is a bound that everybody knows, or a half that was rounded away from zero.
    away = base / 2 if is_nearest else base * (1 + steps)
    left, right = published - away, published + away
    has_low = (low <= problem.lower) & (left < low - inner)
    has_high = (high >= problem.upper) & (right > high + inner)
    if is_nearest:
        has_low |= (published > 0) & (np.abs(left - low) <= inner)
        has_high |= (published < 0) & (np.abs(right - high) <= inner)
    first = np.where(has_low, np.ceil(low - inner), np.floor(low + inner) + 1.0)
    last = np.where(has_high, np.floor(high + inner), np.ceil(high - inner) - 1.0)
    width = np.where(is_whole, np.maximum(last - first, 0.0), high - low)
    is_met = (low <= problem.values - problem.below + slack) & (high >= problem.values + problem.above - slack)
    is_met &= (width >= problem.sliding * (1 - 1e-6)) & (width > 0)
    return np.flatnonzero(problem.unsafe & ~is_met).astype(np.int64)
