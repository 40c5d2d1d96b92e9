"""Misfits: everything in a recipe that does not fit is said at once, and nothing that fits."""

from __future__ import annotations

import warnings

import pyarrow as pa
import pytest

import tacita as tc
from tacita.core import registry
from tacita.core.errors import TacitaError
from tacita.mask.base import Mask
from tacita.release.misfits import Misfit
from tacita.release.recipe import Recipe

NEW = "new-town"


@pytest.fixture(scope="module")
def this_year() -> tc.Microdata:
    tree = tc.Hierarchy((("north", "coast", "all"), ("west", "coast", "all"), ("east", "inland", "all")))
    table = pa.table(
        {
            "region": ["north", "west", "east", NEW] * 15,
            "kind": ["city", "village", "hamlet"] * 20,
            "age": [20 + i % 30 for i in range(60)],
            "income": [float(i * 7 % 101) for i in range(60)],
            "tax": [float(i * 3 % 57) for i in range(60)],
        }
    )
    columns = [
        tc.Column(name="region", roles=("key",), scale="nominal", hierarchy=tree),
        tc.Column(name="kind", roles=("key",), scale="nominal"),
        tc.Column(name="age", roles=("key",), scale="numeric"),
        tc.Column(name="income", roles=("confidential",), scale="numeric"),
        tc.Column(name="tax", roles=("confidential",), scale="numeric"),
    ]
    return tc.Microdata.from_frame(table, schema=tc.Schema(tuple(columns)))


def told(data: tc.Microdata, *steps: Mask) -> list[str]:
    return [str(misfit) for misfit in Recipe(steps).misfits(data)]


def test_all_are_said_at_once_in_the_order_of_the_steps(this_year: tc.Microdata) -> None:
    recipe = Recipe(
        [
            tc.mask.GlobalRecode(levels={"region": 1, "kind": 1}, breaks={"age": [25, 35, 90]}),
            tc.mask.RankSwap(columns=["income", "rent"], identities=["total = income + tax"]),
            tc.mask.Mdav(columns=["kind"], k=200),
        ],
        limits=[tc.Limit(measure="dld", columns=["income", "wealth"], at_most=5)],
    )
    found = recipe.misfits(this_year)
    assert [str(misfit) for misfit in found] == [
        "Step 1 (global_recode): the hierarchy of 'region' lacks 1 value(s) that 15 record(s) have.",
        "Step 1 (global_recode): level 1 of 'kind' is asked for, which has no hierarchy.",
        "Step 1 (global_recode): 1 of the 4 intervals of 'age' hold no record.",
        "Step 2 (rank_swap): there is no column 'rent'. Did you mean 'region'?",
        "Step 2 (rank_swap): there is no column 'total'.",
        "Step 3 (mdav): k = 200, and the file has 60 record(s).",
        "Limit of dld: there is no column 'wealth'.",
    ]
    assert [misfit.stops for misfit in found] == [True, True, False, True, True, False, False]
    with pytest.raises(TacitaError):
        recipe.apply(this_year, seed=1)


def test_values_are_kept_apart_from_words(this_year: tc.Microdata) -> None:
    (found,) = Recipe([tc.mask.GlobalRecode(levels={"region": 1})]).misfits(this_year)
    assert found.values == (NEW,)
    assert NEW not in str(found)
    assert NEW not in repr(found)


def test_a_map_says_what_is_new_and_what_is_gone(this_year: tc.Microdata) -> None:
    assert told(this_year, tc.mask.GlobalRecode(map={"kind": {"city": "town", "farm": "country"}})) == [
        "Step 1 (global_recode): 1 of the 2 values that 'map' names for 'kind' occur no more.",
        "Step 1 (global_recode): 2 value(s) of 'kind' in 40 record(s) are not named by 'map' and stay as they are.",
    ]
    gone = tc.mask.GlobalRecode(map={"kind": {"farm": "country"}})
    (found,) = Recipe([gone]).misfits(this_year)
    assert found.stops
    with pytest.raises(TacitaError):
        gone.apply(this_year)
    whole = {"city": "town", "village": "country", "hamlet": "country"}
    assert told(this_year, tc.mask.GlobalRecode(map={"kind": whole})) == []


def test_scales_rules_ends_and_strata(this_year: tc.Microdata) -> None:
    assert told(this_year, tc.mask.Mdav(columns=["kind"], k=3)) == [
        "Step 1 (mdav): 'kind' is nominal now, and the mask works on numeric."
    ]
    assert told(this_year, tc.mask.DateCoarsen(columns="date columns", to="year")) == [
        "Step 1 (date_coarsen): the rule 'date columns' of 'columns' selects no column."
    ]
    assert told(this_year, tc.mask.TopBottomCode(columns=["income"], top=5000)) == [
        "Step 1 (top_bottom_code): no value of 'income' lies beyond 'top', so nothing is coded there."
    ]
    assert told(this_year, tc.mask.Mdav(columns=["income"], k=16, by=["region"])) == [
        "Step 1 (mdav): 4 group(s) of 'by' have fewer than k = 16 records."
    ]
    assert told(this_year, tc.mask.Sample(records=100)) == [
        "Step 1 (sample): 100 records are asked for, and the file has 60."
    ]
    assert told(this_year, tc.mask.RecordSwap(geography=["region"], profiles=[["size"]])) == [
        "Step 1 (record_swap): there is no column 'size'."
    ]


def test_what_an_earlier_step_made_is_not_judged_by_what_it_was(this_year: tc.Microdata) -> None:
    recode = tc.mask.GlobalRecode(breaks={"age": [30, 40]})
    assert told(this_year, recode, tc.mask.Pram(columns=["age"])) == []


def test_no_mask_is_stopped_that_would_run() -> None:
    data, ran = tc.samples.household_survey(80, seed=1), 0
    for method in registry.methods("mask"):
        if any(parameter.required for parameter in method.parameters()):
            continue
        try:
            mask = method()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                mask.apply(data, seed=1)  # type: ignore[attr-defined]
        except TacitaError:
            continue
        ran += 1
        assert not [m for m in Recipe([mask]).misfits(data) if m.stops], method.name  # type: ignore[list-item]
    assert ran > 25


def test_a_misfit_reads_as_a_sentence() -> None:
    assert str(Misfit("limit of dld", "there is no column 'a'.", False)) == "Limit of dld: there is no column 'a'."
