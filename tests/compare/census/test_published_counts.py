"""Published counts beside the truth: cells that one side lacks, whole grids, and numbers that tables share."""

from __future__ import annotations

import numpy as np

import tacita as tc
from tacita.compare.census.published_counts import PublishedTable, own_keys, set_keys

DECLARED = tc.tables.declare(
    tc.samples.census_register(300, seed=1, regions=9), [["municipality", "tenure"], ["sex", "tenure"]]
)
ONE, TWO = DECLARED.tables


def test_cells_that_one_side_lacks_are_empty_there() -> None:
    keys = own_keys(ONE.dimensions, ONE.codes)
    empty = np.setdiff1d(np.arange(PublishedTable.of(ONE, keys, ONE.values).grid_size), keys)[:1]
    made = PublishedTable.of(ONE, np.concatenate([keys[1:], empty]), np.append(ONE.values[1:], 3))
    assert len(made.keys) == len(keys) + 1
    assert made.shown[made.keys == keys[0]].tolist() == [0]
    assert (made.truth[made.keys == empty].tolist(), made.shown[made.keys == empty].tolist()) == ([0], [3])
    assert made.shown.sum() == ONE.values[1:].sum() + 3


def test_the_whole_grid_has_the_empty_cells() -> None:
    made = PublishedTable.of(ONE, own_keys(ONE.dimensions, ONE.codes), ONE.values)
    whole = made.whole()
    assert len(whole.keys) == whole.grid_size > len(made.keys)
    assert whole.truth.sum() == made.truth.sum()
    assert not len(whole.relations.violated(whole.shown.astype(float)))
    assert np.array_equal(whole.to_table().values, whole.shown)


def test_a_shared_cell_has_one_number() -> None:
    numbers = [set_keys(DECLARED, table.dimensions, table.codes) for table in (ONE, TWO)]
    shared = np.intersect1d(*numbers)
    assert len(shared) == 1 + len(ONE.dimensions[1].leaves)
    for number in shared.tolist():
        counts = {float(table.values[own == number][0]) for table, own in zip((ONE, TWO), numbers, strict=True)}
        assert len(counts) == 1
