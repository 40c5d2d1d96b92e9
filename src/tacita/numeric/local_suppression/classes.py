"""Suppression when missing values match little: records at risk are brought into classes of k.

``conservative``   A record with mask A hides among those that show its values: a class (A, values outside A) of at least k
                   records that lack no key outside A. Others' suppressions never help, so every record at risk must find
                   its class. Whole records of the class may stay as they are.
``own category``   All records of a class carry the mask A itself, so a class that is too small must draw in records that
                   were safe; they come from patterns that can spare them.

The class with the lowest cost for each record at risk that it saves is formed first, and all records at risk that fit
in join it. Costs of other classes only change a little then, so old costs are kept and the lowest is weighed again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray, Whole
from tacita.core.kernel import entry, kernel
from tacita.numeric.local_suppression.state import (
    BAD,
    CHANGES,
    COST,
    COUNT,
    END,
    FREQUENCY,
    FULL,
    GONE,
    HARD_FIRST,
    KEYS,
    KIND,
    LACKS,
    LEAST,
    LISTED,
    LOG,
    MASK,
    MOST,
    NOISE,
    OWN_CATEGORY,
    PLACE,
    ROWS,
    SIZE,
    SLOTS,
    SPARE,
    WORK,
    Masks,
    SuppressionState,
    assign,
    counts_for,
    fill_differences,
    local_mask,
    new_row,
    strayed,
    sum_over_subsets,
)

__all__ = ["form_classes"]


_NONE = np.int64(2**62)
"""A frequency that no slot has."""
_RISKY, _AROUND, _INSIDE, _SMALLEST = 0, 1, 2, 3
"""Sums of a mask: records at risk that fit into its class, others that could join, those in it, the least frequency of others."""


@entry
def form_classes(state: SuppressionState, room: Masks) -> None:
    """Suppress until no slot is below k, view after view.

    Masks only grow here, so there are at most n d changes; a class, or a round of all views, that changes nothing ends it.
    It is given up where the cost exceeds a limit. Who is left below k then is seen in the tally.
    """
    while state.tally[BAD] > 0 and state.tally[FULL] == 0:
        at_start = state.tally[CHANGES]
        for view in range(state.home.shape[0]):
            cost = np.full(state.views[SIZE, view] + state.rows.shape[1], -1.0)
            _list_costs(state, room, view, cost)
            before = state.tally[CHANGES]
            while _form_cheapest(state, room, view, cost):
                if state.tally[FULL] or state.tally[LOG] > state.log.shape[0] // 2 or state.tally[CHANGES] == before:
                    return
                before = state.tally[CHANGES]
                if state.amounts[COST] > state.amounts[MOST]:
                    return
        if state.tally[CHANGES] == at_start:
            return


@kernel
def _list_costs(state: SuppressionState, room: Masks, view: int, cost: FloatArray) -> None:
    """Set the cost of the best class of each slot below k, inf elsewhere."""
    at = state.views[SLOTS, view]
    for t in range(cost.size):
        is_bad = t < state.views[SIZE, view] + state.tally[ROWS] and _is_bad(state, at + t)
        if not is_bad:
            cost[t] = np.inf
        elif cost[t] < 0.0 or cost[t] == np.inf:
            cost[t] = _best_class(state, room, view, t)[0]


@kernel
def _is_bad(state: SuppressionState, slot: int) -> Any:
    return state.slots[LISTED, slot] >= 0


@kernel
def _form_cheapest(state: SuppressionState, room: Masks, view: int, cost: FloatArray) -> Any:
    """Form one class; False when no slot of the view is below k.

    No mask changes within the loop. So a cost is raised at most once for each slot (the second time it is what it was), set
    to inf at most once for each listing, and listed twice: no more than 4 turns for each slot.
    """
    while True:
        t = _next_case(state, cost)
        if cost[t] == np.inf:
            _list_costs(state, room, view, cost)  # somebody may have fallen below k on the way
            t = _next_case(state, cost)
            if cost[t] == np.inf:
                return False
        if not _is_bad(state, state.views[SLOTS, view] + t):
            cost[t] = np.inf
            continue
        now, mask = _best_class(state, room, view, t)
        is_plain = state.amounts[NOISE] == 0.0 and not state.tally[HARD_FIRST]
        if is_plain and now > cost[t] * (1.0 + 1e-12):
            cost[t] = now
            continue
        _join(state, view, t, mask)
        return True


@kernel
def _next_case(state: SuppressionState, cost: FloatArray) -> Any:
    """Return the slot whose class is formed next: the cheapest, or the dearest where hard cases come first."""
    if state.tally[HARD_FIRST]:
        return np.argmax(np.where(cost == np.inf, -1.0, cost))
    return np.argmin(cost)


@kernel
def _best_class(state: SuppressionState, room: Masks, view: int, t: int) -> Any:
    """Return the lowest cost for each record saved, and the mask of that class (of the view's keys). O(slots + d 2^d)."""
    at, m, k = state.views[SLOTS, view], state.views[SIZE, view], state.views[LEAST, view]
    slots = state.slots[:, at : at + m + state.tally[ROWS]]
    had, full = slots[LACKS, t], (1 << (state.views[END, view] - state.views[KEYS, view])) - 1
    risky, around = room.sums[_RISKY, : full + 1], room.sums[_AROUND, : full + 1]
    inside, smallest = room.sums[_INSIDE, : full + 1], room.sums[_SMALLEST, : full + 1]
    risky[:], around[:], inside[:], smallest[:] = 0, 0, 0, _NONE
    fill_differences(state, view, slots[PLACE, t])
    for s in range(slots.shape[1]):
        count = slots[COUNT, s]
        if count == 0:
            continue
        lacks = slots[LACKS, s]
        differ = np.int64(state.differences[slots[PLACE, s]])
        apart = (differ | lacks) & ~had
        if slots[FREQUENCY, s] < k:
            risky[apart] += count
        elif state.mode != OWN_CATEGORY:
            around[apart] += count
        else:
            if (differ & ~lacks) == 0:
                inside[lacks] += count  # already in the class that has just this mask
            around[apart] += max(0, count - k) if s < m else np.int64(slots[FREQUENCY, s] > k)
            smallest[apart] = min(smallest[apart], slots[FREQUENCY, s])
    state.tally[WORK] += slots.shape[1]
    sum_over_subsets(risky)
    sum_over_subsets(around)
    _least_of_subsets(smallest)
    extra = room.cost[view, had & ~slots[LACKS, slots[PLACE, t]]]
    return _cheapest_class(state, room, view, had, slots[COUNT, t], extra)


@kernel
def _cheapest_class(state: SuppressionState, room: Masks, view: int, had: int, own: int, extra: float) -> Any:
    """Weigh all masks by the sums that are there; ``extra`` is what others must pay for the keys that are gone already."""
    full = (1 << (state.views[END, view] - state.views[KEYS, view])) - 1
    best, most, chosen = np.inf, np.int64(0), np.int64(full)
    for mask in range(full + 1):
        if mask & had:
            continue
        saved, around = room.sums[_RISKY, mask], room.sums[_AROUND, mask]
        inside = room.sums[_INSIDE, mask | had]
        cost, lacking = room.cost[view, mask], max(np.int64(0), state.views[LEAST, view] - saved - inside)
        if state.mode == OWN_CATEGORY:
            if lacking > around:  # nobody can spare so many: the smallest safe class must come as a whole
                lacking = room.sums[_SMALLEST, mask]
            if lacking == _NONE:
                continue
            cost = (own * cost + (saved - own + lacking) * (cost + extra)) / saved
        elif lacking > around:
            continue
        cost = strayed(state, cost)
        if cost < best * (1.0 - 1e-12) or (cost <= best and saved > most):
            best, most, chosen = cost, saved, np.int64(mask)
    return best, chosen | had


@kernel
def _least_of_subsets(values: IntArray) -> None:
    """Replace the value of each mask by the least one of all its subsets."""
    step = 1
    while step < values.size:
        for start in range(0, values.size, 2 * step):
            for i in range(start, start + step):
                values[i + step] = min(values[i], values[i + step])
        step *= 2


@kernel
def _join(state: SuppressionState, view: int, t: int, mask: int) -> None:
    """Bring all records at risk that fit into a class, and as many others as it lacks."""
    at, m, k = state.views[SLOTS, view], state.views[SIZE, view], state.views[LEAST, view]
    slots = state.slots[:, at : at + m + state.tally[ROWS]]
    fill_differences(state, view, slots[PLACE, t])
    joins = np.zeros(slots.shape[1], np.bool_)
    spares = np.zeros(slots.shape[1], np.int64)
    size, donor = 0, -1
    for s in range(slots.shape[1]):
        lacks, frequency = slots[LACKS, s], slots[FREQUENCY, s]
        differ = np.int64(state.differences[slots[PLACE, s]])
        if slots[COUNT, s] == 0 or (differ | lacks) & ~mask:
            continue
        joins[s] = frequency < k
        if joins[s] or lacks == mask:
            size += slots[COUNT, s]
        elif state.mode == OWN_CATEGORY:
            spares[s] = max(0, slots[COUNT, s] - k) if s < m else np.int64(frequency > k)
            if donor < 0 or frequency < slots[FREQUENCY, donor]:
                donor = s
    lacking = k - size if state.mode == OWN_CATEGORY else 0
    if lacking > spares.sum() and donor >= 0:
        fill_differences(state, view, slots[PLACE, donor])
        for s in range(slots.shape[1]):
            differ = np.int64(state.differences[slots[PLACE, s]])
            if slots[COUNT, s] > 0 and counts_for(state.mode, differ, slots[LACKS, s], slots[LACKS, donor]):
                joins[s] = True
        lacking = 0
    _move(state, view, mask, joins, spares, lacking)


@kernel
def _move(state: SuppressionState, view: int, mask: int, joins: BoolArray, spares: IntArray, lacking: int) -> None:
    """Give the class mask to all records of some slots, and to ``lacking`` others, out of the fullest slots."""
    m, wide, start = state.views[SIZE, view], np.int64(0), state.views[KEYS, view]
    for i in range(state.views[END, view] - start):
        wide |= ((mask >> i) & 1) << state.keys[start + i]
    for row in range(joins.size - m):
        kind = state.rows[KIND, row]
        if kind >= 0:
            lacks = local_mask(state, view, state.rows[MASK, row])
            q = state.home[view, kind]
            if joins[q if lacks == state.slots[LACKS, state.views[SLOTS, view] + q] else m + row]:
                assign(state, row, state.rows[MASK, row] | wide)
    for kind in range(state.cheapest.size):
        if joins[state.home[view, kind]] and wide & ~state.kinds[GONE, kind]:  # a row must lose something
            for _ in range(state.kinds[SPARE, kind]):
                row = new_row(state, kind)
                if row < 0:
                    return
                assign(state, row, state.rows[MASK, row] | wide)
    while lacking > 0 and spares.max() > 0:  # one spare less in every turn
        s = np.argmax(spares)
        spares[s] -= 1
        can_spare = state.slots[FREQUENCY, state.views[SLOTS, view] + s] > state.views[LEAST, view]
        if can_spare and _draw_one(state, view, s, wide):
            lacking -= 1
        else:
            spares[s] = 0


@kernel
def _draw_one(state: SuppressionState, view: int, s: Whole, wide: Whole) -> Any:
    """Give a mask to one record of a slot; False when none is left there."""
    m = state.views[SIZE, view]
    if s >= m:
        assign(state, s - m, state.rows[MASK, s - m] | wide)
        return True
    for kind in range(state.cheapest.size):
        if state.home[view, kind] == s and state.kinds[SPARE, kind] > 0 and wide & ~state.kinds[GONE, kind]:
            row = new_row(state, kind)
            if row >= 0:
                assign(state, row, state.rows[MASK, row] | wide)
            return row >= 0
    lacks = state.slots[LACKS, state.views[SLOTS, view] + s]
    for row in range(state.tally[ROWS]):
        kind = state.rows[KIND, row]
        if kind >= 0 and state.home[view, kind] == s and local_mask(state, view, state.rows[MASK, row]) == lacks:
            assign(state, row, state.rows[MASK, row] | wide)
            return True
    return False
