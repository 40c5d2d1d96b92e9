"""What local suppression knows while it works: who lacks which keys, how many each hides among, and room to weigh masks in.

Records with equal keys are one *kind*. A kind keeps a number of whole records; a record that loses values becomes a *row*
with a mask, whose bit j says that key j is missing. Frequencies are asked for some *views* (subsets of the keys). In a view
every distinct projection of the kinds has a slot with its whole records, and every row that lacks one of the view's
keys has a slot of its own. A slot knows its frequency under the reading of missing values, so that one changed mask means
one pass over the slots of the views it touches:

    wildcard       a counts for b when they differ in no key that both show
    own category   ... when they show the same keys and agree in them
    conservative   ... when a shows all keys that b shows and agrees in them
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tacita.core.arrays import Float1, Float2, FloatArray, Int1, Int2, IntArray, Place1, Whole
from tacita.core.kernel import kernel

__all__ = [
    "BAD",
    "CHANGES",
    "CODES",
    "CONSERVATIVE",
    "COST",
    "COUNT",
    "DEMAND",
    "DEMANDS",
    "DICE",
    "END",
    "FEWEST",
    "FIRST",
    "FREE",
    "FREQUENCY",
    "FULL",
    "GONE",
    "HARD_FIRST",
    "KEYS",
    "KIND",
    "LACKS",
    "LEAST",
    "LISTED",
    "LOG",
    "MASK",
    "MEMBER",
    "MOST",
    "NOISE",
    "OWN_CATEGORY",
    "PLACE",
    "ROWS",
    "SIZE",
    "SLOTS",
    "SPARE",
    "STACK",
    "UNIT",
    "WILDCARD",
    "WORK",
    "Masks",
    "SuppressionState",
    "assign",
    "candidate_masks",
    "cost_of",
    "counts_for",
    "fill_differences",
    "has_log",
    "local_mask",
    "new_row",
    "roll_back",
    "rolled",
    "strayed",
    "sum_over_subsets",
]


WILDCARD, OWN_CATEGORY, CONSERVATIVE = 0, 1, 2
"""What a missing value matches: the places in :data:`tacita.core.vocabulary.MISSING_KEYS`."""
KEYS, END, SIZE, CODES, SLOTS, DEMANDS, LEAST = 0, 1, 2, 3, 4, 5, 6
"""Of a view: where its keys begin and end, number of projections, where its codes and its slots begin, slots below k, its k."""
FREQUENCY, COUNT, LACKS, PLACE, DEMAND, LISTED = 0, 1, 2, 3, 4, 5
"""Of a slot: frequency, records in it, keys of the view that they lack, projection; then a list of the view's slots below k,
and where a slot stands in it (-1: it is not below k)."""
GONE, SPARE, FEWEST = 0, 1, 2
"""Of a kind: keys that the original lacks, whole records, how many keys one alone would have to lose (0: it is safe)."""
KIND, MASK, STACK, UNIT = 0, 1, 2, 3
"""Of a row: kind (below 0: not in use), missing keys, stack of rows that are not in use, unit."""
FIRST, MEMBER = 0, 1
"""Of units: where the rows of each begin among the members, and the members, rows of one unit after the other."""
BAD, ROWS, FREE, LOG, WORK, FULL, DICE, HARD_FIRST, CHANGES = 0, 1, 2, 3, 4, 5, 6, 7, 8
"""Tally: slots below k, rows ever used, height of the stack, entries of the log (-1: none is kept), slots visited, whether
there was no room for a row, state of the dice, whether classes are formed for the hardest case first, masks ever changed."""
COST, NOISE, MOST = 0, 1, 2
"""Amounts: cost of all masks, how far a choice may stray from the best, and the cost at which classes are given up."""
_ALL_MASKS = 10
"""Up to this many keys every mask is weighed; beyond it those of few keys, and the mask of all."""
_SOME_MASKS = 1200
"""So many masks of few keys at the most."""


class SuppressionState(NamedTuple):
    """Kinds, rows, views and slots, changed in place; few arrays, because each makes compilation longer.

    Slots of a view: first one for each projection, then one for each row.
    """

    mode: int
    k: int  # the largest of all views
    shared: int  # keys that all members of a unit have in common
    views: Int2  # (7, V)
    keys: Int1  # keys of all views
    codes: Place1  # one view after the other, in each one key after the other
    home: Int2  # (V, R): projection of each kind
    slots: Int2  # (6, slots)
    kinds: Int2  # (3, R)
    cheapest: Float1  # (R,): what a record alone would have to pay at least
    rows: Int2  # (4, rows)
    members: Int2  # (2, units + 1 or rows)
    price: Float1  # (d,): cost of a missing value of each key
    log: Int2  # (entries, 3): row, its mask before a change, its kind
    tally: Int1  # (9,)
    amounts: Float1  # (3,)
    differences: Place1  # room for the longest view


@kernel
def counts_for(mode: int, differ: Whole, source: int, target: int) -> Any:
    """Whether a record that lacks ``source`` counts for one that lacks ``target``, when the two differ in ``differ``."""
    if mode == WILDCARD:
        return (differ & ~(source | target)) == 0
    if mode == OWN_CATEGORY:
        return source == target and (differ & ~target) == 0
    return ((source | differ) & ~target) == 0


@kernel
def strayed(state: SuppressionState, value: float) -> Any:
    """Return a value to choose by: itself, or less by a random part of up to the noise."""
    if state.amounts[NOISE] == 0.0:
        return value
    return value * (1.0 - state.amounts[NOISE] * (_roll(state) / 0x40000000))


@kernel
def rolled(state: SuppressionState, many: int) -> Any:
    """Return a random number below ``many``."""
    return _roll(state) % many


@kernel
def _roll(state: SuppressionState) -> Any:
    state.tally[DICE] = state.tally[DICE] * 6364136223846793005 + 1442695040888963407  # Knuth's generator modulo 2^64
    return (state.tally[DICE] >> 33) & 0x3FFFFFFF


@kernel
def local_mask(state: SuppressionState, view: int, mask: int) -> Any:
    """Return a mask of all keys as one of the keys of a view."""
    start, found = state.views[KEYS, view], np.int64(0)
    for i in range(state.views[END, view] - start):
        found |= ((mask >> state.keys[start + i]) & 1) << i
    return found


@kernel
def fill_differences(state: SuppressionState, view: int, projection: int) -> None:
    """Compare one projection with all of its view: bit i of ``differences`` is set where the i-th key differs. O(m d)."""
    m, start = state.views[SIZE, view], state.views[CODES, view]
    differences = state.differences[:m]
    differences[:] = 0
    for i in range(state.views[END, view] - state.views[KEYS, view]):
        codes = state.codes[start + i * m : start + (i + 1) * m]
        own, bit = codes[projection], np.int32(1 << i)
        for t in range(m):
            differences[t] |= bit if codes[t] != own else np.int32(0)
    state.tally[WORK] += m


@kernel
def cost_of(state: SuppressionState, row: int, mask: int) -> Any:
    """Return what it costs to take the keys of ``mask`` from a row, and from its unit where they are shared."""
    cost = 0.0
    for j in range(state.price.size):
        if (mask >> j) & 1:
            times = 1
            if row >= 0 and (state.shared >> j) & 1:
                times = 0
                unit = state.rows[UNIT, row]
                for i in range(state.members[FIRST, unit], state.members[FIRST, unit + 1]):
                    times += 1 - ((state.rows[MASK, state.members[MEMBER, i]] >> j) & 1)
            cost += times * state.price[j]
    return cost


@kernel
def new_row(state: SuppressionState, kind: Whole) -> Any:
    """Take one whole record of a kind, to give it a mask; -1 where there is no room.

    The mask must hold a key that the kind has: a row that changes nothing stands in no log, and rolling back would miss it.
    """
    if state.tally[FREE] == 0 and state.tally[ROWS] == state.rows.shape[1]:
        state.tally[FULL] = 1
        return -1
    if state.tally[FREE] > 0:
        state.tally[FREE] -= 1
        row = state.rows[STACK, state.tally[FREE]]
    else:
        row = state.tally[ROWS]
        state.tally[ROWS] += 1
    state.rows[KIND, row], state.rows[MASK, row] = kind, state.kinds[GONE, kind]
    state.kinds[SPARE, kind] -= 1
    return row


@kernel
def assign(state: SuppressionState, row: int, mask: int) -> None:
    """Give a row a mask; shared keys that this changes go to, or come back to, all members of its unit.

    A shared key that the row itself lacks from the start says nothing about its unit, and stays as it is for the others.
    """
    mask |= state.kinds[GONE, state.rows[KIND, row]]
    changed = (state.rows[MASK, row] ^ mask) & state.shared
    if changed:
        unit = state.rows[UNIT, row]
        for i in range(state.members[FIRST, unit], state.members[FIRST, unit + 1]):
            other = state.members[MEMBER, i]
            gone = state.kinds[GONE, state.rows[KIND, other]]
            if other != row:
                _set_mask(state, other, (state.rows[MASK, other] & ~changed) | (mask & changed) | gone)
    _set_mask(state, row, mask)


@kernel
def has_log(state: SuppressionState, row: int) -> Any:
    """Whether the log has room for one more change of a row and its unit."""
    entries, unit = 1, state.rows[UNIT, row]
    if unit >= 0:
        entries += state.members[FIRST, unit + 1] - state.members[FIRST, unit]
    return max(state.tally[LOG], 0) + entries <= state.log.shape[0]


@kernel
def roll_back(state: SuppressionState, entries: int) -> None:
    """Undo what stands in the log after a number of entries, last change first."""
    for i in range(state.tally[LOG] - 1, entries - 1, -1):
        row, mask, kind = state.log[i]
        state.tally[LOG] = -1
        if state.rows[KIND, row] < 0:  # it was given back as whole: the top of the stack is this very row
            new_row(state, kind)
        _set_mask(state, row, mask)
    state.tally[LOG] = entries


@kernel
def _set_mask(state: SuppressionState, row: int, mask: int) -> None:
    """Change the mask of one row in all views; a row that is whole again goes back to its kind."""
    old, kind = state.rows[MASK, row], state.rows[KIND, row]
    if old == mask:
        return
    state.tally[CHANGES] += 1
    if state.tally[LOG] >= 0:
        entry = state.tally[LOG]
        state.log[entry, 0], state.log[entry, 1], state.log[entry, 2] = row, old, kind
        state.tally[LOG] += 1
    for j in range(state.price.size):
        state.amounts[COST] += state.price[j] * (((mask >> j) & 1) - ((old >> j) & 1))
    for view in range(state.home.shape[0]):
        before, after = local_mask(state, view, old), local_mask(state, view, mask)
        if before != after:
            _shift(state, view, row, before, after)
    state.rows[MASK, row] = mask
    if mask == state.kinds[GONE, kind] and state.rows[UNIT, row] < 0:
        state.kinds[SPARE, kind] += 1
        state.rows[KIND, row] = -1
        state.rows[STACK, state.tally[FREE]] = row
        state.tally[FREE] += 1


@kernel
def _shift(state: SuppressionState, view: int, row: int, before: int, after: int) -> None:
    """Move a row to another slot of a view and bring all frequencies up to date. O(slots)."""
    at, m, k, mode = state.views[SLOTS, view], state.views[SIZE, view], state.views[LEAST, view], state.mode
    slots = state.slots[:, at : at + m + state.tally[ROWS]]
    frequency, count, lacks, place = slots[FREQUENCY], slots[COUNT], slots[LACKS], slots[PLACE]
    listed = slots[LISTED]
    whole, own = state.home[view, state.rows[KIND, row]], m + row
    fill_differences(state, view, whole)
    if before == lacks[whole]:
        count[whole] -= 1
    else:
        count[own] = 0
    if after == lacks[whole]:
        count[whole] += 1
    total = np.int64(1)
    for t in range(frequency.size):
        if t >= m and count[t] == 0:
            continue
        differ, target = np.int64(state.differences[place[t]]), lacks[t]
        change = np.int64(counts_for(mode, differ, after, target)) - np.int64(counts_for(mode, differ, before, target))
        if change != 0:
            frequency[t] += change
            if (frequency[t] < k) != (listed[t] >= 0):
                _list_demand(state, view, slots, t)
        if counts_for(mode, differ, target, after):
            total += count[t]
    state.tally[WORK] += frequency.size
    if after != lacks[whole]:
        count[own], frequency[own], lacks[own], place[own] = 1, total, after, whole
    _list_demand(state, view, slots, whole)
    _list_demand(state, view, slots, own)


@kernel
def _list_demand(state: SuppressionState, view: int, slots: IntArray, t: int) -> None:
    """Enter a slot in the list of those below k, or take it out: the last of the list then takes its place."""
    is_below, place, number = (
        slots[COUNT, t] > 0 and slots[FREQUENCY, t] < state.views[LEAST, view],
        slots[LISTED, t],
        state.views[DEMANDS, view],
    )
    if is_below and place < 0:
        slots[DEMAND, number], slots[LISTED, t] = t, number
        state.views[DEMANDS, view] += 1
        state.tally[BAD] += 1
    elif not is_below and place >= 0:
        last = slots[DEMAND, number - 1]
        slots[DEMAND, place], slots[LISTED, last], slots[LISTED, t] = last, place, -1
        state.views[DEMANDS, view] -= 1
        state.tally[BAD] -= 1


# --- room to weigh masks in ------------------------------------------------------------------------------------------


class Masks(NamedTuple):
    """Masks to weigh, and room to weigh them in."""

    masks: Int1  # (M,): masks of all keys; the last one is that of all
    local: Int2  # (V, M): the same in each view
    value: Float1  # (M,)
    sums: Int2  # (4, masks of the longest view)
    cost: Float2  # (V, masks of the longest view): cost of a mask of a view's keys


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
        masks=np.array(masks, np.int64),
        local=np.array(local, np.int64).reshape(len(views), -1),
        value=np.zeros(len(masks)),
        sums=np.zeros((4, room), np.int64),
        cost=np.stack([_costs(price[view], room) for view in views]),
    )


def _costs(price: FloatArray, room: int) -> FloatArray:
    """Return the cost of every mask of some keys."""
    cost = np.zeros(room)
    for i, amount in enumerate(price):
        cost[1 << i : 2 << i] = cost[: 1 << i] + amount
    return cost


@kernel
def sum_over_subsets(values: IntArray) -> None:
    """Replace the value of each mask by the sum over all its subsets. O(d 2^d) for 2^d masks."""
    step = 1
    while step < values.size:
        for start in range(0, values.size, 2 * step):
            for i in range(start, start + step):
                values[i + step] += values[i]
        step *= 2
