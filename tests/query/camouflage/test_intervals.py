"""Whatever is asked: the truth is in every answer, and no candidate is ever ruled out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.query.camouflage.camouflage import Camouflage
from tacita.query.camouflage.hull import Hull
from tacita.query.camouflage.intervals import STATISTICS, interval
from tests.effort import examples
from tests.query.camouflage.sets import KEY, PLAIN, candidates, hidden, incomes

BY_HAND = Hull(np.array([[1.0, 5.0, 3.0], [2.0, 4.0, 9.0]]), np.array([0.5, 0.5]))


def asked(x: np.ndarray, statistic: str, options: dict[str, Any]) -> float:
    if statistic == "quantile":
        return float(np.quantile(x, options["q"]))
    if statistic == "count_above":
        return float((x > options["limit"]).sum())
    return float(PLAIN[statistic](x))


def test_a_small_example_by_hand() -> None:
    """Two vertices, three records, all statistics with pencil and paper; the truth is (1.5, 4.5, 6)."""
    found = {s: interval(BY_HAND, s) for s in PLAIN}  # type: ignore[arg-type]
    assert found["sum"] == pytest.approx((9, 15))
    assert found["mean"] == pytest.approx((3, 5))
    assert found["minimum"] == pytest.approx((1, 2))
    assert found["maximum"] == pytest.approx((33 / 7, 9))  # 5 - v = 3 + 6 v at v = 2/7
    assert found["variance"] == pytest.approx((48 / 13, 13), rel=1e-8)  # 4 - 4 v + 13 v^2, least at 2/13
    assert found["median"] == pytest.approx((3, 5))
    assert interval(BY_HAND, "quantile", q=0.25) == pytest.approx((2, 3.5))
    assert interval(BY_HAND, "count_above", limit=4.0) == (0, 2)
    assert interval(BY_HAND, "sum", weights=np.array([2.0, 1.0, 1.0])) == pytest.approx((10, 17))


@st.composite
def questions(draw: st.DrawFn, n: int) -> tuple[str, np.ndarray, dict[str, Any]]:
    statistic = draw(st.sampled_from(STATISTICS))
    members = draw(st.lists(st.integers(0, n - 1), min_size=2, max_size=n, unique=True))
    options: dict[str, Any] = {}
    if statistic == "quantile":
        options["q"] = draw(st.floats(0, 1))
    if statistic == "count_above":
        options["limit"] = draw(st.floats(0, 5000))
    options["digits"] = draw(st.sampled_from([None, None, 2, 4]))
    return statistic, np.array(members), options


@settings(max_examples=examples(25), deadline=None)
@given(st.data(), st.integers(0, 100), st.booleans())
def test_all_answers_together_rule_out_no_candidate(data: st.DataObject, seed: int, is_bounded: bool) -> None:
    values = incomes(15, seed)
    values[:3] *= not is_bounded
    how = Camouflage(p=10, width=100, low=0 if is_bounded else None)
    hull = how.cover(values, key=KEY, label=str(seed))
    all_of_them = np.vstack([candidates(hull, 40, seed), values])
    for statistic, members, options in data.draw(st.lists(questions(15), min_size=1, max_size=8)):
        low, high = interval(hull, statistic, members, **options)  # type: ignore[arg-type]
        for x in all_of_them:
            value = asked(x[members], statistic, options)
            error = 1e-9 * max(1.0, abs(value))  # of the plain computation
            assert low - error <= value <= high + error


def test_answers_are_about_the_set_however_it_is_named() -> None:
    _, hull = hidden()
    rows = np.array([7, 3, 11])
    mask = np.isin(np.arange(40), rows)
    for statistic in PLAIN:
        assert interval(hull, statistic, rows) == interval(hull, statistic, mask)  # type: ignore[arg-type]
    assert interval(hull, "sum") == interval(hull, "sum", np.ones(40, bool))


def test_digits_round_outwards() -> None:
    _, hull = hidden()
    fine, coarse = interval(hull, "mean"), interval(hull, "mean", digits=2)
    assert coarse.low <= fine.low < fine.high <= coarse.high
    assert coarse.low == float(f"{coarse.low:.1e}")


def test_sd_is_the_root_of_the_variance() -> None:
    _, hull = hidden()
    assert np.square(interval(hull, "sd")) == pytest.approx(np.array(interval(hull, "variance")))


@pytest.mark.parametrize(
    ("statistic", "options", "words"),
    [
        ("medain", {}, "Did you mean 'median'"),
        ("quantile", {}, "'q'"),
        ("sum", {"q": 0.5}, "'q'"),
        ("quantile", {"q": 1.5}, r"\[0, 1\]"),
        ("quantile", {"q": float("nan")}, r"\[0, 1\]"),
        ("count_above", {}, "'limit'"),
        ("mean", {"limit": 3.0}, "'limit'"),
        ("count_above", {"limit": float("inf")}, "finite"),
        ("median", {"weights": np.ones(3)}, "'weights'"),
        ("sum", {"weights": np.ones(2)}, "3 records"),
        ("sum", {"digits": 0}, "'digits'"),
    ],
)
def test_questions_without_an_answer_are_errors(statistic: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        interval(BY_HAND, statistic, **options)


@pytest.mark.parametrize("statistic", STATISTICS)
def test_nobody_has_no_statistic(statistic: Any) -> None:
    options = {"quantile": {"q": 0.5}, "count_above": {"limit": 1.0}}.get(statistic, {})
    with pytest.raises(DataError, match="at least one member"):
        interval(BY_HAND, statistic, np.array([], dtype=int), **options)


def test_weights_and_single_members_that_do_not_work_are_errors() -> None:
    with pytest.raises(DataError, match="finite"):
        interval(BY_HAND, "sum", weights=np.array([1.0, np.nan, 1.0]))
    with pytest.raises(DataError, match="not all be 0"):
        interval(BY_HAND, "mean", weights=np.zeros(3))
    with pytest.raises(DataError, match="negative"):
        interval(BY_HAND, "mean", weights=np.array([1.0, -0.5, 1.0]))
    with pytest.raises(DataError, match="two members"):
        interval(BY_HAND, "sd", np.array([1]))
