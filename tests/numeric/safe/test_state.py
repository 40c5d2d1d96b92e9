from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.safe.state import TableCodes, deviations_of, lay_out, new_state
from tests.numeric.safe.small_problems import small_problem


@given(seed=st.integers(0, 10**6), soft=st.integers(0, 2))
def test_cells_of_tables_are_those_of_the_codes(seed: int, soft: int) -> None:
    """Two elementary cells share a cell of a table exactly where they agree in its variables; tables share no cell."""
    found = small_problem(seed, soft=soft)
    owner: dict[int, tuple[int, tuple[int, ...]]] = {}
    for t, table in enumerate(found.tables):
        for j, row in enumerate(found.codes.tolist()):
            cell = int(found.layout.places[j, t])
            assert owner.setdefault(cell, (t, tuple(row[v] for v in table))) == (t, tuple(row[v] for v in table))
            assert (cell < found.layout.controlled) == (t < len(found.tables) - soft)
    assert len(owner) == sum(
        len({tuple(row[v] for v in table) for row in found.codes.tolist()}) for table in found.tables
    )
    assert (found.layout.places[:, -1] == found.layout.cells - 1).all()


def test_sparse_tables_are_numbered_without_gaps_that_matter() -> None:
    """Two variables with a hundred thousand codes each have far more pairs than memory has room for."""
    rng = np.random.default_rng(1)
    block = np.sort(rng.integers(0, 100_000, 500))
    other = rng.integers(0, 100_000, 500)
    pair = TableCodes([block, other], [100_000, 100_000], True)
    alone = TableCodes([other, other % 977], [100_000, 977], False)
    found = lay_out(block, [pair, alone], [])
    assert found.cells <= 1001
    words = list(zip(block.tolist(), other.tolist(), strict=True))
    assert len(set(found.places[:, 0].tolist())) == len(set(words))
    assert len(set(found.places[:, 1].tolist())) == len(set(other.tolist()))


def test_blocks_are_where_they_begin() -> None:
    found = small_problem(3)
    block = found.codes[:, 0]
    for b in range(len(found.layout.starts) - 1):
        assert (block[found.layout.starts[b] : found.layout.starts[b + 1]] == b).all()


@given(seed=st.integers(0, 10**6))
def test_deviations_are_sums_of_changes(seed: int) -> None:
    found = small_problem(seed)
    changes = np.random.default_rng(seed).integers(-3, 4, len(found.counts)).astype(np.int32)
    got = np.zeros(found.layout.cells, dtype=np.int16)
    deviations_of(changes, found.layout.places, got)
    wanted: Counter[int] = Counter()
    for j, row in enumerate(found.layout.places.tolist()):
        for cell in row:
            wanted[cell] += int(changes[j])
    assert {cell: int(d) for cell, d in enumerate(got) if d} == {cell: d for cell, d in wanted.items() if d}


def test_classes_are_those_of_the_allowances() -> None:
    found = small_problem(5, soft=1)
    allowances = np.arange(found.layout.controlled) % 3 - 1
    state, known = new_state(found.layout, found.counts, allowances)
    assert known.tolist() == [-1, 0, 1]
    assert (known[state.classes[: found.layout.controlled]] == allowances).all()
    assert state.rows.tolist() == [0] * (len(found.tables) - 1) + [3, 4]


def test_too_many_cells_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacita.numeric.safe.state._MOST_CELLS", 10)
    with pytest.raises(ValueError, match="fewer than"):
        small_problem(1)
