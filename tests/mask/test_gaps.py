"""Files with gaps: no mask that promises k hangs on them, breaks on them, or breaks its promise."""

from __future__ import annotations

import pyarrow as pa
import pytest

import tacita as tc
from tests.limited import run_limited
from tests.mask.gap_cases import codes_of
from tests.oracles.mask.local_suppression import is_k_anonymous_oracle

FAST = {"suppress": 20, "suppress_exactly": 10, "suppress_by_rule": 10, "group": 12}
SLOW = {"suppress": 4000, "suppress_exactly": 150, "suppress_by_rule": 200, "group": 300}


def _never_came_back() -> None:
    """The file that once never came back."""
    rows = [(None, "0", "2"), ("0", "4", "2"), ("0", "1", "1"), ("0", None, "1"), ("0", "0", "2")]
    table = pa.table({name: list(values) for name, values in zip("abc", zip(*rows, strict=True), strict=True)})
    data = tc.Microdata.from_frame(table, keys=["a", "b", "c"])
    masked = tc.mask.LocalSuppression(k=5).apply(data)
    assert is_k_anonymous_oracle(codes_of(masked, ["a", "b", "c"]), ((0, 1, 2),), 5, "wildcard")


def once(case: int) -> None:
    """Run the file that once never came back, as a case."""
    del case
    _never_came_back()


def test_the_file_that_never_came_back() -> None:
    run_limited("tests.mask.test_gaps:once", 0, 1, seconds=60.0, warm=0)


@pytest.mark.parametrize("name", FAST)
def test_random_files_with_gaps(name: str) -> None:
    run_limited(f"tests.mask.gap_cases:{name}", 0, FAST[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_many_random_files_with_gaps(name: str) -> None:
    run_limited(f"tests.mask.gap_cases:{name}", 10_000, 10_000 + SLOW[name])


@pytest.mark.slow
def test_further_random_files_with_gaps() -> None:
    run_limited("tests.mask.gap_cases:suppress", FAST["suppress"], 120)


def wait(case: int) -> None:
    """Take longer than allowed."""
    import time

    time.sleep(60.0 if case == 1 else 0.0)


def test_a_hang_is_a_failure() -> None:
    with pytest.raises(AssertionError, match="case 1"):
        run_limited("tests.mask.test_gaps:wait", 0, 2, seconds=0.5, warm=0)
