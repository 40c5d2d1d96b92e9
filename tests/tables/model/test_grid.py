"""All cells and relations of a cross product, and the cells with records only."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ParameterError, SchemaError
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.grid import all_cells, ancestry, grid_of, ranges, shape_of, spread
from tacita.tables.model.relations import Relations
from tests.oracles.tables.tables import cells_of, leaves_under, relations_of
from tests.tables.examples import REGION, SIZE, dimensions


def named(dims: list[Dimension], codes: np.ndarray, relations: Relations) -> set[object]:
    titles = [tuple(d.codes[c] for d, c in zip(dims, row, strict=True)) for row in codes.tolist()]
    found: set[object] = set()
    for r in range(len(relations)):
        cells, signs = relations.row(r)
        (total,) = cells[signs < 0].tolist()
        found.add((titles[total], frozenset(titles[c] for c in cells[signs > 0].tolist())))
    return found


def test_by_hand() -> None:
    codes, relations = all_cells([REGION, SIZE])
    assert codes.shape == (18, 2)
    assert codes[4].tolist() == [1, 1]
    # three sums over regions at three sizes, one sum over sizes at six regions
    assert len(relations) == 3 * 3 + 6
    assert relations.row(0)[0].tolist() == [0, 3, 6]


@given(
    st.lists(st.sampled_from("abc"), min_size=1, max_size=3, unique=True).flatmap(
        lambda n: st.tuples(*map(dimensions, n))
    )
)
def test_equals_the_loops(dims: tuple[Dimension, ...]) -> None:
    codes, relations = all_cells(dims)
    titles = [tuple(d.codes[c] for d, c in zip(dims, row, strict=True)) for row in codes.tolist()]
    assert titles == cells_of(dims)
    assert named(list(dims), codes, relations) == relations_of(dims)


@given(st.tuples(dimensions("a"), dimensions("b")), st.data())
def test_cells_with_records_only(dims: tuple[Dimension, Dimension], data: st.DataObject) -> None:
    inner = data.draw(st.lists(st.tuples(*(st.sampled_from(d.leaves) for d in dims)), min_size=1, max_size=6))
    at = np.array([[d.places[c] for d, c in zip(dims, cell, strict=True)] for cell in inner], np.int64)
    keys, (count,) = spread(dims, at, [np.ones(len(at))])
    wanted = {
        cell: sum(all(i in leaves_under(d, c) for d, c, i in zip(dims, cell, one, strict=True)) for one in inner)
        for cell in cells_of(dims)
    }
    wanted = {cell: n for cell, n in wanted.items() if n}
    codes, relations = grid_of(dims, keys)
    titles = [tuple(d.codes[c] for d, c in zip(dims, row, strict=True)) for row in codes.tolist()]
    assert dict(zip(titles, count.tolist(), strict=True)) == wanted
    restricted = {(t, frozenset(p & set(wanted))) for t, p in relations_of(dims) if t in wanted}
    assert named(list(dims), codes, relations) == restricted


def test_size_of_a_large_grid() -> None:
    dims = [Dimension.flat(name, [f"{name}{i}" for i in range(9)]) for name in "abcde"]
    codes, relations = all_cells(dims)
    assert len(codes) == 10**5
    assert len(relations) == 5 * 10**4
    assert not len(relations.violated(spread(dims, codes[(codes > 0).all(axis=1)], [np.ones(9**5)])[1][0]))


def test_ranges() -> None:
    assert ranges(np.array([5, 0, 2]), np.array([2, 0, 3])).tolist() == [5, 6, 2, 3, 4]
    assert ranges(np.empty(0, np.int64), np.empty(0, np.int64)).tolist() == []


def test_bad_input() -> None:
    with pytest.raises(ParameterError, match="at least one dimension"):
        all_cells([])
    with pytest.raises(ParameterError, match="its own name"):
        all_cells([SIZE, SIZE])
    many = [Dimension.flat(f"d{i}", [str(k) for k in range(9999)]) for i in range(5)]
    with pytest.raises(ParameterError, match="more cells than can be numbered"):
        shape_of(many)
    twice = Dimension("a", ("T", "p", "q", "x", "y", "z"), (("T", ("p", "q")), ("p", ("x", "y")), ("q", ("y", "z"))))
    with pytest.raises(SchemaError, match="the parts of 'T' overlap"):
        ancestry(twice)
    other = Dimension("a", ("T", "x", "y", "v"), (("T", ("x", "y")), ("T", ("x", "v"))))
    with pytest.raises(SchemaError, match="sums of 'T' have different leaves"):
        ancestry(other)
