"""Suppression when missing values match everything: weigh all masks of a record, choose the best, repair.

**Weigh.**  Let D be the slots below k, each with its demand k - f. A record that takes the mask A newly counts for every slot
from which it differs in keys of A only. So a histogram of D by the set of differing keys, summed over subsets (the zeta
transform), gives the demand that *every* mask would serve; a second one of all records gives the record's own frequency under
every mask. The value of a mask is

    (demand served in others + own demand if the slot is left empty) / cost,

which makes values precious that many records at risk share.

Left to itself this would empty k - 1 records, which then match everybody, and call the file safe. Therefore nobody is
sacrificed: a safe record loses nothing, and a record at risk no more than it would need if it alone were suppressed. A mask
is open to it when it has no more keys than the smallest mask that would do, or costs no more than the cheapest.

**Choose.**  The mask with the best value for its cost is taken until nobody is below k. Values fall as demands are served, so a
list of old values is an upper bound, and only its top is weighed again (lazy greedy).

**Repair.**  The same as choose for a few demands, where a piece of the solution is made anew; candidates are listed by the
demands that they could serve, and only the best of them are weighed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacita.core.arrays import IntArray, PlaceArray, Whole
from tacita.core.kernel import entry, kernel
from tacita.numeric.local_suppression.state import (
    BAD,
    CODES,
    COUNT,
    DEMAND,
    DEMANDS,
    END,
    FEWEST,
    FREQUENCY,
    FULL,
    GONE,
    KEYS,
    KIND,
    LACKS,
    LEAST,
    LISTED,
    LOG,
    MASK,
    NOISE,
    PLACE,
    ROWS,
    SIZE,
    SLOTS,
    SPARE,
    WORK,
    Masks,
    SuppressionState,
    assign,
    cost_of,
    fill_differences,
    local_mask,
    new_row,
    strayed,
    sum_over_subsets,
)

__all__ = ["choose_masks", "is_open", "serve_demands", "set_needs", "suppress"]


_FIRST_STEP = 1e-3
"""Part of the own demand that is served when others stay in the slot: little, but enough to make a start."""
_FEW, _DENSE = 4, 12
"""Up to this many keys in a view sums over subsets are made by a transform."""
_DEMAND, _RECORDS = 0, 1
"""Sums of a mask: the demand that differs in its keys only, and the records that do."""
_VIEW, _PROJECTION = 0, 1
"""Of a listed demand: its view, and the projection that is below k."""
_PROMISING = 6
"""So many candidates are weighed exactly in a repair, beside those at risk themselves."""


# --- weigh -----------------------------------------------------------------------------------------------------------


@entry
def set_needs(state: SuppressionState, room: Masks) -> None:
    """Find out for every kind how many keys it would have to lose if it were alone, and at which cost; 0 where it is safe."""
    for kind in range(state.cheapest.size):
        gone = state.kinds[GONE, kind]
        if not is_at_risk(state, kind, gone, -1):
            continue
        _start_values(room, gone)
        for view in range(state.home.shape[0]):
            if state.slots[LISTED, state.views[SLOTS, view] + state.home[view, kind]] >= 0:
                _weigh(state, room, view, kind, -1, 1, gone)
        fewest, cheapest = state.price.size, np.inf
        for a in range(room.masks.size):
            if room.value[a] >= 0.0:
                mask = room.masks[a] & ~gone
                fewest, cheapest = min(fewest, _bits(mask)), min(cheapest, cost_of(state, -1, mask))
        state.kinds[FEWEST, kind], state.cheapest[kind] = fewest, cheapest


@kernel
def is_at_risk(state: SuppressionState, kind: int, mask: int, row: int) -> Any:
    """Whether a record of a kind that has lost some keys is below k in a view."""
    for view in range(state.home.shape[0]):
        if state.slots[LISTED, state.views[SLOTS, view] + _slot_of(state, view, kind, mask, row)] >= 0:
            return True
    return False


@kernel
def _slot_of(state: SuppressionState, view: int, kind: int, mask: int, row: int) -> Any:
    q = state.home[view, kind]
    is_whole = row < 0 or local_mask(state, view, mask) == state.slots[LACKS, state.views[SLOTS, view] + q]
    return q if is_whole else state.views[SIZE, view] + row


@kernel
def best_mask(state: SuppressionState, room: Masks, kind: int, row: int, moved: int) -> Any:
    """Return the best value for cost of a mask for ``moved`` records of a kind (row < 0) or a row, and the mask.

    Only masks that are open to the record are looked at, and, unless choices may stray, only those that make it safe.
    """
    held = state.kinds[GONE, kind] if row < 0 else state.rows[MASK, row]
    _start_values(room, held)
    for view in range(state.home.shape[0]):
        listed = state.slots[LISTED, state.views[SLOTS, view] + _slot_of(state, view, kind, held, row)] >= 0
        if listed or 4 * state.views[DEMANDS, view] > state.views[SIZE, view]:
            _weigh(state, room, view, kind, row, moved, held)
        elif state.views[DEMANDS, view]:
            _weigh_demands(state, room, view, kind, moved, held)
    # Who is at risk may go beyond what its unit has lost already; who only helps counts all that it would have lost.
    counted = state.kinds[GONE, kind] if row < 0 or not is_at_risk(state, kind, held, row) else held
    best, chosen = 0.0, np.int64(0)
    for a in range(room.masks.size):
        mask = room.masks[a] & ~held
        if room.value[a] <= 0.0 or mask == 0:
            continue
        lost = (mask | held) & ~counted
        if not is_open(state, kind, lost):
            continue
        value = strayed(state, room.value[a] / max(moved * cost_of(state, row, mask), 1e-9))
        if value > best * (1.0 + 1e-12):
            best, chosen = value, mask
    return best, chosen


@kernel
def is_open(state: SuppressionState, kind: int, lost: int) -> Any:
    """Whether a record may lose some keys: no more than it would need alone, in number or in cost."""
    return _bits(lost) <= state.kinds[FEWEST, kind] or cost_of(state, -1, lost) <= state.cheapest[kind] + 1e-9


@kernel
def _bits(mask: int) -> Any:
    found = 0
    while mask:
        mask &= mask - 1
        found += 1
    return found


@kernel
def _start_values(room: Masks, held: int) -> None:
    """Set all values to 0, and to -inf for masks with keys that are missing: the same mask without them is listed too."""
    last = room.masks.size - 1
    for a in range(last + 1):
        room.value[a] = -np.inf if room.masks[a] & held != 0 and a < last else 0.0


@kernel
def _weigh_demands(state: SuppressionState, room: Masks, view: int, kind: int, moved: int, held: int) -> None:
    """Add the demand that each mask would serve in a view where the record itself is safe, and so stays. O(demands d)."""
    m, start, codes = state.views[SIZE, view], state.views[KEYS, view], state.codes[state.views[CODES, view] :]
    slots = state.slots[:, state.views[SLOTS, view] :]
    q, had, n_keys = state.home[view, kind], local_mask(state, view, held), state.views[END, view] - start
    demand = room.sums[_DEMAND, : 1 << n_keys]
    demand[:] = 0
    for e in range(state.views[DEMANDS, view]):
        t = slots[DEMAND, e]
        differ, place = np.int64(0), slots[PLACE, t]
        for i in range(n_keys):
            differ |= np.int64(codes[i * m + place] != codes[i * m + q]) << i
        demand[differ & ~(slots[LACKS, t] | had)] += min(state.views[LEAST, view] - slots[FREQUENCY, t], moved)
    state.tally[WORK] += state.views[DEMANDS, view]
    served = demand[0]
    if demand.sum() == served:
        return
    if n_keys <= _DENSE:
        sum_over_subsets(demand)
    for a in range(room.masks.size):
        mask = room.local[view, a] & ~had
        if mask != 0:
            room.value[a] += (demand[mask] if n_keys <= _DENSE else _subset_sum(demand, mask)) - served


@kernel
def _weigh(state: SuppressionState, room: Masks, view: int, kind: int, row: int, moved: int, held: int) -> None:
    """Add a view's demand that each mask would serve. O(slots + d 2^d)."""
    at, m, k = state.views[SLOTS, view], state.views[SIZE, view], state.views[LEAST, view]
    slots = state.slots[:, at : at + m + state.tally[ROWS]]
    q, had = state.home[view, kind], local_mask(state, view, held)
    n_keys = state.views[END, view] - state.views[KEYS, view]
    full = (1 << n_keys) - 1
    demand, records = room.sums[_DEMAND, : full + 1], room.sums[_RECORDS, : full + 1]
    demand[:] = 0
    records[:] = 0
    fill_differences(state, view, q)
    for t in range(slots.shape[1]):
        if slots[COUNT, t] > 0:
            differ = np.int64(state.differences[slots[PLACE, t]]) & ~(slots[LACKS, t] | had)
            records[differ] += slots[COUNT, t]
            if slots[FREQUENCY, t] < k:
                demand[differ] += min(k - slots[FREQUENCY, t], moved)
    state.tally[WORK] += slots.shape[1]
    own = q if had == slots[LACKS, q] else m + row
    relief = 1.0 * max(0, k - slots[FREQUENCY, own])
    if slots[COUNT, own] > moved:
        relief *= _FIRST_STEP
    served = demand[0]
    if n_keys <= _DENSE:
        sum_over_subsets(demand)
        sum_over_subsets(records)
    for a in range(room.masks.size):
        mask = room.local[view, a] & ~had
        if n_keys <= _DENSE:
            gain, hidden = demand[mask], records[mask]
        else:
            gain, hidden = _subset_sum(demand, mask), _subset_sum(records, mask)
        if hidden < k and state.amounts[NOISE] == 0.0:
            room.value[a] = -np.inf
        elif mask != 0:  # where choices may stray, somebody else may have to serve what is left
            room.value[a] += gain - served + relief - moved * max(0, k - hidden)


@kernel
def _subset_sum(values: IntArray, mask: int) -> Any:
    """Sum over all subsets of a small mask; that of many keys, which is the mask of all, takes everything."""
    if _bits(mask) > _FEW:
        return values.sum()
    part, total = mask, values[0]
    while part > 0:
        total += values[part]
        part = (part - 1) & mask
    return total


# --- choose ----------------------------------------------------------------------------------------------------------


@entry
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


# --- repair ----------------------------------------------------------------------------------------------------------


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
            demands[found, _VIEW], demands[found, _PROJECTION] = view, slots[PLACE, t]
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
        view = demands[e, _VIEW]
        lacking = np.int64(near[e, state.home[view, kind]])
        if held:
            lacking &= ~local_mask(state, view, held)
        if lacking == 0:
            has_demand = has_demand or demands[e, _PROJECTION] == state.home[view, kind]
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
        other = demands[e, _VIEW]
        differ = np.int64(near[e, state.home[other, kind]])
        served += (differ & ~local_mask(state, other, held)) != 0 and (differ & ~local_mask(state, other, wide)) == 0
    return served
