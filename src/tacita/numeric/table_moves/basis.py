"""Steps of the dual simplex method of :mod:`tacita.numeric.table_moves.cheapest_move`: moving variables, and a basis that grows.

The basis holds the relations that were broken so far and as many variables, with the dense inverse of their matrix. A
relation that is broken next adds a border to it; a variable that left its bounds is exchanged for another.
"""

from __future__ import annotations

from tacita.core.kernel import kernel
from tacita.numeric.table_moves.workspace import BASIS, MOVED, SEEN, Net, Workspace

__all__ = ["clean", "enter", "flip", "result", "sign_of", "touch_row"]


_ZERO = 1e-9


@kernel
def touch_row(work: Workspace, row: int, change: float) -> None:
    """Change how far a relation is off."""
    if not work.is_seen[row]:
        work.is_seen[row] = True
        work.seen_rows[work.sizes[SEEN]] = row
        work.sizes[SEEN] += 1
    work.residual[row] += change


@kernel
def _mark_moved(work: Workspace, variable: int) -> None:
    if not work.was_moved[variable]:
        work.was_moved[variable] = True
        work.moved[work.sizes[MOVED]] = variable
        work.sizes[MOVED] += 1


@kernel
def sign_of(variable: int) -> float:
    """1 for a cell that goes up, -1 for one that goes down."""
    return 1.0 if variable % 2 == 0 else -1.0


@kernel
def _shift(net: Net, work: Workspace, variable: int, change: float) -> None:
    """Move a variable outside the basis; what relations in the basis feel is gathered in ``felt``."""
    j = variable // 2
    for i in range(net.cell_start[j], net.cell_start[j + 1]):
        row = net.cell_rows[i]
        felt = net.cell_signs[i] * sign_of(variable) * change
        if work.place[row] >= 0:
            work.felt[work.place[row]] += felt
        else:
            touch_row(work, row, felt)


