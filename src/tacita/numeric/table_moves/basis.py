"""Steps of the dual simplex method of :mod:`tacita.numeric.table_moves.cheapest_move`: moving variables, and a basis that grows.

The basis holds the relations that were broken so far and as many variables, with the dense inverse of their matrix. A
relation that is broken next adds a border to it; a variable that left its bounds is exchanged for another.
"""

from __future__ import annotations

from tacita.core.kernel import kernel
from tacita.numeric.table_moves.desk import BASIS, MOVED, SEEN, Desk, Net

__all__ = ["clean", "enter", "flip", "result", "sign_of", "touch_row"]


_ZERO = 1e-9


@kernel
def touch_row(desk: Desk, row: int, change: float) -> None:
    """Change how far a relation is off."""
    if not desk.is_seen[row]:
        desk.is_seen[row] = True
        desk.seen_rows[desk.sizes[SEEN]] = row
        desk.sizes[SEEN] += 1
    desk.residual[row] += change


@kernel
def _mark_moved(desk: Desk, variable: int) -> None:
    if not desk.was_moved[variable]:
        desk.was_moved[variable] = True
        desk.moved[desk.sizes[MOVED]] = variable
        desk.sizes[MOVED] += 1


@kernel
def sign_of(variable: int) -> float:
    """1 for a cell that goes up, -1 for one that goes down."""
    return 1.0 if variable % 2 == 0 else -1.0


@kernel
def _shift(net: Net, desk: Desk, variable: int, change: float) -> None:
    """Move a variable outside the basis; what relations in the basis feel is gathered in ``felt``."""
    j = variable // 2
    for i in range(net.cell_start[j], net.cell_start[j + 1]):
        row = net.cell_rows[i]
        felt = net.cell_signs[i] * sign_of(variable) * change
        if desk.place[row] >= 0:
            desk.felt[desk.place[row]] += felt
        else:
            touch_row(desk, row, felt)


