"""The person register: census-like, compact, made block by block, from no record to ten million."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from tacita.core.streams import Seed
from tacita.data.microdata import Microdata
from tacita.data.samples import demography as who
from tacita.data.samples import places
from tacita.data.samples.draws import (
    Draw,
    FloatArray,
    IntArray,
    assemble,
    check_size,
    compact,
    curve,
    pick,
    pick_within,
    streams_of,
)
from tacita.data.schema import Column

__all__ = ["draw_work", "person_register"]

_BLOCK = 1 << 18
"""Records that are drawn together: large enough to be fast, small enough to need little memory."""

_PYRAMID = {0: 1.0, 10: 1.1, 25: 1.25, 40: 1.3, 55: 1.5, 65: 1.2, 75: 0.9, 85: 0.4, 93: 0.08, 100: 0.006, 105: 0.0}
_AGE_SHARES: FloatArray = curve(_PYRAMID, who.AGES)
_FEMALE_SHARE: FloatArray = curve({0: 0.487, 50: 0.495, 70: 0.53, 85: 0.63, 100: 0.8}, who.AGES)

_MARITAL_STARTS = (16, 20, 30, 45, 60, 75)
_MARITAL_SHARES: FloatArray = np.array(
    [  # men, then women: single, married, widowed, divorced
        [[1, 0, 0, 0], [1, 0, 0, 0]],
        [[0.9985, 0.001, 0.0001, 0.0004], [0.993, 0.006, 0.0002, 0.0008]],
        [[0.86, 0.128, 0.0004, 0.0116], [0.78, 0.20, 0.0008, 0.0192]],
        [[0.45, 0.46, 0.003, 0.087], [0.38, 0.50, 0.007, 0.113]],
        [[0.20, 0.62, 0.015, 0.165], [0.16, 0.60, 0.050, 0.190]],
        [[0.10, 0.70, 0.070, 0.130], [0.08, 0.54, 0.220, 0.160]],
        [[0.05, 0.64, 0.250, 0.060], [0.06, 0.25, 0.620, 0.070]],
    ]
).reshape(-1, len(who.MARITAL))

_SIZE_STARTS = (20, 30, 60, 75)
_SIZE_SHARES: FloatArray = np.array(
    [  # by age: persons in households of 1, 2, ... 7
        [0.003, 0.08, 0.22, 0.42, 0.19, 0.062, 0.025],
        [0.24, 0.31, 0.20, 0.16, 0.06, 0.02, 0.010],
        [0.15, 0.26, 0.21, 0.25, 0.09, 0.028, 0.012],
        [0.25, 0.57, 0.11, 0.045, 0.015, 0.006, 0.004],
        [0.46, 0.46, 0.05, 0.017, 0.007, 0.004, 0.002],
    ]
)
_SIZES = tuple(range(1, _SIZE_SHARES.shape[1] + 1))
_NATURALISED, _FOREIGN_NATIVES = 0.45, 0.03
_DISABILITY = ("none", "slight", "severe")
_DISABILITY_STARTS = (40, 65, 80)
_DISABILITY_SHARES: FloatArray = np.array(
    [[0.965, 0.028, 0.007], [0.87, 0.10, 0.03], [0.73, 0.20, 0.07], [0.48, 0.32, 0.20]]
)


def person_register(n: int = 100_000, *, seed: Seed) -> Microdata:
    """Make a census-like register of persons in an invented country.

    Parameters
    ----------
    n
        Number of persons; ten million are made in less than a minute.
    seed
        Same seed, same data. The first records are the same for every ``n``.

    Returns
    -------
    Microdata
        One record a person, with these columns:

        ============== ============ ======= =======================================================================
        column         role         scale   content
        ============== ============ ======= =======================================================================
        person_id      identifier   nominal running number, from 1
        region         key          nominal 45 districts such as TA111; with region and part (hierarchy)
        age            key          numeric 0 to 104 years
        sex            key          nominal male or female
        marital        key          nominal single, married, widowed or divorced
        education      key          ordinal 7 levels, highest completed; 3 % missing
        occupation     key          nominal 10 major groups; missing for children and those who never worked
        birth_country  key          nominal 45 countries by continent (hierarchy), most of them rare
        citizenship    key          nominal the same countries; some who came from abroad are citizens
        household_size key          ordinal 1 to 7
        employment     confidential nominal 6 main activities; missing below 15 years
        disability     confidential ordinal none, slight or severe
        ============== ============ ======= =======================================================================

    Notes
    -----
    Categories are dictionary columns of one byte a record, so a record takes 15 bytes. There are no weights: a
    register is complete. Persons are drawn one by one; who lives with whom is not known.

    Complexity: O(n) time; memory for the result and for one block of 262144 records.

    Examples
    --------
    >>> from tacita.data.samples import person_register
    >>> person_register(1000, seed=1).schema.confidential
    ('employment', 'disability')
    """
    n = check_size(n, owner="person_register")
    draw = streams_of("person_register", seed)
    blocks = [_block(draw, start, min(_BLOCK, n - start)) for start in range(0, max(n, 1), _BLOCK)]
    arrays = {name: pa.chunked_array([block[name] for block in blocks]) for name in blocks[0]}
    return assemble(arrays, _columns())


def _block(draw_column: Draw, start: int, n: int) -> dict[str, pa.Array]:
    """Draw the records from ``start`` on; each block has streams of its own."""

    def draw(*labels: str) -> np.random.Generator:
        return draw_column(*labels, str(start // _BLOCK))

    age = pick(draw("age"), _AGE_SHARES, n)
    sex = (draw("sex").random(n) < _FEMALE_SHARE[age]).astype(np.int64)
    marital = pick_within(draw("marital"), _MARITAL_SHARES, 2 * who.age_band(age, _MARITAL_STARTS) + sex)
    born, citizen = _origin(draw, n)
    size = 1 + pick_within(draw("household_size"), _SIZE_SHARES, who.age_band(age, _SIZE_STARTS))
    disability = pick_within(draw("disability"), _DISABILITY_SHARES, who.age_band(age, _DISABILITY_STARTS))
    return {
        "person_id": pa.array(np.arange(start + 1, start + n + 1, dtype=np.int32)),
        "region": compact(pick(draw("region"), places.DISTRICT_SHARES, n), places.DISTRICTS),
        "age": pa.array(age.astype(np.int8)),
        "sex": compact(sex, who.SEX),
        "marital": compact(marital, who.MARITAL),
        "birth_country": compact(born, places.BIRTH_COUNTRIES),
        "citizenship": compact(citizen, places.BIRTH_COUNTRIES),
        "household_size": pa.array(size.astype(np.int8)),
        "disability": compact(disability, _DISABILITY),
        **draw_work(draw, age),
    }


def _origin(draw: Draw, n: int) -> tuple[IntArray, IntArray]:
    """Draw countries of birth and of citizenship; a few who were born here are citizens of another country."""
    born = pick(draw("birth_country"), places.BIRTH_SHARES, n)
    abroad = 1 + pick(draw("citizenship"), places.BIRTH_SHARES[1:], n)
    of_native = np.where(draw("citizenship", "native").random(n) < _FOREIGN_NATIVES, abroad, 0)
    of_foreign_born = np.where(draw("citizenship", "naturalised").random(n) < _NATURALISED, 0, born)
    return born, np.where(born == 0, of_native, of_foreign_born)


def draw_work(draw: Draw, age: IntArray) -> dict[str, pa.Array]:
    """Draw education, occupation and employment of persons of these ages, as columns."""
    education = who.draw_education(draw("education"), age)
    employment = who.draw_employment(draw("employment"), age)
    group = who.draw_major_group(draw("occupation"), education)
    worked = who.has_occupation(draw("occupation", "ever"), age, employment)
    unknown = draw("education", "missing").random(len(age)) < 0.03
    return {
        "education": compact(education, who.EDUCATION, unknown & (age >= who.WORKING_AGE)),
        "occupation": compact(group, who.MAJOR_GROUPS, ~worked),
        "employment": compact(employment, who.EMPLOYMENT, age < who.WORKING_AGE),
    }


def _columns() -> tuple[Column, ...]:
    category: dict[str, Any] = {"scale": "nominal", "roles": ("key",)}
    order: dict[str, Any] = {"scale": "ordinal", "roles": ("key",)}
    hidden: dict[str, Any] = {"roles": ("confidential",)}
    return (
        Column(name="person_id", scale="nominal", roles=("identifier",), label="Number of the person"),
        Column(name="region", hierarchy=places.DISTRICT_HIERARCHY, label="District of residence", **category),
        Column(name="age", scale="numeric", roles=("key",), bounds=(0, 105), label="Age in years"),
        Column(name="sex", label="Sex", **category),
        Column(name="marital", label="Marital status", **category),
        Column(name="education", categories=who.EDUCATION, label="Highest education", **order),
        Column(name="occupation", label="Major group of the present or last occupation", **category),
        Column(name="birth_country", hierarchy=places.BIRTH_HIERARCHY, label="Country of birth", **category),
        Column(name="citizenship", hierarchy=places.BIRTH_HIERARCHY, label="Country of citizenship", **category),
        Column(name="household_size", categories=_SIZES, label="Persons in household", **order),
        Column(name="employment", scale="nominal", label="Main activity", **hidden),
        Column(name="disability", scale="ordinal", categories=_DISABILITY, label="Degree of disability", **hidden),
    )
