"""The set covers every promise, has the truth inside, respects bounds, and its widths do not give values away."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tacita.core.errors import DataError, ParameterError
from tacita.core.keyed import Key
from tacita.query.camouflage import camouflage as module
from tacita.query.camouflage.camouflage import Camouflage
from tacita.query.camouflage.intervals import interval
from tests.effort import examples
from tests.query.camouflage.sets import KEY, hidden, incomes

NO_BOUNDS = Camouflage(p=10)


def test_a_promise_by_hand() -> None:
    low, high = Camouflage(p=10, width=20, low=0, high=1200).promised(np.array([1000.0, 4.0, 0.0, 1150.0, 1200.0]))
    assert low.tolist() == [900, 0, 0, 1150 - 115 - 65, 960]
    assert high.tolist() == [1100, 20, 20, 1200, 1200]


@settings(max_examples=examples(25), deadline=None)
@given(
    arrays(np.float64, st.integers(1, 12), elements=st.floats(0, 1e9, allow_subnormal=False)),
    st.integers(3, 9),
    st.sampled_from([(None, None), (0.0, None), (0.0, 1e9), (-1e3, 1e10)]),
    st.floats(0, 100),
    st.floats(0.01, 1e6),
    st.binary(min_size=16, max_size=16),
)
def test_promises_are_covered_with_the_truth_inside(
    values: np.ndarray, k: int, bounds: tuple[float | None, float | None], p: float, width: float, secret: bytes
) -> None:
    values = np.round(values, 2)
    how = Camouflage(vertices=k, p=p, width=width, low=bounds[0], high=bounds[1])
    found = how.cover(values, key=Key(secret))
    low, high = how.promised(values)
    assert (found.least <= low).all()
    assert (high <= found.most).all()
    assert (low < high).all()
    assert (low <= values).all()
    assert (values <= high).all()
    np.testing.assert_allclose(found.truth(), values, rtol=1e-12, atol=1e-9 * float(np.abs(found.points).max()))
    assert found.weights.sum() == pytest.approx(1)
    assert (found.weights[:k] >= 0.2 / k).all()
    assert found.is_interior == (len(found.points) == k)
    assert found.least.min() >= (-np.inf if bounds[0] is None else bounds[0])
    assert found.most.max() <= (np.inf if bounds[1] is None else bounds[1])


def test_without_a_bound_nearby_the_truth_is_in_the_relative_interior() -> None:
    values, found = hidden(300, settings=NO_BOUNDS)
    assert found.points.shape == (6, 300)
    assert found.is_interior
    assert (found.least < values).all()
    assert (values < found.most).all()


def test_values_on_a_bound_are_covered_by_outposts() -> None:
    """All candidates of a positive combination that lies on a bound lie on it; only columns of weight 0 can leave it."""
    values = incomes(50)
    values[::5] = 0.0
    how = Camouflage(p=10, width=200, low=0)
    found = how.cover(values, key=KEY)
    assert found.points.shape == (12, 50)
    assert (found.weights[6:] == 0).all()
    assert (found.points[:6, ::5] == 0).all()
    assert (found.most[::5] >= 200).all()
    assert found.least.min() == 0


def test_a_missing_value_stays_missing() -> None:
    values = incomes(20)
    values[3] = np.nan
    found = NO_BOUNDS.cover(values, key=KEY)
    assert np.isnan(found.points).sum(axis=0).tolist() == [6 if i == 3 else 0 for i in range(20)]


# --- same key, same set ---------------------------------------------------------------------------------------------------


def test_key_and_label_decide() -> None:
    values = incomes(30)
    first = NO_BOUNDS.cover(values, key=KEY, label="income")
    assert np.array_equal(first.points, NO_BOUNDS.cover(values, key=KEY, label="income").points)
    for other in (
        NO_BOUNDS.cover(values, key=KEY, label="turnover"),
        NO_BOUNDS.cover(values, key=Key(b"some other secret"), label="income"),
    ):
        assert not np.isclose(first.points, other.points).any()
        assert not np.isclose(first.weights, other.weights).any()


def test_a_record_keeps_its_place_in_any_order_and_version() -> None:
    """Fresh draws for a new version could be intersected with the old ones."""
    values, ids = incomes(60), np.arange(60, dtype=np.uint64) * 7 + 3
    whole = NO_BOUNDS.cover(values, key=KEY, ids=ids)
    part = np.random.default_rng(0).permutation(60)[:40]
    again = NO_BOUNDS.cover(values[part], key=KEY, ids=ids[part])
    np.testing.assert_allclose(again.points, whole.points[:, part], rtol=1e-12)


def test_blocks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    values = incomes(100)
    values[:20] = 0
    how = Camouflage(p=10, width=50, low=0)
    whole = how.cover(values, key=KEY)
    monkeypatch.setattr(module, "BLOCK", 7)
    np.testing.assert_allclose(how.cover(values, key=KEY).points, whole.points, rtol=1e-12)


# --- what the ranges say --------------------------------------------------------------------------------------------------


def test_an_intruder_reads_values_off_widths_without_a_stretch_and_not_with_one() -> None:
    """A range of k p percent of the value is the value; a random factor from 1 to 2 leaves it open."""
    values = incomes(400)
    for stretch, is_broken in ((1.0, True), (2.0, False)):
        found = Camouflage(p=10, stretch=stretch).cover(values, key=KEY)
        guesses = (found.most - found.least) / (6 * 0.1)
        near = float((np.abs(guesses / values - 1) < 0.1).mean())
        assert (near > 0.99) == is_broken
        assert is_broken or near < 0.2  # log2(1.1) = 0.14 of all widths


@pytest.mark.parametrize("vertices", [6, 8, 12])
def test_the_middle_of_a_range_is_a_poor_guess(vertices: int) -> None:
    """The truth is uniform within its range but for 1/k at both ends: P(within r) = 2 m / (k - 2), m = 1 / (2 log 2)."""
    values = incomes(4000)
    found = Camouflage(p=10, vertices=vertices).cover(values, key=KEY)
    near = np.abs((found.least + found.most) / 2 - values) <= 0.1 * values
    stated = 2 / (vertices - 2) * 0.5 / np.log(2)
    assert near.mean() == pytest.approx(stated, abs=4 * np.sqrt(stated * (1 - stated) / 4000))
    place = (values - found.least) / (found.most - found.least)
    inner = (place - 1 / vertices) / (1 - 2 / vertices)
    assert np.histogram(inner, 4, (0, 1))[0] == pytest.approx(1000, abs=4 * np.sqrt(750))


def test_widths_of_sums_grow_like_the_square_root_of_the_members() -> None:
    """Boxes for each record would add up their widths; here they cancel."""
    values = np.full(40_000, 1000.0)
    found = Camouflage(p=0, width=200).cover(values, key=KEY)
    small, large = (interval(found, "sum", slice(0, n)) for n in (400, 40_000))
    assert 3 < (large.high - large.low) / (small.high - small.low) < 30
    box = float((found.most - found.least).sum())
    assert large.high - large.low < 0.03 * box


# --- bad input ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        {"vertices": 2},
        {"vertices": 65},
        {"p": -1},
        {"p": 101},
        {"width": -1},
        {"stretch": 0.5},
        {"p": 0, "width": 0},
        {"low": 5, "high": 5},
        {"low": float("-inf")},
        {"high": float("nan")},
    ],
)
def test_wrong_settings_are_errors(wrong: dict[str, float]) -> None:
    with pytest.raises(ParameterError, match="Camouflage"):
        Camouflage(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "how", "words"),
    [
        ([1.0, np.inf], Camouflage(), "finite"),
        ([1.0, -77.25], Camouflage(low=0), "'low'"),
        ([1.0, 77.25], Camouflage(high=50), "'high'"),
        ([77.25, 0.0], Camouflage(p=10), "'width'"),
        ([[77.25]], Camouflage(), "one dimension"),
    ],
)
def test_wrong_values_are_errors_that_show_none(values: list[float], how: Camouflage, words: str) -> None:
    with pytest.raises(DataError, match=words) as caught:
        how.cover(np.array(values), key=KEY)
    assert "77" not in str(caught.value)


def test_ids_of_another_length_are_an_error() -> None:
    with pytest.raises(ParameterError, match="'ids'"):
        NO_BOUNDS.cover(incomes(3), key=KEY, ids=np.arange(2, dtype=np.uint64))


def test_settings_are_data() -> None:
    how = Camouflage(vertices=8, width=100, low=0)
    assert Camouflage.from_plain(how.to_plain()) == how
