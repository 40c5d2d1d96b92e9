"""Exact secondary suppression: the cheapest pattern that protects every unsafe cell, with a proof of how cheap."""

from __future__ import annotations

import time

import numpy as np

from tacita.core.arrays import BoolArray
from tacita.core.errors import ParameterError
from tacita.core.progress import Task, task
from tacita.tables.protect.infeasible import InfeasibleError
from tacita.tables.protect.pattern import Pattern, relative_gap
from tacita.tables.protect.problem import Problem
from tacita.tables.suppression.exact.block import Block
from tacita.tables.suppression.exact.block_form import cores_of
from tacita.tables.suppression.fast.move_search import Search
from tacita.tables.suppression.good_pattern import good_pattern

__all__ = ["exact_suppression"]


_NEWS = 0.25
_FIRST = 0.25


class _Watch:
    """Tells how the search goes, and passes on that somebody wants it to end."""

    def __init__(self, running: Task) -> None:
        self._running = running
        self._begin = self._last = time.perf_counter()
        self.blocks: list[Block] = []
        self.base = 0.0
        self.is_stopped = False

    def __call__(self) -> bool:
        now = time.perf_counter()
        if now - self._last >= _NEWS and not self.is_stopped:
            cost = self.base + sum(block.cost for block in self.blocks)
            bound = self.base + sum(block.bound for block in self.blocks)
            note = f"gap {relative_gap(cost, bound):.2%}, {now - self._begin:.0f} s"
            try:
                self._running.advance(now - self._last, note=note)
            except KeyboardInterrupt:  # the solver is in between: it must be left in order
                self.is_stopped = True
            self._last = now
        return self.is_stopped


def exact_suppression(
    problem: Problem,
    *,
    start: BoolArray | None = None,
    time_limit: float | None = None,
    gap: float = 0.0,
) -> Pattern:
    """Find the cheapest set of cells to hide so that no attacker gets closer to an unsafe cell than its levels allow.

    With y_i = 1 for a hidden cell, minimise ``sum of cost_i y_i`` subject to y_k = 1 for the unsafe cells and, for each
    level of each unsafe cell and each attacker, the inequalities that the attacker's linear programme gives: for every
    combination w of the relations the cell moves by at most ``sum of c_i y_i`` (see :mod:`tacita.tables.suppression.exact.cuts`),
    and that must be the level at least. There are too many of them to write down. The master problem starts with the
    rows "a hidden cell needs a hidden partner in every relation" and is solved, its solution is attacked, and the
    attacks that succeed give the next rows: first on the linear relaxation, until that gains no more, then on the
    mixed-integer problem. The fast search gives the first pattern, and every pattern on the way is repaired to a safe one,
    so there is always a best one and a bound.

    Protects against whoever knows the published cells, the relations and the bounds, and against every seat with its
    own cells and floors besides: the room that an attacker leaves to a cell is the weight of the cell in his cuts.
    Does not protect against seats that join forces, nor against knowledge beyond the bounds.

    Parameters
    ----------
    problem
        What is to be hidden, how well, from whom, and what hiding costs.
    start
        (n,): a pattern to begin with, safe or not; None takes the one of the fast search.
    time_limit
        Seconds after which the best pattern so far is returned; None for no limit. Beyond it goes what the first safe
        pattern takes, and the step at hand: a second or so for some thousand cells.
    gap
        Stop when no safe pattern can be cheaper by more than this share of the cost.

    Returns
    -------
    Pattern
        A safe pattern, and the bound below which no safe pattern costs. After an interrupt (KeyboardInterrupt) or at
        the time limit it is the best one found so far, at worst the one that hides all cells that may be hidden.

    Raises
    ------
    InfeasibleError
        When an unsafe cell cannot be protected even with all cells hidden that may be hidden; ``cells`` and
        ``relations`` of the error say which, and which sums force it.
    ParameterError
        When ``gap`` or ``time_limit`` is negative, or ``start`` has not one entry for each cell.
    DataError
        When the problem contradicts itself.

    Complexity
    ----------
    Exponential in the worst case: suppression is NP-hard. A table of 1000 cells takes seconds to minutes, one of 3000
    comes within a few percent in minutes. Memory is that of the relations and of some thousand cuts.

    Notes
    -----
    Choices the paper leaves open: the relations are split into blocks that are solved one by one; at fractional points
    the room of a hidden cell counts up to the level only, and the cut is then judged by its true weights; cells that are
    hidden at the point move to the right-hand side before weights are trimmed to it; seats are attacked at fractional
    points only where they are alone in a relation with the cell or have found it before. Levels within rounding error of
    the solver are reached when half of them is.

    The first safe pattern counts for no time limit: without one there is nothing to return. It is that of the fast search,
    or a ``start`` that is proven to be safe. Where both fail, the pattern that hides everything is checked; on a table of
    3000 cells that takes ten seconds.

    References
    ----------
    Fischetti, M. and Salazar, J. J. (2001), Solving the cell suppression problem on tabular data with linear
    constraints, Management Science 47(7), 1008-1027: model, cuts and bridge inequalities.

    Examples
    --------
    A table of two rows and two columns with margins; one inner cell is unsafe, so all four are hidden.

    >>> from tacita.tables.model.relations import Relations
    >>> sums = [(2, [0, 1]), (5, [3, 4]), (8, [6, 7]), (6, [0, 3]), (7, [1, 4]), (8, [2, 5])]
    >>> n, values = 9, np.array([3.0, 20, 23, 15, 12, 27, 18, 32, 50])
    >>> unsafe = np.arange(n) == 0
    >>> three = np.where(unsafe, 3.0, 0.0)
    >>> problem = Problem(Relations.of(sums, n), values, np.zeros(n), np.full(n, np.inf), unsafe, three, three,
    ...                   np.zeros(n), np.ones(n), np.zeros(n, bool))
    >>> pattern = exact_suppression(problem)
    >>> np.flatnonzero(pattern.hidden).tolist(), pattern.cost, pattern.bound
    ([0, 1, 3, 4], 4.0, 4.0)
    """
    problem.check()
    _check(problem, start, time_limit, gap)
    begin = time.perf_counter()
    with task("Suppressing cells") as running:
        watch = _Watch(running)
        blocks = [Block(core, watch) for core in cores_of(problem)]
        _refuse_known(problem)
        inside = np.zeros(problem.size, bool)
        for block in blocks:
            inside[block.core.cells] = True
        watch.blocks, watch.base = blocks, float(problem.cost[problem.unsafe & ~inside].sum())
        until = begin + (np.inf if time_limit is None else time_limit)
        is_proven = False
        if start is None and blocks:
            start, is_proven = _first(problem, watch, until)
        parts = [None if start is None else np.asarray(start, bool)[block.core.cells] for block in blocks]
        taken = [part is not None and block.takes(part, is_proven) for block, part in zip(blocks, parts, strict=True)]
        if not all(taken):
            _refuse_infeasible(blocks)
        _search(blocks, watch, parts, until, gap)
    hidden = problem.unsafe.copy()
    for block in blocks:
        hidden[block.core.cells] = block.hidden
    bound = watch.base + sum(block.bound for block in blocks)
    made = Pattern.of(problem, hidden, seconds=time.perf_counter() - begin, bound=bound)
    return made if bound <= made.cost else Pattern.of(problem, hidden, seconds=made.seconds, bound=made.cost)


