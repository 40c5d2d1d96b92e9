"""Smallest differences of two geographies: against every union of areas, and cases by hand."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.tables.readers.crossing_cuts import CrossingCut, Crossings, crossing_cuts
from tests.oracles.tables.slow_crossings import smallest_differences


def crossings_of(counts: list[list[int]] | np.ndarray) -> Crossings:
    given = np.asarray(counts)
    fine, coarse = np.nonzero(given)
    return Crossings(fine, coarse, given[fine, coarse])


def check(crossings: Crossings, cut: CrossingCut) -> None:
    """A cut is what it says: the coarse areas without the fine ones that lie in them leave so many records."""
    in_coarse = crossings.records[cut.coarse[crossings.coarse]].sum()
    in_fine = crossings.records[cut.inside[crossings.fine]].sum()
    assert cut.size == in_coarse - in_fine
    assert (cut.coarse[crossings.coarse] | ~cut.inside[crossings.fine]).all(), "every fine area taken away lies inside"


@pytest.mark.parametrize("seed", range(40))
def test_all_unions_find_no_more(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = (int(rng.integers(1, 12)), int(rng.integers(2, 7)))
    counts = np.where(rng.random(shape) < 0.4, rng.integers(1, 6, shape), 0)
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    crossings = crossings_of(counts)
    for most in (1, 2, 4):
        found: dict[tuple[int, int], int] = {}
        for cut in crossing_cuts(crossings, most):
            check(crossings, cut)
            for s, m in zip(crossings.fine[cut.rest].tolist(), crossings.coarse[cut.rest].tolist(), strict=True):
                found[s, m] = min(found.get((s, m), most), cut.size)
        assert found == smallest_differences(counts, most)


def test_two_municipalities_together_leave_one_person() -> None:
    """Neither municipality alone is near a union of squares: a square of many people joins them; one person lies beyond."""
    found = crossing_cuts(crossings_of([[40, 50, 0], [0, 1, 70], [30, 0, 0], [0, 0, 90]]), 2)
    assert [(cut.size, cut.coarse.tolist(), cut.inside.tolist()) for cut in found] == [
        (1, [True, True, False], [True, False, True, False])
    ]


def test_both_sides_of_a_border() -> None:
    """One person on either side of a square: each is a difference."""
    found = crossing_cuts(crossings_of([[1, 1], [50, 0], [0, 60]]), 2)
    assert sorted(cut.coarse.tolist() for cut in found) == [[False, True], [True, False]]


def test_nested_geographies_have_no_difference() -> None:
    assert crossing_cuts(crossings_of([[1, 0], [2, 0], [0, 1]]), 5) == []
    assert crossing_cuts(crossings_of([[9, 8], [7, 9]]), 5) == []


def test_a_country_of_thousands_of_areas() -> None:
    people = tc.samples.census_register(60_000, seed=1, regions=1000)
    fine, coarse = (people.codes(name).values.astype(np.int64) for name in ("grid", "municipality"))
    pair, records = np.unique(fine * 2000 + coarse, return_counts=True)
    crossings = Crossings(pair // 2000, pair % 2000, records)
    found = crossing_cuts(crossings, 2)
    assert len(found) > 50
    for cut in found:
        check(crossings, cut)
        assert 0 < cut.size <= 2
