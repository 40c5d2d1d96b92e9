"""The household survey: persons in households, with weights, rare combinations, skewed incomes and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from tacita.core.streams import Seed
from tacita.data.microdata import Microdata
from tacita.data.samples import demography as who
from tacita.data.samples import places
from tacita.data.samples.draws import (
    BoolArray,
    Draw,
    FloatArray,
    IntArray,
    assemble,
    check_size,
    numbered,
    pick,
    pick_within,
    streams_of,
    texts,
)
from tacita.data.samples.money import Worker, draw_money
from tacita.data.samples.people import CHILD, DrawnHouseholds, People, draw_households, draw_people
from tacita.data.schema import Column

__all__ = ["household_survey"]

_HEALTH = ("very bad", "bad", "fair", "good", "very good")
_HEALTH_STARTS = (30, 50, 65, 80)
_HEALTH_SHARES: FloatArray = np.array(
    [
        [0.005, 0.015, 0.06, 0.37, 0.55],
        [0.010, 0.030, 0.12, 0.46, 0.38],
        [0.020, 0.070, 0.21, 0.46, 0.24],
        [0.030, 0.100, 0.31, 0.43, 0.13],
        [0.070, 0.180, 0.40, 0.29, 0.06],
    ]
)
_VICTIM = ("no", "theft", "burglary", "fraud", "violence")
_VICTIM_SHARES = (0.918, 0.04, 0.014, 0.018, 0.01)
_REFUSED = -9
_RESPONSE_FACTOR: FloatArray = np.array([1.3, 1.0, 0.95, 0.9, 0.9, 0.95, 1.0])
"""How much more a household of 1, 2, ... 7 persons must count, because it answers less often."""


def household_survey(n: int = 5000, *, seed: Seed) -> Microdata:
    """Make a household survey of an invented country.

    Members of a household stand one after the other, live in one region and have ages that fit. Partners are married
    to each other or not at all. Small regions are sampled more densely; the weights are equal within a household and
    sum, in each region that has a respondent, to the region's population.

    Parameters
    ----------
    n
        Number of persons.
    seed
        Same seed, same data.

    Returns
    -------
    Microdata
        One record a person, with these columns:

        ============== ============ ========= ==================================================================
        column         role         scale     content
        ============== ============ ========= ==================================================================
        person_id      identifier   nominal   number of the person, such as P000017
        household      household    nominal   number of the household, from 1
        region         key, stratum nominal   12 regions in 4 parts of the country (hierarchy)
        urban          key          nominal   city, town or rural
        age            key          numeric   0 to 104 years
        sex            key          nominal   male or female
        marital        key          nominal   single, married, widowed or divorced; few missing
        education      key          ordinal   7 levels, highest completed; 2 % missing
        employment     key          nominal   6 main activities; missing below 15 years
        occupation     key          nominal   43 two-digit codes in 10 major groups (hierarchy); missing for
                                              children and for those who never worked
        birth_country  key          nominal   45 countries by continent (hierarchy), most of them rare; 1 % missing
        household_size key          ordinal   number of persons in the household, 1 to 7
        earnings       confidential numeric   from work, euros a year; losses of the self-employed are negative
        other_income   confidential numeric   pensions, benefits and capital, euros a year
        income         confidential numeric   earnings + other_income, exactly
        tax            confidential numeric   tax on income
        savings        confidential numeric   0 or more, heavy tail; 8 % refused (-9)
        health         confidential ordinal   5 levels, own judgement; 1 % missing
        victim         confidential nominal   of a crime in the last year; missing below 15 years
        weight         weight       numeric   persons in the population that the record stands for
        ============== ============ ========= ==================================================================

        Whoever refuses to state the income (6 % from 15 years on) has -9 in all four columns of income and tax.

    Notes
    -----
    With a few hundred persons or more there is at least one widow of 16 to 18 years. The population is 5.2 million,
    or ten persons for each respondent where that is more.

    Examples
    --------
    >>> from tacita.data.samples import household_survey
    >>> data = household_survey(200, seed=1)
    >>> len(data), data.schema.household, data.schema.weight
    (200, 'household', 'weight')
    """
    n = check_size(n, owner="household_survey")
    draw = streams_of("household_survey", seed)
    homes = draw_households(draw, n)
    people = draw_people(draw, homes)
    region = pick(draw("region"), places.REGION_SHARES**0.6, len(homes))
    urban = pick_within(draw("urban"), places.URBAN_SHARES, region)
    at = people.household
    arrays = {
        "person_id": numbered("P", np.arange(1, n + 1), 6),
        "household": pa.array(at + 1),
        "region": texts(region[at], [r.name for r in places.REGIONS]),
        "urban": texts(urban[at], places.URBAN),
        "age": pa.array(people.age),
        "sex": texts(people.sex, who.SEX),
        "marital": texts(people.marital, who.MARITAL, _skipped(draw, "marital", 0.005, people.age >= 25)),
        "birth_country": _birth_country(draw, homes, people),
        "household_size": pa.array(homes.size[at]),
        "weight": pa.array(_weights(homes, people, region)),
        **_answers(draw, people),
        **_work_and_money(draw, people, urban[at] == places.URBAN.index("city")),
    }
    return assemble(arrays, _columns())


def _skipped(draw: Draw, column: str, share: float, asked: BoolArray) -> BoolArray:
    """Draw who left a question out, among those who were asked."""
    return asked & (draw(column, "missing").random(len(asked)) < share)


def _birth_country(draw: Draw, homes: DrawnHouseholds, people: People) -> pa.Array:
    """The adults of a home mostly share a country; most children were born here."""
    rng = draw("birth_country")
    shared = pick(rng, places.BIRTH_SHARES, len(homes))[people.household]
    own = pick(rng, places.BIRTH_SHARES, len(people))
    country = np.where(rng.random(len(people)) < 0.7, shared, own)
    born_here = (people.place == CHILD) & (rng.random(len(people)) < 0.8)
    skipped = _skipped(draw, "birth_country", 0.01, np.ones(len(people), dtype=bool))
    return texts(np.where(born_here, 0, country), places.BIRTH_COUNTRIES, skipped)


def _answers(draw: Draw, people: People) -> dict[str, pa.Array]:
    age, n = people.age, len(people)
    health = pick_within(draw("health"), _HEALTH_SHARES, who.age_band(age, _HEALTH_STARTS))
    victim = pick(draw("victim"), _VICTIM_SHARES, n)
    return {
        "health": texts(health, _HEALTH, _skipped(draw, "health", 0.01, np.ones(n, dtype=bool))),
        "victim": texts(victim, _VICTIM, age < who.WORKING_AGE),
    }


def _work_and_money(draw: Draw, people: People, in_city: BoolArray) -> dict[str, pa.Array]:
    age = people.age
    education = who.draw_education(draw("education"), age)
    employment = who.draw_employment(draw("employment"), age)
    occupation = who.draw_occupation(draw("occupation"), education)
    worked = who.has_occupation(draw("occupation", "ever"), age, employment)
    major = who.major_group_of(occupation)
    money = draw_money(
        draw,
        Worker(age=age, sex=people.sex, education=education, employment=employment, major_group=major, in_city=in_city),
    )
    adult = age >= who.WORKING_AGE
    refused = _skipped(draw, "income", 0.06, adult)
    kept_quiet = _skipped(draw, "savings", 0.08, adult)
    return {
        "education": texts(education, who.EDUCATION, _skipped(draw, "education", 0.02, adult)),
        "employment": texts(employment, who.EMPLOYMENT, ~adult),
        "occupation": texts(occupation, who.OCCUPATIONS, ~worked),
        "earnings": _coded(money.earnings, refused),
        "other_income": _coded(money.other_income, refused),
        "income": _coded(money.income, refused),
        "tax": _coded(money.tax, refused),
        "savings": _coded(money.savings, kept_quiet),
    }


def _coded(amount: IntArray, refused: BoolArray) -> pa.Array:
    return pa.array(np.where(refused, _REFUSED, amount))


def _weights(homes: DrawnHouseholds, people: People, region: IntArray) -> FloatArray:
    """Inverse of the chance to be in the sample and to answer, scaled to each region's population."""
    at = people.household
    where = region[at]
    factor = _RESPONSE_FACTOR[homes.size[at] - 1]
    population = max(places.POPULATION, 10 * len(people)) * places.REGION_SHARES
    in_sample = np.bincount(where, weights=factor, minlength=len(population))
    return np.round(factor * population[where] / in_sample[where], 3)


