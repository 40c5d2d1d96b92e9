"""Key tallies in pieces: codes as values come, cells added up chunk by chunk, the largest contributors kept."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.data.store.key_tally_sums import KeyedCells, LargestKept, ValueCodes, numbered_cells
from tests.effort import examples


def test_values_are_numbered_as_they_come() -> None:
    known = ValueCodes()
    assert known.codes(pa.chunked_array([["b", None, "a"]])).tolist() == [0, -1, 1]
    assert known.codes(pa.chunked_array([["c", "a"], ["c"]])).tolist() == [2, 1, 2]
    assert known.values(np.array([2, -1, 0])).to_pylist() == ["c", None, "b"]


def test_combinations_are_numbered_however_many_there_could_be() -> None:
    for span in (3, 5000, 2**31):
        codes = np.random.default_rng(1).integers(-1, span - 1, (50, 3))
        cell, inner = numbered_cells(codes)
        assert np.array_equal(inner[cell], codes)


@settings(max_examples=examples(30), deadline=None)
@given(st.lists(st.integers(0, 60), min_size=0, max_size=4), st.integers(0, 9))
def test_pieces_make_no_difference(cuts: list[int], seed: int) -> None:
    rng, n = np.random.default_rng(seed), 60
    codes = rng.integers(-1, 3, (n, 2)).astype(np.int32)
    x = np.round(rng.normal(size=n) * 10.0 ** rng.integers(-9, 9, n), 4) * rng.integers(0, 2, n)
    x[:20] = 4.0
    words = np.arange(n, dtype=np.uint64)
    who = pa.array(rng.permutation(n))
    cells, largest = KeyedCells(2, 1), LargestKept(3)
    edges = [0, *sorted(cuts), n]
    for low, high in itertools.pairwise(edges):
        if high > low:
            part = slice(low, high)
            cells.add(codes[part], words[part, None].astype(np.int64), [x[part]])
            largest.add(codes[part], who.slice(low, high - low), words[part], x[None, part])
    found, whole, (amounts,) = cells.result()
    kept, _, who_kept, shares = largest.result()
    total = amounts.rounded()
    assert len(found) == len(np.unique(codes, axis=0))
    for row, code in enumerate(found):
        here = np.flatnonzero((codes == code).all(axis=1))
        assert whole[row, 0] == words[here].sum()
        assert total[row] == math.fsum(x[here])
        order = sorted(here.tolist(), key=lambda k: (-abs(x[k]), who[k].as_py()))[:3]
        at = np.flatnonzero((kept == code).all(axis=1))
        assert sorted(who_kept[at].tolist()) == sorted(order)
        assert np.array_equal(np.sort(shares[0, at]), np.sort(x[order]))
