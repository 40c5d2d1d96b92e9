"""Attackers of the census study: the example of section 5, an oracle by trying all tables, and small cases."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import tacita as tc
from tacita.study.census_attacks import RegionDifferences, undo_perturbation, undo_together
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.relations import Relations
from tacita.tables.readers.count_intervals import Undone, count_intervals

PAIR = Relations.of([(0, [1, 2])], 3)
SQUARE = Relations.of([(0, [1, 2]), (3, [4, 5]), (6, [7, 8]), (6, [0, 3]), (7, [1, 4]), (8, [2, 5])], 9)


def test_section_5_is_undone() -> None:
    """Two ones are shown as 3 and their sum as 0: with a published bound of 2 nothing else can be true."""
    truth, shown = np.array([2, 1, 1]), np.array([0, 3, 3])
    assert undo_perturbation(PAIR, truth, shown, reach=2) == Undone(3, 3, 3)


def test_a_wider_bound_or_additive_counts_are_not() -> None:
    truth = np.array([2, 1, 1])
    wider = undo_perturbation(PAIR, truth, np.array([0, 3, 3]), reach=3)
    assert wider == Undone(3, 2, 0), "the parts are one or two, but which?"
    assert undo_perturbation(PAIR, truth, np.array([3, 0, 3]), reach=3) == Undone(3, 0, 0)


def test_two_tables_undo_what_one_does_not() -> None:
    """A one that is shown as 0 in one table and as 1 in another is a one where both are within 1 of it."""
    people = tc.samples.census_register(900, seed=1, regions=6)
    tables = [tc.tabulate(people, [Dimension.flat("birth_country", _countries(people)), n]) for n in ("sex", "tenure")]
    truth = [table.values.astype(np.int64) for table in tables]
    small = int(np.isin(truth[0], (1, 2)).sum())
    assert undo_together(tables, truth, reach=0) == Undone(small, small, small)
    shown = [np.where(truth[0] == 1, 0, truth[0]), truth[1]]
    alone = undo_perturbation(tables[0].relations, truth[0], shown[0], reach=1)
    both = undo_together(tables, shown, reach=1)
    assert alone.small == both.small == small
    assert alone.exact < both.exact < small


def _countries(people: tc.Microdata) -> tuple[str, ...]:
    return tuple(map(str, people.codes("birth_country").categories))


def test_nothing_small_is_nothing_to_undo() -> None:
    assert undo_perturbation(PAIR, np.array([9, 4, 5]), np.array([9, 4, 5]), reach=3) == Undone(0, 0, 0)


@pytest.mark.parametrize("seed", range(6))
def test_intervals_are_those_of_all_tables(seed: int) -> None:
    """Every whole table that the attacker cannot rule out is tried; the sums of such tables have whole corners."""
    rng = np.random.default_rng(seed)
    inner = rng.integers(0, 4, 4)
    truth = _square(inner)
    reach = 2
    shown = np.where(truth > 0, np.maximum(truth + rng.integers(-reach, reach + 1, 9), 0), 0)
    cells = np.flatnonzero((truth == 1) | (truth == 2))
    low, high = count_intervals(SQUARE, shown, cells, reach=reach)
    least, most = np.where(shown > 0, np.maximum(shown - reach, 1), 0), shown + reach
    tables = np.array(
        [t for t in map(_square, product(range(8), repeat=4)) if (least <= t).all() and (t <= most).all()]
    )
    true_low, true_high = tables.min(axis=0)[cells], tables.max(axis=0)[cells]
    known = (true_low >= 1) & (true_high <= 2)
    assert (((low >= 1) & (high <= 2)) == known).all()
    assert (low[known] == true_low[known]).all()
    assert (high[known] == true_high[known]).all()


def _square(inner: np.ndarray | tuple[int, ...]) -> np.ndarray:
    """Two by two inner cells with their sums, in the order of SQUARE."""
    a, b, c, d = inner
    return np.array([a + b, a, b, c + d, c, d, a + b + c + d, a + c, b + d])


def test_differences_are_judged_by_the_truth() -> None:
    one = RegionDifferences(np.array([0, 0, 1, 2, 5]), np.array([0, 0, 1, 0, 8]))
    assert one.exact_small == 50
    assert one.empty == 40
    assert one.empty_told == pytest.approx(200 / 3)
    assert one.mean == pytest.approx(5 / 3)
    nobody = RegionDifferences(np.zeros(1, np.int64), np.ones(1, np.int64))
    assert (nobody.exact_small, nobody.empty_told, nobody.mean) == (0, 0, 0)
