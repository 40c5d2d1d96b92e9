"""The map of the census: codes that nest, neighbours that lie together, squares that lie in their municipality."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.data.samples.census_places import MOST_REGIONS, census_map, draw_addresses
from tacita.data.samples.draws import streams_of


@pytest.mark.parametrize("regions", [1, 2, 24, 25, 26, 1000, MOST_REGIONS])
def test_codes_nest(regions: int) -> None:
    country = census_map(regions, owner="test")
    assert len(set(country.codes)) == regions == len(country.hierarchy.values)
    assert all(len(code) == 9 for code in country.codes)
    assert country.shares.sum() == pytest.approx(1.0)
    assert (country.shares > 0).all()
    assert len(np.unique(country.column * 1000 + country.row)) == regions, "each has a field of its own"
    districts = {code[:6] for code in country.codes}
    assert len(districts) == -(-regions // 25)
    assert len({code[:4] for code in districts}) == min(16, len(districts))


def test_sizes_differ() -> None:
    shares = np.sort(census_map(MOST_REGIONS, owner="test").shares)
    assert 300 < shares[-1] / shares[0] < 1000
    assert shares[-100:].sum() > 0.2, "one percent of the municipalities has over a fifth of the people"
    assert census_map(40, owner="test").is_urban().max() == 1.0
    assert census_map(1, owner="test").is_urban().tolist() == [0.0]


def test_districts_lie_together() -> None:
    country = census_map(1024, owner="test")
    district = np.array([code[:6] for code in country.codes])
    width = [np.ptp(country.column[district == name]) for name in np.unique(district)]
    assert np.mean(width) < 10, "of 32 columns"


def test_addresses_lie_in_their_municipality() -> None:
    country = census_map(100, owner="test")
    region, square = draw_addresses(streams_of("test", 1), country, 5000)
    east, north = square % country.side, square // country.side
    for found, field in ((east, country.column), (north, country.row)):
        assert (found + 1 > field[region] * 5.4).all()
        assert (found < (field[region] + 1) * 5.4).all()
    assert country.square_names(np.array([country.side + 3])).to_pylist() == ["1kmN3001E4003"]
    assert country.names(np.array([1])).to_pylist() == [country.codes[1]]
