"""Names of sets of records: the same for the same records, another for all others."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.arrays import IntArray
from tacita.core.keyed import Key
from tacita.query.universe import members as module
from tacita.query.universe.members import MemberSet, sums_by_cell
from tests.effort import examples

KEY = Key(b"0123456789abcdef")
RECORDS = KEY.record_keys(np.arange(1000, dtype=np.uint64))


def slow_sums(cells: IntArray, keys: IntArray, count: int) -> list[list[int]]:
    found = [[0, 0] for _ in range(count)]
    for cell, (one, two) in zip(cells.tolist(), keys.tolist(), strict=True):
        found[cell][0] += one
        found[cell][1] += two
    return found


@pytest.mark.parametrize("limit", [0, 10, 1 << 22], ids=["always in two parts", "in two parts", "at once"])
@pytest.mark.parametrize("records", [0, 1, 10, 11, 1000])
def test_sums_are_exact_in_both_ways(monkeypatch: pytest.MonkeyPatch, limit: int, records: int) -> None:
    monkeypatch.setattr(module, "EXACT_IN_FLOAT", limit)
    cells = np.random.default_rng(1).integers(0, 7, records)
    found = sums_by_cell(cells, RECORDS[:records], 9)
    assert found.dtype == np.int64
    assert found.tolist() == slow_sums(cells, RECORDS[:records], 9)
    assert sums_by_cell(cells.astype(np.int32), RECORDS[:records], 9).tolist() == found.tolist()


@pytest.mark.slow
def test_the_largest_sum_that_a_float_holds_is_exact() -> None:
    """One more record than the limit, all with the largest hash: 2**53 and beyond."""
    for records in (module.EXACT_IN_FLOAT, module.EXACT_IN_FLOAT + 1):
        keys = np.full((records, 2), 2**31 - 1, dtype=np.int64)
        cells = np.zeros(records, dtype=np.int32)
        assert sums_by_cell(cells, keys, 1).tolist() == [[records * (2**31 - 1)] * 2]


def test_the_limit_is_what_a_float_holds() -> None:
    assert module.EXACT_IN_FLOAT * (2**31 - 1) < 2**53


@settings(max_examples=examples(25), deadline=None)
@given(st.sets(st.integers(0, 40)), st.sets(st.integers(0, 40)))
def test_sets_are_told_apart(one: set[int], two: set[int]) -> None:
    a, b = (MemberSet(np.array(sorted(rows), dtype=np.int64), RECORDS) for rows in (one, two))
    assert (a.name(KEY) == b.name(KEY)) == (one == two)
    assert (a.parts == b.parts) == (one == two)
    assert a.sums == tuple(sum(int(RECORDS[row, j]) for row in one) for j in range(2))


def test_everybody_is_a_set_like_others() -> None:
    rows = np.arange(1000)
    whole = MemberSet(rows, RECORDS)
    assert whole.sums == tuple(RECORDS.sum(axis=0).tolist())
    assert len(whole) == 1000
    parts = [MemberSet(rows[:300], RECORDS), MemberSet(rows[300:], RECORDS)]
    assert whole.sums == tuple(sum(part.sums[j] for part in parts) for j in range(2))
    assert whole.parts == (*whole.sums, 1000)


def test_the_name_belongs_to_the_records_and_not_to_their_rows() -> None:
    """A record that moves to another row keeps its hash, so its sets keep their names."""
    order = np.random.default_rng(2).permutation(1000)
    moved = RECORDS[order]
    chosen = np.arange(5, 900, 7)
    rows = np.sort(np.argsort(order)[chosen])
    assert MemberSet(rows, moved).name(KEY) == MemberSet(chosen, RECORDS).name(KEY)


def test_nobody_and_other_keys() -> None:
    nobody = MemberSet(np.zeros(0, dtype=np.int64), RECORDS)
    assert nobody.parts == (0, 0, 0)
    assert nobody.name(KEY) != nobody.name(KEY.derive("x"))
    assert nobody.name(KEY) != KEY.digest("members")


def test_what_is_printed_shows_no_hashes() -> None:
    assert repr(MemberSet(np.arange(3), RECORDS)) == "MemberSet()"


def test_rows_are_looked_for_when_they_are_asked_for() -> None:
    asked: list[int] = []

    def found() -> IntArray:
        asked.append(1)
        return np.array([2, 5])

    wanted = MemberSet(np.array([2, 5]), RECORDS)
    known = MemberSet.named(found, RECORDS, size=2, sums=wanted.sums)
    assert known.name(KEY) == wanted.name(KEY)
    assert (len(known), asked) == (2, [])
    assert known.rows.tolist() == known.rows.tolist() == [2, 5]
    assert asked == [1]
