"""A recipe of synthetic data before everybody who wants to know whom it learned from."""

from __future__ import annotations

import pytest

import tacita as tc
from tacita.core.errors import ParameterError
from tacita.data.microdata import Microdata

COLUMNS = ["age", "sex", "region", "earnings", "savings", "health"]


def copied(data: Microdata, seed: int) -> Microdata:
    """Release the data as they are."""
    del seed
    return data


@pytest.fixture(scope="module")
def people() -> Microdata:
    return tc.samples.household_survey(400, seed=1).select(COLUMNS)


def test_every_attack_on_generators_has_its_scene(people: Microdata) -> None:
    found = tc.attack_generator(people, copied, wanted=["health"], seconds=20)
    assert {grade.attack for grade in found.grades} == {
        *("attribute_cap", "closest_record", "linkability", "shadow_attribute", "shadow_membership", "singling_out")
    }
    assert found.state == "failed"
    assert all(grade.standing != "not run" for grade in found.grades)
    assert found.grades[0].standing == "broken"


def test_the_column_that_is_told_most_of_counts(people: Microdata) -> None:
    one = tc.attack_generator(people, copied, wanted=["health"], attacks=["attribute_cap"])
    both = tc.attack_generator(people, copied, wanted=["health", "savings"], attacks=["attribute_cap"])
    assert len(both.grades) == 1
    assert both.grades[0].counted >= one.grades[0].counted


def test_a_mask_is_a_generator_and_the_seed_repeats_it(people: Microdata) -> None:
    mask = tc.mask.Ipso(columns=["earnings", "savings"])
    first, again = (
        tc.attack_generator(people, mask, attacks=["closest_record"], seed=3).to_plain()["attacks"] for _ in range(2)
    )
    for one in (*first, *again):
        one.pop("seconds", None)
    assert first == again


def test_what_cannot_be_asked_is_said(people: Microdata) -> None:
    with pytest.raises(ParameterError, match="no column is confidential"):
        tc.attack_generator(people.select(["age", "sex"]), copied, attacks=["attribute_cap"])
    with pytest.raises(ParameterError, match="no attack 'closest'"):
        tc.attack_generator(people, copied, attacks=["closest"])
