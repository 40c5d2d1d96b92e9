"""Query-set-size control."""

from __future__ import annotations

import pytest

from tacita.core.errors import ParameterError
from tacita.query.audit.set_size import judge_set_size


@pytest.mark.parametrize("k", [1, 3, 10])
def test_bounds_on_both_sides(k: int) -> None:
    allowed = [size for size in range(21) if judge_set_size(size, 20, k=k, may_ask_for_all=False).is_allowed]
    assert allowed == list(range(k, 20 - k + 1))
    assert [s for s in range(21) if judge_set_size(s, 20, k=k).is_allowed] == [*allowed, 20]


def test_a_small_data_set_as_a_whole_is_refused() -> None:
    assert not judge_set_size(4, 4, k=5).is_allowed
    assert judge_set_size(5, 5, k=5).is_allowed


@pytest.mark.parametrize(("size", "n", "k"), [(3, 10, 0), (-1, 10, 2), (11, 10, 2)])
def test_bad_parameters(size: int, n: int, k: int) -> None:
    with pytest.raises(ParameterError):
        judge_set_size(size, n, k=k)
