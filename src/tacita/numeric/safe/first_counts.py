"""The first counts without small ones: model (2) of the paper, and the totals brought back to what they were.

Small counts 1 to k - 1 are changed to 0 or to k, in random order, where no controlled cell then deviates by more than
``b + w_i``: the change that raises the sum of squared deviations less. When a pass changes less than half of those that are
left, b is raised by one.

References
----------
Giessing, S. and Hoehne, J. (2011), Eliminating small cells from census counts tables, SORT special issue, 59-80: model (2).
"""

from __future__ import annotations

from tacita.core.arrays import Int1, IntArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.safe.state import SafeState

__all__ = ["first_counts", "restore_totals"]

_STAGNATES = 0.5
"""Share of the small counts that a pass must leave for the bound to be raised."""


def first_counts(
    state: SafeState, allowances: IntArray, controlled: int, *, k: int, bound: int, order: IntArray
) -> int:
    """Change all small counts of a state; return the bound under which the last of them could be changed.

    Parameters
    ----------
    state
        Without deviations; it is changed.
    allowances
        w of each class of cells.
    controlled
        Number of controlled cells.
    k
        Smallest count that may stay, above 0.
    bound
        Where b begins.
    order
        The elementary cells in the order in which they are visited.
    """
    waiting = order[(state.counts[order] > 0) & (state.counts[order] < k)]
    while len(waiting):
        _round_small(state, waiting, allowances, controlled, k, bound)
        left = waiting[(state.counts[waiting] > 0) & (state.counts[waiting] < k)]
        if len(left) >= _STAGNATES * len(waiting):
            bound += 1
        waiting = left
    return bound


@kernel
def _may_change(
    state: SafeState, allowances: IntArray, controlled: int, bound: int, j: int, change: int
) -> tuple[bool, int]:
    """Return whether all controlled cells of j stay within their bounds, and by how much the sum of squares rises."""
    is_within, rise = True, 0
    by_cell = len(state.classes) > 0
    for t in range(state.places.shape[1]):
        cell = state.places[j, t]
        now = int(state.deviations[cell])
        then = now + change
        rise += then * then - now * now
        if cell < controlled:
            most = bound
            if by_cell:
                most += int(allowances[state.classes[cell]])
            if abs(then) > max(most, 0) and abs(then) > abs(now):
                is_within = False
    return is_within, rise


@kernel
def _change(state: SafeState, j: int, change: int) -> None:
    state.counts[j] += change
    for t in range(state.places.shape[1]):
        state.deviations[state.places[j, t]] += change


@entry
def _round_small(state: SafeState, waiting: Int1, allowances: Int1, controlled: int, k: int, bound: int) -> None:
    for j in waiting:
        y = int(state.counts[j])
        can_fall, by_fall = _may_change(state, allowances, controlled, bound, j, -y)
        can_rise, by_rise = _may_change(state, allowances, controlled, bound, j, k - y)
        if can_fall and (by_fall <= by_rise or not can_rise):
            _change(state, j, -y)
        elif can_rise:
            _change(state, j, k - y)


@entry
def restore_totals(state: SafeState, order: Int1, allowances: Int1, controlled: int, k: int, bound: int) -> int:
    """Bring every total back to what it was; return the bound that this took.

    Cells are visited in the order given and take a change that brings their total nearer and keeps all controlled cells within
    their bounds. Where a pass finds none, the next may take away a count of k and make a lack of an excess; where that finds
    none either, b is raised by one. O(m t) for each pass; there must be at least k records in each total.
    """
    last = state.places.shape[1] - 1
    left = 0
    for total in range(state.places[:, last].min(), len(state.deviations)):
        left += state.deviations[total] != 0
    may_overshoot = False
    while left > 0:
        found = False
        for j in order:
            off = int(state.deviations[state.places[j, last]])
            if off == 0:
                continue
            y = int(state.counts[j])
            change = 0
            if off < 0:
                change = 1 if y > 0 else (k if off <= -k else 0)
            elif y > k:
                change = -1
            elif y == k and (off >= k or may_overshoot):
                change = -k
            if change == 0:
                continue
            if _may_change(state, allowances, controlled, bound, j, change)[0]:
                _change(state, j, change)
                found = True
                left -= off + change == 0
        if not found:
            bound += 1 if may_overshoot else 0
        may_overshoot = not found and not may_overshoot
    return bound
