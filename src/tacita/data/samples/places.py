"""The invented country of the samples: parts, regions and districts of unequal size, and where people were born."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.data.hierarchy import Hierarchy
from tacita.data.samples.draws import FloatArray, zipf

__all__ = [
    "BIRTH_COUNTRIES",
    "BIRTH_HIERARCHY",
    "BIRTH_SHARES",
    "DISTRICTS",
    "DISTRICT_HIERARCHY",
    "DISTRICT_SHARES",
    "NATIVE",
    "POPULATION",
    "REGIONS",
    "REGION_HIERARCHY",
    "REGION_SHARES",
    "URBAN",
    "URBAN_SHARES",
    "SampleRegion",
]

POPULATION = 5_200_000
"""Inhabitants of the country."""


@dataclass(frozen=True)
class SampleRegion:
    """A region: its code (part and number), its percentage of the population, its districts, and its settlement."""

    name: str
    code: str
    percent: float
    districts: int
    city: float
    town: float

    @property
    def part(self) -> str:
        """The part of the country that the region lies in."""
        return _PARTS[self.code[:3]]


_PARTS = {"TA1": "North", "TA2": "East", "TA3": "South", "TA4": "West"}

REGIONS = (
    SampleRegion("Aldmoor", "TA11", 4.5, 3, 0.20, 0.35),
    SampleRegion("Brennvik", "TA12", 3.0, 3, 0.10, 0.35),
    SampleRegion("Corrin", "TA13", 7.0, 4, 0.35, 0.35),
    SampleRegion("Dorwald", "TA21", 12.0, 5, 0.45, 0.30),
    SampleRegion("Estermark", "TA22", 6.5, 3, 0.25, 0.40),
    SampleRegion("Fennholt", "TA23", 1.5, 2, 0.00, 0.30),
    SampleRegion("Galden", "TA31", 16.0, 5, 0.55, 0.25),
    SampleRegion("Harrowby", "TA32", 9.0, 4, 0.40, 0.35),
    SampleRegion("Isenfeld", "TA33", 5.5, 3, 0.25, 0.40),
    SampleRegion("Jorvale", "TA41", 8.0, 4, 0.30, 0.40),
    SampleRegion("Kestrel Bay", "TA42", 4.0, 3, 0.15, 0.45),
    SampleRegion("Lunden", "TA43", 23.0, 6, 0.90, 0.08),
)
REGION_SHARES: FloatArray = np.array([region.percent for region in REGIONS]) / 100
REGION_HIERARCHY = Hierarchy(tuple((region.name, region.part, "Total") for region in REGIONS))

URBAN = ("city", "town", "rural")
URBAN_SHARES: FloatArray = np.array([[r.city, r.town, 1 - r.city - r.town] for r in REGIONS])

DISTRICTS = tuple(f"{region.code}{i}" for region in REGIONS for i in range(1, region.districts + 1))
"""District codes as in NUTS: country, part, region, district."""
DISTRICT_HIERARCHY = Hierarchy(tuple((code, code[:4], code[:3], "Total") for code in DISTRICTS))
DISTRICT_SHARES: FloatArray = np.concatenate([region.percent / 100 * zipf(region.districts, 0.9) for region in REGIONS])

NATIVE = "this country"
_ABROAD = {
    "Europe": "Poland Germany Romania Ukraine Italy Portugal Bosnia Greece Latvia Ireland Iceland Malta",
    "Asia": "Syria Turkey India Iraq Afghanistan Vietnam China Philippines Iran Japan Mongolia Bhutan",
    "Africa": "Morocco Eritrea Somalia Nigeria Egypt Ethiopia Ghana Kenya Senegal Botswana",
    "America": "Brazil Chile Colombia Canada Peru Haiti Guyana",
    "Oceania": "Australia Fiji Tonga",
}
_FOREIGN_BORN = 0.12


def _by_size() -> tuple[tuple[str, str], ...]:
    """Mix the continents, each with its largest country first, so that rare countries come from everywhere."""
    ranked = [
        (rank, i, name, part)
        for i, (part, names) in enumerate(_ABROAD.items())
        for rank, name in enumerate(names.split())
    ]
    return tuple((name, part) for _, _, name, part in sorted(ranked))


BIRTH_COUNTRIES = (NATIVE, *(name for name, _ in _by_size()))
BIRTH_SHARES: FloatArray = np.concatenate([[1 - _FOREIGN_BORN], _FOREIGN_BORN * zipf(len(BIRTH_COUNTRIES) - 1, 1.6)])
"""Heavily skewed: the rarest country has about one inhabitant in seven thousand."""
BIRTH_HIERARCHY = Hierarchy(((NATIVE, NATIVE, "Total"), *((name, part, "Total") for name, part in _by_size())))
