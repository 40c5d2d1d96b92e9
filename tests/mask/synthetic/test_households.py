"""New households: whose members fit, whom nobody is, and who are counted rightly."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import ColumnError, TacitaNote
from tacita.data.microdata import Microdata
from tacita.mask import HouseholdSynthesis
from tacita.numeric.synthesis.households.homes import Homes


@pytest.fixture(scope="module")
def data() -> Microdata:
    return tc.samples.household_survey(2000, seed=1)


@pytest.fixture(scope="module")
def made(data: Microdata) -> Microdata:
    return drawn(HouseholdSynthesis(identities=["income = earnings + other_income"]), data)


def drawn(mask: HouseholdSynthesis, data: Microdata, seed: int = 7) -> Microdata:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TacitaNote)
        return mask.apply(data, seed=seed)


def homes_of(data: Microdata) -> Homes:
    return Homes.sorted(data.codes("household").values)[0]


def test_members_share_what_they_shared_and_are_counted(data: Microdata, made: Microdata) -> None:
    homes = homes_of(made)
    for name in ("region", "urban"):
        codes = made.codes(name).values
        assert np.array_equal(codes, codes[homes.first][homes.household])
    weights = made.weights()
    assert np.allclose(weights, weights[homes.first][homes.household])
    assert weights.sum() == pytest.approx(data.weights().sum())
    assert (made.numbers("household_size") + 1 == homes.sizes[homes.household]).all()


def test_nobody_is_impossible(made: Microdata) -> None:
    homes, age = homes_of(made), made.float("age")
    marital = np.array([*made.codes("marital").categories, ""])[made.codes("marital").values]
    assert (age[homes.first] >= 15).all()
    assert not ((marital != "single") & (marital != "") & (age < 16)).any()
    wed = marital == "married"
    first = homes.first[homes.household]
    second = np.minimum(first + 1, homes.n - 1)
    rows = (homes.place >= 2) & wed[first] & wed[second]
    younger, older = np.minimum(age[first], age[second]), np.maximum(age[first], age[second])
    assert ((age <= younger - 17) | (age >= older + 18))[rows].all()


def test_totals_and_gaps_hold_in_every_record(made: Microdata) -> None:
    parts = made.floats(["earnings", "other_income", "income"])
    known = ~np.isnan(parts).any(axis=1)
    assert np.allclose(parts[known, 0] + parts[known, 1], parts[known, 2])
    young = made.float("age") < 15
    assert made.is_missing("employment")[young].all(), "a structural zero of the survey: no activity below 15 years"


def test_the_size_of_the_file_is_in_households(data: Microdata) -> None:
    assert len(homes_of(drawn(HouseholdSynthesis(households=50), data))) == 50
    assert len(drawn(HouseholdSynthesis(households=0), data)) == 0


def test_without_households_everybody_lives_alone(data: Microdata) -> None:
    alone = drawn(HouseholdSynthesis(unit=False), data.take(np.arange(400)))
    assert len(np.unique(alone.codes("household").values)) == len(alone)


def test_kinship_can_be_named(data: Microdata) -> None:
    with pytest.warns(TacitaNote, match="who is who in a household is told by age;"):
        HouseholdSynthesis(kinship=["age"], households=20).apply(data, seed=1)
    with pytest.raises(ColumnError, match="'kinship' names 'person_id'"):
        HouseholdSynthesis(kinship=["person_id"]).apply(data, seed=1)


def test_a_rule_about_what_all_share_cannot_depend_on_one_member(data: Microdata) -> None:
    with pytest.raises(ColumnError, match="which all members share"):
        HouseholdSynthesis(rules=["urban = city where age < 30"]).apply(data, seed=1)
