"""Interval overlap: by hand, and what subdomains show that the whole file hides."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

import tacita as tc
from tacita.core.errors import ColumnError, MeasureError, ParameterError
from tacita.data.microdata import Microdata
from tacita.loss import IntervalOverlap, RegressionOverlap
from tacita.mask.synthetic.new_records import new_records


def file(**columns: list) -> Microdata:
    return Microdata.from_frame(pa.table({name: pa.array(values) for name, values in columns.items()}))


def overlap(a: tuple, b: tuple) -> float:
    """J of two intervals, written out."""
    common = min(a[1], b[1]) - max(a[0], b[0])
    return 0.0 if common < 0 else (common / (a[1] - a[0]) + common / (b[1] - b[0])) / 2


def test_a_mean_by_hand() -> None:
    """Means 3 and 4 of five values each with variance 2.5: intervals 3 +- 1.963 and 4 +- 1.963 share 2.926 of 3.926."""
    data, masked = file(x=[1.0, 2.0, 3.0, 4.0, 5.0]), file(x=[2.0, 3.0, 4.0, 5.0, 6.0])
    reach = stats.t.ppf(0.975, 4) * np.sqrt(2.5 / 5)
    found = IntervalOverlap()(data, masked, pairing="order")
    assert found.parts["overlap.mean.x"] == pytest.approx((2 * reach - 1) / (2 * reach))
    assert found.value == found.parts["means"] == pytest.approx(100 / (2 * reach))


def test_shares_are_those_of_wilson() -> None:
    data, masked = file(a=list("xxxxxxxxyy")), file(a=list("xxxxxyyyyy"))
    intervals = [stats.binomtest(k, 10).proportion_ci(0.95, "wilson") for k in (8, 5)]
    found = IntervalOverlap()(data, masked, pairing="order")
    assert found.parts["overlap.share.a[1]"] == pytest.approx(overlap(*((i.low, i.high) for i in intervals)))
    assert found.value == pytest.approx(100 * (1 - found.parts["overlap.share.a[2]"])), "both shares are mirror images"


def test_a_formula_is_the_regression_of_these_columns() -> None:
    data = tc.samples.household_survey(400, seed=1)
    masked = tc.mask.AdditiveNoise(columns=["earnings"], sd_ratio=0.5).apply(data, seed=7)
    found = IntervalOverlap(regressions=["tax ~ age + earnings + sex"])(data, masked)
    same = RegressionOverlap(columns=["age", "earnings", "sex"], response="tax")(data, masked)
    for name in ("intercept", "age", "earnings", "sex[2]"):
        assert found.parts[f"overlap.tax.{name}"] == same.parts[f"overlap.{name}"]
    assert found.parts["coefficients"] == pytest.approx(same.value)


def test_products_are_terms() -> None:
    data = tc.samples.household_survey(400, seed=1)
    found = IntervalOverlap(regressions=["tax ~ earnings + sex:earnings"])(data, data)
    assert found.value == 0
    assert found.parts["overlap.tax.sex[2]:earnings"] == 1


def test_subdomains_show_what_the_whole_file_hides() -> None:
    """Values exchanged between two groups keep every mean of the file and no mean of a group."""
    x = np.concatenate([np.random.default_rng(1).normal(mean, 1, 200) for mean in (0, 5)])
    data = file(g=["a"] * 200 + ["b"] * 200, x=x.tolist())
    masked = data.with_numbers({"x": x[::-1].copy()})
    found = IntervalOverlap(columns=["x"], by=["g"])(data, masked)
    assert found.parts["whole"] == pytest.approx(0, abs=1e-9)
    assert found.value == found.parts["subdomains.worst"] == found.parts["subdomains.median"] == 100
    assert (found.parts["subdomains"], found.parts["too small"]) == (2, 0)


def test_small_subdomains_are_counted_and_absent_ones_are_lost() -> None:
    data = file(g=["a"] * 40 + ["b"] * 40 + ["c"] * 5, x=list(np.arange(85.0)))
    masked = file(g=["a"] * 80 + ["c"] * 5, x=list(np.arange(85.0)))
    found = IntervalOverlap(columns=["x"], by=["g"])(data, masked, pairing="order")
    assert (found.parts["subdomains"], found.parts["too small"]) == (2, 1)
    assert found.parts["subdomains.worst"] == 100
    assert "1 more are too small" in found.note


def test_files_of_different_length_are_compared() -> None:
    data = tc.samples.household_survey(500, seed=1)
    made = data.take(np.random.default_rng(1).integers(0, 500, 2000))
    found = IntervalOverlap(regressions=["employment ~ age", "tax ~ earnings"], by=["sex"])
    with pytest.raises(MeasureError, match="'employment' has others"):
        found(data, new_records(made, data))
    found = IntervalOverlap(regressions=["sex ~ age + education"], by=["region"])(data, new_records(made, data))
    assert 0 < found.value < 60


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"regressions": ["tax = age"]}, ParameterError),
        ({"regressions": ["tax ~ aeg"]}, ColumnError),
        ({"by": ["age"]}, ColumnError),
    ],
)
def test_what_cannot_be_is_refused(settings: dict, error: type) -> None:
    data = tc.samples.household_survey(100, seed=1)
    with pytest.raises(error):
        IntervalOverlap(**settings)(data, data)
