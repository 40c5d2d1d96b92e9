"""The ways themselves: whatever a reader takes for possible has the truth in it."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.compare.census.census_attacks import joint_cells, narrow_small_cells, solve_small_cells
from tacita.compare.census.census_ways import WAYS, CensusCase
from tacita.compare.census.published_counts import PublishedCounts, PublishedTable
from tacita.core.keyed import Key
from tacita.tables.additive.declared_set import declare


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


def test_the_auditors_attacker_solves_nothing(case: CensusCase) -> None:
    """The auditor takes a hidden cell for possibly empty; then no small cell is known."""
    made = WAYS["suppression"](case)

    def outsider(table: PublishedTable) -> tuple[np.ndarray, np.ndarray]:
        shown = table.shown.astype(float)
        return np.where(table.hidden, 0.0, shown), np.where(table.hidden, np.inf, shown)

    cells = joint_cells(PublishedCounts(made.declared, made.tables, outsider), empties=True)
    small = cells.keys[(cells.truth > 0) & (cells.truth < case.k)]
    assert len(small) > 20
    assert solve_small_cells(cells, small).exactly == 0


def test_swapping_keeps_places_and_people(case: CensusCase) -> None:
    people, swapped = case.data, case.swapped
    for by in (["municipality"], ["sex", "birth_country"]):
        assert np.array_equal(tc.tabulate(people, by).values, tc.tabulate(swapped, by).values)


def test_programmes_find_what_single_sums_find(case: CensusCase) -> None:
    """A reader who knows that empty cells are not hidden solves some; with all sums at once at least as many."""
    cells = joint_cells(WAYS["suppression"](case), empties=True)
    small = cells.keys[(cells.truth > 0) & (cells.truth < case.k)]
    narrowed = narrow_small_cells(cells, small).exactly
    assert 0 < narrowed <= solve_small_cells(cells, small).exactly