@kernel
def _answer(net: Net, desk: Desk) -> None:
    """Let the basis answer what was gathered in ``felt``, which is clean afterwards; ``step`` keeps the answer."""
    k = desk.sizes[BASIS]
    for p in range(k):
        desk.step[p] = 0.0
    for q in range(k):
        if desk.felt[q] != 0.0:
            for p in range(k):
                desk.step[p] -= desk.inverse[p, q] * desk.felt[q]
            desk.felt[q] = 0.0
    for p in range(k):
        change = desk.step[p]
        if change == 0.0:
            continue
        desk.x[p] += change
        v = desk.variables[p]
        for i in range(net.cell_start[v // 2], net.cell_start[v // 2 + 1]):
            row = net.cell_rows[i]
            if desk.place[row] < 0:
                touch_row(desk, row, net.cell_signs[i] * sign_of(v) * change)


@kernel
def flip(net: Net, desk: Desk, passed: int, scale: float) -> None:
    """Run the variables that the ratio test passed to their other bound."""
    for i in range(passed):
        v = desk.candidates[i]
        room = net.room[v // 2, v % 2] * scale
        _shift(net, desk, v, -room if desk.at_bound[v] else room)
        desk.at_bound[v] = not desk.at_bound[v]
        _mark_moved(desk, v)
    _answer(net, desk)


@kernel
def _column(net: Net, desk: Desk, variable: int) -> None:
    """Put a variable's column, as the basis sees it, into ``step``."""
    k, j = desk.sizes[BASIS], variable // 2
    for p in range(k):
        desk.step[p] = 0.0
    for i in range(net.cell_start[j], net.cell_start[j + 1]):
        q = desk.place[net.cell_rows[i]]
        if q >= 0:
            coefficient = net.cell_signs[i] * sign_of(variable)
            for p in range(k):
                desk.step[p] += desk.inverse[p, q] * coefficient


@kernel
def enter(net: Net, desk: Desk, at: int, entering: int, scale: float, sigma: float) -> None:
    """Move the entering variable until what was out of bounds is right, and make it basic."""
    bound = 0.0
    if at < 0 and sigma > 0:
        leaving = desk.variables[-1 - at]
        bound = net.room[leaving // 2, leaving % 2] * scale
    off = desk.residual[at] if at >= 0 else desk.x[-1 - at] - bound
    alpha = desk.alpha[entering // 2] * sign_of(entering)
    change = -off / alpha
    x = change
    if desk.at_bound[entering]:
        x += net.room[entering // 2, entering % 2] * scale
        desk.at_bound[entering] = False
    _shift(net, desk, entering, change)
    _answer(net, desk)
    _mark_moved(desk, entering)
    _column(net, desk, entering)
    k, inverse = desk.sizes[BASIS], desk.inverse
    if at >= 0:  # the inverse grows by a border
        for p in range(k):
            u = desk.step[p] / alpha
            if u != 0.0:
                for q in range(k):
                    inverse[p, q] -= u * desk.rho[q]
            inverse[p, k] = -u
        for q in range(k):
            inverse[k, q] = desk.rho[q] / alpha
        inverse[k, k] = 1.0 / alpha
        desk.residual[at] = 0.0
        desk.rows[k], desk.place[at] = at, k
        desk.sizes[BASIS] = k + 1
        place = k
    else:  # one column is exchanged
        place = -1 - at
        leaving = desk.variables[place]
        desk.basic[leaving] = -1
        desk.at_bound[leaving] = sigma > 0
        u = desk.step[place]
        for q in range(k):
            inverse[place, q] /= u
        for p in range(k):
            times = desk.step[p]
            if p != place and times != 0.0:
                for q in range(k):
                    inverse[p, q] -= times * inverse[place, q]
    desk.variables[place], desk.x[place], desk.basic[entering] = entering, x, place


@kernel
def result(net: Net, desk: Desk, target: int, amount: float) -> tuple[int, float]:
    """Write cells and moves, the target first; return how many, and the largest relation error in wanted amounts."""
    for i in range(desk.sizes[SEEN]):
        desk.residual[desk.seen_rows[i]] = 0.0
    desk.cells[0], desk.moves[0] = target, amount
    found = 1
    scale = 1.0 / abs(amount)
    for i in range(desk.sizes[MOVED]):
        v = desk.moved[i]
        j = v // 2
        if v % 2 == 1 and desk.was_moved[v - 1]:
            continue  # told with its other half
        move = 0.0
        for w in (2 * j, 2 * j + 1):
            p = desk.basic[w]
            room = net.room[j, w % 2] * scale
            x = min(max(desk.x[p], 0.0), room) if p >= 0 else (room if desk.at_bound[w] else 0.0)
            move += x * sign_of(w)
        if abs(move) > _ZERO:
            desk.cells[found], desk.moves[found] = j, move * abs(amount)
            found += 1
    worst = 0.0
    for i in range(found):
        for e in range(net.cell_start[desk.cells[i]], net.cell_start[desk.cells[i] + 1]):
            touch_row(desk, net.cell_rows[e], net.cell_signs[e] * desk.moves[i] * scale)
    for i in range(desk.sizes[SEEN]):
        worst = max(worst, abs(desk.residual[desk.seen_rows[i]]))
    return found, worst


@kernel
def clean(desk: Desk, touched_values: int) -> None:
    """Leave the working space as it was before the search."""
    for i in range(desk.sizes[SEEN]):
        row = desk.seen_rows[i]
        desk.is_seen[row] = False
        desk.residual[row] = 0.0
        desk.place[row] = -1
    for i in range(desk.sizes[MOVED]):
        v = desk.moved[i]
        desk.was_moved[v] = desk.at_bound[v] = False
        desk.basic[v] = -1
    for i in range(touched_values):
        desk.value[desk.valued[i]] = 0.0
    for i in range(4):
        desk.sizes[i] = 0
