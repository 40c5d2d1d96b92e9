"""What a search tries where nobody says."""

from __future__ import annotations

import pyarrow as pa
import pytest

import tacita as tc
from tacita.compare.search.candidates import list_candidates
from tacita.compare.search.default_grid import default_candidates
from tacita.core.errors import ColumnError

NUMBERS = ("age", "earnings", "other_income", "income", "tax", "savings")


@pytest.fixture(scope="module")
def data() -> tc.Microdata:
    return tc.samples.household_survey(120, seed=1)


def test_numbers_have_eight_families(data: tc.Microdata) -> None:
    single = [c.recipe.steps[0] for c in list_candidates(default_candidates(data)) if len(c.recipe) == 1]
    assert len({step.name for step in single}) == 8
    assert {step.columns for step in single} == {NUMBERS}  # type: ignore[attr-defined]
    only = list_candidates(default_candidates(data, ("tax",)))
    assert {c.recipe.steps[0].columns for c in only} == {("tax",)}  # type: ignore[attr-defined]


def test_keys_that_are_categories_are_masked_together_with_the_amounts(data: tc.Microdata) -> None:
    both = [c.recipe.steps for c in list_candidates(default_candidates(data)) if len(c.recipe) > 1]
    named = {step.name for steps in both for step in steps[:-1]}
    assert named == {"local_suppression", "global_recode", "generalise", "pram", "record_swap"}
    assert all("age" not in steps[-1].columns for steps in both)  # type: ignore[attr-defined]
    assert {steps[-1].name for steps in both} == {"rank_swap", "mdav"}


def test_bands_of_a_numeric_key_are_at_round_numbers(data: tc.Microdata) -> None:
    recodes = [
        step
        for c in list_candidates(default_candidates(data))
        for step in c.recipe.steps
        if isinstance(step, tc.mask.GlobalRecode)
    ]
    cuts = recodes[0].breaks["age"]
    assert len(cuts) >= 4
    assert all(cut % 5 == 0 for cut in cuts)


@pytest.mark.parametrize("each", [pytest.param(1, marks=pytest.mark.slow), 3])
def test_every_default_candidate_can_be_applied(data: tc.Microdata, each: int) -> None:
    """Many families, and a frontier of more than one of them; every third candidate in the quick tests."""
    chosen = [c.recipe for c in list_candidates(default_candidates(data))][::each]
    made = tc.search(data, chosen, measures=["il", "dld", "rid", "k_anonymity"], seeds=1, processes=1)
    assert not made.failed
    assert len(made.families) >= 5
    assert len({p.family for p in made.frontier}) >= 3
    assert made.before["k_anonymity"] > 50
    best = made.best()
    assert best.constraint.goal == "score"
    assert best.point["k_anonymity"] <= made.before["k_anonymity"] / 2


def test_a_file_of_categories_has_candidates() -> None:
    table = pa.table({"s": ["x", "y", "x", "y"] * 10, "t": ["a", "a", "b", "c"] * 10})
    data = tc.Microdata.from_frame(table, keys=["s", "t"])
    families = {c.family for c in list_candidates(default_candidates(data))}
    assert families == {"local_suppression", "pram"}


def test_nothing_to_mask_is_an_error() -> None:
    with pytest.raises(ColumnError, match="there are none; give 'candidates'"):
        default_candidates(tc.Microdata.from_frame(pa.table({"s": ["x", "y"]})))
