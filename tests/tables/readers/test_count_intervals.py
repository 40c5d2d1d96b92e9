"""Intervals of true counts: section 5 of the paper, all tables tried, several tables at once, and bad input."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import ParameterError
from tacita.core.keyed import Key
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.relations import Relations
from tacita.tables.readers.count_intervals import Undone, count_intervals, reader_bounds, solve_counts

PAIR = Relations.of([(0, [1, 2])], 3)
KEY = Key(bytes(range(3, 67, 2)))


def small_table(inner: np.ndarray) -> tc.Table:
    """Two by two inner cells with their sums."""
    dimensions = [Dimension.flat(name, ["a", "b"]) for name in ("x", "y")]
    whole = np.zeros((3, 3), int)
    whole[1:, 1:] = inner.reshape(2, 2)
    whole[0] = whole.sum(axis=0)
    whole[:, 0] = whole.sum(axis=1)
    places = list(product(range(3), repeat=2))
    columns = {d.name: [d.codes[place[axis]] for place in places] for axis, d in enumerate(dimensions)}
    return tc.tables.table_from_cells({**columns, "value": [int(whole[place]) for place in places]}, dimensions)


def test_section_5_is_undone() -> None:
    low, high = count_intervals(PAIR, np.array([0, 3, 3]), np.arange(3), reach=2)
    assert low.tolist() == high.tolist() == [2, 1, 1]


def test_what_a_count_says_by_itself() -> None:
    low, high = reader_bounds(np.array([0, 2, 9]), 3)
    assert (low.tolist(), high.tolist()) == ([0, 1, 6], [3, 5, 12])


@pytest.mark.parametrize("seed", range(8))
def test_intervals_are_those_of_all_tables(seed: int) -> None:
    """Every whole table that the reader cannot rule out is tried; the sums of such tables have whole corners."""
    rng = np.random.default_rng(seed)
    true = small_table(rng.integers(0, 4, 4))
    reach = 2
    noise = rng.integers(-reach, reach + 1, len(true))
    shown = np.where(true.values > 0, np.maximum(true.values + noise, 0), 0)
    found = solve_counts([true.with_values(shown)], reach=reach, below=None)
    every = np.array([small_table(np.array(inner)).values for inner in product(range(8), repeat=4)])
    low, high = reader_bounds(shown.astype(int), reach)
    possible = every[((every >= low) & (every <= high)).all(axis=1)]
    assert found.cells.tolist() == list(range(9))
    assert found.low.tolist() == possible.min(axis=0).tolist()
    assert found.high.tolist() == possible.max(axis=0).tolist()


def test_two_tables_undo_what_one_does_not() -> None:
    """A one that is shown as 0 in one table and as 1 in another is a one where both are within 1 of it."""
    people = tc.samples.census_register(900, seed=1, regions=6)
    country = Dimension.flat("birth_country", tuple(map(str, people.codes("birth_country").categories)))
    true = [tc.tabulate(people, [country, name]) for name in ("sex", "tenure")]
    shown = [true[0].with_values(np.where(true[0].values == 1, 0, true[0].values)), true[1]]
    alone = solve_counts(shown[:1], reach=1).undone(true[:1])
    both = solve_counts(shown, reach=1).undone(true[:1])
    assert alone.small > 10
    assert alone.exact < both.exact


def test_the_truth_is_never_ruled_out() -> None:
    people = tc.samples.census_register(2000, seed=2, regions=6)
    declared = tc.tables.declare(people, [["municipality", "marital"], ["municipality", "birth_country"]])
    noise = tc.tables.CellKey(key=KEY, D=3, V=2.0)
    shown = []
    for table in declared.tables:
        keyed = tc.tables.keyed_table(people, table.dimensions, key=KEY, identity="person_id", empties=False)
        shown.append(noise.protect(keyed, tc.tables.Unsafe.none(len(keyed))))
    found = solve_counts(shown, reach=3)
    truth = found.tables.counts(declared.tables)[found.cells]
    inside = (found.low >= 1) & (found.high <= 2)
    assert ((found.low <= truth) & (truth <= found.high))[inside].all()
    told = found.undone(declared.tables)
    assert told.small == int(((declared.counts > 0) & (declared.counts < 3)).sum())
    assert 0 <= told.exact <= told.known_small < told.small


def test_true_tables_hide_nothing() -> None:
    true = small_table(np.array([1, 2, 0, 5]))
    assert solve_counts([true], reach=0).undone([true]) == Undone(3, 3, 3)
    assert solve_counts([true], reach=0, below=None).is_known.all()


def test_a_bound_for_each_cell() -> None:
    """A two shown as 3 with a bound of 1, and as 3 in another cell with a bound of 2: 2 to 4, and 1 to 5."""
    true = small_table(np.array([2, 9, 9, 2]))
    shown = true.with_values(np.where(true.values == 2, 3, true.values))
    reach = np.full(len(true), 9)
    cells = np.flatnonzero(true.values == 2)
    reach[cells] = [1, 2]
    found = solve_counts([shown], reach=[reach], below=None)
    assert found.low[cells].tolist() == [2, 1]
    assert found.high[cells].tolist() == [4, 5]
    with pytest.raises(ParameterError, match="one for each cell"):
        solve_counts([shown], reach=[reach[:3]])
    with pytest.raises(ParameterError, match="at least 0"):
        solve_counts([shown], reach=[reach - 5])


def test_bad_input() -> None:
    true = small_table(np.array([1, 2, 0, 5]))
    with pytest.raises(ParameterError, match="'reach'"):
        solve_counts([true], reach=-1)
    with pytest.raises(ParameterError, match="at least one table"):
        solve_counts([], reach=3)
    other = true.with_values(true.values + 9)
    with pytest.raises(ParameterError, match="differ by more than 'reach'"):
        solve_counts([true, other], reach=3)
    odd = true.values.copy()
    odd[0] += 50
    with pytest.raises(ParameterError, match="No true counts are possible"):
        solve_counts([true.with_values(odd)], reach=3)
