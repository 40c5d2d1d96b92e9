"""What changed between two benchmarks, and what is only noise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tacita.compare.benchmark.benchmark_change import compare_benchmarks
from tacita.compare.benchmark.benchmark_result import BenchmarkEntry
from tacita.compare.search.search_point import Spread
from tests.compare.benchmark.test_benchmark_result import entry, found, result


def test_equal_benchmarks_have_no_change() -> None:
    one = result(found("one", entry("a", 10), entry("b", 20, sd=2.0)))
    changes = compare_benchmarks(one, one)
    assert (changes.changes, changes.compared, changes.unjudged, changes.remarks) == ((), 2, 0, ())


def test_methods_that_draw_nothing_change_at_once_and_others_beyond_noise() -> None:
    old = result(found("one", entry("a", 10), entry("b", 20, sd=1.0, seeds=5)))
    new = result(found("one", entry("a", 10.5), entry("b", 21, sd=1.0, seeds=5)))
    (change,) = compare_benchmarks(old, new).changes
    assert (change.candidate, change.before, change.after, change.is_better) == ("a", 10, 10.5, False)
    further = result(found("one", entry("a", 10), entry("b", 12, sd=1.0, seeds=5)))
    (change,) = compare_benchmarks(old, further).changes
    assert (change.candidate, change.is_better) == ("b", True)


def test_noise_is_that_of_a_t_test() -> None:
    """A difference is a change exactly where the test of Student at 0.001 says so."""
    rng = np.random.default_rng(1)
    for shift in (0.0, 2.0, 4.0, 8.0):
        a, b = rng.normal(0, 1, 4), rng.normal(shift, 1, 3)
        old, new = (
            result(
                found(
                    "one",
                    BenchmarkEntry("m", "m", {"score": Spread.of(x.tolist(), is_exact=False)}, {}, "", len(x), ""),
                )
            )
            for x in (a, b)
        )
        p = stats.ttest_ind(a, b).pvalue
        assert bool(compare_benchmarks(old, new).changes) == (p < 0.001)


def test_one_seed_is_not_judged() -> None:
    old = result(found("one", entry("a", 10, sd=None, seeds=1)))
    new = result(found("one", entry("a", 90, sd=None, seeds=1)))
    changes = compare_benchmarks(old, new)
    assert (changes.changes, changes.unjudged) == ((), 1)


def test_what_is_in_one_only_is_named() -> None:
    old = result(found("one", entry("a", 10), entry("gone", 5)), found("left", entry("a", 1)))
    new = result(found("one", entry("a", 10, attack="pld"), entry("fresh", 5)))
    assert compare_benchmarks(old, new).remarks == (
        "one: a has another strongest attack (dld before, pld now).",
        "one: only before: candidate gone",
        "one: only now: candidate fresh",
        "only before: set left",
    )


@pytest.mark.parametrize("fingerprint", ["other"])
def test_other_data_are_not_compared(fingerprint: str) -> None:
    old = result(found("one", entry("a", 10)))
    new = result(found("one", entry("a", 90), fingerprint=fingerprint))
    changes = compare_benchmarks(old, new)
    assert (changes.changes, changes.compared) == ((), 0)
    assert changes.remarks == ("one: not compared, because the data are others.",)
