"""Fast secondary suppression: a safe and cheap pattern for tables of any size and shape."""

from __future__ import annotations

import time

import numpy as np

from tacita.core.arrays import BoolArray
from tacita.core.errors import ParameterError
from tacita.tables.auditor.audit import audit
from tacita.tables.protect.infeasible import InfeasibleError
from tacita.tables.protect.pattern import Pattern
from tacita.tables.protect.problem import Problem
from tacita.tables.suppression.fast.move_search import FEW_STEPS, TRIAL_STEPS, Search
from tacita.tables.suppression.good_pattern import good_pattern
from tacita.tables.suppression.smaller_problem import SmallerProblem

__all__ = ["fast_suppression", "repair"]

_SPARSE = 0.6
"""A table of which less than this share is left is sparse: of its many trials few succeed."""


def fast_suppression(
    problem: Problem,
    *,
    time_limit: float | None = None,
    seed: int = 0,
    effort: float = 1.0,
    accepts_leaks: bool = False,
) -> Pattern:
    """Find a safe pattern, each unsafe cell by its cheapest move, and make it cheaper.

    What is hidden for a cell k that must be able to move by L comes from a move d:

        min sum_j cost_j |d_j| / min(L, room_j)   s.t.  A d = 0,  d_k = L,  lower <= a + d <= upper

    where cells that are hidden already cost nothing. Cells with ``d_j`` not 0 are hidden, the largest levels first. An
    move that keeps what a seat knows protects from that seat too, and need only be followed as far as is asked
    from there; where a seat sees through all of them, one more is looked for that it does not. Then cells are
    published again: one by one where others can stand in for less, and a few at a time by annealing.

    Protects against outsiders and all seats, which is proven by the moves that are kept for every level. Does
    not protect against attackers who know more, such as two contributors who share what they know.

    Parameters
    ----------
    problem
        Table, levels, costs and seats; tables of any dimension, hierarchical or linked.
    time_limit
        Seconds after which the best pattern so far is returned. The pattern is made safe first, however long that takes.
    seed
        Of the annealing. The same seed gives the same pattern unless time ran out.
    effort
        Work to spend on a cheaper pattern: 0 for none beyond the publishing of single cells, 10 for ten times as much as
        usual.
    accepts_leaks
        Whether to go on without the levels that no pattern can reach: those cells are hidden, and the auditor will name
        them. Otherwise they are an error.

    Returns
    -------
    Pattern
        Safe; its bound is the cost of the unsafe cells alone.

    Raises
    ------
    InfeasibleError
        When levels are out of reach even with everything hidden.

    Complexity
    ----------
    About 30 microseconds for a level in a table of two dimensions and ten times that in three, whatever the size of the
    table: the linear programmes look only at the relations that they must repair. Memory O(entries of the relations +
    levels).

    Notes
    -----
    The search works on a smaller problem, without cells that cannot be hidden and with one cell for a total and its only part;
    see :mod:`tacita.tables.suppression.smaller_problem`. Where that leaves less than 60 % of the cells, as in deep tables of
    few contributors, the smallest levels are met first, trials to do without a cell are given up earlier, and there is no
    annealing, unless more than the usual effort is asked for: patterns of such tables are half a percent dearer for it.
    The linear charge of a fixed cost is corrected by use once or twice (a cell that moves by a tenth of the level is
    charged ten times as much). A sliding level is asked for on both sides, in several ways; see
    :func:`tacita.tables.suppression.good_pattern.good_pattern`.
    An interrupt during the improvement returns the best pattern so far.

    References
    ----------
    Kelly, J. P., Golden, B. L., Assad, A. A. (1992), Cell suppression: disclosure protection for sensitive tabular data,
    Networks 22, 397-417: one programme for each cell. Fischetti, M. and Salazar, J. J. (2001), Management Science 47(7),
    1008-1027: the heuristic of section 5 and the attacker's problems.

    Examples
    --------
    >>> from tacita.tables.model.relations import Relations
    >>> rows = Relations.of([(0, [1, 2]), (3, [4, 5]), (6, [7, 8]), (6, [0, 3]), (7, [1, 4]), (8, [2, 5])], 9)
    >>> values = np.array([30.0, 10.0, 20.0, 70.0, 30.0, 40.0, 100.0, 40.0, 60.0])
    >>> cell = np.arange(9) == 1
    >>> zero, level = np.zeros(9), np.where(cell, 2.0, 0.0)
    >>> table = Problem(rows, values, zero, np.full(9, np.inf), cell, level, level, zero, values, np.zeros(9, bool))
    >>> np.flatnonzero(fast_suppression(table).hidden).tolist()
    [1, 2, 4, 5]
    """
    begin = time.perf_counter()
    if time_limit is not None and not time_limit >= 0:
        raise ParameterError(f"fast_suppression: 'time_limit' must not be negative, got {time_limit}.")
    if not effort >= 0:
        raise ParameterError(f"fast_suppression: 'effort' must not be negative, got {effort}.")
    problem.check()
    until = np.inf if time_limit is None else begin + time_limit
    smaller = SmallerProblem.of(problem)
    try:
        hidden = smaller.back(_searched(smaller, until, effort, seed, accepts_leaks))
    except InfeasibleError as error:
        raise smaller.lifted(error) from None
    return Pattern.of(problem, hidden, seconds=time.perf_counter() - begin)


