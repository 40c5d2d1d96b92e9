"""The census register: persons in households, households in dwellings, dwellings in municipalities and grid squares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tacita.core.streams import Seed
from tacita.data.microdata import Microdata
from tacita.data.samples import demography as who
from tacita.data.samples import places
from tacita.data.samples.census_places import CensusMap, census_map, draw_addresses
from tacita.data.samples.draws import (
    BoolArray,
    Draw,
    FloatArray,
    IntArray,
    assemble,
    check_size,
    compact,
    pick,
    pick_within,
    streams_of,
)
from tacita.data.samples.people import CHILD, DrawnHouseholds, People, draw_households, draw_people
from tacita.data.samples.register import draw_work
from tacita.data.schema import Column

__all__ = ["census_register"]

_BLOCK = 1 << 16
"""Records that are drawn together, always a whole block: the first records are then the same for every size."""

_OLDEST, _VERY_OLD, _ONE_YEAR_MORE = 110, 97, 0.55
_SHARED_DWELLING = 0.03
_FOREIGN_SHARES = (0.03, 0.22)
"""Households from abroad in the smallest and in the largest municipality."""

_POSITIONS = ("head", "partner", "child", "parent of the head", "other")
_DWELLINGS = ("detached house", "row house", "flat", "other")
_DWELLING_SHARES: FloatArray = np.array([[0.72, 0.18, 0.085, 0.015], [0.10, 0.17, 0.72, 0.01]])
_TENURES = ("owner", "tenant", "co-operative", "free of rent")
_TENURE_SHARES: FloatArray = np.array(
    [[0.85, 0.12, 0.005, 0.025], [0.72, 0.23, 0.03, 0.02], [0.28, 0.62, 0.09, 0.01], [0.25, 0.45, 0.0, 0.30]]
)
_ROOM_SHARES: FloatArray = np.array(
    [  # by kind of dwelling: 1, 2, ... 8 rooms
        [0.005, 0.02, 0.08, 0.20, 0.28, 0.22, 0.12, 0.075],
        [0.01, 0.05, 0.18, 0.34, 0.26, 0.11, 0.035, 0.015],
        [0.10, 0.26, 0.36, 0.20, 0.06, 0.014, 0.004, 0.002],
        [0.50, 0.30, 0.12, 0.05, 0.02, 0.006, 0.003, 0.001],
    ]
)
_ROOMS = tuple(range(1, _ROOM_SHARES.shape[1] + 1))
_BUILT = ("before 1919", "1919-1945", "1946-1970", "1971-1990", "1991-2010", "since 2011")
_BUILT_SHARES = (0.13, 0.11, 0.27, 0.25, 0.17, 0.07)
_SIZES = tuple(range(1, 8))


def census_register(n: int = 100_000, *, seed: Seed, regions: int = 1000) -> Microdata:
    """Make the register of a whole census: persons, households, dwellings, and where they are.

    Parameters
    ----------
    n
        Number of persons.
    seed
        Same seed, same data. The first records are the same for every ``n``.
    regions
        Number of municipalities, 1 to 10 000, in districts of about 25 and at most 16 provinces.

    Returns
    -------
    Microdata
        One record a person, the members of a household one after the other, with these columns:

        ================== ============ ======= =====================================================================
        column             role         scale   content
        ================== ============ ======= =====================================================================
        person_id          identifier   nominal running number, from 1
        household_id       household    nominal number of the household: that of its first person
        dwelling_id        identifier   nominal number of the dwelling: that of its first household; 3 % are shared
        municipality       key          nominal such as TA0307012; with district, province and country (hierarchy)
        grid               key          nominal square of one kilometre, such as 1kmN3004E4011
        age                key          numeric 0 to 110 years
        sex                key          nominal male or female
        marital            key          nominal single, married, widowed or divorced
        birth_country      key          nominal 45 countries by continent (hierarchy), most of them rare
        citizenship        key          nominal the same countries; some who came from abroad are citizens
        education          key          ordinal 7 levels, highest completed; 3 % missing
        occupation         key          nominal 10 major groups; missing for children and those who never worked
        household_size     key          ordinal 1 to 7
        household_position key          nominal head, partner, child, parent of the head, or other
        dwelling_kind      key          nominal detached house, row house, flat or other
        tenure             key          nominal owner, tenant, co-operative or free of rent
        rooms              key          ordinal 1 to 8
        built              key          ordinal 6 periods
        employment         confidential nominal 6 main activities; missing below 15 years
        ================== ============ ======= =====================================================================

    Raises
    ------
    ParameterError
        When ``n`` or ``regions`` is not such a number.

    Notes
    -----
    A record takes 35 bytes. Municipalities differ in size as in life, a few towns among many villages, and those who come from
    abroad live mostly in towns; so most combinations of municipality, age and country of birth have one or two persons or
    none. Squares of the grid lie across the borders of municipalities: counts for both can be differenced. The last household
    has fewer members than its size where ``n`` cuts it.

    Complexity: O(n) time; memory for the result and for one block of 65536 records.

    Examples
    --------
    >>> from tacita.data.samples import census_register
    >>> data = census_register(1000, seed=1, regions=50)
    >>> data.schema["municipality"].hierarchy.depth, data.schema.household
    (4, 'household_id')
    """
    n = check_size(n, owner="census_register")
    country = census_map(regions, owner="census_register")
    draw = streams_of("census_register", seed)
    blocks = []
    for start in range(0, max(n, 1), _BLOCK):
        block = _block(draw, country, start)
        blocks.append({name: array.slice(0, min(_BLOCK, n - start)) for name, array in block.items()})
    arrays = {name: pa.chunked_array([block[name] for block in blocks]) for name in blocks[0]}
    for name, names in (("municipality", country.names), ("grid", country.square_names)):
        arrays[name] = _coded(arrays[name].to_numpy(), names)
    return assemble(arrays, _columns(country))


def _coded(codes: npt.NDArray[np.signedinteger[Any]], names: Callable[[IntArray], pa.Array]) -> pa.Array:
    """Return numbers of places as a dictionary column, one list of names for all blocks."""
    there, place = np.unique(codes, return_inverse=True)
    return pa.DictionaryArray.from_arrays(pa.array(place.astype(codes.dtype)), names(there.astype(np.int64)))


def _block(draw_column: Draw, country: CensusMap, start: int) -> dict[str, pa.Array]:
    """Draw the records of one block, places by their numbers; each block has streams of its own."""

    def draw(*labels: str) -> np.random.Generator:
        return draw_column(*labels, str(start // _BLOCK))

    homes = draw_households(draw, _BLOCK)
    people = draw_people(draw, homes)
    age = _up_to_110(draw("age", "oldest"), people.age)
    first = np.cumsum(homes.size) - homes.size
    shares = draw("dwelling", "shared").random(len(homes)) < _SHARED_DWELLING
    shares[0] = False
    dwelling = np.cumsum(~shares) - 1
    region, square = draw_addresses(draw, country, int(dwelling[-1]) + 1)
    urban = country.is_urban()[region]
    at = people.household
    born, citizen = _origin(draw, urban[dwelling], homes, people)
    numbers = {
        "person_id": np.arange(_BLOCK),
        "household_id": first[at],
        "dwelling_id": first[np.flatnonzero(~shares)][dwelling[at]],
    }
    return {
        **{name: pa.array((start + 1 + number).astype(np.int32)) for name, number in numbers.items()},
        "municipality": pa.array(region[dwelling[at]].astype(np.int16)),
        "grid": pa.array(square[dwelling[at]].astype(np.int32)),
        "age": pa.array(age.astype(np.int8)),
        "sex": compact(people.sex, who.SEX),
        "marital": compact(people.marital, who.MARITAL),
        "birth_country": compact(born, places.BIRTH_COUNTRIES),
        "citizenship": compact(citizen, places.BIRTH_COUNTRIES),
        "household_size": pa.array(homes.size[at].astype(np.int8)),
        "household_position": compact(people.place, _POSITIONS),
        **_dwellings(draw, urban, dwelling[at]),
        **draw_work(draw, age),
    }


def _up_to_110(rng: np.random.Generator, age: IntArray) -> IntArray:
    """The survey has few above 97 and none above 104; here these live on, year by year, to 110 at most."""
    more = rng.geometric(1.0 - _ONE_YEAR_MORE, len(age)) - 1
    return np.where(age >= _VERY_OLD, np.minimum(age + more, _OLDEST), age)


def _origin(draw: Draw, urban: FloatArray, homes: DrawnHouseholds, people: People) -> tuple[IntArray, IntArray]:
    """Draw countries of birth and of citizenship: a household comes from one country, most children were born here."""
    low, high = _FOREIGN_SHARES
    rng = draw("birth_country")
    abroad = rng.random(len(homes)) < low + (high - low) * urban
    origin = np.where(abroad, 1 + pick(rng, places.BIRTH_SHARES[1:], len(homes)), 0)
    moved_alone = rng.random(len(people)) < 0.02
    own = np.where(moved_alone, 1 + pick(rng, places.BIRTH_SHARES[1:], len(people)), origin[people.household])
    here = rng.random(len(people)) < np.where(people.place == CHILD, 0.7, 0.15)
    born = np.where(here, 0, own)
    naturalised: BoolArray = draw("citizenship").random(len(people)) < np.where(here, 0.7, 0.4)
    return born, np.where(naturalised, 0, own)


def _dwellings(draw: Draw, urban: FloatArray, at: IntArray) -> dict[str, pa.Array]:
    """Draw dwellings, and give each person that of its household: flats in towns, houses in villages."""
    in_town = (draw("dwelling", "place").random(len(urban)) < urban**2).astype(np.int64)
    kind = pick_within(draw("dwelling_kind"), _DWELLING_SHARES, in_town)
    tenure = pick_within(draw("tenure"), _TENURE_SHARES, kind)
    rooms = 1 + pick_within(draw("rooms"), _ROOM_SHARES, kind)
    built = pick(draw("built"), _BUILT_SHARES, len(urban))
    return {
        "dwelling_kind": compact(kind[at], _DWELLINGS),
        "tenure": compact(tenure[at], _TENURES),
        "rooms": pa.array(rooms[at].astype(np.int8)),
        "built": compact(built[at], _BUILT),
    }


def _columns(country: CensusMap) -> tuple[Column, ...]:
    category: dict[str, Any] = {"scale": "nominal", "roles": ("key",)}
    order: dict[str, Any] = {"scale": "ordinal", "roles": ("key",)}
    number: dict[str, Any] = {"scale": "nominal", "roles": ("identifier",)}
    return (
        Column(name="person_id", label="Number of the person", **number),
        Column(name="household_id", scale="nominal", roles=("household",), label="Number of the household"),
        Column(name="dwelling_id", label="Number of the dwelling", **number),
        Column(name="municipality", hierarchy=country.hierarchy, label="Municipality of residence", **category),
        Column(name="grid", label="Grid square of one kilometre", **category),
        Column(name="age", scale="numeric", roles=("key",), bounds=(0, _OLDEST), label="Age in years"),
        Column(name="sex", label="Sex", **category),
        Column(name="marital", label="Marital status", **category),
        Column(name="birth_country", hierarchy=places.BIRTH_HIERARCHY, label="Country of birth", **category),
        Column(name="citizenship", hierarchy=places.BIRTH_HIERARCHY, label="Country of citizenship", **category),
        Column(name="education", categories=who.EDUCATION, label="Highest education", **order),
        Column(name="occupation", label="Major group of the present or last occupation", **category),
        Column(name="household_size", categories=_SIZES, label="Persons in household", **order),
        Column(name="household_position", label="Position in the household", **category),
        Column(name="dwelling_kind", label="Kind of dwelling", **category),
        Column(name="tenure", label="How the household holds its dwelling", **category),
        Column(name="rooms", categories=_ROOMS, label="Rooms of the dwelling", **order),
        Column(name="built", categories=_BUILT, label="When the building was built", **order),
        Column(name="employment", scale="nominal", roles=("confidential",), label="Main activity"),
    )
