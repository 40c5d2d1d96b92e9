"""The audit of a published table alone: intervals without the true values."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from tacita.core.errors import DataError, ParameterError
from tacita.tables.auditor.audit_published import audit_published
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.grid import all_cells
from tacita.tables.model.relations import Relations
from tacita.tables.model.table import Table
from tests.tables.tables_by_hand import row_of


def hide(table: Table, cells: list[int]) -> tuple[Table, np.ndarray]:
    hidden = np.zeros(len(table), bool)
    hidden[cells] = True
    return table.with_values(np.where(hidden, np.nan, table.values)), hidden


def test_intervals_follow_from_what_is_published() -> None:
    table, hidden = hide(row_of([[10.0], [20.0, 20.0], [30.0, 30.0]]), [1, 2])
    found = audit_published(table, hidden)
    assert found.low.tolist() == [0.0, 0.0]
    assert found.high == pytest.approx([50.0, 50.0])
    assert found.is_safe
    assert not audit_published(table, hidden, span=300).is_safe


def test_a_cell_alone_in_its_sum_is_disclosed() -> None:
    table, hidden = hide(row_of([[10.0], [20.0, 20.0]]), [1])
    found = audit_published(table, hidden)
    assert found.is_disclosed.tolist() == [True]
    assert found.low == pytest.approx([10.0])
    assert not found.is_safe


def test_whole_numbers_tell_more() -> None:
    table, hidden = hide(row_of([[1.0], [1.0, 1.0]]), [1, 2])
    found = audit_published(table, hidden, integer=True)
    assert (found.low.tolist(), found.high.tolist()) == ([0.0, 0.0], [3.0, 3.0])


def test_contradictions_are_named() -> None:
    table = row_of([[10.0], [20.0, 20.0]])
    broken = table.with_values(np.array([99.0, 10.0, 40.0]))
    with pytest.raises(DataError, match="do not hold: cell=Total is the sum of"):
        audit_published(broken, np.zeros(3, bool))
    too_small, hidden = hide(table.with_values(np.array([5.0, 10.0, 40.0])), [1])
    with pytest.raises(DataError, match="No values of the hidden cells agree"):
        audit_published(too_small, hidden)
    with pytest.raises(ParameterError, match="one entry for each"):
        audit_published(table, np.zeros(2, bool))


def test_an_endless_interval_is_not_exact() -> None:
    table, hidden = hide(row_of([[-10.0], [20.0], [30.0]]), [2, 3])
    found = audit_published(table, hidden)
    assert np.isinf(found.low).all()
    assert np.isinf(found.high).all()
    assert not found.is_disclosed.any()
    assert found.is_safe


@pytest.mark.parametrize("scale", [1e-12, 1e-8, 1e-3, 1.0, 1e6, 1e12])
def test_the_scale_of_the_table_plays_no_part(scale: float) -> None:
    table = row_of([[10.0 * scale], [20.0 * scale], [30.0 * scale]])
    two = audit_published(*hide(table, [1, 2]))
    assert two.low == pytest.approx([0.0, 0.0], abs=1e-6 * scale)
    assert two.high == pytest.approx([30.0 * scale] * 2)
    assert two.is_safe
    one = audit_published(*hide(table, [1]))
    assert one.low == pytest.approx([10.0 * scale])
    assert one.is_disclosed.tolist() == [True]


def test_the_sums_that_force_an_interval() -> None:
    """r1 + r2 and their columns: the cell follows from two rows and a column together, not from one."""
    rows = Relations.of([(0, [1, 2]), (3, [1, 4]), (5, [2, 4]), (6, [7, 8])], 9)
    # x1 + x2 = a, x1 + x4 = b, x2 + x4 = c: x1 = (a + b - c) / 2 by all three of them
    values = np.array([5.0, 2.0, 3.0, 6.0, 4.0, 7.0, 9.0, 4.0, 5.0])
    table = Table(
        (Dimension("cell", tuple(str(i) for i in range(9))),),
        np.arange(9)[:, None],
        values,
        rows,
        response="x",
        responses=("x",),
    )
    hidden = np.isin(np.arange(9), [1, 2, 4, 7, 8])
    found = audit_published(table, hidden)
    assert found.is_disclosed.tolist() == [True, True, True, False, False]
    assert [sorted(found.relations(cell)) for cell in (1, 2, 4)] == [[0, 1, 2]] * 3
    assert found.relations(7) == (3,)
    with pytest.raises(ParameterError, match="cell 0 is not hidden"):
        found.relations(0)


@pytest.mark.parametrize("seed", range(25))
def test_the_sums_named_force_the_interval_alone(seed: int) -> None:
    """With nothing but these sums and the bounds, linear programmes find the same interval."""
    rng = np.random.default_rng(seed)
    sizes = ("a", "b", "c") if seed % 2 else ("a", "b")
    dimensions = [Dimension.flat(name, ["x", "y", "z"][: 2 + int(rng.integers(2))]) for name in sizes]
    codes, relations = all_cells(dimensions)
    inner = np.all(codes > 0, axis=1)
    values = np.zeros(len(codes))
    values[inner] = rng.integers(0, 20, inner.sum())
    for cell in np.flatnonzero(~inner):
        matches = np.all((codes[cell] == 0) | (codes == codes[cell]), axis=1)
        values[cell] = values[matches & inner].sum()
    scale = 10.0 ** rng.integers(-9, 4)
    table = Table(tuple(dimensions), codes, values * scale, relations, response="x", responses=("x",))
    hidden = rng.random(len(codes)) < 0.5
    found = audit_published(table, hidden)
    for cell, low, high in zip(found.hidden.tolist(), found.low / scale, found.high / scale, strict=True):
        used = list(found.relations(cell))
        ends = _ends(table.relations.matrix[used].toarray(), values, hidden, cell)
        everything = _ends(table.relations.matrix.toarray(), values, hidden, cell)
        assert (low, high) == pytest.approx(everything, abs=1e-4)
        assert ends == pytest.approx(everything, abs=1e-4)


def _ends(rows: np.ndarray, values: np.ndarray, hidden: np.ndarray, cell: int) -> tuple[float, float]:
    """The oracle: two linear programmes over the hidden cells."""
    bounds = [(0, None) if h else (v, v) for h, v in zip(hidden, values, strict=True)]
    ends = []
    for sign in (1.0, -1.0):
        goal = np.zeros(len(values))
        goal[cell] = sign
        sides = {"A_eq": rows, "b_eq": np.zeros(len(rows))} if len(rows) else {}
        answer = linprog(goal, bounds=bounds, **sides)
        ends.append(sign * answer.fun if answer.status == 0 else -sign * np.inf)
    return ends[0], ends[1]