@kernel
def _answer(net: Net, work: Workspace) -> None:
    """Let the basis answer what was gathered in ``felt``, which is clean afterwards; ``step`` keeps the answer."""
    k = work.sizes[BASIS]
    for p in range(k):
        work.step[p] = 0.0
    for q in range(k):
        if work.felt[q] != 0.0:
            for p in range(k):
                work.step[p] -= work.inverse[p, q] * work.felt[q]
            work.felt[q] = 0.0
    for p in range(k):
        change = work.step[p]
        if change == 0.0:
            continue
        work.x[p] += change
        v = work.variables[p]
        for i in range(net.cell_start[v // 2], net.cell_start[v // 2 + 1]):
            row = net.cell_rows[i]
            if work.place[row] < 0:
                touch_row(work, row, net.cell_signs[i] * sign_of(v) * change)


@kernel
def flip(net: Net, work: Workspace, passed: int, scale: float) -> None:
    """Run the variables that the ratio test passed to their other bound."""
    for i in range(passed):
        v = work.candidates[i]
        room = net.room[v // 2, v % 2] * scale
        _shift(net, work, v, -room if work.at_bound[v] else room)
        work.at_bound[v] = not work.at_bound[v]
        _mark_moved(work, v)
    _answer(net, work)


@kernel
def _column(net: Net, work: Workspace, variable: int) -> None:
    """Put a variable's column, as the basis sees it, into ``step``."""
    k, j = work.sizes[BASIS], variable // 2
    for p in range(k):
        work.step[p] = 0.0
    for i in range(net.cell_start[j], net.cell_start[j + 1]):
        q = work.place[net.cell_rows[i]]
        if q >= 0:
            coefficient = net.cell_signs[i] * sign_of(variable)
            for p in range(k):
                work.step[p] += work.inverse[p, q] * coefficient


@kernel
def _forget_lengths(net: Net, work: Workspace, cell: int) -> None:
    """Forget the lengths of a cell's relations: how they are combined with the basis has changed."""
    for i in range(net.cell_start[cell], net.cell_start[cell + 1]):
        work.row_length[net.cell_rows[i]] = -1.0


@kernel
def enter(net: Net, work: Workspace, at: int, entering: int, scale: float, sigma: float) -> None:
    """Move the entering variable until what was out of bounds is right, and make it basic."""
    bound = 0.0
    if at < 0 and sigma > 0:
        leaving = work.variables[-1 - at]
        bound = net.room[leaving // 2, leaving % 2] * scale
    off = work.residual[at] if at >= 0 else work.x[-1 - at] - bound
    alpha = work.alpha[entering // 2] * sign_of(entering)
    change = -off / alpha
    x = change
    if work.at_bound[entering]:
        x += net.room[entering // 2, entering % 2] * scale
        work.at_bound[entering] = False
    _shift(net, work, entering, change)
    _answer(net, work)
    _mark_moved(work, entering)
    _column(net, work, entering)
    k, inverse = work.sizes[BASIS], work.inverse
    for p in range(k):
        if work.step[p] != 0.0:
            work.basic_length[p] = -1.0
            _forget_lengths(net, work, work.variables[p] // 2)
    if at >= 0:  # the inverse grows by a border
        for p in range(k):
            u = work.step[p] / alpha
            if u != 0.0:
                for q in range(k):
                    inverse[p, q] -= u * work.rho[q]
            inverse[p, k] = -u
        for q in range(k):
            inverse[k, q] = work.rho[q] / alpha
        inverse[k, k] = 1.0 / alpha
        work.residual[at] = 0.0
        work.rows[k], work.place[at] = at, k
        work.sizes[BASIS] = k + 1
        place = k
    else:  # one column is exchanged
        place = -1 - at
        leaving = work.variables[place]
        _forget_lengths(net, work, leaving // 2)
        work.basic[leaving] = -1
        work.at_bound[leaving] = sigma > 0
        u = work.step[place]
        for q in range(k):
            inverse[place, q] /= u
        for p in range(k):
            times = work.step[p]
            if p != place and times != 0.0:
                for q in range(k):
                    inverse[p, q] -= times * inverse[place, q]
    work.variables[place], work.x[place], work.basic[entering] = entering, x, place
    work.basic_length[place] = -1.0
    _forget_lengths(net, work, entering // 2)


@kernel
def result(net: Net, work: Workspace, target: int, amount: float) -> tuple[int, float]:
    """Write cells and moves, the target first; return how many, and the largest relation error in wanted amounts."""
    for i in range(work.sizes[SEEN]):
        work.residual[work.seen_rows[i]] = 0.0
    work.cells[0], work.moves[0] = target, amount
    found = 1
    scale = 1.0 / abs(amount)
    for i in range(work.sizes[MOVED]):
        v = work.moved[i]
        j = v // 2
        if v % 2 == 1 and work.was_moved[v - 1]:
            continue  # told with its other half
        move = 0.0
        for w in (2 * j, 2 * j + 1):
            p = work.basic[w]
            room = net.room[j, w % 2] * scale
            x = min(max(work.x[p], 0.0), room) if p >= 0 else (room if work.at_bound[w] else 0.0)
            move += x * sign_of(w)
        if abs(move) > _ZERO:
            work.cells[found], work.moves[found] = j, move * abs(amount)
            found += 1
    worst = 0.0
    for i in range(found):
        for e in range(net.cell_start[work.cells[i]], net.cell_start[work.cells[i] + 1]):
            touch_row(work, net.cell_rows[e], net.cell_signs[e] * work.moves[i] * scale)
    for i in range(work.sizes[SEEN]):
        worst = max(worst, abs(work.residual[work.seen_rows[i]]))
    return found, worst


@kernel
def clean(work: Workspace, touched_values: int) -> None:
    """Leave the working space as it was before the search."""
    for i in range(work.sizes[SEEN]):
        row = work.seen_rows[i]
        work.is_seen[row] = False
        work.residual[row] = 0.0
        work.row_length[row] = -1.0
        work.place[row] = -1
    for i in range(work.sizes[MOVED]):
        v = work.moved[i]
        work.was_moved[v] = work.at_bound[v] = False
        work.basic[v] = -1
    for i in range(touched_values):
        work.value[work.valued[i]] = 0.0
    for i in range(4):
        work.sizes[i] = 0
