"""Units in order: the nearest unit against a slow search, ties, ranks."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.query.residuals.ordered import OrderedUnits
from tests.effort import examples

VALUES = st.lists(st.integers(-6, 6).map(float), min_size=1, max_size=15)


@settings(max_examples=examples(25), deadline=None)
@given(VALUES, st.lists(st.floats(-8, 8), min_size=1, max_size=5), st.integers(1, 4), st.integers(0, 99))
def test_a_near_unit_is_one_of_the_m_nearest(values: list[float], at: list[float], m: int, seed: int) -> None:
    x, points = np.array(values), np.array(at)
    found = OrderedUnits.of(x).near(points, m, np.random.default_rng(seed))
    for point, j in zip(points, found, strict=True):
        away = np.abs(x - point)
        assert away[j] <= np.sort(away)[min(m, len(x)) - 1] + 1e-12


@settings(max_examples=examples(25), deadline=None)
@given(VALUES)
def test_equal_values_are_in_the_order_of_rows(values: list[float]) -> None:
    made = OrderedUnits.of(np.array(values))
    assert made.order.tolist() == np.argsort(values, kind="stable").tolist()
    assert made.values.tolist() == sorted(values)


def test_ties_are_broken_evenly() -> None:
    units = OrderedUnits.of(np.array([1.0, 3.0, 1.0, 1.0, 9.0]))
    found = units.near(np.full(6000, 1.2), 1, np.random.default_rng(1))
    counts = np.bincount(found, minlength=5)
    assert counts[[1, 4]].tolist() == [0, 0]
    assert np.abs(counts[[0, 2, 3]] - 2000).max() < 160  # four standard errors


def test_both_sides_of_a_tie_are_drawn() -> None:
    found = OrderedUnits.of(np.array([0.0, 2.0])).near(np.ones(400), 1, np.random.default_rng(2))
    assert 150 < found.sum() < 250


def test_all_of_the_near_units_are_drawn() -> None:
    found = OrderedUnits.of(np.arange(20.0)).near(np.full(900, 9.9), 3, np.random.default_rng(3))
    assert np.bincount(found, minlength=20)[[9, 10, 11]].min() > 240
    assert set(found) == {9, 10, 11}


@settings(max_examples=examples(25), deadline=None)
@given(VALUES)
def test_ranks_are_shares_of_units(values: list[float]) -> None:
    x = np.array(values)
    found = OrderedUnits.of(x).ranks(x)
    wanted = [((x < v).sum() + (x == v).sum() / 2) / len(x) for v in x]
    assert np.allclose(found, wanted)
