"""Steps of the dual simplex method: the inverse is that of the basis, relations are off by what a dense product says."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tacita.numeric.table_moves.basis import clean, enter, flip, result, sign_of, touch_row
from tacita.numeric.table_moves.workspace import BASIS, MOVED, SEEN, Net, Workspace, make_net, make_workspace

ROWS = np.array(
    [
        [1.0, 1, -1, 0, 0, 0, 0, 0, 0],
        [0.0, 0, 0, 1, 1, -1, 0, 0, 0],
        [0.0, 0, 0, 0, 0, 0, 1, 1, -1],
        [1.0, 0, 0, 1, 0, 0, -1, 0, 0],
        [0.0, 1, 0, 0, 1, 0, 0, -1, 0],
        [0.0, 0, 1, 0, 0, 1, 0, 0, -1],
    ]
)
"""A table of two by two with its margins: cells 0 1 2 / 3 4 5 / 6 7 8."""


def made(room: float = 3.0) -> tuple[Net, Workspace]:
    matrix = sp.csr_array(ROWS)
    up = np.full(9, room)
    return make_net(matrix, sp.csc_array(ROWS), up, up), make_workspace(6, 9, 10)


def moves_of(net: Net, work: Workspace) -> np.ndarray:
    """What every cell has moved by: basic variables by x, others by their room where they stand at it."""
    moves = np.zeros(9)
    for v in range(18):
        place = work.basic[v]
        x = work.x[place] if place >= 0 else net.room[v // 2, v % 2] if work.at_bound[v] else 0.0
        moves[v // 2] += x * (1.0 if v % 2 == 0 else -1.0)
    return moves


def check_inverse(work: Workspace) -> None:
    k = work.sizes[BASIS]
    columns = [ROWS[work.rows[:k], v // 2] * sign_of(v) for v in work.variables[:k]]
    assert work.inverse[:k, :k] @ np.array(columns).T == pytest.approx(np.eye(k))


def check_residuals(net: Net, work: Workspace, target: int, amount: float) -> None:
    moves = moves_of(net, work)
    moves[target] += amount
    assert work.residual == pytest.approx(ROWS @ moves)


def push(work: Workspace, target: int, amount: float) -> None:
    for row in np.flatnonzero(ROWS[:, target]):
        touch_row(work, row, ROWS[row, target] * amount)


def bring_in(net: Net, work: Workspace, row: int, variable: int) -> None:
    """Repair a relation by a variable: alpha and rho by dense algebra."""
    k = work.sizes[BASIS]
    basis = np.array([ROWS[work.rows[:k], v // 2] * sign_of(v) for v in work.variables[:k]]).T.reshape(k, k)
    own = np.array([ROWS[row, v // 2] * sign_of(v) for v in work.variables[:k]])
    rho = -np.linalg.solve(basis.T, own) if k else np.empty(0)
    work.rho[:k] = rho
    work.alpha[:] = rho @ ROWS[work.rows[:k]] + ROWS[row]
    enter(net, work, row, variable, 1.0, 1.0)


def test_signs() -> None:
    assert [sign_of(v) for v in (0, 1, 8, 9)] == [1.0, -1.0, 1.0, -1.0]


def test_rows_are_noted_once() -> None:
    _, work = made()
    touch_row(work, 4, 1.5)
    touch_row(work, 4, -0.5)
    touch_row(work, 2, 1.0)
    assert work.residual[[2, 4]].tolist() == [1.0, 1.0]
    assert work.seen_rows[: work.sizes[SEEN]].tolist() == [4, 2]


def test_flipped_cells_run_to_their_bound_and_back() -> None:
    net, work = made()
    work.candidates[:2] = (3, 8)  # cell 1 down, cell 4 up
    flip(net, work, 2, 1.0)
    assert moves_of(net, work)[[1, 4]].tolist() == [-3.0, 3.0]
    assert work.residual == pytest.approx(ROWS @ moves_of(net, work))
    flip(net, work, 2, 1.0)
    assert not moves_of(net, work).any()
    assert work.residual == pytest.approx(np.zeros(6))
    assert sorted(work.moved[: work.sizes[MOVED]].tolist()) == [3, 8]


def test_a_basis_that_grows_repairs_one_relation_after_another() -> None:
    """Cell 0 goes up by 1: cell 1 down in its row, cell 3 down in its column, then cell 4 up closes both."""
    net, work = made()
    push(work, 0, 1.0)
    for row, variable in ((0, 3), (3, 7), (1, 8)):
        bring_in(net, work, row, variable)
        check_inverse(work)
        check_residuals(net, work, 0, 1.0)
        assert work.residual[row] == 0.0
    assert moves_of(net, work) == pytest.approx([0, -1, 0, -1, 1, 0, 0, 0, 0])
    found, worst = result(net, work, 0, 1.0)
    assert dict(zip(work.cells[:found].tolist(), work.moves[:found].tolist(), strict=True)) == {
        0: 1,
        1: -1,
        3: -1,
        4: 1,
    }
    assert worst == pytest.approx(0.0)


def test_flips_are_answered_by_the_basis() -> None:
    net, work = made()
    push(work, 0, 2.0)
    bring_in(net, work, 0, 3)
    work.candidates[0] = 5  # cell 2, the row's total, down: cell 1 in the basis answers
    flip(net, work, 1, 1.0)
    check_residuals(net, work, 0, 2.0)
    assert moves_of(net, work)[1] == pytest.approx(-5.0)


def test_a_variable_is_exchanged_for_another() -> None:
    """Cell 1 would have to fall by 5 and has room for 3: it stays at its bound, and the total takes the rest."""
    net, work = made()
    push(work, 0, 5.0)
    bring_in(net, work, 0, 3)
    assert work.x[0] == pytest.approx(5.0)
    work.rho[0] = -work.inverse[0, 0]
    work.alpha[:] = work.rho[0] * ROWS[0]
    enter(net, work, -1, 4, 1.0, 1.0)  # cell 2 up
    check_inverse(work)
    check_residuals(net, work, 0, 5.0)
    assert work.variables[0] == 4
    assert moves_of(net, work)[[1, 2]] == pytest.approx([-3.0, 2.0])


def test_the_workspace_is_clean_afterwards() -> None:
    net, work = made()
    fresh = make_workspace(6, 9, 10)
    push(work, 0, 2.0)
    bring_in(net, work, 0, 3)
    work.valued[0], work.value[4] = 4, 1.0
    clean(work, 1)
    for name in ("residual", "place", "is_seen", "value", "basic", "at_bound", "was_moved", "felt"):
        assert np.array_equal(getattr(work, name), getattr(fresh, name)), name
    assert not work.sizes[:4].any()
