"""The audit of a published table alone: intervals without the true values."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.tables.audit_published import audit_published
from tacita.tables.table import Table
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
