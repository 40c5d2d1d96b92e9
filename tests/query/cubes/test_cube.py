"""Cubes: what is read from one is what a loop over its cells adds up."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.query.cubes.cube import CellSums, Cube
from tacita.query.universe.boxes import EVERYBODY, Boxes, maximal_boxes
from tests.effort import examples

NAMES, SHAPE = ("age", "job", "sex"), (3, 4, 2)
CUBE = Cube(NAMES, np.random.default_rng(1).integers(0, 2**40, (*SHAPE, 3)))
boxes = st.lists(st.tuples(*(st.integers(1, 2**size - 1) for size in SHAPE)), min_size=1, max_size=3)


@settings(max_examples=examples(30), deadline=None)
@given(boxes, st.lists(st.sampled_from(NAMES), unique=True))
def test_a_universe_is_added_up_cell_by_cell(pieces: list[tuple[int, ...]], by: list[str]) -> None:
    universe = maximal_boxes(NAMES, SHAPE, pieces)
    found = CUBE.of_universe(by, universe)
    shape = tuple(SHAPE[NAMES.index(name)] for name in by)
    wanted = np.zeros((*shape, 3), dtype=np.int64)
    for place in itertools.product(*map(range, SHAPE)):
        if any(all(mask >> i & 1 for mask, i in zip(piece, place, strict=True)) for piece in pieces):
            wanted[tuple(place[NAMES.index(name)] for name in by)] += CUBE.numbers[place]
    assert found.shape == shape
    assert found.numbers.tolist() == wanted.reshape(-1, 3).tolist()
    assert found.whole == (*found.sums.sum(axis=0).tolist(), int(found.counts.sum()))


def test_a_margin_of_a_margin_is_a_margin() -> None:
    direct = CUBE.margin(["job"])
    assert direct.names == ("job",)
    assert direct.numbers.tolist() == CUBE.margin(["sex", "job"]).margin(["job"]).numbers.tolist()
    assert CUBE.margin(NAMES).numbers is CUBE.numbers
    assert CUBE.margin([]).of_universe((), EVERYBODY).whole == CUBE.of_universe((), EVERYBODY).whole


def test_axes_stand_in_the_order_that_is_asked_for() -> None:
    assert CUBE.in_order(["sex", "age", "job"]).shape == (2, 3, 4, 3)
    assert (CUBE.in_order(["sex", "age", "job"])[1, 2, 3] == CUBE.numbers[2, 3, 1]).all()


def test_records_are_taken_out() -> None:
    table = CellSums(np.array([[2, 10, 20], [1, 5, 6]]), (2,))
    left = table.less(np.array([0, 0]), np.array([[4, 8], [6, 12]], dtype=np.int32))
    assert left.numbers.tolist() == [[0, 0, 0], [1, 5, 6]]
    assert table.counts.tolist() == [2, 1], "the table itself stays"
    assert table.less(np.zeros(0, dtype=np.int64), np.zeros((0, 2), dtype=np.int32)) is table


def test_a_universe_without_variables_is_everybody() -> None:
    assert Boxes((), (), ((),)) == EVERYBODY
    assert maximal_boxes([], [], [()]) == EVERYBODY
