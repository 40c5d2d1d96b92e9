"""Distributions as numbers: shares add up, and what may be published holds nothing of few records."""

import datetime

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.report.bins import LEAST, CategoryShares, Histogram, picture
from tacita.report.variables import public_summary

from .conftest import CANARY, RARE


def frame(**columns: object) -> tc.Microdata:
    return tc.Microdata.from_frame(pa.table(columns))


def test_both_files_share_bins_and_nearly_all_values_are_in_them(survey: tc.Microdata, release: tc.Release) -> None:
    found = picture(survey, release.data, "savings")
    assert isinstance(found, Histogram)
    assert found.original is not None
    assert len(found.edges) == len(found.masked) + 1 == len(found.original) + 1
    assert 97 <= found.original.sum() <= 100
    assert np.array_equal(found.original, found.masked)  # savings was not masked


def test_whole_numbers_fall_equally_into_bins() -> None:
    flat = frame(x=np.repeat(np.arange(100), 30))
    found = picture(flat, flat, "x")
    assert isinstance(found, Histogram)
    assert len(set(np.diff(found.edges))) == 1
    assert np.ptp(found.masked[1:-1]) < 1e-9  # a flat column looks flat, without teeth


def test_small_counts_get_a_bin_each() -> None:
    persons = frame(x=np.repeat([1, 2, 3, 4, 8], [40, 30, 20, 10, 10]))
    found = picture(persons, persons, "x")
    assert isinstance(found, Histogram)
    assert found.edges.tolist() == [0.5 + i for i in range(9)]
    assert found.masked[0] == pytest.approx(100 * 40 / 110)


@pytest.mark.parametrize("n", [40, 100, 250, 1000, 5000])
def test_public_axis_leaves_one_percent_and_ten_records_out_on_each_side(n: int) -> None:
    values = np.exp(np.random.default_rng(n).normal(size=n))
    found = picture(None, frame(x=values), "x")
    assert isinstance(found, Histogram)
    assert found.original is None
    margin = 0.011 * (found.edges[-1] - found.edges[0])  # ends are rounded by up to a hundredth of the range
    least = max(n / 100, LEAST)
    assert (values <= found.edges[0] + margin).sum() >= least
    assert (values >= found.edges[-1] - margin).sum() >= least
    counts = np.round(found.masked * n / 100)
    assert np.all((counts == 0) | (counts >= LEAST))


def test_no_edge_is_the_value_of_a_record() -> None:
    values = np.random.default_rng(1).lognormal(8, 1.5, 2000)
    for original in (None, frame(x=values)):
        found = picture(original, frame(x=values), "x")
        assert isinstance(found, Histogram)
        assert not set(found.edges.tolist()) & set(values.tolist())


def test_too_few_values_are_not_published() -> None:
    assert picture(None, frame(x=np.arange(39.0)), "x") is None
    assert picture(None, frame(x=["a"] * 9), "x") is None
    assert picture(None, frame(x=["a"] * 10), "x") is not None


def test_rare_categories_are_pooled_and_left_out_when_still_rare(survey: tc.Microdata, release: tc.Release) -> None:
    inside = picture(survey, release.data, "region")
    assert isinstance(inside, CategoryShares)
    assert RARE in inside.labels
    outside = picture(None, release.data, "region")
    assert isinstance(outside, CategoryShares)
    assert set(outside.labels) == {"North", "South", "East"}
    many = frame(x=["big"] * 50 + [f"rare {i}" for i in range(30)])
    found = picture(None, many, "x")
    assert isinstance(found, CategoryShares)
    assert found.labels == ("big", "other (30)")
    assert found.masked.tolist() == pytest.approx([62.5, 37.5])


def test_many_categories_are_limited_and_shares_add_up() -> None:
    data = frame(x=[f"c{i % 40}" for i in range(4000)])
    found = picture(data, data, "x")
    assert isinstance(found, CategoryShares)
    assert len(found.labels) == 9
    assert found.labels[-1] == "other (32)"
    assert found.masked.sum() == pytest.approx(100)


def test_ordinal_categories_keep_their_order() -> None:
    schema = tc.Schema((tc.Column(name="x", scale="ordinal", categories=("low", "middle", "high")),))
    data = tc.Microdata(pa.table({"x": ["high"] * 30 + ["low"] * 20 + ["middle"] * 25}), schema)
    found = picture(data, data, "x")
    assert isinstance(found, CategoryShares)
    assert found.labels == ("low", "middle", "high")


def test_a_category_called_like_the_pool_stays_apart() -> None:
    data = frame(x=["other (32)"] * 500 + [f"c{i % 39}" for i in range(3900)])
    found = picture(data, data, "x")
    assert isinstance(found, CategoryShares)
    assert len(set(found.labels)) == len(found.labels)


def test_dates_are_shown_by_year() -> None:
    days = [datetime.date(1950 + i % 50, 1 + i % 12, 1) for i in range(600)]
    found = picture(None, frame(x=days), "x")
    assert isinstance(found, Histogram)
    assert found.edges[0] >= 1949.5
    assert found.edges[-1] <= 2002.5


@pytest.mark.parametrize("values", [[None, None, None], []])
def test_nothing_is_drawn_without_values(values: list[None]) -> None:
    data = frame(x=pa.array(values, pa.float64()))
    assert picture(data, data, "x") is None
    text = frame(x=pa.array(values, pa.string()))
    assert picture(text, text, "x") is None


def test_a_constant_column_is_one_bar() -> None:
    data = frame(x=np.full(50, 7.25))
    for original in (data, None):
        found = picture(original, data, "x")
        assert isinstance(found, Histogram)
        assert found.masked.tolist() == [100.0]


def test_public_quantiles_keep_away_from_the_ends(release: tc.Release) -> None:
    found = public_summary(release.data, "income")
    assert all(q is not None and q < CANARY / 1000 for q in found.quantiles)
    few = public_summary(frame(x=np.arange(50.0)), "x")
    assert [q is None for q in few.quantiles] == [True, False, False, False, True]
    assert public_summary(frame(x=np.arange(12.0)), "x").quantiles == (None,) * 5


def test_bars_are_called_by_value_labels() -> None:
    column = tc.Column(name="sex", scale="nominal", labels=((1, "male"), (2, "female")))
    data = tc.Microdata(pa.table({"sex": [1.0, 2.0, 2.0, 3.0] * 20}), tc.Schema((column,)))
    found = picture(data, data, "sex")
    assert isinstance(found, CategoryShares)
    assert set(found.labels) == {"male", "female", "3"}
