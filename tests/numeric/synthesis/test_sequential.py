"""The engine: order, states, rules, totals, columns that are given.

What models are given is in ``tacita.numeric.synthesis.predictors``.
"""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.core.streams import Streams
from tacita.numeric.synthesis.column_values import ColumnValues, NumberForm, joined_values
from tacita.numeric.synthesis.found_rules import find_rules
from tacita.numeric.synthesis.models.linear import LinearModel
from tacita.numeric.synthesis.models.logistic import LogisticModel
from tacita.numeric.synthesis.models.nested import NestedModel
from tacita.numeric.synthesis.models.pmm import PmmModel
from tacita.numeric.synthesis.models.sample import SampleModel
from tacita.numeric.synthesis.rules import ColumnRule, ColumnTest
from tacita.numeric.synthesis.sequential import ColumnPlan, SynthesisPlan, fit_columns, synthesise_columns
from tacita.numeric.synthesis.states import find_spikes

WHOLE = NumberForm(decimals=0)


def people(n: int = 2000) -> dict[str, ColumnValues]:
    """Age, sex, pay (missing below 15 and where refused, with a spike at 0), hours (missing with pay)."""
    rng = np.random.default_rng(1)
    age = rng.integers(0, 80, n).astype(float)
    sex = rng.integers(0, 2, n)
    pay = np.round(np.exp(6 + 0.02 * age + sex + 0.3 * rng.normal(size=n)))
    pay[rng.random(n) < 0.3] = 0.0
    gaps = np.where(age < 15, 1, np.where(rng.random(n) < 0.1, 2, 0)).astype(np.int16)
    hours = np.where(gaps > 0, np.nan, np.round(20 + pay / 200))
    return {
        "age": ColumnValues.of_numbers(age),
        "sex": ColumnValues.of_classes(sex, 2),
        "pay": ColumnValues(np.asarray(pay, np.float64), gaps, kinds=2),
        "hours": ColumnValues.of_numbers(hours),
    }


def plan(order: tuple[str, ...] = ("age", "sex", "pay", "hours"), **changes: object) -> SynthesisPlan:
    """Matching for numbers, logistic regression for classes."""
    numbers = ColumnPlan(PmmModel(), LogisticModel(), WHOLE)
    columns = {"age": numbers, "sex": ColumnPlan(LogisticModel()), "pay": numbers, "hours": numbers}
    return SynthesisPlan(order, columns, **changes)  # type: ignore[arg-type]


def test_gaps_spikes_and_what_follows_from_age_come_out() -> None:
    old = people()
    fitted = fit_columns(old, plan(), streams=Streams(1))
    new = fitted.draw(5000, Streams(2))
    assert list(new) == ["age", "sex", "pay", "hours"]
    age, pay = new["age"].values, new["pay"]
    assert (pay.gaps[age < 15] == 1).all()
    assert (pay.gaps[age >= 15] != 1).all()
    assert np.array_equal(new["hours"].gaps > 0, pay.gaps > 0)
    grown = age >= 15
    assert abs((pay.gaps[grown] == 2).mean() - 0.1) < 0.02
    answered = grown & pay.there
    assert abs((pay.values[answered] == 0).mean() - 0.3) < 0.03
    earns = answered & (pay.values > 0)
    assert (pay.values == np.rint(pay.values)).all()
    ratio = pay.values[earns & (new["sex"].values == 1)].mean() / pay.values[earns & (new["sex"].values == 0)].mean()
    assert 2.2 < ratio < 3.2
    assert {rule.state for rule in fitted.found_rules["pay"]} >= {1}


def test_some_columns_are_drawn_for_records_whose_others_are_known() -> None:
    old = people()
    rng = np.random.default_rng(3)
    known = {"age": ColumnValues.of_numbers(np.full(4000, 40.0)), "sex": old["sex"].of(rng.integers(0, 2000, 4000))}
    new = synthesise_columns(old, plan(("pay", "hours"), given=("age", "sex")), n=4000, streams=Streams(1), given=known)
    assert list(new) == ["pay", "hours"]
    of_sex = [new["pay"].values[(known["sex"].values == s) & (new["pay"].values > 0)].mean() for s in (0, 1)]
    assert of_sex[0] == pytest.approx(np.exp(6.8 + 0.045), rel=0.1)
    assert of_sex[1] == pytest.approx(np.exp(7.8 + 0.045), rel=0.1)