def _check(problem: Problem, start: BoolArray | None, time_limit: float | None, gap: float) -> None:
    if not 0 <= gap < 1:
        raise ParameterError(f"exact_suppression: 'gap' must be in [0, 1), got {gap}.")
    if time_limit is not None and not time_limit >= 0:
        raise ParameterError(f"exact_suppression: 'time_limit' must not be negative, got {time_limit}.")
    if start is not None and np.shape(start) != (problem.size,):
        raise ParameterError(
            f"exact_suppression: 'start' must have one entry for each of the {problem.size} cells, "
            f"got shape {np.shape(start)}."
        )


def _first(problem: Problem, watch: _Watch, until: float) -> tuple[BoolArray | None, bool]:
    """Return the pattern of the fast search and whether it is proven to be safe; None when there is none."""
    now = time.perf_counter()
    try:
        found = good_pattern(problem, until=now + _FIRST * max(until - now, 0.0))
        watch.is_stopped = found.is_stopped
        if found.is_stopped:
            return found.hidden, False
        proven = Search(problem, found.hidden, keeps=True, upwards=found.upwards)
        proven.cover()
    except KeyboardInterrupt:
        watch.is_stopped = True
        return None, False
    except InfeasibleError:  # the check of the pattern that hides everything has the last word
        return None, False
    return proven.hidden, True


def _search(blocks: list[Block], watch: _Watch, parts: list[BoolArray | None], until: float, gap: float) -> None:
    """First a pattern for every block, then the search in each, with time by the size of what is left."""
    try:
        for place, (block, known) in enumerate(zip(blocks, parts, strict=True)):
            share = block.core.size / sum(other.core.size for other in blocks[place:])
            block.begin(known, _FIRST * share * (until - time.perf_counter()))
        for place, block in enumerate(blocks):
            share = block.core.size / sum(other.core.size for other in blocks[place:])
            block.search(share * (until - time.perf_counter()), gap)
    except KeyboardInterrupt:
        watch.is_stopped = True


def _refuse_known(problem: Problem) -> None:
    """Raise an error when an unsafe cell is known beforehand."""
    known = problem.unsafe & ~problem.can_hide
    needs = np.maximum(np.maximum(problem.below, problem.above), problem.sliding) > problem.tolerance()
    _refuse(set(np.flatnonzero(known & needs).tolist()), set())


def _refuse_infeasible(blocks: list[Block]) -> None:
    """Raise an error when even the pattern that hides everything leaves a cell open."""
    cells: set[int] = set()
    relations: set[int] = set()
    for block in blocks:
        core = block.core
        for miss in block.leaks():
            cells.add(int(core.cells[core.guarded[miss.guard]]))
            for weights, _ in miss.parts:
                relations.update(core.relations[np.abs(weights) > 1e-7].tolist())
    _refuse(cells, relations)


def _refuse(cells: set[int], relations: set[int]) -> None:
    if cells:
        raise InfeasibleError(
            f"exact_suppression: {len(cells)} unsafe cells cannot be protected even when every cell that may be hidden "
            "is hidden; unlock cells, widen bounds, lower the levels, or leave out the relations that force them.",
            cells=sorted(cells),
            relations=sorted(relations),
        )
