"""Work on all cores gives what work on one core gives, in order."""

from __future__ import annotations

import pytest

from tacita.numeric.compiled.threads import in_blocks, in_steps, in_threads


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_results_come_in_the_order_of_the_items(count: int) -> None:
    assert in_threads(lambda i: i * i, range(count)) == [i * i for i in range(count)]
    assert in_steps((lambda i: i + 1, lambda i: i * i, str), range(count)) == [str((i + 1) ** 2) for i in range(count)]


def test_an_error_in_a_step_reaches_the_caller() -> None:
    with pytest.raises(ZeroDivisionError):
        in_steps((lambda i: 1 // i, str), [1, 0, 2])


def test_blocks_cover_all_rows() -> None:
    seen: list[int] = []
    done: list[int] = []
    in_blocks(lambda a, b: seen.extend(range(a, b)), 10, block=4, done=done.append)
    assert sorted(set(seen)) == list(range(10))
    assert sum(done) == 10
