"""A cheap pattern by the moves of single cells, with the widths of sliding levels shared out between up and down."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.tables.auditor.audit import audit
from tacita.tables.protect.problem import Problem
from tacita.tables.suppression.fast.move_search import TRIAL_STEPS, Search, usual_work

__all__ = ["GoodPattern", "good_pattern"]


_SHARES = (0.5, 0.25, 0.0)
"""What shares of the widths are tried for the upper side."""
_ROUNDS = 3
"""How often the widths are shared out anew by what the best pattern gives."""
_FEW = 0.02
"""Widths are tried one way only where they are asked of a smaller share of the unsafe cells than this."""
_LARGE = 20_000
"""Cells of a table from which on widths are tried one way only."""
_MANY = 1000
"""Hidden cells from which on widths are not shared out anew: that takes two programmes for each."""


@dataclass(frozen=True, eq=False)
class GoodPattern:
    """A pattern that reaches every level that can be reached.

    Parameters
    ----------
    hidden
        (n,): the pattern.
    upwards
        What share of the widths it gives on the upper side, for all cells or each.
    is_stopped
        Whether an interrupt ended the search.
    is_proven
        Whether the moves that prove every level were at hand, and checked, when the search ended; annealing loses those of
        patterns that it met on its way.
    """

    hidden: BoolArray = field(repr=False)
    upwards: float | FloatArray = field(repr=False)
    is_stopped: bool
    is_proven: bool = False


def good_pattern(
    problem: Problem,
    *,
    until: float = np.inf,
    effort: float = 1.0,
    seed: int = 0,
    accepts_leaks: bool = False,
    trial_steps: int = TRIAL_STEPS,
    anneals: bool = True,
) -> GoodPattern:
    """Cover every level by moves, publish what is not needed, and anneal.

    Parameters
    ----------
    problem
        What is to be protected.
    until
        Time to stop at, by ``time.perf_counter``; the first pattern is made safe however long that takes.
    effort
        Work to spend on annealing, 1 for the usual; 0 exchanges single cells instead.
    seed
        Of everything that is drawn.
    accepts_leaks
        Whether to go on without the levels that no pattern can reach.
    trial_steps
        Most steps of the simplex method for a demand in a trial.
    anneals
        Whether to anneal; otherwise the smallest levels are met first, cells that are not needed are published, and that is all.

    Raises
    ------
    InfeasibleError
        When levels are out of reach even with everything hidden.

    Notes
    -----
    A move serves one side, and an attacker's interval of width w may be w/2 to both sides as well as w to one. Which is
    cheapest depends on the table: with w up, others must be able to fall by w; with w down, fewer of them must. So several
    ways are tried, the cheapest goes on, and then each cell asks for what the pattern at hand gives it on either side, so that
    other patterns come within reach.
    """
    slides = problem.unsafe & (problem.sliding > (problem.below + problem.above) * (1 + 1e-9))
    is_wide = int(slides.sum()) > _FEW * int(problem.unsafe.sum()) and problem.size <= _LARGE

    def tried(share: float) -> Search:
        made = Search(
            problem,
            accepts_leaks=accepts_leaks,
            seed=seed,
            upwards=share,
            trial_steps=trial_steps,
            smallest_first=not anneals,
        )
        made.cover()
        if is_wide or effort == 0 or not anneals:  # annealing makes the exchanges, and cleans up in the end
            made.thin(exchanges=effort == 0, until=until)
        return made

    search, upwards = tried(_SHARES[0]), _SHARES[0]
    best = GoodPattern(search.hidden, upwards, False)
    try:
        for share in _SHARES[1:] if is_wide else ():
            if time.perf_counter() > until:
                break
            other = tried(share)
            if other.cost < search.cost:
                search, upwards = other, share
        if effort == 0 or not anneals:
            return _proven(search, GoodPattern(search.hidden, upwards, False))
        steps = effort * usual_work(problem)
        found = GoodPattern(search.improve(steps=steps, until=until), upwards, search.is_stopped)
        best = _proven(search, found)
        for _ in range(_ROUNDS if is_wide else 0):
            if best.is_stopped or time.perf_counter() > until or int(best.hidden.sum()) > _MANY:
                break
            shared = _shared_anew(problem, best.hidden, slides)
            again = Search(
                problem, best.hidden, accepts_leaks=accepts_leaks, seed=seed, upwards=shared, trial_steps=trial_steps
            )
            again.cover()
            found = GoodPattern(again.improve(steps=steps, until=until), shared, again.is_stopped)
            saved = float(problem.cost[best.hidden].sum()) - float(problem.cost[found.hidden].sum())
            if saved <= 1e-9 * float(problem.cost[best.hidden].sum()):
                break
            best = _proven(again, found)
    except KeyboardInterrupt:  # a safe pattern is at hand
        return replace(best, is_stopped=True)
    return best


def _proven(search: Search, found: GoodPattern) -> GoodPattern:
    """Check the moves at hand, where it is this pattern that they prove."""
    if not np.array_equal(search.hidden, found.hidden):
        return found
    search.check()
    return replace(found, is_proven=True)


def _shared_anew(problem: Problem, hidden: BoolArray, slides: BoolArray) -> FloatArray:
    """The share of each width that a pattern gives on the upper side, with equal slack on both."""
    found = audit(problem, hidden, exact=True, seats="none", only=np.zeros(problem.size, bool))
    up, down = np.zeros(problem.size), np.zeros(problem.size)
    far = 1e3 * np.maximum(problem.sliding[found.hidden], 1.0)
    up[found.hidden] = np.minimum(found.high - problem.values[found.hidden], far)
    down[found.hidden] = np.minimum(problem.values[found.hidden] - found.low, far)
    more = np.maximum(problem.sliding - problem.above - problem.below, 0.0)
    spare_up, spare_down = np.maximum(up - problem.above, 0.0), np.maximum(down - problem.below, 0.0)
    middle = 0.5 * (np.maximum(more - spare_down, 0.0) + np.minimum(spare_up, more))
    return np.where(slides & (more > 0), np.clip(middle / np.where(more > 0, more, 1.0), 0.0, 1.0), 0.5)
