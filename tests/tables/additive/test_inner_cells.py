"""Inner cells of tables with hierarchies, bands that overlap, and linked tables."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import DataError
from tacita.numeric.additive.goal import add_up
from tacita.tables.additive.inner_cells import inner_cells
from tacita.tables.model.relations import Relations
from tests.tables.additive.examples import bands, census_table


def test_a_table_is_made_of_its_inner_cells() -> None:
    table = census_table()
    found = inner_cells(table.relations, table.counts > 0)
    assert found.are_free
    assert np.array_equal(add_up(found.holders, table.counts[found.places]), table.counts)
    leaves = np.array(
        [all(code in d.leaves for code, d in zip(table.labels(c), table.dimensions, strict=True)) for c in found.places]
    )
    assert leaves.all()


def test_bands_that_overlap_are_relations_like_others() -> None:
    data = tc.samples.census_register(2000, seed=1, regions=3)
    table = tc.tabulate(data, [bands(), "sex"], empties=False, holding=False)
    found = inner_cells(table.relations, table.counts > 0)
    assert found.are_free
    assert np.array_equal(add_up(found.holders, table.counts[found.places]), table.counts)
    change = np.random.default_rng(1).integers(0, 9, len(found.places))
    assert not table.relations.residuals(add_up(found.holders, change).astype(float)).any(), (
        "whatever the inner cells are"
    )


def test_linked_tables_are_tied() -> None:
    data = tc.samples.person_register(300, seed=1)
    both = tc.tables.link([tc.tabulate(data, ["sex", name]) for name in ("marital", "disability")])
    assert not inner_cells(both.relations, np.ones(len(both), bool)).are_free


def test_empty_cells_are_left_out() -> None:
    rows = Relations.of([(0, [1, 2, 3])], 4)
    found = inner_cells(rows, np.array([True, True, False, True]))
    assert found.places.tolist() == [1, 3]
    assert found.holders.cells.tolist() == [0, 1, 0, 3]


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        (Relations(np.array([0, 2]), np.array([0, 1]), np.array([-1.0, 2.0]), 2), "each counted once"),
        (Relations(np.array([0, 2]), np.array([0, 1]), np.array([1.0, 1.0]), 2), "one total"),
        (Relations.of([(0, [1]), (1, [0])], 2), "circle|part of itself"),
        (Relations.of([(0, [1, 2]), (1, [2, 3])], 4), "twice"),
    ],
)
def test_other_relations_are_refused(rows: Relations, what: str) -> None:
    with pytest.raises(DataError, match=what):
        inner_cells(rows, np.ones(rows.size, bool))
