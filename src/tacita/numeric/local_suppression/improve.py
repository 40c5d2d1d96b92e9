"""What follows a first solution: values that nobody needs missing come back, and pieces of it are made anew.

**Prune.**  Every missing value comes back when all frequencies stay k or more without it, whatever a missing value matches.

**Second thoughts.**  A suppressed record and some that it has to do with are made whole. Who falls below k by that is served
again, by the best choice that the rest of the solution leaves; then values that nobody needs missing come back. The old piece is
restored when the new one costs more. Equal cost is accepted, which lets the search drift to where there is something to gain.
From round to round the pieces change their size, and the choices stray more or less from the best. Under ``wildcard`` up to
three pieces are made anew before the costs are compared: the way to a better solution may lead over a worse one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacita.core.arrays import Int1, Place2, PlaceArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.local_suppression.classes import form_classes
from tacita.numeric.local_suppression.state import (
    BAD,
    COST,
    COUNT,
    DEMAND,
    DEMANDS,
    FULL,
    GONE,
    HARD_FIRST,
    KIND,
    LACKS,
    LOG,
    MASK,
    NOISE,
    OWN_CATEGORY,
    PLACE,
    ROWS,
    SIZE,
    SLOTS,
    SPARE,
    WILDCARD,
    WORK,
    Masks,
    SuppressionState,
    assign,
    counts_for,
    fill_differences,
    has_log,
    new_row,
    roll_back,
    rolled,
)
from tacita.numeric.local_suppression.wildcard import is_open, serve_demands, suppress

__all__ = ["prune", "take_masks", "try_again"]

_IDLE = 40
"""So many rounds over all suppressed records without gain end the search."""


# --- begin with a known solution -------------------------------------------------------------------------------------


@entry
def take_masks(state: SuppressionState, rows: Int1, kinds: Int1, masks: Int1) -> None:
    """Take over the masks of a known solution, one after the other: of a row, or (row < 0) of a whole record of a kind.

    Under ``wildcard`` nobody loses more than is open to it. Whoever is below k then is seen in the tally.
    """
    for i in range(masks.size):
        row, kind = rows[i], kinds[i]
        lost = masks[i] & ~state.kinds[GONE, kind]
        if lost == 0 or (state.mode == WILDCARD and not is_open(state, kind, lost)):
            continue
        if row < 0:
            row = new_row(state, kind)
        if row < 0:
            return
        assign(state, row, state.rows[MASK, row] | masks[i])


# --- prune -----------------------------------------------------------------------------------------------------------


@entry
def prune(state: SuppressionState, rows: Int1) -> None:
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


# --- second thoughts -------------------------------------------------------------------------------------------------


@entry
def try_again(state: SuppressionState, room: Masks, near: Place2, budget: int) -> None:
    """Make pieces of the solution anew as long as it pays and the budget of visited slots lasts.

    A round in which a row was made anew has visited slots; one without is idle. So both limits together end the search.
    """
    limit, idle, turn = state.tally[WORK] + budget, 0, 0
    while idle < _IDLE and state.tally[WORK] < limit:
        state.amounts[NOISE] = 0.25 * (turn // 4 % 4)
        turn += 1
        start = state.amounts[COST]
        for row in range(state.tally[ROWS]):
            if is_suppressed(state, row):
                _retry(state, room, near, row, turn)
            if state.tally[WORK] > limit:
                break
        idle = 0 if state.amounts[COST] < start - _slack(start) else idle + 1
    state.amounts[NOISE] = 0.0


@kernel
def _slack(cost: float) -> Any:
    """Return a difference of costs that is none: a sum that goes up and down is exact only to its last digits."""
    return 1e-9 * max(1.0, cost)


@kernel
def _retry(state: SuppressionState, room: Masks, near: PlaceArray, row: int, turn: int) -> None:
    before = state.amounts[COST]
    state.tally[LOG] = 0
    if state.mode == WILDCARD:
        for step in range(1 + turn // 6 % 3):
            if state.tally[LOG] > state.log.shape[0] // 2:
                break
            if step:
                row = rolled(state, state.tally[ROWS])
            if is_suppressed(state, row):
                _release(state, row)
                _release_servants(state, turn % 6, row + turn)
                if turn % 4 == 3:
                    _stray(state, room, row + turn)
                serve_demands(state, room, near)
    else:
        state.tally[HARD_FIRST] = turn // 2 % 2
        _release_class(state, row)
        for i in range(turn % 4):
            _release_neighbour(state, row, turn // 4 + i, turn % 3 == 0)
        form_classes(state, room)
        state.tally[HARD_FIRST] = 0
    if state.tally[BAD] == 0:
        prune(state, state.log[: state.tally[LOG], 0].copy())
    if state.tally[BAD] > 0 or state.amounts[COST] > before + _slack(before):
        roll_back(state, 0)
    state.tally[LOG], state.tally[FULL] = -1, 0


@kernel
def _release(state: SuppressionState, row: int) -> None:
    """Make a row whole."""
    assign(state, row, state.kinds[GONE, state.rows[KIND, row]])


@kernel
def _release_servants(state: SuppressionState, width: int, start: int) -> None:
    """Make whole up to ``width`` rows that serve a slot which has fallen below k."""
    for _ in range(width):
        view, slot = _first_demand(state, start)
        if slot < 0:
            return
        m, rows = state.views[SIZE, view], state.tally[ROWS]
        slots = state.slots[:, state.views[SLOTS, view] :]
        fill_differences(state, view, slots[PLACE, slot])
        found = -1
        for i in range(rows):
            other = m + (start + i) % rows
            differ = np.int64(state.differences[slots[PLACE, other]])
            if slots[COUNT, other] > 0 and counts_for(WILDCARD, differ, slots[LACKS, other], slots[LACKS, slot]):
                found = other - m
                break
        if found < 0:
            return
        _release(state, found)


@kernel
def _stray(state: SuppressionState, room: Masks, start: int) -> None:
    """Give a whole record that has fallen below k any open mask of one or two keys: the best choice is not always the way."""
    view, slot = _first_demand(state, start)
    if slot < 0 or slot >= state.views[SIZE, view] or state.members.shape[1]:
        return  # with units every record that may lose something is a row already
    few = min(state.price.size * (state.price.size + 1) // 2, room.masks.size)
    for kind in range(state.home.shape[1]):
        if state.home[view, kind] == slot and state.kinds[SPARE, kind] > 0:
            mask = room.masks[rolled(state, few)] & ~state.kinds[GONE, kind]
            if is_open(state, kind, mask):
                suppress(state, kind, -1, mask, 1)
            return


@kernel
def _first_demand(state: SuppressionState, start: int) -> Any:
    """Return view and slot of a demand, or -1."""
    for v in range(state.home.shape[0]):
        view = (v + start) % state.home.shape[0]
        number = state.views[DEMANDS, view]
        if number:
            return view, state.slots[DEMAND, state.views[SLOTS, view] + start % number]
    return -1, -1


@kernel
def _release_class(state: SuppressionState, row: int) -> None:
    """Make a row whole, and all rows that hide behind the same values in a view."""
    for view in range(state.home.shape[0]):
        at, m = state.views[SLOTS, view], state.views[SIZE, view]
        slots = state.slots[:, at : at + m + state.tally[ROWS]]
        if slots[COUNT, m + row] == 0:
            continue
        lacks = slots[LACKS, m + row]
        fill_differences(state, view, slots[PLACE, m + row])
        members = np.zeros(slots.shape[1] - m, np.bool_)
        for other in range(members.size):
            differ = np.int64(state.differences[slots[PLACE, m + other]])
            members[other] = slots[COUNT, m + other] > 0 and counts_for(
                OWN_CATEGORY, differ, slots[LACKS, m + other], lacks
            )
        for other in range(members.size):
            if members[other] and is_suppressed(state, other):
                _release(state, other)
    if is_suppressed(state, row):
        _release(state, row)


@kernel
def _release_neighbour(state: SuppressionState, row: int, turn: int, with_class: bool) -> None:
    """Make whole the suppressed row that differs least from a record at risk, alone or with its class."""
    view, slot = _first_demand(state, turn)
    if slot < 0:
        return
    m = state.views[SIZE, view]
    slots = state.slots[:, state.views[SLOTS, view] :]
    fill_differences(state, view, slots[PLACE, slot])
    found, least = -1, 1 << 60
    for i in range(state.tally[ROWS]):
        other = (row + turn + i) % state.tally[ROWS]
        if slots[COUNT, m + other] > 0:
            differ, bits = np.int64(state.differences[slots[PLACE, m + other]]), 0
            differ |= slots[LACKS, m + other] if with_class else 0
            while differ:
                differ &= differ - 1
                bits += 1
            if bits < least:
                found, least = other, bits
    if found >= 0 and with_class:
        _release_class(state, found)
    elif found >= 0:
        _release(state, found)
