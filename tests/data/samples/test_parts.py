"""The parts that samples are made of, one by one: draws, places, activities, demography, money and people."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.data.samples.activities import ACTIVITIES, ACTIVITY_HIERARCHY, ACTIVITY_SHARES, SECTION_OF, SECTIONS
from tacita.data.samples.demography import (
    EDUCATION,
    MAJOR_GROUPS,
    OCCUPATION_HIERARCHY,
    OCCUPATIONS,
    WORKING_AGE,
    age_band,
    draw_education,
    draw_employment,
    draw_major_group,
    draw_occupation,
    has_occupation,
    major_group_of,
)
from tacita.data.samples.draws import check_size, compact, curve, numbered, pick, pick_within, streams_of, texts, zipf
from tacita.data.samples.money import Worker, draw_money
from tacita.data.samples.people import CHILD, GRANDPARENT, HEAD, PARTNER, draw_households, draw_people
from tacita.data.samples.places import (
    BIRTH_COUNTRIES,
    BIRTH_HIERARCHY,
    BIRTH_SHARES,
    DISTRICT_HIERARCHY,
    DISTRICT_SHARES,
    DISTRICTS,
    REGION_HIERARCHY,
    REGION_SHARES,
    REGIONS,
    URBAN_SHARES,
)

N = 20_000


def draw(*labels: str) -> np.random.Generator:
    return streams_of("test", 5)(*labels)


def near(counts: np.ndarray, shares: np.ndarray, n: int) -> bool:
    """Whether counts are within five standard errors of their shares, which a right sampler misses once in a million."""
    error = np.sqrt(n * shares * (1 - shares))
    return bool((np.abs(counts - n * shares) <= 5 * error + 1e-9).all())


# --- draws ---------------------------------------------------------------------------------------------------------------


def test_categories_come_with_their_shares() -> None:
    shares = np.array([5.0, 0.0, 3.0, 2.0])
    counts = np.bincount(pick(draw("a"), shares, N), minlength=4)
    assert near(counts, shares / 10, N)
    assert not near(counts, np.array([0.35, 0.0, 0.39, 0.26]), N), "shares 30 % off are told apart"


def test_categories_within_groups_are_those_of_a_loop() -> None:
    shares = np.array([[1.0, 0, 3], [0, 2.0, 0], [1, 1, 1]])
    group = np.arange(30_000) % 3
    found = pick_within(draw("b"), shares, group)
    for g in range(3):
        assert near(np.bincount(found[group == g], minlength=3), shares[g] / shares[g].sum(), 10_000)
    uniform = draw("b").random(len(group))
    slow = [
        int(np.searchsorted(np.cumsum(shares[g]) / shares[g].sum(), u, side="right"))
        for g, u in zip(group, uniform, strict=True)
    ]
    assert (found == np.array(slow)).mean() > 0.9999, "but for rounding at an edge"


def test_streams_do_not_depend_on_each_other() -> None:
    one, two = streams_of("s", 5), streams_of("s", 5)
    two("another").random(100)
    assert one("age").random() == two("age").random()
    assert one("age").random() != one("sex").random()


def test_shares_by_rank() -> None:
    assert zipf(4, 1.0) == pytest.approx(np.array([1, 1 / 2, 1 / 3, 1 / 4]) / (25 / 12))
    assert curve({0: 1.0, 4: 3.0}, [-5, 1, 9]).tolist() == [1.0, 1.5, 3.0]


def test_columns_of_categories() -> None:
    codes, gone = np.array([1, 0, 1]), np.array([False, True, False])
    assert (
        texts(codes, ["no", "yes"], gone).to_pylist()
        == compact(codes, ["no", "yes"], gone).to_pylist()
        == ["yes", None, "yes"]
    )
    assert numbered("P", np.array([7, 12345]), 4).to_pylist() == ["P0007", "P12345"]


def test_a_size_is_a_number_of_records() -> None:
    assert check_size(0, owner="survey") == 0
    with pytest.raises(ParameterError, match="'n' must be"):
        check_size(-1, owner="survey")


# --- lists ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shares", [REGION_SHARES, DISTRICT_SHARES, BIRTH_SHARES, ACTIVITY_SHARES, *URBAN_SHARES])
def test_shares_add_up_to_one(shares: np.ndarray) -> None:
    assert shares.sum() == pytest.approx(1.0)
    assert (shares >= 0).all()


def test_places_fit_together() -> None:
    assert len(DISTRICTS) == sum(region.districts for region in REGIONS) == len(set(DISTRICTS))
    assert set(DISTRICT_HIERARCHY.values) == set(DISTRICTS)
    for region, share in zip(REGIONS, REGION_SHARES, strict=True):
        mine = [s for code, s in zip(DISTRICTS, DISTRICT_SHARES, strict=True) if code.startswith(region.code)]
        assert sum(mine) == pytest.approx(share)
        assert REGION_HIERARCHY.labels(1)[region.name] == region.part
    assert set(BIRTH_HIERARCHY.values) == set(BIRTH_COUNTRIES)
    assert 5_000 < 1 / BIRTH_SHARES.min() < 10_000, "the docstring says about one in seven thousand"


def test_activities_fit_together() -> None:
    assert len(set(ACTIVITIES)) == len(ACTIVITIES) == len(SECTION_OF) == len(ACTIVITY_SHARES)
    for code, section, row in zip(ACTIVITIES, SECTION_OF, ACTIVITY_HIERARCHY.rows, strict=True):
        assert row == (code, code[:4], code[:2], SECTIONS[section].letter, "Total")
    for number, section in enumerate(SECTIONS):
        assert ACTIVITY_SHARES[number == SECTION_OF].sum() == pytest.approx(section.percent / 100)
    assert SECTIONS[0].classes()[:5] == ["01.11", "01.12", "01.13", "01.14", "01.21"]


# --- persons -------------------------------------------------------------------------------------------------------------


def test_nobody_has_learned_more_than_his_age_allows() -> None:
    age = np.arange(N) % 100
    level = draw_education(draw("education"), age)
    first_age = dict(zip(EDUCATION, (0, 11, 15, 18, 21, 23, 27), strict=True))
    assert all(age[level == i].min(initial=200) >= first_age[name] for i, name in enumerate(EDUCATION))
    assert age_band(np.array([10, 11, 26, 27]), (11, 27)).tolist() == [0, 1, 1, 2]


def test_work_and_occupations_fit() -> None:
    age = np.arange(N) % 100
    education = draw_education(draw("education"), age)
    employment = draw_employment(draw("employment"), age)
    assert not has_occupation(draw("has"), age, employment)[age < WORKING_AGE].any()
    occupation = draw_occupation(draw("occupation"), education)
    groups = major_group_of(occupation)
    assert [MAJOR_GROUPS[g] for g in groups[:50]] == [
        OCCUPATION_HIERARCHY.labels(1)[OCCUPATIONS[o]] for o in occupation[:50]
    ]
    direct = draw_major_group(draw("major"), education)
    for g in range(len(MAJOR_GROUPS)):
        share = (direct == g).mean()
        assert (groups == g).mean() == pytest.approx(share, abs=5 * np.sqrt(share / N) + 1e-3)


def test_households_have_all_members_and_who_is_who_fits() -> None:
    homes = draw_households(draw, N)
    assert homes.size.sum() == N
    assert (homes.size >= 1).all()
    people = draw_people(draw, homes)
    assert len(people) == N
    assert np.bincount(people.household).tolist() == homes.size.tolist()
    heads = people.place == HEAD
    assert heads.sum() == len(homes)
    head_age = people.age[heads][people.household]
    children, elders = people.place == CHILD, people.place == GRANDPARENT
    assert (head_age[children] - people.age[children] >= 15).all(), "a child is younger than who heads the household"
    assert (people.age[elders] > head_age[elders]).all()
    assert (people.place == PARTNER).sum() <= homes.is_couple.sum()


@pytest.mark.parametrize("n", [0, 1, 7])
def test_few_people(n: int) -> None:
    homes = draw_households(draw, n)
    assert homes.size.sum() == n == len(draw_people(draw, homes))


def test_money_fits_together() -> None:
    rng = draw("worker")
    age = rng.integers(0, 90, N)
    worker = Worker(
        age,
        rng.integers(0, 2, N),
        rng.integers(0, 7, N),
        rng.integers(0, 6, N),
        rng.integers(0, 10, N),
        rng.random(N) < 0.3,
    )
    money = draw_money(draw, worker)
    assert np.array_equal(money.income, money.earnings + money.other_income)
    assert not money.income[age < WORKING_AGE].any()
    assert (money.income % 10 == 0).all(), "no income can be taken for the code -9"
    assert (money.earnings < 0).any(), "the self-employed may lose"
    assert (money.tax >= 0).all()
    assert not money.tax[money.income <= 9_000].any()
    assert (money.savings >= 0).all()
    assert (money.savings == 0).mean() > 0.1
    assert np.abs(money.earnings).max() > 20 * np.median(money.earnings[money.earnings > 0]), "the tail is heavy"
