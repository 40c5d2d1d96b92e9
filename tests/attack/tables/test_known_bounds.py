"""What a reader knows of cells by themselves, and how intervals become claims."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from tacita.attack.tables.known_bounds import claimed_cells, known_bounds, reach_of, several_possible
from tacita.core.errors import AttackError
from tests.attack.tables.cases import counts_target

ROWS = sp.csr_array([[1.0, -1, -1]])


def test_bounds_of_changed_hidden_and_true_cells() -> None:
    target = counts_target(np.array([7.0, 1.0, np.nan]), ROWS, 2.0, np.arange(3))
    low, high = known_bounds(target, keeps_zeros=True)
    assert low.tolist() == [5.0, 1.0, 0.0]
    assert high.tolist() == [9.0, 3.0, np.inf]
    assert known_bounds(target)[0].tolist() == [5.0, 0.0, 0.0]
    true = replace(target, reach=None)
    assert known_bounds(true)[0].tolist() == [7.0, 1.0, 0.0]
    assert known_bounds(true)[1].tolist() == [7.0, 1.0, np.inf]
    assert reach_of(true).tolist() == [0.0, 0.0, 0.0]


def test_claims_are_sure_of_narrow_intervals_only() -> None:
    target = replace(counts_target(np.zeros(3), ROWS, 1.0, np.arange(3)), is_count=False)
    ends = (np.array([99.0, 50.0, 0.0]), np.array([101.0, 150.0, np.inf]))
    sure, guess = claimed_cells(target, ends, tolerance=0.02, guesses=True, impossible="")
    assert sure.is_sure is not None
    assert sure.is_sure.tolist() == [True, False, False]
    assert guess.said[:2].tolist() == [100.0, 100.0]
    assert np.isnan(guess.said[2])
    with pytest.raises(AttackError, match="nothing fits"):
        claimed_cells(target, None, tolerance=0.0, guesses=False, impossible="nothing fits")


def test_two_whole_numbers_are_several() -> None:
    assert several_possible(np.array([1.0, 1.2, 0.9]), np.array([1.9, 1.8, 2.0])).tolist() == [False, False, True]
