"""Neighbourhoods: whole relations around a cell."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from tacita.tables.protect.neighbourhood import grown, neighbourhood
from tests.tables.small_problems import grid

CHAIN = sp.csr_array([[-1.0, 1, 1, 0, 0, 0], [0, 0, -1, 1, 0, 0], [0, 0, 0, -1, 1, 1]])


def test_rings_by_hand() -> None:
    rng = np.random.default_rng(1)
    assert neighbourhood(CHAIN, CHAIN.tocsc(), 0, 1, rng).tolist() == [0]
    assert neighbourhood(CHAIN, CHAIN.tocsc(), 0, 2, rng).tolist() == [0, 1, 2]
    assert neighbourhood(CHAIN, CHAIN.tocsc(), 0, 4, rng).tolist() == [0, 1, 2, 3]
    assert neighbourhood(CHAIN, CHAIN.tocsc(), 0, 99, rng).tolist() == [0, 1, 2, 3, 4, 5]


def test_size_is_reached_but_hardly_passed() -> None:
    rows = grid(np.ones((12, 9)), unsafe=[], level=0).relations.matrix
    for start in (0, 60, rows.shape[1] - 1):
        cells = neighbourhood(rows, rows.tocsc(), start, 40, np.random.default_rng(start))
        assert start in cells
        assert 40 <= len(cells) < 40 + 13
        assert len(np.unique(cells)) == len(cells)


def test_the_same_stream_gives_the_same_cells() -> None:
    rows = grid(np.ones((8, 8)), unsafe=[], level=0).relations.matrix
    one, two = (neighbourhood(rows, rows.tocsc(), 3, 30, np.random.default_rng(5)) for _ in range(2))
    np.testing.assert_array_equal(one, two)


def test_growing_takes_all_partners() -> None:
    cells = np.array([False, True, False, False, False, False])
    assert np.flatnonzero(grown(CHAIN, cells)).tolist() == [0, 1, 2]
    assert np.flatnonzero(grown(CHAIN, grown(CHAIN, cells))).tolist() == [0, 1, 2, 3]
    alone = np.zeros(6, bool)
    assert not grown(CHAIN, alone).any()
