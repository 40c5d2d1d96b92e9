"""Records as points: distances of mixed columns against a look at every pair."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import DataError
from tacita.data.microdata import Microdata
from tacita.data.side_by_side.person_space import PersonSpace, columns_of_people
from tacita.numeric.nearest import mixed_points as module
from tacita.numeric.nearest.mixed_points import Points, distance_blocks, few_nearest, pair_seconds
from tacita.study.red_team.synthetic import COLUMNS, surveyed_people
from tests.oracles.attack.synthetic import distance


def points(n: int, seed: int) -> Points:
    rng = np.random.default_rng(seed)
    return Points(rng.integers(0, 4, (n, 2)).astype(float), rng.integers(0, 3, (n, 2)))


def every_distance(a: Points, b: Points) -> np.ndarray:
    return np.array(
        [[distance(x, y, c, d) for y, d in zip(b.numbers, b.codes)] for x, c in zip(a.numbers, a.codes)]  # noqa: B905
    )


def test_distances_are_those_of_every_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_AT_ONCE", 100)  # several blocks
    a, b = points(17, 1), points(31, 2)
    away = np.vstack([part for _, part in distance_blocks(a, b)])
    np.testing.assert_allclose(np.sqrt(away), every_distance(a, b), atol=1e-9)


@pytest.mark.parametrize("count", [1, 3, 31, 40])
def test_the_nearest_few(count: int) -> None:
    a, b = points(17, 1), points(31, 2)
    rows, far = few_nearest(a, b, count)
    every = every_distance(a, b)
    wanted = np.sort(every, axis=1)[:, :count]
    np.testing.assert_allclose(far[:, : wanted.shape[1]], wanted, atol=1e-12)
    np.testing.assert_allclose(np.take_along_axis(every, rows, axis=1), far, atol=1e-12)
    assert rows.shape == (17, count)


def test_large_numbers_lose_no_digits() -> None:
    """Squares of such numbers differ by more than the distance of the records."""
    none = np.empty((2, 0), np.int64)
    a, b = np.array([[1e8], [1e8 + 1]]), np.array([[1e8 + 0.25], [1e8 + 1]])
    assert few_nearest(Points(a, none), Points(b, none), 2)[1][1].tolist() == [0.0, 0.75]


def test_two_people_are_about_one_apart_in_each_number() -> None:
    data = surveyed_people(2000)
    found = PersonSpace.of(["age"], data).points(data)
    there = found.numbers[found.codes[:, 0] == 0, 0]
    assert 0.3 < ((there[::2][:900] - there[1::2][:900]) ** 2).mean() < 3


def test_files_with_other_classes_can_be_compared() -> None:
    """A code means another class in each file; a word does not."""
    one = Microdata.from_frame(pa.table({"sex": ["m", "f", None]}))
    two = Microdata.from_frame(pa.table({"sex": ["x", "f"]}))
    common = PersonSpace.of(["sex"], one, two)
    a, b = common.points(one), common.points(two)
    away = np.vstack([part for _, part in distance_blocks(a, b)])
    assert away.tolist() == [[1.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    strange = common.points(Microdata.from_frame(pa.table({"sex": ["never seen"]})))
    assert strange.codes.tolist() == [[len(common.words["sex"])]]


def test_a_missing_number_is_one_apart_from_the_middle_and_none_from_another() -> None:
    data = Microdata.from_frame(pa.table({"x": [1.0, 2.0, 3.0, None, None]}))
    found = PersonSpace.of(["x"], data).points(data)
    away = np.vstack([part for _, part in distance_blocks(found, found)])
    assert (away[1, 3], away[3, 4]) == (1.0, 0.0)


def test_columns_without_spread_are_no_trouble() -> None:
    data = Microdata.from_frame(pa.table({"x": [5.0] * 4, "y": pa.array([None] * 4, pa.float64())}))
    found = PersonSpace.of(["x", "y"], data).points(data)
    assert np.isfinite(found.numbers).all()


def test_numbers_of_households_say_nothing() -> None:
    data = surveyed_people(50)
    assert columns_of_people(data) == COLUMNS
    whole = Microdata.from_frame(
        pa.table({"id": [1], "home": [1], "age": [3]}), identifiers=["id"], household="home", scales={"home": "nominal"}
    )
    assert columns_of_people(whole, whole) == ("age",)
    assert columns_of_people(whole, whole.select(["home"])) == ()


def test_nothing_to_compare() -> None:
    with pytest.raises(DataError, match="share no column"):
        PersonSpace.of([], surveyed_people(5))
    with pytest.raises(DataError, match="no record to compare with"):
        few_nearest(points(2, 1), points(0, 1), 1)


def test_more_pairs_take_longer() -> None:
    assert 0 < pair_seconds(10, 100, 5) < pair_seconds(20, 100, 5) < pair_seconds(20, 100, 9)
