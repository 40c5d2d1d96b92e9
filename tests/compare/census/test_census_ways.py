"""The ways themselves: whatever a reader takes for possible has the truth in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import tacita as tc
from tacita.compare.census.census_attacks import joint_cells, narrow_small_cells, solve_small_cells
from tacita.compare.census.census_ways import WAYS, CensusCase
from tacita.core.keyed import Key
from tacita.tables.additive.declared_set import declare
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.suppression.suppress import Suppress


@pytest.fixture(scope="module")
def case() -> CensusCase:
    people = tc.samples.census_register(3000, seed=2, regions=12)
    declared = declare(people, [["municipality", "birth_country"], ["sex", "birth_country"]])
    return CensusCase(
        people, declared, Key(bytes(range(3, 67, 2))), "person_id", "municipality", 3, 3, 2.0, 5.0, 100, 60.0, 1
    )


@pytest.mark.parametrize("way", sorted(WAYS))
def test_the_truth_is_possible(case: CensusCase, way: str) -> None:
    cells = joint_cells(WAYS[way](case), empties=True)
    assert (cells.low <= cells.truth).all()
    assert (cells.truth <= cells.high).all()
    assert not len(cells.relations.violated(cells.truth.astype(float)))


@pytest.mark.parametrize("way", sorted(WAYS))
def test_every_true_cell_is_there(case: CensusCase, way: str) -> None:
    made = WAYS[way](case)
    for table, counted in zip(made.tables, case.declared.tables, strict=True):
        assert table.truth.sum() == counted.values.sum()
        assert len(table.keys) >= len(counted)


def test_who_knows_that_nothing_hidden_is_empty_solves_nothing(case: CensusCase) -> None:
    cells = joint_cells(WAYS["suppression"](case), empties=True)
    small = cells.keys[(cells.truth > 0) & (cells.truth < case.k)]
    assert len(small) > 20
    assert solve_small_cells(cells, small).exactly == 0


def test_a_rounding_that_is_not_proven_says_that_it_may_not_repeat(
    case: CensusCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert WAYS["rounding"](case).notes == ()
    monkeypatch.setattr("tacita.compare.census.census_ways._PROVEN", -1.0)
    assert "'time_limit' may have ended the search" in WAYS["rounding"](case).notes[0]
    assert WAYS["rounding"](replace(case, time_limit=None)).notes == ()


def test_swapping_keeps_places_and_people(case: CensusCase) -> None:
    people, swapped = case.data, case.swapped
    for by in (["municipality"], ["sex", "birth_country"]):
        assert np.array_equal(tc.tabulate(people, by).values, tc.tabulate(swapped, by).values)


def test_programmes_find_what_single_sums_find(case: CensusCase) -> None:
    """Against a pattern that takes hidden cells for possibly empty; with all sums at once he solves at least as many."""
    table = case.linked
    plain = Suppress().protect(table, MinimumFrequency(at_least=case.k).judge(table))
    assert plain.is_safe
    cells = joint_cells(case.of_linked(plain, WAYS["suppression"](case).knowledge, ()), empties=True)
    small = cells.keys[(cells.truth > 0) & (cells.truth < case.k)]
    narrowed = narrow_small_cells(cells, small).exactly
    assert 0 < narrowed <= solve_small_cells(cells, small).exactly
