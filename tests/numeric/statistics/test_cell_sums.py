"""Sums by cell against loops over records."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.numeric.statistics import cell_sums
from tacita.numeric.statistics.cell_sums import (
    add_members,
    add_records,
    add_response,
    add_squares,
    find_largest,
    find_members,
    places_of,
)
from tests.effort import examples

SIZES = (3, 2, 4)
STRIDES = np.array([8, 4, 1])
WHERE = (np.array([1, 0]), np.array([1, 2]))
"""A table of the second plane within the first: its cells are first * 2 + second."""


def _records(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    planes = np.stack([rng.integers(0, size, n).astype(np.uint8) for size in SIZES])
    return planes, rng.integers(0, 2**31, (n, 2)).astype(np.int32)


def _cell(planes: np.ndarray, row: int) -> int:
    return int(sum(int(planes[v, row]) * int(STRIDES[v]) for v in range(3)))


@settings(max_examples=examples(20), deadline=None)
@given(st.integers(0, 40), st.integers(0, 5), st.lists(st.booleans(), min_size=6, max_size=6))
def test_members_are_added_up_and_listed(n: int, seed: int, chosen: list[bool]) -> None:
    planes, keys = _records(n, seed)
    inside = np.array(chosen)
    which = np.arange(3)
    rows = [row for row in range(n) if chosen[2 * planes[0, row] + planes[1, row]]]
    whole, part = np.zeros((24, 3), dtype=np.int64), np.zeros((24, 3), dtype=np.int64)
    for row in range(n):
        whole[_cell(planes, row)] += (1, *keys[row].tolist())
    for row in rows:
        part[_cell(planes, row)] += (1, *keys[row].tolist())
    found = np.zeros((24, 3), dtype=np.int64)
    add_records(planes, which, STRIDES, keys, found)
    assert found.tolist() == whole.tolist()
    found = np.zeros((24, 3), dtype=np.int64)
    add_members(planes, *WHERE, inside, which, STRIDES, keys, found)
    assert found.tolist() == part.tolist()
    listed, cells = np.empty(n + 1, dtype=np.int32), np.empty(n + 1, dtype=np.int32)
    many = find_members(planes, *WHERE, inside, which, STRIDES, listed, cells)
    assert listed[:many].tolist() == rows
    assert cells[:many].tolist() == [_cell(planes, row) for row in rows]


def test_more_records_than_a_block_holds() -> None:
    n = 2 * cell_sums._BLOCK + 17
    planes, keys = _records(n, 1)
    places = np.empty(n, dtype=np.int32)
    places_of(planes, np.arange(3), STRIDES, places)
    assert places.tolist() == (planes * STRIDES[:, None]).sum(axis=0).tolist()
    found = np.zeros((24, 3), dtype=np.int64)
    add_records(planes, np.arange(3), STRIDES, keys, found)
    assert found[:, 0].tolist() == np.bincount(places, minlength=24).tolist()
    assert found[:, 1:].sum(axis=0).tolist() == keys.sum(axis=0, dtype=np.int64).tolist()


@pytest.mark.parametrize("is_weighted", [True, False])
def test_a_response_is_added_up_in_the_order_of_rows(is_weighted: bool) -> None:
    rng = np.random.default_rng(2)
    values = rng.lognormal(3, 2, 60)
    values[::7] = np.nan
    weights = rng.random(60) * (rng.random(60) < 0.8) if is_weighted else np.ones(1)
    strata = rng.integers(0, 2, 60)
    rows = np.flatnonzero(rng.random(60) < 0.6).astype(np.int32)
    cells = rng.integers(0, 3, len(rows)).astype(np.int32)
    sums = np.zeros((3, 4))
    add_response(rows, cells, values, weights, sums)
    means, scale = np.array([1.0, 2.0, 3.0]), np.array([0.5, 1.0, 2.0])
    squares = np.zeros((6, 2))
    add_squares(rows, cells, strata, values, weights, means, scale, squares)
    wanted, squared = np.zeros((3, 4)), np.zeros((6, 2))
    for row, cell in zip(rows.tolist(), cells.tolist(), strict=True):
        x, w = float(values[row]), float(weights[row]) if is_weighted else 1.0
        if not np.isnan(x):
            wanted[cell] += (1, w > 0, w, w * x)
            z = w * (x - means[cell]) * scale[cell] if w > 0 else 0.0
            squared[strata[row] * 3 + cell] += (z * z, z)
    assert sums.tolist() == wanted.tolist()
    assert squares.tolist() == squared.tolist()


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from([-3.0, -1.0, 0.0, 1.0, 2.0, 3.0, np.nan])), max_size=25))
def test_the_largest_are_those_of_a_full_sort(records: list[tuple[int, float]]) -> None:
    ids = np.random.default_rng(1).permutation(len(records)).astype(np.uint64)
    values = np.array([x for _, x in records], dtype=np.float64)
    cells = np.array([cell for cell, _ in records], dtype=np.int32)
    amounts, who = np.zeros((3, 2)), np.zeros(6, dtype=np.uint64)
    find_largest(np.arange(len(records), dtype=np.int32), cells, values, np.ones(1), ids, amounts, who)
    listed: dict[int, list[tuple[float, int, float]]] = defaultdict(list)
    for row, (cell, x) in enumerate(records):
        if not np.isnan(x):
            listed[cell].append((-abs(x), int(ids[row]), x))
    for cell in range(3):
        first = sorted(listed[cell])[:2]
        assert amounts[cell].tolist() == [*(x for *_, x in first), 0.0, 0.0][:2]
        assert who.reshape(3, 2)[cell, : len(first)].tolist() == [name for _, name, _ in first]
