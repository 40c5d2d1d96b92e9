"""MemberSet of a query: what is a set of records, and what is not."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.query.audit.members import check_limit, check_records, members_mask


@pytest.mark.parametrize("given", [[4, 1], (1, 4), np.array([1, 4], dtype=np.uint8), np.arange(5) % 3 == 1])
def test_all_ways_of_writing_a_set(given: object) -> None:
    assert np.flatnonzero(members_mask(given, 5)).tolist() == [1, 4]  # type: ignore[arg-type]


def test_the_empty_set_and_a_copy() -> None:
    assert not members_mask([], 3).any()
    mask = np.array([True, False])
    members_mask(mask, 2)[:] = False
    assert mask[0]


@pytest.mark.parametrize(
    "given",
    [[5], [-1], [1, 1], [0.0, 1.0], ["a"], [[0, 1]], np.ones(4, dtype=bool), np.ones(6, dtype=bool)],
    ids=["too large", "negative", "twice", "floats", "texts", "two dimensions", "short mask", "long mask"],
)
def test_what_is_no_set_of_records(given: object) -> None:
    with pytest.raises(DataError):
        members_mask(given, 5)  # type: ignore[arg-type]


def test_no_row_number_stands_in_a_message() -> None:
    with pytest.raises(DataError) as caught:
        members_mask([7771], 5)
    assert "7771" not in str(caught.value)


def test_bounds() -> None:
    assert (check_records("X", 1), check_limit("X", 2)) == (1, 2)
    with pytest.raises(ParameterError, match="X: 'n_records'"):
        check_records("X", 0)
    with pytest.raises(ParameterError, match="X: 'limit'"):
        check_limit("X", 1)
