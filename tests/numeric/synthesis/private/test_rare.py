from __future__ import annotations

import numpy as np

from tacita.numeric.synthesis.private.rare import MOST_KEPT, merge_rare


def test_rare_classes_come_out_in_their_noisy_shares() -> None:
    noisy = np.array([-5.0, 400.0, 10.0, 300.0, 30.0])
    merged = merge_rare(noisy, 400.0)
    assert merged.code.tolist() == [2, 0, 2, 1, 2]
    assert merged.counts.tolist() == [400, 300, 35]
    assert merged.variances.tolist() == [400, 400, 1200]
    found = merged.drawn(np.array([0, 1] + [2] * 40), np.random.default_rng(1))
    assert found[:2].tolist() == [1, 3]
    assert np.bincount(found[2:], minlength=5).tolist() == [0, 0, 10, 0, 30]


def test_one_rare_class_stays_alone() -> None:
    merged = merge_rare(np.array([1.0, 90.0, 80.0]), 1.0)
    assert merged.code.tolist() == [0, 1, 2]
    assert merged.drawn(np.array([2, 0, 1]), np.random.default_rng(1)).tolist() == [2, 0, 1]


def test_where_all_are_rare_one_class_is_left() -> None:
    merged = merge_rare(np.zeros(4), 25.0)
    assert merged.size == 1
    assert np.bincount(merged.drawn(np.zeros(8, np.int64), np.random.default_rng(1))).tolist() == [2, 2, 2, 2]


def test_a_long_list_keeps_its_most_frequent_classes() -> None:
    noisy = np.arange(1.0, 3001.0)
    merged = merge_rare(noisy, 1e-6)
    assert merged.size == MOST_KEPT + 1
    assert set(merged.rare.tolist()) == set(range(3000 - MOST_KEPT))
