"""The search for counts: annealing under a steep potential, then model (3) with a bound that falls by one, then least squares.

Stage one sweeps over all elementary cells with the potential ``sum (|d_i| m / (m + w_i))^6``, where m is the largest deviation
(less its allowance) that was found so far: a power as high as that is nearly the maximum of model (1). The temperature falls
from ``hot m^6`` to ``cold m^6``; few cells are annealed several times, two times in three with squares
in place of sixth powers. Stage two is model (3): the bound is ``b = m - 1``,
what deviates by more costs eight times as much, and b falls by one whenever nothing is beyond it; when no fewer cells are
beyond it than before, the bound is raised by one and the stage ends. Stage three keeps the bound and lowers the sum of
squares. Soft tables cost ``(m^3 d / s)^2``: a deviation of s in them counts as much as m in a controlled one.

References
----------
Giessing, S. and Hoehne, J. (2011), Eliminating small cells from census counts tables, SORT special issue, 59-80: section 2.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import Int2, IntArray
from tacita.core.clock import Clock
from tacita.numeric.safe.first_counts import first_counts, restore_totals
from tacita.numeric.safe.state import SafeLayout, SafeState, deviations_of, new_state
from tacita.numeric.safe.sweep import minus_logs, reach, sweep_cells

__all__ = ["SafeCounts", "SafePlan", "potentials", "safe_counts", "sweeps_for"]

_POWER = 6
_REACH = 4096
"""Largest deviation that potentials are written for."""
_UNIT = 1 << 10
"""Potential of a deviation of 1: soft terms are fractions of it."""
_CAP = 2.0**52
_BEYOND = 8.0
"""How much more a deviation costs that is beyond the bound."""
_GROUPS = 8.0
"""How much more a deviation costs of a total that stays exact, where there are several: few changes then bring them back."""
_FEW = 20_000
_CYCLE = 400
_SHARES = (0.7, 0.2, 0.1)
"""Shares of the sweeps for the three stages."""


@dataclass(frozen=True, kw_only=True)
class SafePlan:
    """What a search is asked for.

    Parameters
    ----------
    k
        Smallest count above 0 that may remain.
    sweeps
        How often every elementary cell is visited, at most.
    goal
        The search ends when no controlled cell deviates by more than this and its allowance.
    soft
        Deviation of a soft cell that counts as much as the largest one of a controlled cell.
    clock
        When the search ends whatever it has found.
    """

    k: int
    sweeps: int
    goal: int = 0
    soft: float = 30.0
    clock: Clock = field(default_factory=lambda: Clock.of(None))


@dataclass(frozen=True, eq=False)
class SafeCounts:
    """What a search found.

    Parameters
    ----------
    counts
        (m,): counts of the elementary cells, each 0 or at least k.
    deviations
        (c,): deviation of every cell of the layout.
    bound
        Largest deviation of a controlled cell, less its allowance.
    sweeps
        Sweeps that were made.
    is_complete
        Whether the goal was reached or all sweeps were made; otherwise the time was over.
    """

    counts: IntArray = field(repr=False)
    deviations: IntArray = field(repr=False)
    bound: int
    sweeps: int
    is_complete: bool


def sweeps_for(elementary: int, tables: int) -> int:
    """Return how many sweeps are made by default: 400 for large files, up to 24 000 for small ones.

    Examples
    --------
    >>> sweeps_for(200, 10), sweeps_for(800_000, 42)
    (24000, 400)
    """
    return int(np.clip(80_000_000 // max(elementary * tables, 1), _CYCLE, 60 * _CYCLE))


def potentials(
    allowances: IntArray,
    largest: int,
    *,
    power: int = _POWER,
    bound: int | None = None,
    soft: float = 30.0,
    exact: float = 1.0,
) -> Int2:
    """Return (classes + 2, 2 r + 1): the potential of every deviation from -r to r, by class of cells; soft cells, totals.

    Parameters
    ----------
    allowances
        w of each class.
    largest
        m: the potential of a deviation of m + w is m^power.
    power
        6 while the maximum is lowered, 2 for the sum of squares.
    bound
        A deviation beyond bound + w costs eight times as much; without one nothing does.
    soft
        Deviation of a soft cell that costs as much as m.
    exact
        How much more a deviation of a total costs.
    """
    m = max(largest, 1)
    size = np.abs(np.arange(-_REACH, _REACH + 1)).astype(np.float64)
    scaled = size * (m / np.maximum(m + allowances, 0.5))[:, None]
    steep = scaled**power
    if bound is not None:
        beyond = size > np.maximum(bound + allowances, 0)[:, None]
        steep = np.where(beyond, _BEYOND * np.maximum(scaled, m) ** _POWER, steep)
    weak = (size / soft) ** 2 * float(m) ** power
    return np.minimum(_UNIT * np.vstack([steep, weak, exact * size**power]), _CAP).astype(np.int64)


def safe_counts(
    layout: SafeLayout,
    counts: IntArray,
    allowances: IntArray | None,
    plan: SafePlan,
    rng: np.random.Generator,
    report: Callable[[int], None] = lambda _: None,
) -> SafeCounts:
    """Return counts without small ones, with the same totals and small deviations.

    Parameters
    ----------
    layout
        The controlled and soft tables.
    counts
        (m,): original counts, in the order of the layout; at least k in each total.
    allowances
        (controlled,): w of model (1) for each controlled cell; None for 0.
    plan
        Group size, work, goal.
    rng
        Where the order of visits and the chance of the rule come from.
    report
        Called after every sweep with the present bound.

    Notes
    -----
    O(m t) for each sweep, 4 m t bytes for the index and 2 bytes for each cell.
    """
    state, known = new_state(layout, counts, allowances)
    order = _by_blocks(layout.starts, rng)
    first_counts(state, known, layout.controlled, k=plan.k, bound=max(plan.goal, 1), order=order)
    search = _CountSearch(layout, state, known, plan, rng, report, original=counts.astype(np.int32))
    search.look()
    if bool((counts != state.counts).any()) and plan.sweeps > 0:
        for stage in (search.anneal, search.tighten, search.flatten):
            stage()
    state.counts[:] = search.best
    deviations_of((state.counts - search.original).astype(np.int32), state.places, state.deviations)
    restore_totals(state, order, known, layout.controlled, plan.k, search.bound)
    bound = reach(state.deviations, state.classes, known, layout.controlled)[0]
    return SafeCounts(
        state.counts.astype(np.int64), state.deviations.astype(np.int64), bound, search.done, not search.is_late
    )


def _by_blocks(starts: IntArray, rng: np.random.Generator) -> IntArray:
    """Return the elementary cells in random order within blocks in random order: neighbours share what they read."""
    sizes = np.diff(starts)
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[rng.permutation(len(sizes))] = np.arange(len(sizes))
    return np.lexsort((rng.random(int(sizes.sum())), np.repeat(rank, sizes)))


@dataclass(eq=False)
class _CountSearch:
    """The counts on their way: what was found so far, and how many sweeps were made."""

    layout: SafeLayout
    state: SafeState
    known: IntArray
    plan: SafePlan
    rng: np.random.Generator
    report: Callable[[int], None]
    original: IntArray
    done: int = 0
    is_late: bool = False
    temperature: float = 0.0

    def __post_init__(self) -> None:
        self.best = self.state.counts.copy()
        self.rank = (1 << 30, 0)
        self.logs = minus_logs()
        self.random = self.rng.integers(0, 2**63, 1).astype(np.uint64)

    @property
    def bound(self) -> int:
        """Largest deviation of the best counts so far, less its allowance."""
        return self.rank[0]

    @property
    def is_over(self) -> bool:
        """Whether the goal is reached or the time is over."""
        return self.bound <= self.plan.goal or self.is_late

    def look(self) -> tuple[int, int]:
        """Return the largest deviation and how many cells have it; remember the counts where both are the least so far."""
        worst, many, largest = reach(self.state.deviations, self.state.classes, self.known, self.layout.controlled)
        if largest + self.plan.k + 1 >= _REACH:
            raise ValueError("safe_counts: a cell deviates by thousands; control fewer tables, or take a smaller k.")
        if (worst, many) < self.rank:
            self.rank = (worst, many)
            self.best[:] = self.state.counts
        return worst, many

    def sweeps(self, many: int) -> Iterator[float]:
        """Yield the share of some sweeps that is done, until they are, or all is over; after each yield one is made."""
        for i in range(many):
            if self.is_over:
                return
            yield i / max(many - 1, 1)
            blocks = self.rng.permutation(len(self.layout.starts) - 1)
            sweep_cells(
                self.state,
                self.layout.starts,
                blocks,
                self.potential,
                self.logs,
                self.temperature * _UNIT,
                self.plan.k,
                self.random,
            )
            self.done += 1
            self.is_late = self.plan.clock.left <= 0
            self.report(self.bound)

    def back_to_best(self) -> None:
        """Take up the best counts again."""
        self.state.counts[:] = self.best
        deviations_of((self.best - self.original).astype(np.int32), self.state.places, self.state.deviations)

    def _share(self, stage: int) -> int:
        return int(self.plan.sweeps * _SHARES[stage])

    def _potentials(self, largest: int, *, power: int = _POWER, bound: int | None = None) -> Int2:
        totals = self.layout.cells - int(self.layout.places[:, -1].min(initial=self.layout.cells - 1))
        exact = _GROUPS if totals > 1 else 1.0
        return potentials(self.known, largest, power=power, bound=bound, soft=self.plan.soft, exact=exact)

    def anneal(self) -> None:
        """Stage one: lower the sum of sixth powers; in small files the sum of squares as well, in turn."""
        left = self._share(0)
        if len(self.best) > _FEW:
            self._cool(left, _POWER, hot=0.2, cold=0.03)
            return
        cycles = max(left // _CYCLE, 1)
        for cycle in range(cycles):
            if cycle % 3:
                self._cool(left // cycles, 2, hot=5.0, cold=0.07)
            else:
                self._cool(left // cycles, _POWER, hot=2.0, cold=0.1)

    def _cool(self, many: int, power: int, *, hot: float, cold: float) -> None:
        """Sweep while the temperature falls from hot to cold, in units of the potential of the largest deviation."""
        m, self.temperature = 0, 0.0
        for share in self.sweeps(many):
            worst, _ = self.look()
            now = max(min(self.bound, worst), 1)
            if now != m:
                m = now
                self.potential = self._potentials(m, power=power)
            aim = hot * (cold / hot) ** share * float(m) ** power
            # The maximum falls by whole steps and its power by a third: cells must not freeze at once.
            self.temperature = max(aim, 0.95 * self.temperature)
        self.look()

    def tighten(self) -> None:
        """Stage two, model (3): the bound falls by one as long as the cells beyond it become fewer."""
        left, length = self._share(1), max(self._share(1) // 4, 1)
        while left > 0 and not self.is_over:
            self.back_to_best()
            before, bound = self.rank, self.bound - 1
            self.potential = self._potentials(bound + 1, bound=bound)
            for share in self.sweeps(min(length, left)):
                self.temperature = 0.06 * 0.5**share * float(bound + 1) ** _POWER
                self.look()
                left -= 1
                if self.bound <= bound:
                    break
            self.look()
            if self.rank >= before:
                break  # it stagnates: the bound is raised by one, to what it was

    def flatten(self) -> None:
        """Stage three: within the bound, lower the sum of squares."""
        if self.is_over:
            return
        self.back_to_best()
        bound = self.bound
        self.potential = self._potentials(max(bound, 1), power=2, bound=bound)
        for share in self.sweeps(self._share(2)):
            self.temperature = 8.0 * 0.1**share
        worst, _ = self.look()
        if worst <= bound:
            self.best[:] = self.state.counts
