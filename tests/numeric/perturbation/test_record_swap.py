"""Partners of households: pairs of one profile and different areas, near ones first, and the wanted share of every area."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.numeric.perturbation.record_swap import swap_households
from tests.effort import examples


@given(st.integers(1, 60), st.floats(0, 0.5), st.integers(0, 2**32 - 1))
@settings(max_examples=examples(60), deadline=None)
def test_a_partner_is_of_the_same_profile_and_of_another_area(h: int, share: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    fine = rng.integers(0, 6, h)
    areas, profiles = np.stack([fine // 3, fine]), np.stack([rng.integers(0, 4, h), np.zeros(h, np.int64)])
    at_risk = rng.random((2, h)) < 0.2
    partner, unmatched = swap_households(areas, at_risk, profiles, share, rng)
    assert (partner[partner] == np.arange(h)).all(), "who gets somebody's area gives his own"
    moved = partner != np.arange(h)
    assert (areas[-1][partner[moved]] != areas[-1][moved]).all()
    assert (profiles[-1][partner] == profiles[-1]).all()
    assert unmatched <= int(at_risk.any(axis=0).sum())
    assert not (share == 0 and moved.any() and not at_risk.any()), "without risk and share nobody moves"


def test_the_finest_profile_and_the_same_region_come_first() -> None:
    """Household 0 is at risk in its district; 1 is like it next door, 2 like it far away, 3 next door but unlike it."""
    areas = np.array([[0, 0, 1, 0], [0, 1, 2, 1]])
    at_risk = np.array([[False] * 4, [True, False, False, False]])
    profiles = np.array([[7, 7, 7, 5], [0, 0, 0, 0]])
    for seed in range(5):
        partner, unmatched = swap_households(areas, at_risk, profiles, 0.0, np.random.default_rng(seed))
        assert partner.tolist() == [1, 0, 2, 3]
        assert unmatched == 0


def test_a_coarser_profile_and_the_whole_file_are_the_last_resorts() -> None:
    at_risk = np.array([[False, False], [True, False]])
    for areas in ([[0, 0], [0, 1]], [[0, 1], [0, 1]]):
        partner, unmatched = swap_households(
            np.array(areas), at_risk, np.array([[1, 2], [0, 0]]), 0.0, np.random.default_rng(1)
        )
        assert (partner.tolist(), unmatched) == ([1, 0], 0)


def test_who_finds_nobody_is_counted() -> None:
    partner, unmatched = swap_households(
        np.zeros((1, 3), np.int64), np.ones((1, 3), bool), np.zeros((1, 3), np.int64), 0.0, np.random.default_rng(1)
    )
    assert (partner.tolist(), unmatched) == ([0, 1, 2], 3)


@pytest.mark.parametrize("share", [0.1, 0.25])
def test_every_area_reaches_its_share(share: float) -> None:
    fine = np.repeat(np.arange(8), 50)
    areas, calm = np.stack([fine // 4, fine]), np.zeros((2, 400), bool)
    partner, _ = swap_households(areas, calm, np.zeros((1, 400), np.int64), share, np.random.default_rng(4))
    moved = np.bincount(fine[partner != np.arange(400)], minlength=8)
    assert moved.min() >= np.ceil(50 * share)
    assert moved.max() <= 2 * np.ceil(50 * share)
