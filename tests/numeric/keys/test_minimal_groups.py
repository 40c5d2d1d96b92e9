"""Parts that are known to have few values, against all arrangements one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.numeric.keys.minimal_groups import chance_in_uniform_part, chances_in_uniform_parts
from tests.effort import examples
from tests.oracles.attack import file_linkage as oracle


@settings(max_examples=examples(25))
@given(st.lists(st.sampled_from("abc"), min_size=2, max_size=6), st.lists(st.integers(1, 3), min_size=1, max_size=2))
def test_all_arrangements(values: list[str], sizes: list[int]) -> None:
    sizes = sizes if sum(sizes) <= len(values) else [1]
    names, counts = np.unique(values, return_counts=True)
    wanted = oracle.uniform_parts(values, sizes)
    possible = any(wanted[0].values())
    found = chances_in_uniform_parts(counts, np.array(sizes))
    if possible:
        np.testing.assert_allclose(found, [[float(part[name]) for name in names] for part in wanted], atol=1e-12)
    else:
        np.testing.assert_allclose(found, np.tile(counts / counts.sum(), (len(sizes), 1)))
    if len(sizes) == 1 and possible:
        np.testing.assert_allclose(chance_in_uniform_part(counts, sizes[0], 2), found[0], atol=1e-12)


def test_a_part_larger_than_any_class_says_nothing() -> None:
    assert chance_in_uniform_part(np.array([2, 2]), 3, 2).tolist() == [0.5, 0.5]


def test_fewer_than_three_values_leave_two_that_are_frequent() -> None:
    found = chance_in_uniform_part(np.array([6, 6, 1]), 6, 3)
    assert found[2] < 0.03
    assert found.sum() == pytest.approx(1.0)


def test_very_many_ways_are_looked_at_part_by_part() -> None:
    counts, sizes = np.full(10, 5), np.full(8, 4)
    found = chances_in_uniform_parts(counts, sizes)
    assert found.shape == (8, 10)
    np.testing.assert_allclose(found, 0.1)
