from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.numeric.fingerprints.aligned import align_records


@pytest.fixture
def masked() -> np.ndarray:
    return np.random.default_rng(1).normal(0, 100, (1000, 4))


def test_records_in_their_order_are_taken_as_they_stand(masked: np.ndarray) -> None:
    found = align_records(masked + 0.1, masked, np.ones(4))
    assert found.by == "order"
    assert found.rows.tolist() == list(range(1000))


def test_some_records_in_another_order_are_found(masked: np.ndarray) -> None:
    rng = np.random.default_rng(2)
    rows = rng.permutation(1000)[:400]
    found = align_records(masked[rows] + rng.normal(0, 0.2, (400, 4)), masked, np.ones(4))
    assert found.by == "nearest"
    assert found.found > 390
    assert (found.rows[found.rows >= 0] == rows[found.rows >= 0]).all()


def test_the_whole_file_in_another_order_is_not_taken_for_its_order(masked: np.ndarray) -> None:
    rows = np.random.default_rng(3).permutation(1000)
    found = align_records(masked[rows], masked, np.ones(4))
    assert found.by == "nearest"
    assert np.array_equal(found.rows, rows)


def test_gaps_are_left_out(masked: np.ndarray) -> None:
    leaked = masked + 0.1
    leaked[::3, 0] = np.nan
    assert align_records(leaked, masked, np.ones(4)).by == "order"


def test_erased_values_do_not_hide_a_record(masked: np.ndarray) -> None:
    """A column that is gone, a value in each record at random, and a record without any."""
    rng = np.random.default_rng(4)
    rows = rng.permutation(1000)[:500]
    leaked = masked[rows] + rng.normal(0, 0.2, (500, 4))
    leaked[:, 3] = np.nan
    leaked[np.arange(500), rng.integers(0, 3, 500)] = np.nan
    leaked[7] = np.nan
    found = align_records(leaked, masked, np.ones(4))
    assert found.rows[7] == -1
    assert found.found > 440
    assert (found.rows[found.rows >= 0] == rows[found.rows >= 0]).mean() > 0.97


def test_equal_records_are_nobodys() -> None:
    masked = np.array([[1.0], [1.0], [50.0]])
    assert align_records(np.array([[1.0], [50.0]]), masked, np.ones(1)).rows.tolist() == [-1, 2]


def test_edges() -> None:
    assert align_records(np.zeros((0, 2)), np.zeros((5, 2)), np.ones(2)).found == 0
    assert align_records(np.array([[3.0], [2.0]]), np.array([[3.0]]), np.ones(1)).rows.tolist() == [0, 0]
    assert align_records(np.full((2, 1), np.nan), np.array([[1.0], [4.0], [9.0]]), np.zeros(1)).rows.tolist() == [
        -1,
        -1,
    ]
    with pytest.raises(ParameterError, match="same columns"):
        align_records(np.zeros((1, 2)), np.zeros((1, 3)), np.ones(3))
