"""Levels from inside: most seats, listed ones, both rules together, parts of a table."""

from __future__ import annotations

import numpy as np

from tacita.tables.rules.inside import Inside

MOST = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


def made(*pairs: tuple[int, int, float]) -> Inside:
    cells, seats, levels = zip(*pairs, strict=True)
    return Inside.of(MOST, np.array(cells), np.array(seats), np.array([[level] * 3 for level in levels]))


def test_listed_seats_have_levels_of_their_own() -> None:
    inside = made((1, 3, 0.5), (0, 3, 0.1), (1, 2, 9.0))
    assert (inside.cells.tolist(), inside.seats.tolist()) == ([0, 1, 1], [3, 2, 3])
    assert inside.start.tolist() == [0, 1, 3]
    assert inside.of_seat(3, np.array([0, 1])).tolist() == [[0.1] * 3, [0.5] * 3]
    assert inside.of_seat(7, np.array([0, 1])).tolist() == MOST.tolist()


def test_of_pairs_told_twice_the_last_counts() -> None:
    inside = made((1, 3, 0.5), (1, 3, 0.7))
    assert inside.levels.tolist() == [[0.7] * 3]


def test_two_rules_ask_the_wider_level() -> None:
    both = made((1, 3, 0.5), (0, 1, 1.5)) | made((1, 3, 0.2), (1, 4, 5.5))
    assert both.of_pairs(np.array([1, 1, 0]), np.array([3, 4, 1])).tolist() == [
        [0.5] * 3,
        [5.5, 5.5, 6.0],
        [1.5, 2.0, 3.0],
    ]


def test_a_part_of_the_cells_and_seats() -> None:
    part = made((1, 3, 0.5), (0, 1, 1.5), (1, 1, 0.1)).within(np.array([1]), np.array([3]), 1)
    assert part.most.tolist() == MOST[1:].tolist()
    assert (part.cells.tolist(), part.seats.tolist(), part.levels.tolist()) == ([0], [0], [[0.5] * 3])


def test_given_levels_hold_for_everybody() -> None:
    inside = made((1, 3, 0.5)).with_levels(np.array([False, True]), np.array([0.0, 7.0]), np.array([0.0, 8.0]))
    assert inside.of_seat(3, np.array([0, 1])).tolist() == [[1.0, 2.0, 3.0], [7.0, 8.0, 0.0]]
