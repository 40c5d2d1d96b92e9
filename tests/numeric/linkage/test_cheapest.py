"""The cheapest record by products of matrices, against all pairs one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tacita.numeric.linkage.cheapest import Windows, cheapest_records, class_factors, number_factors
from tests.oracles.attack import file_linkage as oracle

few = st.integers(-3, 3).map(float) | st.just(np.nan)
pairs = st.tuples(st.integers(1, 6), st.integers(1, 9), st.integers(1, 3))


@given(
    pairs.flatmap(
        lambda s: st.tuples(arrays(float, (s[0], s[2]), elements=few), arrays(float, (s[1], s[2]), elements=few))
    )
)
def test_numbers(files: tuple[np.ndarray, np.ndarray]) -> None:
    queries, records = files
    costs = [[oracle.distance(q, r, 0.5) for r in records.tolist()] for q in queries.tolist()]
    left, right = number_factors(queries, records, 0.5)
    np.testing.assert_allclose(left @ right.T, costs, atol=1e-9)
    found = cheapest_records(left, right, order=np.arange(len(records))[::-1])
    for i, (best, ties) in enumerate(oracle.cheapest(costs)):
        assert abs(found.cost[i] - best) < 1e-9
        assert found.ties[i] == ties
        # Of those that cost the same the first in the order, which is the last of the file.
        assert found.rows[i] == max(j for j, cost in enumerate(costs[i]) if cost <= best + 1e-9)
        dearer = [cost for cost in costs[i] if cost > best + 1e-8]
        np.testing.assert_allclose(found.second[i], min(dearer, default=np.inf))


def test_classes_cost_what_the_table_says_and_gaps_what_is_given() -> None:
    costs = np.array([[0.0, 3.0], [5.0, 0.0]])
    left, right = class_factors(np.array([0, 1, -1]), np.array([0, 1, -1]), costs, 0.25)
    assert (left @ right.T).tolist() == [[0.0, 3.0, 0.25], [5.0, 0.0, 0.25], [0.25, 0.25, 0.25]]


def test_windows_leave_out_records_and_perhaps_all() -> None:
    left, right = number_factors(np.array([[0.0], [0.0]]), np.array([[0.0], [2.0], [np.nan]]))
    windows = Windows(np.array([[1.0], [5.0]]), np.array([[3.0], [9.0]]), np.array([[0.0], [2.0], [8.0]]))
    found = cheapest_records(left, right, order=np.arange(3), windows=windows)
    assert found.rows.tolist() == [1, 2]
    nobody = Windows(np.full((2, 1), 50.0), np.full((2, 1), 60.0), windows.values)
    empty = cheapest_records(left, right, order=np.arange(3), windows=nobody)
    assert empty.rows.tolist() == [-1, -1]
    assert empty.ties.tolist() == [0, 0]


def test_columns_of_many_classes_are_compared_by_themselves() -> None:
    zero = np.zeros((2, 1)), np.zeros((3, 1))
    unequal = ((np.array([7, -1]), np.array([5, 7, -1]), 2.0),)
    found = cheapest_records(*zero, order=np.array([0, 1, 2]), unequal=unequal)
    assert found.rows.tolist() == [1, 0]
    assert found.ties.tolist() == [2, 3]  # a missing class costs nothing


def test_no_query_and_no_record() -> None:
    assert len(cheapest_records(np.zeros((0, 1)), np.zeros((3, 1)), order=np.arange(3)).rows) == 0
    assert cheapest_records(np.zeros((2, 1)), np.zeros((0, 1)), order=np.arange(0)).rows.tolist() == [-1, -1]
