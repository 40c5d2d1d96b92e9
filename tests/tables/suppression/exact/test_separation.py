"""Separation: what a point violates is found, and the search for it stops when told to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tacita.tables.model.seats import Seats
from tacita.tables.suppression.exact.block_attack import BlockAttack
from tacita.tables.suppression.exact.block_form import OUTSIDER, cores_of
from tacita.tables.suppression.exact.separation import Separator
from tests.tables.small_problems import grid
from tests.tables.suppression_cases import SQUARE


def separator(seats: Seats | None = None) -> Separator:
    problem = grid(SQUARE, unsafe=[(0, 0)], level=3.0)
    (core,) = cores_of(problem if seats is None else replace(problem, seats=seats))
    return Separator(core, BlockAttack(core))


def test_row_and_column_of_a_lonely_cell() -> None:
    cutter = separator()
    y = cutter.core.forced.astype(float)
    cuts = cutter.at(y, 50, lambda: False)
    assert all(cut.missing(y) > 0.9 for cut in cuts)
    assert {1, 2, 3} in [set(cut.cells.tolist()) for cut in cuts]
    assert {4, 8, 12} in [set(cut.cells.tolist()) for cut in cuts]


def test_nothing_is_violated_by_a_rectangle() -> None:
    cutter = separator()
    y = np.isin(cutter.core.cells, [0, 2, 8, 10]).astype(float)
    assert cutter.at(y, 50, lambda: False) == []
    assert cutter.bridges(y, 50, lambda: False) == []


def test_half_a_rectangle_is_not_enough() -> None:
    cutter = separator()
    y = np.where(np.isin(cutter.core.cells, [2, 8, 10]), 0.5, cutter.core.forced)
    cuts = cutter.at(y, 50, lambda: False)
    assert cuts
    assert all(cut.missing(y) > 0.4 for cut in cuts)


def test_a_cell_hidden_in_vain() -> None:
    cutter = separator()
    y = np.isin(cutter.core.cells, [0, 2, 8, 10, 5]).astype(float)
    cuts = cutter.bridges(y, 50, lambda: False)
    assert cuts
    assert all(5 in cut.cells for cut in cuts)


def test_seats_near_the_cell_are_tried() -> None:
    sole = np.full(16, -1)
    sole[[2, 6]] = [3, 4]
    cutter = separator(Seats.of(sole))
    assert cutter.near[0] == {OUTSIDER, 1}, "who sits in the same row, not who sits elsewhere"
    y = np.isin(cutter.core.cells, [0, 2, 8, 10]).astype(float)
    cuts = cutter.at(y, 50, lambda: False)
    assert cuts
    assert all(2 not in cut.cells for cut in cuts)


def test_stops_when_told() -> None:
    cutter = separator()
    y = cutter.core.forced.astype(float)
    assert cutter.at(y, 50, lambda: True) == []
    assert cutter.bridges(np.ones(cutter.core.size), 50, lambda: True) == []
