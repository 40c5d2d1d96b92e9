"""Subtables: which there are, in which order, every relation in one of them, and the problem of one alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.tables.model.dimension import Dimension
from tacita.tables.model.grid import all_cells
from tacita.tables.model.seats import Seats
from tacita.tables.model.table import Table
from tacita.tables.suppression.subtables import part_of, subtables
from tests.effort import examples
from tests.tables.examples import REGION, SIZE, dimensions
from tests.tables.small_problems import grid


def table_of(*dims: Dimension) -> Table:
    codes, relations = all_cells(dims)
    return Table(tuple(dims), codes, np.zeros(len(codes)), relations)


def test_region_by_size() -> None:
    """The tree has three sums, so there are three plain tables: the regions, those of N, and those of S."""
    table = table_of(REGION, SIZE)
    found = subtables(table)
    assert [(s.depth, s.grid.shape) for s in found] == [(0, (3, 3)), (1, (3, 3)), (1, (2, 3))]
    top = [[table.labels(c) for c in row] for row in found[0].grid.tolist()]
    assert top[0] == [("Total", "Total"), ("Total", "small"), ("Total", "large")]
    assert [row[0][0] for row in top] == ["Total", "N", "S"]


def test_cells_that_are_not_there() -> None:
    table = table_of(REGION, SIZE)
    keep = np.arange(len(table)) != 4
    relations, _ = table.relations.among(keep)
    fewer = replace(table, codes=table.codes[keep], values=table.values[keep], relations=relations)
    grids = [s.grid for s in subtables(fewer)]
    assert sum(int((g == -1).sum()) for g in grids) >= 1
    assert set(np.concatenate([g[g >= 0] for g in grids]).tolist()) == set(range(len(fewer)))


def test_linked_tables_have_their_own() -> None:
    """Cells by a and b, and by a and c: no cell has both b and c, and no subtable crosses them."""
    dims = [Dimension.flat(name, [f"{name}1", f"{name}2"]) for name in "abc"]
    full = table_of(*dims)
    keep = (full.codes[:, 1] == 0) | (full.codes[:, 2] == 0)
    relations, _ = full.relations.among(keep)
    table = replace(full, codes=full.codes[keep], values=full.values[keep], relations=relations)
    assert sorted(s.grid.shape for s in subtables(table)) == [(3, 3), (3, 3)]


@settings(max_examples=examples(40), deadline=None)
@given(st.data())
def test_every_relation_lies_in_a_subtable(data: st.DataObject) -> None:
    dims = [data.draw(dimensions(name)) for name in "ab"]
    table = table_of(*dims)
    cells = [set(s.cells.tolist()) for s in subtables(table)]
    for row in range(len(table.relations)):
        wanted = set(table.relations.row(row)[0].tolist())
        assert any(wanted <= held for held in cells)


def test_the_problem_of_some_cells() -> None:
    problem = grid(np.array([[3.0, 20.0], [15.0, 12.0]]), unsafe=[(0, 0), (1, 1)], level=2.0)
    sole, owners = np.full(9, -1), np.full((9, 1), -1)
    sole[[1, 8]] = [4, 9]
    owners[0] = 4
    problem = replace(problem, seats=Seats.of(sole, owners, np.where(owners >= 0, 1.0, 0.0)))
    part = part_of(problem, np.array([0, 1, 2, 6]))
    assert part.values.tolist() == [3.0, 20.0, 23.0, 18.0]
    assert [part.relations.row(r)[0].tolist() for r in range(len(part.relations))] == [[2, 0, 1]]
    assert part.unsafe.tolist() == [True, False, False, False]
    assert (part.seats.owners.tolist(), part.seats.known(0).tolist()) == ([4], [1])
    assert [x.tolist() for x in part.seats.shared(0)] == [[0], [1.0]]
    assert part_of(problem, np.array([0, 4])).relations.size == 2
