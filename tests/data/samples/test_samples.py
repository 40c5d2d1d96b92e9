"""The sample data: true to what their docstrings promise, the same for the same seed, and usable at every size."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from tacita.core.errors import ParameterError
from tacita.data import samples
from tacita.data.microdata import Microdata

Sample = Callable[..., Microdata]
ALL = [samples.household_survey, samples.business_survey, samples.person_register, samples.census_register]
SEEDS = (1, 2, 2026)


@pytest.fixture(scope="module", params=SEEDS)
def survey(request: pytest.FixtureRequest) -> Microdata:
    return samples.household_survey(seed=request.param)


@pytest.fixture(scope="module", params=SEEDS)
def business(request: pytest.FixtureRequest) -> Microdata:
    return samples.business_survey(seed=request.param)


@pytest.fixture(scope="module")
def register() -> Microdata:
    return samples.person_register(seed=1)


def column(data: Microdata, name: str) -> np.ndarray:
    return np.asarray(data.to_arrow(codes=False).column(name).to_pylist(), dtype=object)


def numbers(data: Microdata, name: str) -> np.ndarray:
    return data.to_arrow(codes=False).column(name).cast(pa.float64()).to_numpy()


def skewness(values: np.ndarray) -> float:
    there = values[~np.isnan(values)]
    return float(np.mean(((there - there.mean()) / there.std()) ** 3))


# --- all of them --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sample", ALL)
def test_same_seed_same_bytes(sample: Sample) -> None:
    assert sample(700, seed=3).fingerprint() == sample(700, seed=3).fingerprint()
    assert sample(700, seed=3).same_content(sample(700, seed=3))
    assert sample(700, seed=3).fingerprint() != sample(700, seed=4).fingerprint()


@pytest.mark.parametrize("sample", ALL)
@pytest.mark.parametrize("n", [0, 1, 2, 13])
def test_small_sizes(sample: Sample, n: int) -> None:
    data = sample(n, seed=3)
    assert len(data) == n
    for name in data.names:
        data.codes(name)
    types = [field.type for field in data.to_arrow().schema]
    assert types == [field.type for field in sample(50, seed=3).to_arrow().schema]


@pytest.mark.parametrize("sample", ALL)
@pytest.mark.parametrize("n", [-1, 2.5, "10", None])
def test_a_size_must_be_a_whole_number(sample: Sample, n: object) -> None:
    with pytest.raises(ParameterError, match="'n' must be"):
        sample(n, seed=1)
    with pytest.raises(ParameterError, match="'seed' must be"):
        sample(10, seed=-1)


@pytest.mark.parametrize("sample", ALL)
def test_every_column_has_a_label_and_stands_in_the_docstring(sample: Sample) -> None:
    lines = (inspect.getdoc(sample) or "").splitlines()
    for facts in sample(20, seed=1).schema:
        assert facts.label
        row = next(line.split() for line in lines if line.strip().startswith(f"{facts.name} "))
        assert [word.strip(",") for word in row[1 : 1 + len(facts.roles)]] == list(facts.roles)
        assert row[1 + len(facts.roles)] == facts.scale


@pytest.mark.parametrize("sample", ALL)
def test_hierarchies_and_categories_cover_all_values(sample: Sample) -> None:
    data = sample(20_000, seed=1)
    for facts in data.schema:
        values = set(data.codes(facts.name).categories)
        if facts.hierarchy is not None:
            assert values <= set(facts.hierarchy.values)
        if facts.bounds is not None:
            there = numbers(data, facts.name)
            low, high = facts.bounds
            assert low is None or np.nanmin(there) >= low
            assert high is None or np.nanmax(there) <= high


# --- household survey ---------------------------------------------------------------------------------------------


def test_household_members_stand_together_and_share_what_belongs_to_the_home(survey: Microdata) -> None:
    home = numbers(survey, "household").astype(int)
    step = np.diff(home)
    assert set(step) == {0, 1}
    assert np.array_equal(np.bincount(home)[home], numbers(survey, "household_size"))
    for name in ("region", "urban", "weight"):
        values = column(survey, name)
        assert np.all(values[1:][step == 0] == values[:-1][step == 0]), name


def test_households_have_realistic_sizes(survey: Microdata) -> None:
    size = np.bincount(numbers(survey, "household").astype(int))[1:]
    assert 2.1 < size.mean() < 2.6
    assert 0.27 < np.mean(size == 1) < 0.37
    assert size.max() == 7


def test_members_of_a_household_fit_together(survey: Microdata) -> None:
    age, home = numbers(survey, "age"), numbers(survey, "household").astype(int)
    oldest = np.zeros(home.max() + 1)
    np.maximum.at(oldest, home, age)
    assert np.all(oldest[1:] >= 15)  # no child lives alone
    assert np.all(oldest[home][age <= 14] - age[age <= 14] >= 17)
    married = column(survey, "marital") == "married"
    assert age[married].min() >= 16
    per_home = np.bincount(home, weights=married)
    assert np.mean(per_home[per_home > 0] == 2) > 0.85
    assert set(column(survey, "marital")[age < 16]) == {"single"}


def test_income_is_the_sum_of_its_parts_in_every_record(survey: Microdata) -> None:
    table = survey.to_arrow(codes=False)
    total = pc.add(table.column("earnings"), table.column("other_income"))
    assert total.equals(table.column("income"))
    assert len({tuple(survey.is_missing(name)) for name in ("income", "earnings", "other_income", "tax")}) == 1


def test_income_is_skewed_with_zeros_losses_and_refusals(survey: Microdata) -> None:
    income, age = numbers(survey, "income"), numbers(survey, "age")
    adult = income[age >= 18]
    adult = adult[~np.isnan(adult)]
    assert skewness(adult) > 2
    assert np.quantile(adult, 0.99) > 4 * np.median(adult)
    assert 0.03 < np.mean(adult == 0) < 0.15
    assert 3 <= np.sum(adult < 0) < 0.02 * len(adult)
    assert 0.04 < np.isnan(income[age >= 15]).mean() < 0.08
    assert skewness(numbers(survey, "savings")) > 5
    assert set(survey.user_missing["income"].drop_null().to_pylist()) == {-9}
    assert -9 in survey.to_arrow().column("income").to_pylist()


def test_income_grows_with_education(survey: Microdata) -> None:
    income, age, education = numbers(survey, "income"), numbers(survey, "age"), column(survey, "education")
    medians = [
        np.nanmedian(income[(education == level) & (age >= 25)])
        for level in ("primary", "upper secondary", "bachelor", "master")
    ]
    assert medians == sorted(medians)


def test_missing_answers(survey: Microdata) -> None:
    age = numbers(survey, "age")
    for name in ("occupation", "employment", "victim"):
        assert np.all(survey.is_missing(name)[age < 15])
    assert not np.any(survey.is_missing("employment")[age >= 15])
    assert 0.2 < survey.is_missing("occupation").mean() < 0.4
    for name, share in (("education", 0.016), ("birth_country", 0.01), ("health", 0.01)):
        assert 0.5 * share < survey.is_missing(name).mean() < 2 * share
    assert not any(survey.is_missing(n).any() for n in ("person_id", "household", "region", "age", "sex", "weight"))


def test_weights_sum_to_the_population_of_every_region(survey: Microdata) -> None:
    weights, region = survey.weights(), column(survey, "region")
    assert weights.min() > 1
    assert weights.sum() == pytest.approx(5_200_000, rel=1e-5)
    assert weights[region == "Lunden"].sum() == pytest.approx(0.23 * 5_200_000, rel=1e-5)
    assert weights[region == "Lunden"].mean() > 1.5 * weights[region == "Fennholt"].mean()
    assert np.unique(region, return_counts=True)[1].min() > 100
    assert samples.household_survey(600_000, seed=1).weights().sum() == pytest.approx(6_000_000, rel=1e-5)


def test_rare_combinations_exist(survey: Microdata) -> None:
    young = (
        (numbers(survey, "age") <= 18) & (column(survey, "marital") == "widowed") & (column(survey, "sex") == "female")
    )
    assert young.any()
    countries = survey.codes("birth_country")
    counts = np.bincount(countries.values[countries.values >= 0])
    assert counts.max() > 0.8 * len(survey)
    assert counts.min() <= 2
    keys = survey.groups(["region", "age", "sex", "marital", "education"])
    assert 0.2 < np.mean(np.bincount(keys)[keys] == 1) < 0.9


# --- business survey ----------------------------------------------------------------------------------------------


def test_activities_form_a_tree_of_four_levels(business: Microdata) -> None:
    tree = business.schema["activity"].hierarchy
    assert tree is not None
    assert tree.depth == 5
    assert tree.rows[0] == ("01.11", "01.1", "01", "A", "Total")
    assert len({row[3] for row in tree.rows}) == 13
    districts = business.schema["region"].hierarchy
    assert districts is not None
    assert districts.rows[0] == ("TA111", "TA11", "TA1", "Total")


def test_size_classes_follow_from_employees_and_decide_weights(business: Microdata) -> None:
    employees, weights, classes = numbers(business, "employees"), business.weights(), column(business, "size_class")
    assert np.array_equal(classes == "250+", employees >= 250)
    assert np.array_equal(classes == "0-9", employees < 10)
    assert np.all(weights[classes == "250+"] == 1)
    assert np.all(weights >= 1)
    assert weights[classes == "0-9"].min() > weights[classes == "10-49"].max() > weights[classes == "50-249"].max()


def test_magnitudes_are_skewed_and_go_together(business: Microdata) -> None:
    turnover, wages, exports = (numbers(business, name) for name in ("turnover", "wages", "exports"))
    assert skewness(turnover) > 5
    assert np.corrcoef(np.log1p(turnover), np.log1p(wages))[0, 1] > 0.85
    assert np.corrcoef(np.log1p(turnover), np.log1p(numbers(business, "employees")))[0, 1] > 0.85
    assert 0.5 < np.mean(exports == 0) < 0.8
    assert np.all(exports <= turnover)
    assert 0.1 < np.mean(numbers(business, "profit") < 0) < 0.35
    assert 0.02 < business.is_missing("energy").mean() < 0.07


@pytest.mark.parametrize("digits", [5, 4])
def test_dominant_firms_exist(business: Microdata, digits: int) -> None:
    """In at least five cells of three firms or more, one firm has over 80 % of the turnover."""
    cell = np.unique([code[:digits] for code in column(business, "activity")], return_inverse=True)[1]
    turnover = numbers(business, "turnover")
    largest = np.zeros(cell.max() + 1)
    np.maximum.at(largest, cell, turnover)
    dominated = (largest > 0.8 * np.bincount(cell, weights=turnover)) & (np.bincount(cell) >= 3)
    assert dominated.sum() >= 5


def test_most_enterprises_are_on_their_own(business: Microdata) -> None:
    counts = np.unique(column(business, "holding"), return_counts=True)[1]
    assert 0.85 < np.sum(counts == 1) / len(business) < 0.95
    assert np.sum(counts > 2) >= 10


# --- person register ----------------------------------------------------------------------------------------------


def test_a_register_looks_like_a_population(register: Microdata) -> None:
    age = numbers(register, "age")
    assert 40 < age.mean() < 44
    assert 0.50 < np.mean(column(register, "sex") == "female") < 0.52
    assert np.mean(column(register, "sex")[age >= 85] == "female") > 0.58
    assert set(column(register, "marital")[age < 16]) == {"single"}
    assert 0.34 < np.mean(column(register, "marital") == "married") < 0.44
    assert 0.86 < np.mean(column(register, "birth_country") == "this country") < 0.90
    assert np.mean(column(register, "citizenship") == "this country") > np.mean(
        column(register, "birth_country") == "this country"
    )
    assert np.all(register.is_missing("occupation")[age < 15])
    assert 0.015 < register.is_missing("education").mean() < 0.035


def test_a_register_is_compact(register: Microdata) -> None:
    assert register.to_arrow().nbytes < 17 * len(register)


def test_a_larger_register_begins_with_the_smaller_one() -> None:
    """Across the border of a block of 262144 records, too."""
    large = samples.person_register(300_000, seed=8)
    for n in (1, 1000, 270_000):
        assert large.take(np.arange(n)).fingerprint() == samples.person_register(n, seed=8).fingerprint()
    second = large.take(np.arange(262_144, 300_000))
    first = large.take(np.arange(300_000 - 262_144))
    assert not np.array_equal(numbers(second, "age"), numbers(first, "age"))


def test_legal_forms_follow_the_names_of_businesses() -> None:
    data = samples.business_survey(1500, seed=4)
    forms, names = data.codes("legal_form"), data.to_arrow()["name"].to_pylist()
    words = [str(forms.categories[code]) for code in forms.values]
    for ending, allowed in (
        ("Ltd", {"private company"}),
        ("plc", {"public company"}),
        ("Co-operative", {"co-operative"}),
        ("& Sons", {"sole proprietor", "partnership"}),
    ):
        assert {word for word, name in zip(words, names, strict=True) if name.endswith(ending)} == allowed
    assert len(set(words)) == 6
