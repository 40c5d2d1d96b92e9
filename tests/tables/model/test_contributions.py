"""Contributions: weights that are expanded, who is alone, who waived."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.tables_by_hand import contributions


def test_the_rest_of_a_weight_is_a_part_contribution() -> None:
    found = contributions([[10.0, 8.0]], weights=[[2.6, 1.0]])
    assert found.expanded(3).tolist() == [[10.0, 10.0, 8.0]]
    assert found.expanded(5)[0].tolist() == pytest.approx([10.0, 10.0, 8.0, 6.0, 0.0])
    assert contributions([[-4.0]], weights=[[0.2]]).expanded(2).tolist() == [[-4.0, 0.0]], "it is there itself"


@given(
    st.lists(st.tuples(st.integers(0, 20), st.sampled_from([0.3, 1.0, 1.5, 2.0, 2.6, 7.25])), max_size=4),
    st.integers(1, 5),
)
def test_against_a_list_of_all_copies(cell: list[tuple[int, float]], most: int) -> None:
    amounts, weights = [float(a) for a, _ in cell], [w for _, w in cell]
    found = contributions([amounts], weights=[weights], depth=6).expanded(most)
    copies: list[float] = []
    for amount, weight in zip(amounts, weights, strict=True):
        w = max(weight, 1.0)
        copies += [amount] * int(w) + [amount * (w - int(w))]
    expected = sorted([*copies, *[0.0] * most], reverse=True)[:most]
    assert found[0].tolist() == pytest.approx(expected)


def test_whoever_stands_for_others_does_not_know_the_cell() -> None:
    cells = [[5.0], [5.0], [5.0], [5.0, 4.0], []]
    found = contributions(cells, weights=[[1.0], [1.5], [2.9], [1.0, 1.0], []])
    assert found.sole.tolist() == [0, -1, -1, -1, -1]


def test_everybody_waived_as_far_as_they_are_kept() -> None:
    found = contributions([[3.0, 2.0], [3.0, 2.0], [3.0, 2.0, 1.0], []], depth=2)
    assert not found.all_waive.any()
    found = replace(found, owners=np.array([[0, 1], [2, 3], [0, 1], [-1, -1]]), waives=np.array([1, 1, 1, 0], bool))
    assert found.all_waive.tolist() == [True, False, False, False]
