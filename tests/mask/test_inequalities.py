"""Chains of inequalities: what breaks one is counted by loops, differences come back, and rounding never breaks the order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, DataError, ParameterError
from tacita.mask.inequalities import (
    Link,
    check_chains,
    from_differences,
    hold_order,
    labels,
    linked_patterns,
    positions,
    to_differences,
    verify_chains,
)
from tests.effort import examples

values = st.one_of(st.just(float("nan")), st.integers(-20, 20).map(lambda k: k / 4))
files = st.lists(st.tuples(values, values, values), min_size=1, max_size=12).map(np.array)


def breaks_oracle(row: np.ndarray) -> bool:
    """Whether some value is smaller than a later one that is there."""
    there = [v for v in row if not np.isnan(v)]
    return any(a < b for i, a in enumerate(there) for b in there[i + 1 :])


@given(files)
def test_broken_records_are_counted_as_by_loops(x: np.ndarray) -> None:
    columns = dict(zip("abc", x.T, strict=True))
    broken = sum(breaks_oracle(row) for row in x)
    if broken:
        with pytest.raises(DataError, match=f"a >= b >= c does not hold in {broken} records"):
            verify_chains(columns, (("a", "b", "c"),), "M", "original")
    else:
        assert verify_chains(columns, (("a", "b", "c"),), "M", "original") is None


@given(files)
def test_differences_come_back(x: np.ndarray) -> None:
    ordered = -np.sort(-np.nan_to_num(x, nan=1.0), axis=1)
    ordered[np.isnan(x)] = np.nan
    seen = np.zeros(len(x), int)
    for rows, links in linked_patterns(ordered, [(0, 1, 2)]):
        seen[rows] += 1
        there = to_differences(ordered[rows], links)
        for link in links:
            assert (there[:, link.column] >= 0).all(), "a distance in a chain that holds is never negative"
        assert np.allclose(from_differences(there, links), ordered[rows], equal_nan=True)
    assert (seen == 1).all(), "each record has one pattern"


def test_the_anchor_is_the_lowest_member_that_is_never_negative() -> None:
    x = np.array([[9.0, 5.0, -1.0], [8.0, 4.0, 2.0]])
    ((rows, links),) = linked_patterns(x, [(0, 1, 2)])
    assert rows.tolist() == [0, 1]
    assert links == (Link(0, 1, 1.0), Link(2, 1, -1.0))
    assert labels(["a", "b", "c"], links) == ["'a' - 'b'", "'b'", "'b' - 'c'"]


def test_without_chains_there_is_one_part() -> None:
    ((rows, links),) = linked_patterns(np.ones((3, 2)), [])
    assert (rows.tolist(), links) == ([0, 1, 2], ())


@settings(max_examples=examples(60))
@given(files, st.permutations(["double", "single", 0]))
def test_order_holds_after_rounding(x: np.ndarray, grids: list[object]) -> None:
    ordered = -np.sort(-np.nan_to_num(x, nan=0.1), axis=1) / 3
    held = hold_order(ordered, (0, 1, 2), grids)  # type: ignore[arg-type]
    assert (np.diff(held, axis=1) <= 0).all()
    for j, grid in enumerate(grids):
        fits = held[:, j].astype(np.float32) if grid == "single" else np.rint(held[:, j])
        assert grid == "double" or np.array_equal(fits, held[:, j])


def test_a_whole_number_is_raised_above_a_fraction() -> None:
    assert hold_order(np.array([[10.4, 10.2]]), (0, 1), (0, "double")).tolist() == [[11.0, 10.2]]
    assert hold_order(np.array([[10.6, 10.2]]), (0, 1), (0, 0)).tolist() == [[11.0, 10.0]]


@pytest.mark.parametrize("chains", [(("a",),), (("a", "b"), ("b", "c")), (("a", "a"),)])
def test_chains_that_are_none_are_refused(chains: tuple[tuple[str, ...], ...]) -> None:
    with pytest.raises(ParameterError, match=r"'chains' must name|at least two columns"):
        check_chains(chains, "M")


def test_chains_name_masked_columns() -> None:
    assert positions((("c", "a"),), ["a", "b", "c"], "M") == ((2, 0),)
    with pytest.raises(ColumnError, match="names 'd', which is not masked"):
        positions((("a", "d"),), ["a", "b"], "M")
