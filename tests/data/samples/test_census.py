"""The census register: persons, households, dwellings and places that fit together, sparse as a census is."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.data import samples
from tacita.data.microdata import Microdata

N = 150_000


@pytest.fixture(scope="module")
def census() -> Microdata:
    return samples.census_register(N, seed=1, regions=1000)


def column(data: Microdata, name: str) -> np.ndarray:
    return np.asarray(data.to_arrow(codes=False).column(name).to_numpy())


def test_households_and_dwellings_nest(census: Microdata) -> None:
    person, home, dwelling = (column(census, f"{name}_id") for name in ("person", "household", "dwelling"))
    assert np.array_equal(person, np.arange(1, N + 1))
    assert (np.diff(home) >= 0).all(), "members stand together"
    _, first, size = np.unique(home, return_index=True, return_counts=True)
    assert np.array_equal(home[first], person[first]), "a household has the number of its first person"
    assert np.array_equal(size[:-1], column(census, "household_size")[first][:-1])
    homes = set(dwelling[first].tolist())
    assert 0.02 < 1 - len(homes) / len(first) < 0.04, "about three in a hundred share a dwelling"
    for name in ("municipality", "grid", "dwelling_kind", "tenure", "rooms", "built"):
        values = column(census, name)
        assert len({*zip(dwelling.tolist(), values.tolist(), strict=True)}) == len(homes), name


def test_ages_reach_110(census: Microdata) -> None:
    age = column(samples.census_register(1_000_000, seed=2, regions=10), "age")
    assert 104 < age.max() <= 110
    assert 0 < (age >= 105).sum() < 300
    assert 38 < column(census, "age").mean() < 46


def test_most_combinations_are_small(census: Microdata) -> None:
    keys = [census.codes(name).values.astype(np.int64) for name in ("municipality", "age", "birth_country")]
    counts = np.unique(keys[0] * 10**6 + keys[1] * 10**3 + keys[2], return_counts=True)[1]
    assert np.mean(counts <= 2) > 0.6
    sizes = np.bincount(keys[0])
    assert sizes.max() > 30 * np.median(sizes), "few towns, many villages"
    native = column(census, "birth_country") == "this country"
    assert 0.82 < native.mean() < 0.92
    town = sizes[keys[0]] > 1000
    assert native[town].mean() < native[~town].mean() - 0.02, "who comes from abroad lives in towns"


def test_squares_lie_across_borders(census: Microdata) -> None:
    pairs = np.unique(np.stack([census.codes(name).values for name in ("grid", "municipality")]), axis=1)
    assert np.mean(np.unique(pairs[0], return_counts=True)[1] > 1) > 0.02


def test_a_larger_census_begins_with_the_smaller_one(census: Microdata) -> None:
    """Across the border of a block of 65536 records, too."""
    for n in (1, 1000, 70_000):
        assert census.take(np.arange(n)).fingerprint() == samples.census_register(n, seed=1, regions=1000).fingerprint()
    ages = column(census, "age")
    assert not np.array_equal(ages[65_536 : 65_536 + 1000], ages[:1000]), "blocks have streams of their own"


def test_a_census_is_compact(census: Microdata) -> None:
    assert census.to_arrow().nbytes < 45 * N


@pytest.mark.parametrize("regions", [0, 10_001, 2.5, None, "many"])
def test_a_wrong_number_of_regions_is_refused(regions: object) -> None:
    with pytest.raises(ParameterError, match="'regions' must be"):
        samples.census_register(10, seed=1, regions=regions)  # type: ignore[arg-type]
