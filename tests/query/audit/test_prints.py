"""Prints of one prime: orthogonal to what was answered, before it is recorded and after."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.arrays import IntArray
from tacita.core.keyed import Key
from tacita.query.audit.prints import Prints

KEY = Key(b"key of these prints")
NONE = np.zeros(0, dtype=np.int64)


def _dots(vectors: IntArray, columns: list[int], prime: int) -> list[int]:
    return [sum(int(x) for x in vector[columns]) % prime for vector in vectors]


def test_the_prints_after_a_sum_are_orthogonal_to_it_and_to_those_before() -> None:
    prints = Prints(KEY, 3)
    assert prints.add(np.array([0]), np.array([1]))  # one atom is split; its new part is asked for
    assert prints.add(np.array([0, 1]), np.array([2, 3]))
    vectors, is_new = prints.after(NONE, np.array([1]))
    assert is_new
    assert vectors.shape == (3, 4)
    for asked in ([1, 3], [2, 3], [1]):
        assert _dots(vectors, asked, prints.prime) == [0, 0, 0]
    assert all(_dots(vectors, [0], prints.prime))


def test_what_is_known_is_not_new() -> None:
    prints = Prints(KEY, 2)
    prints.add(np.array([0]), np.array([1]))
    before, is_new = prints.after(NONE, np.array([1]))
    assert not is_new
    assert (before == prints._vectors[:2]).all()
    assert not prints.add(NONE, np.array([1]))
    assert prints.rank == 1


@pytest.mark.parametrize("count", [5, 40])
def test_the_stock_is_filled_up(count: int) -> None:
    """Every sum costs a vector; there are always as many as a judgement needs, and all are orthogonal to all sums."""
    prints, width = Prints(KEY, 2), 1
    asked: list[list[int]] = []
    for step in range(count):
        parent = step % width
        asked = [[*members, width] if parent in members else members for members in asked]
        asked.append([width])
        prints.add(np.array([parent]), np.array([width]))
        width += 1
        assert len(prints._vectors) >= 3
    for members in asked:
        assert not any(_dots(prints._vectors, members, prints.prime))


def test_sums_added_without_prints_are_known_after_a_refresh() -> None:
    slow, quick = Prints(KEY, 2), Prints(KEY, 2)
    steps = [(np.array([0]), np.array([1])), (np.array([0, 1]), np.array([2, 3])), (NONE, np.array([1, 2]))]
    for parents, columns in steps:
        assert slow.add(parents, columns) == quick.add(parents, columns, is_last=False)
    quick.refresh()
    for columns in ([1, 3], [2, 3], [1, 2], [0]):
        assert quick.after(NONE, np.array(columns))[1] == slow.after(NONE, np.array(columns))[1]


def test_sums_are_tried_without_being_added() -> None:
    """Three sums one after the other, the last of which follows from the others."""
    prints = Prints(KEY, 2)
    prints.add(np.array([0]), np.array([1]))
    rank, before = prints.rank, prints._vectors.copy()
    trial = prints.trial(12)  # more than the stock has
    trial.add(np.array([0, 1]), np.array([2, 3]))
    trial.add(NONE, np.array([0, 1]))
    trial.add(NONE, np.array([0, 2]))  # the two that were tried, less the one that was added
    assert trial.added == 2
    assert len(trial.vectors) >= prints.needed
    for asked in ([1, 3], [2, 3], [0, 1], [0, 2]):
        assert not any(_dots(trial.vectors, asked, prints.prime))
    assert prints.rank == rank
    assert (prints._vectors == before).all()