def _columns() -> tuple[Column, ...]:
    refusal: dict[str, Any] = {"missing": (_REFUSED,), "labels": ((_REFUSED, "refused"),)}
    confidential: dict[str, Any] = {"scale": "numeric", "roles": ("confidential",), **refusal}
    category: dict[str, Any] = {"scale": "nominal", "roles": ("key",)}
    region: dict[str, Any] = {"scale": "nominal", "roles": ("key", "stratum"), "hierarchy": places.REGION_HIERARCHY}
    sizes = tuple(range(1, len(_RESPONSE_FACTOR) + 1))
    return (
        Column(name="person_id", scale="nominal", roles=("identifier",), label="Number of the person"),
        Column(name="household", scale="nominal", roles=("household",), label="Number of the household"),
        Column(name="region", label="Region of residence", **region),
        Column(name="urban", label="Kind of settlement", **category),
        Column(name="age", scale="numeric", roles=("key",), bounds=(0, 105), label="Age in years"),
        Column(name="sex", label="Sex", **category),
        Column(name="marital", label="Marital status", **category),
        Column(name="education", scale="ordinal", roles=("key",), categories=who.EDUCATION, label="Highest education"),
        Column(name="employment", label="Main activity", **category),
        Column(name="occupation", hierarchy=who.OCCUPATION_HIERARCHY, label="Present or last occupation", **category),
        Column(name="birth_country", hierarchy=places.BIRTH_HIERARCHY, label="Country of birth", **category),
        Column(name="household_size", scale="ordinal", roles=("key",), categories=sizes, label="Persons in household"),
        Column(name="earnings", label="Income from work, euros a year", **confidential),
        Column(name="other_income", label="Other income, euros a year", **confidential),
        Column(name="income", label="All income before tax, euros a year", **confidential),
        Column(name="tax", bounds=(0, None), label="Tax on income, euros a year", **confidential),
        Column(name="savings", bounds=(0, None), label="Savings, euros", **confidential),
        Column(name="health", scale="ordinal", roles=("confidential",), categories=_HEALTH, label="State of health"),
        Column(name="victim", scale="nominal", roles=("confidential",), label="Victim of a crime in the last year"),
        Column(name="weight", scale="numeric", roles=("weight",), bounds=(0, None), label="Sampling weight"),
    )
