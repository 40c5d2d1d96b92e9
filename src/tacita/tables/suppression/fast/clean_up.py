"""Clean-up: hidden cells that protect nobody are published again."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import BoolArray
from tacita.core.errors import ParameterError
from tacita.tables.protect.infeasible import InfeasibleError
from tacita.tables.protect.problem import Problem
from tacita.tables.suppression.fast.move_search import Search
from tacita.tables.suppression.smaller_problem import SmallerProblem

__all__ = ["clean_up"]


def clean_up(problem: Problem, hidden: BoolArray, *, accepts_leaks: bool = False) -> BoolArray:
    """Publish what a pattern hides in vain, the dearest first, or hide cheaper cells instead.

    Every level has moves that prove it. A hidden cell is tried without: the levels whose proofs use it look
    for others, over hidden cells first and over published ones when that costs less than the cell. A total and its only part
    are tried together, and cells that cannot move not at all (:mod:`tacita.tables.suppression.smaller_problem`).

    Parameters
    ----------
    problem
        Table, levels, costs and seats.
    hidden
        (n,): a pattern, from whatever protector or tool. One that is not safe is made safe first.
    accepts_leaks
        Whether to go on without the levels that no pattern can reach; otherwise they are an error.

    Returns
    -------
    hidden
        (n,): a safe pattern that costs no more than the one that was given, where that was safe. No cell of it can be
        left out alone.

    Raises
    ------
    InfeasibleError
        When levels are out of reach even with everything hidden.

    Complexity
    ----------
    A few linear programmes for each hidden cell, each as small as in
    :func:`~tacita.tables.suppression.fast.fast.fast_suppression`.
    """
    if hidden.shape != (problem.size,):
        raise ParameterError(f"clean_up: 'hidden' must have one entry for each of the {problem.size} cells.")
    problem.check()
    useful = np.asarray(hidden, bool) & problem.can_hide
    smaller = SmallerProblem.of(problem)
    search = Search(smaller.problem, smaller.forth(useful), accepts_leaks=accepts_leaks)
    try:
        search.cover()
    except InfeasibleError as error:
        raise smaller.lifted(error) from None
    search.thin(exchanges=True)
    return smaller.back(search.hidden)
