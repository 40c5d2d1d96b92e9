"""Nearest donors and draws from groups against what they are defined as."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.nearest.donors import draw_from_groups, nearest_donors


@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 8), st.integers(1, 3))
def test_a_nearest_donor_is_found(seed: int, m: int, s: int, p: int) -> None:
    rng = np.random.default_rng(seed)
    points, donors = rng.integers(0, 3, (m, p)) / 2, rng.integers(0, 3, (s, p)) / 2
    importance, counts = rng.uniform(0, 2, p), rng.integers(1, 4, s)
    found = nearest_donors(points, donors, importance, counts, rng.random(m))
    distance = (np.minimum(np.abs(points[:, None] - donors[None]), 1) * importance).sum(axis=-1)
    assert (distance[np.arange(m), found] <= distance.min(axis=1) + 1e-8).all()


def test_equally_near_donors_are_drawn_by_their_counts() -> None:
    """0.5 lies between 0 and 1, which stand for one and three records; 5 is farther."""
    m = 4000
    chance = np.random.default_rng(1).random(m)
    found = nearest_donors(
        np.full((m, 1), 0.5), np.array([[0.0], [5.0], [1.0]]), np.ones(1), np.array([1, 100, 3]), chance
    )
    assert not (found == 1).any()
    # sd 0.0068: five of them
    assert abs((found == 2).mean() - 0.75) < 0.035


@given(st.lists(st.integers(0, 4), min_size=1, max_size=30), st.integers(0, 10**6))
def test_a_draw_is_a_member(groups: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    members = np.array(groups)
    wanted = rng.choice(members, 20)
    assert np.array_equal(members[draw_from_groups(wanted, members, rng.random(20))], wanted)


def test_every_member_can_be_drawn() -> None:
    chance = np.array([0.0, 0.34, 0.67, 1 - 1e-16])
    assert draw_from_groups(np.full(4, 7), np.array([7, 1, 7, 7]), chance).tolist() == [0, 2, 3, 3]
