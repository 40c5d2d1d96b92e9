"""How much a suppression helps when missing values match everything: all masks of a record weighed in one pass.

Let D be the slots below k, each with its demand k - f. A record that takes the mask A newly counts for every slot from which it
differs in keys of A only. So a histogram of D by the set of differing keys, summed over subsets (the zeta transform), gives
the demand that *every* mask would serve; a second one of all records gives the record's own frequency under every mask. The
value of a mask is

    (demand served in others + own demand if the slot is left empty) / cost,

which makes values precious that many records at risk share.

Left to itself this would empty k - 1 records, which then match everybody, and call the file safe. Therefore nobody is
sacrificed: a safe record loses nothing, and a record at risk no more than it would need if it alone were suppressed. A mask
is open to it when it has no more keys than the smallest mask that would do, or costs no more than the cheapest.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.kernel import kernel
from tacita.numeric.local_suppression.state import (
    CODES,
    COUNT,
    DEMAND,
    DEMANDS,
    END,
    FEWEST,
    FREQUENCY,
    GONE,
    KEYS,
    LACKS,
    LISTED,
    MASK,
    NOISE,
    PLACE,
    ROWS,
    SIZE,
    SLOTS,
    WORK,
    SuppressionState,
    cost_of,
    fill_differences,
    local_mask,
    strayed,
)

__all__ = ["Masks", "best_mask", "candidate_masks", "is_open", "set_needs", "sum_over_subsets"]


_ALL_MASKS = 10
"""Up to this many keys every mask is weighed; beyond it those of few keys, and the mask of all."""
_SOME_MASKS = 1200
_FIRST_STEP = 1e-3
"""Part of the own demand that is served when others stay in the slot: little, but enough to make a start."""
_FEW, _DENSE = 4, 12
"""Up to this many keys in a view sums over subsets are made by a transform."""


class Masks(NamedTuple):
    """Masks to weigh, and room to weigh them in."""

    masks: IntArray  # (M,): masks of all keys; the last one is that of all
    local: IntArray  # (V, M): the same in each view
    value: FloatArray  # (M,)
    sums: IntArray  # (4, masks of the longest view)
    cost: FloatArray  # (V, masks of the longest view): cost of a mask of a view's keys


def candidate_masks(price: FloatArray, views: list[list[int]]) -> Masks:
    """Return all masks of a few keys, or those of at most a few out of many."""
    n_keys, found = len(price), [0]
    for size in range(1, n_keys + 1):
        larger = sorted(
            {m | 1 << j for m in found if m.bit_count() == size - 1 for j in range(n_keys) if not m >> j & 1}
        )
        if n_keys > _ALL_MASKS and size > 1 and len(found) + len(larger) > _SOME_MASKS:
            break
        found += larger
    full = (1 << n_keys) - 1
    masks = found[1:] if full in found else [*found[1:], full]
    local = [[sum((mask >> j & 1) << i for i, j in enumerate(view)) for mask in masks] for view in views]
    room = 1 << max(len(view) for view in views)
    return Masks(
        np.array(masks, np.int64),
        np.array(local, np.int64).reshape(len(views), -1),
        np.zeros(len(masks)),
        np.zeros((4, room), np.int64),
        np.stack([_costs(price[view], room) for view in views]),
    )


def _costs(price: FloatArray, room: int) -> FloatArray:
    """Return the cost of every mask of some keys."""
    cost = np.zeros(room)
    for i, amount in enumerate(price):
        cost[1 << i : 2 << i] = cost[: 1 << i] + amount
    return cost


@kernel
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
    demand = room.sums[0, : 1 << n_keys]
    demand[:] = 0
    for e in range(state.views[DEMANDS, view]):
        t = slots[DEMAND, e]
        differ, place = np.int64(0), slots[PLACE, t]
        for i in range(n_keys):
            differ |= np.int64(codes[i * m + place] != codes[i * m + q]) << i
        demand[differ & ~(slots[LACKS, t] | had)] += min(state.k - slots[FREQUENCY, t], moved)
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
    at, m, k = state.views[SLOTS, view], state.views[SIZE, view], state.k
    slots = state.slots[:, at : at + m + state.tally[ROWS]]
    q, had = state.home[view, kind], local_mask(state, view, held)
    n_keys = state.views[END, view] - state.views[KEYS, view]
    full = (1 << n_keys) - 1
    demand, records = room.sums[0, : full + 1], room.sums[1, : full + 1]
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
def sum_over_subsets(values: IntArray) -> None:
    """Replace the value of each mask by the sum over all its subsets. O(d 2^d) for 2^d masks."""
    step = 1
    while step < values.size:
        for start in range(0, values.size, 2 * step):
            for i in range(start, start + step):
                values[i + step] += values[i]
        step *= 2


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
