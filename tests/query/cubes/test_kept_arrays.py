"""Arrays that are kept: within their room, the ones used last, and never written to."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tacita.query.cubes.kept_arrays import KeptArrays


def test_the_one_that_was_not_used_for_longest_goes_first() -> None:
    kept: KeptArrays[str] = KeptArrays(24)
    for name in ("one", "two", "three"):
        kept.keep(name, np.zeros(1))
    assert kept.get("one") is not None
    kept.keep("four", np.zeros(1))
    assert kept.names == ["three", "one", "four"]
    assert kept.get("two") is None
    assert kept.nbytes == 24


def test_what_is_larger_than_the_room_is_given_back_and_not_kept() -> None:
    kept: KeptArrays[str] = KeptArrays(15)
    kept.keep("small", np.zeros(1))
    large = np.zeros(2)
    assert kept.keep("large", large) is large
    assert kept.names == ["small"]


def test_nobody_writes_to_what_is_kept() -> None:
    kept: KeptArrays[str] = KeptArrays(100)
    with pytest.raises(ValueError, match="read-only"):
        kept.keep("one", np.zeros(3))[0] = 1.0


def test_threads_get_one_array() -> None:
    kept: KeptArrays[int] = KeptArrays(80)

    def work(number: int) -> bool:
        found = kept.get(number % 7)
        found = kept.keep(number % 7, np.full(2, number % 7)) if found is None else found
        return bool((found == number % 7).all())

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(500)))
    assert kept.nbytes == 16 * len(kept.names) <= 80
    first = kept.keep(99, np.zeros(1))
    assert kept.keep(99, np.ones(1)) is first
