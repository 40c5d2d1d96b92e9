"""Households that nobody lives in, and that could be."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import DataError
from tacita.core.streams import Streams
from tacita.data.microdata import Microdata
from tacita.numeric.synthesis.column_values import ColumnValues, NumberForm
from tacita.numeric.synthesis.households.draw_households import FittedHouseholds
from tacita.numeric.synthesis.households.fit_households import fit_households
from tacita.numeric.synthesis.households.homes import Homes
from tacita.numeric.synthesis.households.household_plan import HouseholdPlan
from tacita.numeric.synthesis.models.cart import CartModel
from tacita.numeric.synthesis.rules import ColumnRule, ColumnTest
from tacita.numeric.synthesis.sequential import ColumnPlan

SHARED, KINSHIP, OWN = ("region", "weight"), ("marital", "sex", "age"), ("employment", "earnings")
WHOLE = ColumnPlan(CartModel(), form=NumberForm(decimals=0))
PLANS = dict.fromkeys((*SHARED, *KINSHIP, *OWN), WHOLE) | {
    "weight": ColumnPlan(CartModel(), form=NumberForm(decimals=3))
}


@pytest.fixture(scope="module")
def data() -> Microdata:
    return tc.samples.household_survey(2500, seed=1)


@pytest.fixture(scope="module")
def learn(data: Microdata) -> dict[str, ColumnValues]:
    found = {}
    for name in PLANS:
        if data.schema[name].scale == "numeric":
            found[name] = ColumnValues.of_numbers(data.float(name))
        else:
            codes = data.codes(name)
            found[name] = ColumnValues.of_classes(codes.values, len(codes.categories))
    return found


@pytest.fixture(scope="module")
def fitted(data: Microdata, learn: dict[str, ColumnValues]) -> FittedHouseholds:
    households = data.codes("household").values
    return fit_households(learn, households, HouseholdPlan(SHARED, KINSHIP, OWN, PLANS), streams=Streams(1))


def drawn(fitted: FittedHouseholds, count: int, seed: int) -> tuple[dict[str, ColumnValues], Homes]:
    """Draw some households."""
    streams = Streams(seed)
    return fitted.draw(fitted.drawn_compositions(count, streams), streams)


def test_nobody_lives_in_an_impossible_household(data: Microdata, fitted: FittedHouseholds) -> None:
    columns, homes = drawn(fitted, 1500, 2)
    marital = list(data.codes("marital").categories)
    wed = columns["marital"].values == marital.index("married")
    age = columns["age"].values
    assert len(homes) == 1500
    assert (age[homes.at(0)] >= 15).all()
    assert not (wed & (age < 16)).any()
    first, second = homes.first[homes.household], np.minimum(homes.first[homes.household] + 1, homes.n - 1)
    is_child = (homes.place >= 2) & wed[first] & wed[second]
    younger, older = np.minimum(age[first], age[second]), np.maximum(age[first], age[second])
    assert is_child.sum() > 300
    assert ((age <= younger - 17) | (age >= older + 18))[is_child].all()


def test_members_share_what_is_shared(fitted: FittedHouseholds) -> None:
    columns, homes = drawn(fitted, 200, 3)
    for name in SHARED:
        values = columns[name].values
        assert np.array_equal(values, values[homes.first][homes.household])


def test_sizes_and_spouses_are_as_frequent_as_they_were(
    learn: dict[str, ColumnValues], fitted: FittedHouseholds
) -> None:
    """Sizes to one household, as compositions are drawn at equal distances; so too whether the first two have one class."""
    columns, homes = drawn(fitted, 2000, 4)
    old = fitted.compositions.homes
    for size in (1, 2, 4):
        assert abs((homes.sizes == size).mean() - (old.sizes == size).mean()) < 0.002
    both = [
        (values[h.at(0)[h.sizes > 1]] == values[h.at(1)]).mean()
        for values, h in ((columns["marital"].values, homes), (fitted._learn["marital"].values, old))
    ]
    assert abs(both[0] - both[1]) < 0.002


def test_same_streams_same_households(
    data: Microdata, learn: dict[str, ColumnValues], fitted: FittedHouseholds
) -> None:
    again = fit_households(
        learn, data.codes("household").values, HouseholdPlan(SHARED, KINSHIP, OWN, PLANS), streams=Streams(1)
    )
    (one, homes), (other, same) = drawn(fitted, 50, 5), drawn(again, 50, 5)
    assert np.array_equal(homes.sizes, same.sizes)
    assert all(np.array_equal(one[name].values, other[name].values) for name in PLANS)


def test_rules_about_who_is_who_hold(data: Microdata, learn: dict[str, ColumnValues]) -> None:
    old = ColumnRule(ColumnTest("age", "<=", (60.0,)), text="age <= 60")
    plan = HouseholdPlan((), ("marital", "age"), (), PLANS, rules=(old,))
    columns, _ = drawn(fit_households(learn, data.codes("household").values, plan, streams=Streams(1)), 400, 2)
    assert columns["age"].values.max() <= 60


def test_persons_alone_and_one_household_work(learn: dict[str, ColumnValues]) -> None:
    few = {name: column.of(np.arange(12)) for name, column in learn.items()}
    plan = HouseholdPlan(SHARED, KINSHIP, OWN, PLANS)
    for labels in (np.arange(12), np.zeros(12, np.int64)):
        columns, homes = drawn(fit_households(few, labels, plan, streams=Streams(1)), 5, 2)
        assert homes.n == len(columns["age"]) == 5 * (1 if labels[-1] else 12)


def test_nobody_to_learn_from_is_an_error(learn: dict[str, ColumnValues]) -> None:
    nobody = {name: column.of(np.zeros(0, np.int64)) for name, column in learn.items()}
    with pytest.raises(DataError, match="no household to learn from"):
        fit_households(nobody, np.zeros(0, np.int64), HouseholdPlan(SHARED, KINSHIP, OWN, PLANS), streams=Streams(1))
