from __future__ import annotations

import numpy as np
import pytest

from tacita.logs.microaggregation.aggregation import (
    asked_by_repetitions,
    copies,
    lines_of_copies,
    shares_of_copies,
)


def test_the_example_of_section_3_3() -> None:
    """A query asked 3 times by a user who contributes 0.4: one copy is certain, one more comes with probability 0.2."""
    user = np.repeat([0, 1], [40, 60])
    item = np.concatenate([np.repeat([9], 3), np.arange(100, 137), np.arange(200, 260)])
    asked = asked_by_repetitions(user, item)
    assert asked.item[0] == 9
    made = [
        int(copies(asked, np.zeros(2, np.int64), np.random.default_rng(s), cut_at_quota=True)[0]) for s in range(4000)
    ]
    assert set(made) == {1, 2}
    assert np.mean(made) == pytest.approx(1.2, abs=4 * np.sqrt(0.2 * 0.8 / 4000))
    assert np.mean(made) != pytest.approx(1.3, abs=4 * np.sqrt(0.2 * 0.8 / 4000))


def test_whole_shares_are_not_drawn() -> None:
    """0.1 x 30 is a little more than 3 in floating point."""
    certain, chance = shares_of_copies(np.array([10, 10]), np.array([100, 100]), np.array([30, 7]))
    assert certain.tolist() == [3, 0]
    assert chance.tolist() == [0.0, 0.7]


def test_queries_stand_user_by_user_most_repeated_first() -> None:
    asked = asked_by_repetitions(np.array([1, 0, 1, 1, 0, 1]), np.array([4, 8, 6, 6, 2, 4]))
    assert list(zip(asked.user, asked.item, asked.repetitions, strict=True)) == [
        (0, 2, 1),
        (0, 8, 1),
        (1, 4, 2),
        (1, 6, 2),
    ]
    assert asked.item[asked.entry_of_line].tolist() == [4, 8, 6, 6, 2, 4]


def test_nobody_asked_anything() -> None:
    asked = asked_by_repetitions(np.zeros(0, np.int64), np.zeros(0, np.int64))
    rng = np.random.default_rng(1)
    assert len(copies(asked, np.zeros(3, np.int64), rng, cut_at_quota=True)) == 0
    assert len(lines_of_copies(asked, np.zeros(0, np.int64), rng)) == 0


@pytest.mark.parametrize(("cut_at_quota", "most"), [(True, 20), (False, 90)])
def test_the_quota_stops_a_user(cut_at_quota: bool, most: int) -> None:
    """One query 100 times, of 110 lines in a group of five: as printed 90 copies or 91 leave, where the quota is 20."""
    user = np.repeat([0, 1, 2, 3, 4], [100, 3, 3, 2, 2])
    asked = asked_by_repetitions(user, np.where(user == 0, 7, np.arange(len(user))))
    made = copies(asked, np.zeros(5, np.int64), np.random.default_rng(3), cut_at_quota=cut_at_quota)
    assert made[0] in (most, most if cut_at_quota else most + 1)


def test_users_of_equal_size_fill_the_quota() -> None:
    """A profile is about as long as the average user's lines: 50 users in 10 groups, 60 different queries each."""
    user = np.repeat(np.arange(50), 60)
    asked = asked_by_repetitions(user, np.arange(len(user)))
    made = copies(asked, np.arange(50) % 10, np.random.default_rng(3), cut_at_quota=True)
    assert 10 * 60 * 0.85 < made.sum() <= 10 * 60
    assert np.bincount(asked.user, weights=made).max() <= 12


def test_lines_of_copies_belong_to_their_entries() -> None:
    rng = np.random.default_rng(3)
    user, item = rng.integers(0, 5, 200), rng.integers(0, 9, 200)
    asked = asked_by_repetitions(user, item)
    wanted = np.minimum(asked.repetitions, rng.integers(0, 4, len(asked.user)))
    lines = lines_of_copies(asked, wanted, rng)
    assert np.array_equal(np.bincount(asked.entry_of_line[lines], minlength=len(wanted)), wanted)
    assert len(np.unique(lines)) == len(lines)