def _searched(smaller: SmallerProblem, until: float, effort: float, seed: int, accepts_leaks: bool) -> BoolArray:
    """Find a pattern of the smaller problem."""
    problem = smaller.problem
    if not problem.unsafe.any():
        return problem.unsafe
    is_brief = problem.size < _SPARSE * smaller.original.size and effort <= 1
    found = good_pattern(
        problem,
        until=until,
        effort=effort,
        seed=seed,
        accepts_leaks=accepts_leaks,
        trial_steps=FEW_STEPS if is_brief else TRIAL_STEPS,
        anneals=not is_brief,
    )
    if effort == 0 or found.is_proven:
        return found.hidden
    # proofs from scratch: what annealing met on its way was safe by proofs that are gone
    proven = Search(problem, found.hidden, keeps=True, accepts_leaks=accepts_leaks, seed=seed, upwards=found.upwards)
    proven.cover()
    return proven.hidden


def repair(problem: Problem, hidden: BoolArray, *, accepts_leaks: bool = False) -> BoolArray:
    """Add cells to any pattern until it is safe from outsiders and seats.

    Parameters
    ----------
    problem
        Table, levels, costs and seats.
    hidden
        (n,): a pattern, from whatever protector or tool; the unsafe cells are added in any case.
    accepts_leaks
        Whether to go on without the levels that no pattern can reach; otherwise they are an error.

    Returns
    -------
    hidden
        (n,): the pattern and what it lacked; the pattern itself where it is safe. No added cell can be left out alone.

    Raises
    ------
    InfeasibleError
        When levels are out of reach even with everything hidden.
    """
    if hidden.shape != (problem.size,):
        raise ParameterError(f"repair: 'hidden' must have one entry for each of the {problem.size} cells.")
    problem.check()
    start = np.asarray(hidden, bool) | problem.unsafe
    slides = problem.unsafe & (problem.sliding > problem.below + problem.above)
    if (
        slides.any() and audit(problem, start).is_safe
    ):  # the search asks for the width of an interval on a side of its own
        return start
    smaller = SmallerProblem.of(problem)
    search = Search(smaller.problem, smaller.forth(start), keeps=True, accepts_leaks=accepts_leaks)
    try:
        search.cover()
    except InfeasibleError as error:
        raise smaller.lifted(error) from None
    search.thin(exchanges=False)
    return start | smaller.back(search.hidden)