def test_the_same_streams_give_the_same_and_a_second_draw_others() -> None:
    old = people(400)
    fitted = fit_columns(old, plan(), streams=Streams(1))
    streams = Streams(5)
    first, second = fitted.draw(300, streams), fitted.draw(300, streams)
    again = fit_columns(old, plan(), streams=Streams(1)).draw(300, Streams(5))
    assert all(np.array_equal(first[name].values, again[name].values) for name in first)
    assert not np.array_equal(first["pay"].values, second["pay"].values)


def test_a_total_is_the_sum_of_its_parts_and_missing_with_them() -> None:
    old = people()
    total = np.where(old["pay"].there, 2 * old["pay"].values - old["age"].values, np.nan)
    columns = {**old, "sum": ColumnValues.of_numbers(total)}
    made = SynthesisPlan(
        ("age", "sex", "pay", "sum"),
        {
            **plan().columns,
            "sum": ColumnPlan(SampleModel(), form=WHOLE, parts=((1.0, "pay"), (1.0, "pay"), (-1.0, "age"))),
        },
    )
    new = synthesise_columns(columns, made, n=1000, streams=Streams(1))
    there = new["sum"].there
    assert np.array_equal(there, new["pay"].there)
    assert np.array_equal(new["sum"].values[there], (2 * new["pay"].values - new["age"].values)[there])


# --- rules -------------------------------------------------------------------------------------------------------------------


def young(limit: float) -> tuple[tuple[ColumnTest, ...], ...]:
    return ((ColumnTest("age", "<", (limit,)),),)


@pytest.mark.parametrize(
    "then",
    [
        ColumnTest("pay", "missing"),
        ColumnTest("pay", "in", (250.0,)),
        ColumnTest("pay", "<=", (900.0,)),
        ColumnTest("pay", "in", (0.0,), negated=True),
        ColumnTest("pay", "<", (), other="age", negated=True),
        ColumnTest("pay", "missing", negated=True),
    ],
    ids=["missing", "fixed", "at most", "not", "other column", "there"],
)
def test_rules_hold_in_every_new_record(then: ColumnTest) -> None:
    """Also those that the old records break: they are not learned from."""
    old = people()
    if then.how == "missing" and then.negated:
        old["pay"] = old["pay"].like(
            old["pay"].values, np.where(old["age"].values < 5, 0, old["pay"].gaps).astype(np.int16)
        )
    rule = ColumnRule(then, young(30.0))
    new = synthesise_columns(old, plan(rules=(rule,)), n=3000, streams=Streams(1))
    assert rule.concerns(new).sum() > 800
    assert not rule.broken(new).any()
    assert then.holds(new)[rule.concerns(new) & new["pay"].there].all()


def test_a_rule_that_nothing_keeps_is_refused() -> None:
    rule = ColumnRule(ColumnTest("pay", ">", (1e9,)), young(90.0))
    with pytest.raises(DataError, match="'pay' cannot be kept"):
        synthesise_columns(people(), plan(rules=(rule,)), n=100, streams=Streams(1))


def test_what_a_rule_or_a_total_needs_comes_before() -> None:
    rule = ColumnRule(ColumnTest("age", "<", (5.0,)), ((ColumnTest("hours", "missing"),),))
    with pytest.raises(ParameterError, match="'hours' must come before 'age'"):
        synthesise_columns(people(), plan(rules=(rule,)), n=100, streams=Streams(1))


def test_alternatives_and_joint_conditions() -> None:
    old = people(50)
    tests = ((ColumnTest("age", "<", (10.0,)), ColumnTest("sex", "in", (1.0,))), (ColumnTest("age", ">", (70.0,)),))
    rule = ColumnRule(ColumnTest("pay", "missing"), tests)
    age, sex = old["age"].values, old["sex"].values
    assert np.array_equal(rule.concerns(old), ((age < 10) & (sex == 1)) | (age > 70))
    assert rule.given == ("age", "sex")


