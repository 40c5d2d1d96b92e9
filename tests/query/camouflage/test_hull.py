"""The set of candidates refuses what is no set, shows nothing, and knows who is asked about."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.query.camouflage.hull import Hull

POINTS = np.array([[1.0, 5.0, np.nan, 3.0], [2.0, 4.0, np.nan, 9.0]])
HALF = np.array([0.5, 0.5])


def test_it_knows_ranges_and_truth_and_shows_neither() -> None:
    hull = Hull(POINTS, HALF)
    assert hull.truth(np.array([0, 3])).tolist() == [1.5, 6.0]
    assert hull.least[[0, 1, 3]].tolist() == [1, 4, 3]
    assert hull.most[[0, 1, 3]].tolist() == [2, 5, 9]
    assert repr(hull) == "Hull(2 points, 4 records)"
    assert hull.is_interior
    assert not Hull(POINTS, np.array([1.0, 0.0])).is_interior


def test_members_are_those_with_a_value() -> None:
    hull = Hull(POINTS, HALF)
    assert np.asarray(hull.members(None)).tolist() == [0, 1, 3]
    assert np.asarray(hull.members(np.array([3, 2, 0]))).tolist() == [0, 3]
    assert np.asarray(hull.members(np.array([True, False, True, False]))).tolist() == [0]
    assert np.asarray(hull.members(slice(1, 4))).tolist() == [1, 3]
    whole = Hull(POINTS[:, [0, 1, 3]], HALF)
    assert whole.members(None) == whole.members(np.ones(3, bool)) == slice(None)


@pytest.mark.parametrize(
    "members",
    [np.array([], dtype=int), np.array([2]), np.zeros(4, bool), slice(2, 3), []],
    ids=["none", "without value", "empty mask", "slice", "empty list"],
)
def test_nobody_is_an_error(members: object) -> None:
    with pytest.raises(DataError, match="at least one member"):
        Hull(POINTS, HALF).members(members)  # type: ignore[arg-type]


def test_a_file_without_records_has_nobody() -> None:
    with pytest.raises(DataError, match="at least one member"):
        Hull(np.empty((2, 0)), HALF).members(None)


@pytest.mark.parametrize(
    ("members", "words"),
    [
        (np.ones(3, bool), "4 entries"),
        (np.array([4]), "from 0 to 3"),
        (np.array([-1]), "from 0 to 3"),
        (np.array([1, 1]), "twice"),
        (np.array([0.5]), "row numbers"),
        (np.array([[1]]), "one dimension"),
    ],
)
def test_members_that_are_no_set_of_records_are_errors(members: object, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        Hull(POINTS, HALF).members(members)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("points", "weights", "bounds", "error"),
    [
        (POINTS[0], HALF, (-np.inf, np.inf), ParameterError),
        (POINTS, np.array([0.5, 0.4]), (-np.inf, np.inf), ParameterError),
        (POINTS, np.array([1.5, -0.5]), (-np.inf, np.inf), ParameterError),
        (np.array([[1.0], [np.nan]]), HALF, (-np.inf, np.inf), DataError),
        (np.array([[1.0], [np.inf]]), HALF, (-np.inf, np.inf), DataError),
        (POINTS, HALF, (2.0, np.inf), DataError),
        (POINTS, HALF, (0.0, 8.0), DataError),
    ],
)
def test_what_is_no_set_of_candidates_is_an_error(
    points: np.ndarray, weights: np.ndarray, bounds: tuple[float, float], error: type[Exception]
) -> None:
    with pytest.raises(error, match="Hull"):
        Hull(points, weights, bounds)
