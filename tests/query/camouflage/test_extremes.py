"""Minimum and maximum: the programme on the hard side is proven, and agrees with a general solver."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from tacita.core.errors import TacitaError
from tacita.query.camouflage import extremes
from tacita.query.camouflage.extremes import least_maximum, maximum_interval, minimum_interval
from tacita.query.camouflage.hull import Hull
from tests.effort import examples
from tests.query.camouflage.sets import candidates, hidden, hulls

ALL = slice(None)


def game(points: np.ndarray) -> float:
    """The least maximum, with all rows at once."""
    k, n = points.shape
    unit = float(np.abs(points).max()) or 1.0
    rows = np.hstack([points.T / unit, -np.ones((n, 1))])
    ones = np.append(np.ones(k), 0.0)[None, :]
    found = linprog(
        np.append(np.zeros(k), 1.0),
        A_ub=rows,
        b_ub=np.zeros(n),
        A_eq=ones,
        b_eq=[1],
        bounds=[(0, None)] * k + [(None, None)],
    )
    return float(found.fun) * unit


def test_by_hand() -> None:
    """(0, 4) and (3, 0) have equal entries at v = (3/7, 4/7): 12/7."""
    hull = Hull(np.array([[0.0, 4.0], [3.0, 0.0]]), np.array([0.5, 0.5]))
    assert maximum_interval(hull, ALL) == pytest.approx((12 / 7, 4))
    assert minimum_interval(hull, ALL) == pytest.approx((0, 12 / 7))
    assert maximum_interval(hull, np.array([1])) == pytest.approx((0, 4))


@settings(max_examples=examples(25), deadline=None)
@given(hulls(), st.integers(0, 2**32))
def test_every_candidate_is_inside_and_no_proven_end_is_far_off(hull: Hull, seed: int) -> None:
    top, bottom = maximum_interval(hull, ALL), minimum_interval(hull, ALL)
    error = 1e-12 * hull.scale
    for x in candidates(hull, 50, seed):
        assert top.low - error <= x.max() <= top.high + error
        assert bottom.low - error <= x.min() <= bottom.high + error
    assert top.low == pytest.approx(game(hull.points), abs=1e-6 * (1 + hull.scale))
    assert bottom.high == pytest.approx(-game(-hull.points), abs=1e-6 * (1 + hull.scale))


@pytest.mark.parametrize("seed", range(4))
def test_cutting_planes_find_what_all_rows_find(seed: int) -> None:
    """Equal values: every record may be the largest, so nearly all rows matter."""
    points = 100 + np.random.default_rng(seed).normal(size=(6, 3000))
    hull = Hull(points, np.full(6, 1 / 6))
    assert maximum_interval(hull, ALL).low == pytest.approx(game(points), abs=1e-6)
    assert maximum_interval(hull, ALL).low <= game(points) + 1e-9
    some = np.arange(0, 3000, 7)
    assert minimum_interval(hull, some).high == pytest.approx(-game(-points[:, some]), abs=1e-6)


def test_a_single_largest_record_needs_no_programme() -> None:
    hull = Hull(np.array([[1.0, 50.0], [2.0, 60.0]]), np.array([0.5, 0.5]))
    assert maximum_interval(hull, ALL) == pytest.approx((50, 60))
    constant = Hull(np.array([[7.0, 7.0], [7.0, 7.0]]), np.array([0.5, 0.5]))
    assert maximum_interval(constant, ALL) == minimum_interval(constant, ALL) == (7, 7)


def test_a_solver_that_fails_or_stops_leaves_a_wider_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    _, hull = hidden(30)
    exact = maximum_interval(hull, ALL)
    monkeypatch.setattr(extremes, "ROUNDS", 1)
    assert maximum_interval(hull, ALL).low <= exact.low + 1e-9

    def fails(*_: object) -> float:
        raise TacitaError("The solver stopped.")

    monkeypatch.setattr(extremes, "_cutting_planes", fails)
    found = maximum_interval(hull, ALL)
    assert found == (hull.least.max(), hull.most.max())
    assert found.low <= exact.low


def test_the_sign_turns_everything_round() -> None:
    points = np.array([[0.0, 4.0], [3.0, 0.0]])
    least, most = points.min(axis=0), points.max(axis=0)
    assert -least_maximum(points, ALL, -most, -least, error=0.0, sign=-1.0) == pytest.approx(12 / 7)
