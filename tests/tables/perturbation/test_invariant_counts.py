"""Invariant matrices for counts: Tables 2 and 3 of Giessing and Hoehne follow from each other."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.tables.perturbation.invariant_counts import InvariantMatrix, split_small_counts

TABLE_2 = np.array(
    [
        [144.62403, 2.9690406, 0.4069246, 0, 0, 0],
        [2.9690406, 11.81552, 1.0893785, 0.1260606, 0, 0],
        [0.4069246, 1.0893785, 12.211631, 1.196397, 0.0956693, 0],
        [0, 0.1260606, 1.196397, 10.676843, 0.9239783, 0.0767213],
    ]
)
"""Expected flows between counts up to 3, 4, 5, 6 (rows) and 7, 8 (columns)."""

TABLE_3 = np.array(
    [
        [60.531974, 35.468026, 0, 0, 0],
        [9.510658, 22.489342, 0, 0, 0],
        [4.6240348, 12, 2.9690406, 0.4069246, 0],
        [0, 2.9690406, 11.81552, 1.0893785, 0.1260606],
        [0, 0.4069246, 1.0893785, 12.211631, 1.196397],
        [0, 0, 0.1260606, 1.196397, 10.676843],
    ]
)
"""Expected flows from the counts 1 to 6 to the counts 0, 3, 4, 5, 6."""

V = np.array([96.0, 32, 20, 16, 15, 13])


def test_table_2_is_invariant() -> None:
    """Row sums are the frequencies, V_6 = 13 among them, and flows are symmetric."""
    assert TABLE_2.sum(axis=1) == pytest.approx([148, 16, 15, 13], abs=1e-4)
    assert np.abs(TABLE_2[:, :4] - TABLE_2[:, :4].T).max() < 1e-7


def test_table_3_follows_from_table_2() -> None:
    """As many go from 6 to 7 and 8 as come back, so the table is closed here by adding these to its diagonal."""
    flows = TABLE_2[:, :4].copy()
    outside = V[3:] - flows.sum(axis=1)[1:]
    flows[np.arange(1, 4), np.arange(1, 4)] += outside
    flows[0, 0] = 148 - flows[0, 1:].sum()
    made = V[:, None] * split_small_counts(V, flows, smallest=3, keep=0.6)[1:]
    found = made[:, [0, 3, 4, 5, 6]]
    found[np.arange(3, 6), np.arange(2, 5)] -= outside
    assert np.abs(found - TABLE_3).max() < 2e-5
    assert made[:, 0].sum() == pytest.approx(74.667, abs=1e-3)
    assert made[:, 3].sum() == pytest.approx((96 + 2 * 32 + 3 * 20) / 3)
    assert made[:, 0].sum() + made[:, 3].sum() == pytest.approx(148)
    bias = (made[:2] / V[:2, None]) @ np.arange(7) - [1, 2]
    assert bias == pytest.approx([0.108376, 0.108376], abs=1e-6)


def test_larger_frequencies_and_the_small_ones_together_are_kept() -> None:
    v = [96, 32, 20, 16, 15, 13, 12, 11, 9, 9, 8]
    made = InvariantMatrix.without_small(v, alpha=0.9)
    after = made.expected.sum(axis=0)
    assert after[4:] == pytest.approx(v[3:])
    assert after[0] + after[3] == pytest.approx(148)
    assert after[[1, 2]].tolist() == [0, 0]
    assert 3 * after[3] == pytest.approx(96 + 64 + 60)
    assert np.abs(made.probabilities.sum(axis=1) - 1).max() < 1e-12


def test_the_plain_matrix_keeps_all() -> None:
    v = [96, 32, 20, 16, 15]
    made = InvariantMatrix.of(v, alpha=0.5)
    assert made.expected.sum(axis=0) == pytest.approx([0, *v])
    assert made.probabilities[0, 0] == 1


def test_a_split_that_cannot_be_is_refused() -> None:
    with pytest.raises(ParameterError, match="cannot be split"):
        InvariantMatrix.without_small([1, 1, 1, 500, 500], stay=0.1)
