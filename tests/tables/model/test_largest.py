"""The largest contributions of every cell; the comparison with loops stands in test_tabulate.py."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.data.tabulate import Shares
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.grid import spread as spread_cells
from tacita.tables.model.largest import largest_contributions

FLAT = Dimension.flat("a", ["p", "q"])


def shares(cell: list[int], owner: list[int], amount: list[float], others: list[int]) -> Shares:
    return Shares(np.array(cell), np.array(owner), np.array([amount]), np.array(others))


def test_by_hand() -> None:
    """Contributor 7 has 4 in p and -6 in q: the larger in q, and -2 in the total."""
    found = largest_contributions(
        [FLAT], np.array([[1], [2]]), shares([0, 1, 0], [7, 7, 9], [4, -6, 3], [2, 0]), np.arange(3), depth=2
    )
    assert found.counts.tolist() == [4, 4, 1]
    assert found.owners.tolist() == [[9, 7], [7, 9], [7, -1]]
    assert found.amounts.tolist() == [[3, -2], [4, 3], [-6, 0]]
    assert found.sole.tolist() == [-1, -1, 7]


@pytest.mark.parametrize("spread", [False, True])
@pytest.mark.parametrize("tied", [False, True])
def test_many_rows_a_cell(spread: bool, tied: bool) -> None:
    """Where most rows are set aside before sorting, the result is that of sorting them all."""
    rng = np.random.default_rng(4)
    n, depth = 120_000, 3
    cell = rng.integers(0, 2, n)
    owner = rng.integers(0, n // 3, n) if spread else np.arange(n)
    amount = rng.integers(0, 4, n).astype(float) if tied else rng.normal(size=n)
    given = Shares(cell, owner, amount[None], np.zeros(2, np.int64), not spread)
    found = largest_contributions([FLAT], np.array([[1], [2]]), given, np.arange(3), depth=depth)
    for place, rows in enumerate((np.ones(n, bool), cell == 0, cell == 1)):
        sums = np.bincount(owner[rows], amount[rows])
        there = np.flatnonzero(np.bincount(owner[rows]))
        order = there[np.lexsort((there, -np.abs(sums[there])))][:depth]
        assert found.owners[place].tolist() == order.tolist()
        assert found.amounts[place] == pytest.approx(sums[order])
        assert found.counts[place] == len(there)


def test_numbers_too_large_to_be_sorted_at_once() -> None:
    """Five dimensions of thousands of codes: cell and contributor do not fit into one number."""
    dims = [Dimension.flat(f"d{i}", [str(k) for k in range(3999)]) for i in range(5)]
    ends = np.array([[1] * 5, [3999] * 5])
    keys, _ = spread_cells(dims, ends, [np.ones(2)])
    given = Shares(np.array([0, 1, 0]), np.array([5, 5, 2**40]), np.array([[1.0, 2.0, 2.5]]), np.zeros(2, np.int64))
    found = largest_contributions(dims, ends, given, keys, depth=1)
    assert found.amounts[0, 0] == 3.0
    assert found.counts[0] == 2
