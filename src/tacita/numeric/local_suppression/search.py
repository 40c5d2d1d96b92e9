"""Cheap suppressions when missing values match everything: choose, prune, repair.

*Choose*: the mask with the best value for its cost is taken until nobody is below k. Values fall as demands are served, so a
list of old values is an upper bound, and only its top is weighed again (lazy greedy).

*Prune*: every missing value comes back when all frequencies stay k or more without it (for any reading of missing values).

*Repair*: the same as choose for a few demands; candidates are listed by the demands that they could serve, and only the best
of them are weighed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacita.core.arrays import IntArray, PlaceArray, Whole
from tacita.core.kernel import kernel
from tacita.numeric.local_suppression.gains import Masks, best_mask
from tacita.numeric.local_suppression.state import (
    BAD,
    DEMAND,
    DEMANDS,
    END,
    FEWEST,
    FULL,
    GONE,
    KEYS,
    KIND,
    LACKS,
    LOG,
    MASK,
    PLACE,
    ROWS,
    SIZE,
    SLOTS,
    SPARE,
    WORK,
    SuppressionState,
    assign,
    fill_differences,
    has_log,
    local_mask,
    new_row,
    roll_back,
)

__all__ = ["choose_masks", "is_suppressed", "prune", "serve_demands", "suppress"]


_PROMISING = 6
"""So many candidates are weighed exactly in a repair, beside those at risk themselves."""


@kernel
def choose_masks(state: SuppressionState, room: Masks) -> None:
    """Suppress until no slot is below k.

    A suppression adds a key to a mask, which happens at most n d times. Between two of them nothing changes, so a candidate's
    value falls at most once, to what it is worth, and the second time it is taken (or none is worth anything).
    """
    value = np.full(_candidates(state), np.inf)
    while state.tally[BAD] > 0 and state.tally[FULL] == 0:
        i = np.argmax(value)
        if value[i] <= 0.0:
            return
        kind, row = _candidate(state, i)
        if kind < 0:
            value[i] = -1.0
            continue
        worth, mask, moved = _best_of(state, room, kind, row)
        if worth < value[i] * (1.0 - 1e-12):
            value[i] = worth
        else:
            suppress(state, kind, row, mask, moved)


@kernel
def _candidates(state: SuppressionState) -> Any:
    """Number of candidates for suppression: rows where there are units, else kinds."""
    return state.tally[ROWS] if state.members.shape[1] else state.cheapest.size


@kernel
def _candidate(state: SuppressionState, i: Whole) -> Any:
    """Return kind and row of a candidate (row -1: one of the kind's whole records), or (-1, -1) when nothing may be taken."""
    kind, row = (state.rows[KIND, i], i) if state.members.shape[1] else (np.int64(i), -1)
    is_open = state.kinds[FEWEST, kind] > 0 and (row >= 0 or state.kinds[SPARE, kind] > 0)
    return (kind, row) if is_open else (np.int64(-1), -1)


@kernel
def _best_of(state: SuppressionState, room: Masks, kind: int, row: int) -> Any:
    """Return value, mask and number of records: one, or all of a kind that is at risk."""
    worth, mask = best_mask(state, room, kind, row, 1)
    moved, all_of_them = 1, state.kinds[SPARE, kind]
    if row < 0 and 1 < all_of_them < state.k:
        more, other = best_mask(state, room, kind, row, all_of_them)
        if more > worth * (1.0 + 1e-12):
            worth, mask, moved = more, other, all_of_them
    return worth, mask, moved


@kernel
def suppress(state: SuppressionState, kind: Whole, row: int, mask: Whole, moved: Whole) -> None:
    """Take the keys of ``mask`` from a row, or from as many whole records of a kind as ``moved`` says.

    Nothing happens where the record lacks all these keys already.
    """
    held = state.kinds[GONE, kind] if row < 0 else state.rows[MASK, row]
    if mask & ~held == 0:
        return
    for _ in range(moved):
        made = new_row(state, kind) if row < 0 else row
        if made < 0:
            return
        assign(state, made, state.rows[MASK, made] | mask)


@kernel
def prune(state: SuppressionState, rows: IntArray) -> None:
    """Give values back where nobody needs them missing: whole rows first, then single values, dear ones first."""
    order = np.argsort(-state.price)
    for row in rows:
        if not has_log(state, row):
            return
        if not is_suppressed(state, row) or _gives_back(state, row, state.kinds[GONE, state.rows[KIND, row]]):
            continue
        for j in order:
            if (
                is_suppressed(state, row)
                and has_log(state, row)
                and (state.rows[MASK, row] & ~state.kinds[GONE, state.rows[KIND, row]]) >> j & 1
            ):
                _gives_back(state, row, state.rows[MASK, row] & ~(1 << j))


@kernel
def is_suppressed(state: SuppressionState, row: int) -> Any:
    """Whether a row is in use and has lost something."""
    kind = state.rows[KIND, row]
    return kind >= 0 and state.rows[MASK, row] != state.kinds[GONE, kind]


@kernel
def _gives_back(state: SuppressionState, row: int, mask: int) -> Any:
    """Take a smaller mask unless somebody falls below k."""
    logged = state.tally[LOG]
    state.tally[LOG] = max(logged, 0)
    assign(state, row, mask)
    gives = state.tally[BAD] == 0
    if not gives:
        roll_back(state, max(logged, 0))
    if logged < 0:
        state.tally[LOG] = -1
    return gives


@kernel
def serve_demands(state: SuppressionState, room: Masks, near: PlaceArray) -> None:
    """Serve a few demands, each time by the record and mask with the best value for cost.

    Every turn changes a mask, so that the log grows: half of it is the most that a repair may take.
    """
    demands = np.empty((near.shape[0], 2), np.int64)
    promising = np.empty(_PROMISING + near.shape[0], np.int64)
    before = np.int64(-1)
    while state.tally[BAD] > 0 and before < state.tally[LOG] < state.log.shape[0] // 2:
        before = state.tally[LOG]
        found = _list_demands(state, near, demands)
        worth, kind, row, mask, moved = 0.0, np.int64(-1), -1, np.int64(0), np.int64(0)
        for i in promising[: _list_promising(state, room, near, demands[:found], promising)]:
            p, r = _candidate(state, i)
            value, other, many = _best_of(state, room, p, r)
            if value > worth * (1.0 + 1e-12):
                worth, kind, row, mask, moved = value, p, r, other, many
        if worth <= 0.0 and not _release_unsafe(state):
            return
        if worth > 0.0:
            suppress(state, kind, row, mask, moved)


@kernel
def _release_unsafe(state: SuppressionState) -> Any:
    """Make a suppressed row whole that has fallen below k: it needs another mask, not a larger one."""
    for view in range(state.home.shape[0]):
        m = state.views[SIZE, view]
        for e in range(state.views[DEMANDS, view]):
            row = state.slots[DEMAND, state.views[SLOTS, view] + e] - m
            if row >= 0:
                assign(state, row, state.kinds[GONE, state.rows[KIND, row]])
                return True
    return False


@kernel
def _list_demands(state: SuppressionState, near: PlaceArray, demands: IntArray) -> Any:
    """List slots below k, and the keys in which each projection of their view differs from them."""
    found = 0
    for view in range(state.home.shape[0]):
        m = state.views[SIZE, view]
        slots = state.slots[:, state.views[SLOTS, view] :]
        for e in range(state.views[DEMANDS, view]):
            t = slots[DEMAND, e]
            fill_differences(state, view, slots[PLACE, t])
            shown = np.int32(~slots[LACKS, t])
            for q in range(m):
                near[found, q] = state.differences[q] & shown
            demands[found, 0], demands[found, 1] = view, slots[PLACE, t]
            found += 1
            if found == demands.shape[0]:
                return found
    return found


@kernel
def _list_promising(
    state: SuppressionState, room: Masks, near: PlaceArray, demands: IntArray, promising: IntArray
) -> Any:
    """List the candidates that have a demand themselves, and those that serve most of the others for their cost."""
    worth, best, listed = np.zeros(_PROMISING), np.full(_PROMISING, -1, np.int64), 0
    for i in range(_candidates(state)):
        kind, row = _candidate(state, i)
        if kind < 0:
            continue
        value, has_demand = _promise(state, room, near, demands, kind, row)
        if has_demand and listed < demands.shape[0]:
            promising[listed] = i
            listed += 1
        elif value > worth[-1]:
            place = _PROMISING - 1
            while place > 0 and worth[place - 1] < value:
                worth[place], best[place] = worth[place - 1], best[place - 1]
                place -= 1
            worth[place], best[place] = value, i
    state.tally[WORK] += _candidates(state) * demands.shape[0]
    for other in best:
        if other >= 0:
            promising[listed] = other
            listed += 1
    return listed


@kernel
def _promise(state: SuppressionState, room: Masks, near: PlaceArray, demands: IntArray, kind: int, row: int) -> Any:
    """Return how many demands a candidate could serve for its cost, and whether it has one itself."""
    held = state.kinds[GONE, kind] if row < 0 else state.rows[MASK, row]
    best, has_demand = 0.0, False
    for e in range(demands.shape[0]):
        view = demands[e, 0]
        lacking = np.int64(near[e, state.home[view, kind]])
        if held:
            lacking &= ~local_mask(state, view, held)
        if lacking == 0:
            has_demand = has_demand or demands[e, 1] == state.home[view, kind]
        elif demands.shape[0] > best * room.cost[view, lacking]:
            served = _served(state, near, demands, kind, held, view, lacking)
            best = max(best, served / max(room.cost[view, lacking], 1e-9))
    return best, has_demand


@kernel
def _served(
    state: SuppressionState, near: PlaceArray, demands: IntArray, kind: int, held: int, view: int, lacking: Whole
) -> Any:
    """Count the demands that a candidate would serve by losing some keys of a view."""
    served, wide, start = 0, held, state.views[KEYS, view]
    for i in range(state.views[END, view] - start):
        wide |= ((lacking >> i) & 1) << state.keys[start + i]
    for e in range(demands.shape[0]):
        other = demands[e, 0]
        differ = np.int64(near[e, state.home[other, kind]])
        served += (differ & ~local_mask(state, other, held)) != 0 and (differ & ~local_mask(state, other, wide)) == 0
    return served