def test_found_rules_are_classes_ranges_and_kinds_of_gaps() -> None:
    rng = np.random.default_rng(5)
    n = 3000
    age, region = rng.integers(0, 90, n).astype(float), rng.integers(0, 4, n)
    columns = {"age": ColumnValues.of_numbers(age), "region": ColumnValues.of_classes(region, 4)}
    inside = ((age >= 15) & (age < 65)).astype(np.int64)
    found = find_rules(inside, columns)
    assert all(rule.state == inside[rule.holds(columns)][0] for rule in found)
    left = ~np.logical_or.reduce([rule.holds(columns) for rule in found])
    assert len(found) == 1
    assert len(np.unique(inside[left])) == 1, "what no rule is for has one state"
    assert [rule.tests[0].values for rule in find_rules((region == 2).astype(np.int64), columns)] == [(0.0, 1.0, 3.0)]
    gaps = rng.integers(0, 3, n).astype(np.int16)
    asked = {"pay": ColumnValues(np.zeros(n), gaps, kinds=2)}
    assert {rule.tests[0].how for rule in find_rules((gaps == 2).astype(np.int64), asked)} == {"missing"}


def test_chance_is_no_rule() -> None:
    """Of 45 small classes some are pure by chance, and the union of these is larger than any of them."""
    rng = np.random.default_rng(6)
    state = (rng.random(3000) < 0.1).astype(np.int64)
    columns = {
        "place": ColumnValues.of_classes(np.minimum(rng.geometric(0.1, 3000), 44), 45),
        "size": ColumnValues.of_numbers(rng.normal(size=3000)),
    }
    assert find_rules(state, columns) == ()


# --- parts -------------------------------------------------------------------------------------------------------------------


def test_all_missing_constant_and_rare_columns() -> None:
    n = 60
    columns = {
        "none": ColumnValues.of_numbers(np.full(n, np.nan)),
        "same": ColumnValues.of_numbers(np.full(n, 0.1)),
        "rare": ColumnValues.of_classes(np.r_[0, np.ones(n - 1, np.int64)], 3),
    }
    each = {name: ColumnPlan(LinearModel() if name != "rare" else LogisticModel(), LogisticModel()) for name in columns}
    new = synthesise_columns(columns, SynthesisPlan(tuple(columns), each), n=500, streams=Streams(1))
    assert (new["none"].gaps == 1).all()
    assert (new["same"].values == 0.1).all()
    assert set(new["rare"].values) <= {0.0, 1.0}


def test_nobody_to_learn_from_is_refused_and_nobody_to_draw_is_not() -> None:
    old = people(50)
    empty = {name: column.of(np.empty(0, np.int64)) for name, column in old.items()}
    with pytest.raises(DataError, match="no record to learn from"):
        synthesise_columns(empty, plan(), n=10, streams=Streams(1))
    assert [len(c) for c in synthesise_columns(old, plan(), n=0, streams=Streams(1)).values()] == [0, 0, 0, 0]


def test_numbers_are_written_on_their_grid_within_bounds_and_beside_codes() -> None:
    form = NumberForm(decimals=0, step=50.0, low=-20.0, high=120.0, avoid=((50.0, 50.0),))
    assert form.written(np.array([-99.0, 20.0, 51.0, 49.0, 500.0])).tolist() == [0.0, 0.0, 100.0, 0.0, 100.0]
    assert NumberForm(low=0.0).written(np.array([-1.5, 2.5])).tolist() == [0.0, 2.5]


def test_spikes_are_frequent_and_alone() -> None:
    rng = np.random.default_rng(7)
    assert find_spikes(np.concatenate([np.zeros(100), rng.normal(size=900)])).tolist() == [0.0]
    assert find_spikes(rng.integers(0, 12, 1000).astype(float)).size == 0
    assert find_spikes(rng.normal(size=1000)).size == 0


def test_columns_are_joined_and_replaced_by_rows() -> None:
    one = ColumnValues.of_numbers(np.array([1.0, np.nan]))
    both = joined_values(one, one)
    assert both.gaps.tolist() == [0, 1, 0, 1]
    assert both.put(np.array([1]), one.of(np.array([0]))).values.tolist() == [1.0, 1.0, 1.0, 0.0]


def test_a_plan_may_say_what_a_column_depends_on() -> None:
    old = people()
    narrow = ColumnPlan(NestedModel(), given=("sex",), form=WHOLE)
    made = SynthesisPlan(("age", "sex", "pay"), {**plan().columns, "pay": narrow}, finds_rules=False)
    assert made.before("pay") == ("sex",)
    assert len(synthesise_columns(old, made, n=100, streams=Streams(1))["pay"]) == 100
