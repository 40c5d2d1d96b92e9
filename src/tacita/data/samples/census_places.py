"""Where the people of the census live: municipalities in districts and provinces, and squares of one kilometre.

The country is a square map. Municipalities are fields on it, numbered along Morton's curve, so that municipalities with
neighbouring numbers, and with them districts and provinces, lie together. A field is 5.4 km wide: its border runs through
squares of the grid, which therefore belong to several municipalities.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pyarrow as pa

from tacita.core.parameters import Interval, coerce
from tacita.data.hierarchy import Hierarchy
from tacita.data.samples.draws import Draw, FloatArray, IntArray, pick

__all__ = ["MOST_REGIONS", "CensusMap", "census_map", "draw_addresses"]

MOST_REGIONS = 10_000
_IN_DISTRICT, _MOST_PROVINCES = 25, 16
_KILOMETRES = 5.4
"""Width of a municipality; no whole number, so that squares lie across borders."""
_EAST, _NORTH = 4000, 3000
"""The south-western corner of the country, in kilometres."""
_TAIL = 0.75
"""Municipalities have sizes in the manner of Pareto: the largest of N is about N^0.75 times as large as the smallest."""
_GOLDEN = 0.6180339887498949
_IN_TOWN, _TOWN_WIDTH = 0.65, 0.1


@dataclass(frozen=True)
class CensusMap:
    """The municipalities of the country.

    Parameters
    ----------
    codes
        Municipalities, such as TA0307012: country, province, district, municipality.
    shares
        (r,): share of the dwellings.
    column, row
        (r,): field on the map.
    side
        Kilometres from one side of the country to the other, rounded up.
    """

    codes: tuple[str, ...]
    shares: FloatArray
    column: IntArray
    row: IntArray
    side: int

    @property
    def hierarchy(self) -> Hierarchy:
        """Municipality, district, province, country."""
        return Hierarchy(tuple((code, code[:6], code[:4], "Total") for code in self.codes))

    def is_urban(self) -> FloatArray:
        """Return (r,): from 0 for the smallest municipality to 1 for the largest."""
        rank = np.argsort(np.argsort(self.shares, kind="stable"), kind="stable")
        return rank / max(len(rank) - 1, 1)

    def names(self, regions: IntArray) -> pa.Array:
        """Return the codes of some municipalities."""
        return pa.array([self.codes[r] for r in regions.tolist()], pa.string())

    def square_names(self, squares: IntArray) -> pa.Array:
        """Return the names of some squares, which are numbered west to east and south to north: ``1kmN3004E4011``."""
        return pa.array(
            [f"1kmN{_NORTH + square // self.side}E{_EAST + square % self.side}" for square in squares.tolist()],
            pa.string(),
        )


def census_map(regions: object, *, owner: str) -> CensusMap:
    """Lay out a country with this number of municipalities; it is the same for every seed.

    Examples
    --------
    >>> census_map(100, owner="example").codes[::40]
    ('TA0101001', 'TA0201016', 'TA0401006')
    """
    count: int = coerce(regions, Annotated[int, Interval(1, MOST_REGIONS)], owner=owner, name="regions")
    number = np.arange(count)
    districts = -(-count // _IN_DISTRICT)
    provinces = min(_MOST_PROVINCES, districts)
    district = number * districts // count
    province = district * provinces // districts
    codes = []
    for p, d, m in zip(
        _ranks(province), _ranks_within(district, province), _ranks_within(number, district), strict=True
    ):
        codes.append(f"TA{p:02d}{d:02d}{m:03d}")
    # Numbers of the golden section fill (0, 1) evenly in an order that looks like chance: large towns stand among villages.
    size = (1.0 - (0.5 + number * _GOLDEN) % 1.0 * (1.0 - 1.0 / (count + 1.0))) ** -_TAIL
    column, row = _morton(number)
    fields = int(max(column.max(), row.max())) + 1
    return CensusMap(tuple(codes), size / size.sum(), column, row, int(np.ceil(fields * _KILOMETRES)))


def _ranks(group: IntArray) -> IntArray:
    return np.unique(group, return_inverse=True)[1] + 1


def _ranks_within(inner: IntArray, outer: IntArray) -> IntArray:
    """Number the inner groups from 1 within each outer one; both ascend."""
    rank = _ranks(inner)
    first = np.searchsorted(outer, outer)
    return rank - rank[first] + 1


def _morton(number: IntArray) -> tuple[IntArray, IntArray]:
    """Return the place on Morton's curve: even bits are the column, odd ones the row."""
    column, row = np.zeros_like(number), np.zeros_like(number)
    for bit in range(8):
        column |= ((number >> (2 * bit)) & 1) << bit
        row |= ((number >> (2 * bit + 1)) & 1) << bit
    return column, row


def draw_addresses(draw: Draw, country: CensusMap, n: int) -> tuple[IntArray, IntArray]:
    """Draw municipality and grid square of ``n`` dwellings: two thirds in the town at the centre, the rest anywhere."""
    region = pick(draw("municipality"), country.shares, n)
    rng = draw("grid")
    near = rng.random(n) < _IN_TOWN
    place = np.empty((2, n))
    for axis in range(2):
        town = np.clip(0.5 + _TOWN_WIDTH * rng.standard_normal(n), 0.0, 1.0 - 1e-9)
        place[axis] = np.where(near, town, rng.random(n))
    east = ((country.column[region] + place[0]) * _KILOMETRES).astype(np.int64)
    north = ((country.row[region] + place[1]) * _KILOMETRES).astype(np.int64)
    return region, north * country.side + east
