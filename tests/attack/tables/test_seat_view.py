"""The view from the seats: the best seat is found without asking all of them."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack.tables.known_bounds import known_bounds
from tacita.attack.tables.seat_view import SeatView
from tacita.solve.cell_intervals import CellSystem
from tests.attack.tables.cases import staged_firms


@pytest.mark.parametrize("how", ["none", "contributors"])
def test_the_best_seat_is_that_of_a_search_over_all(how: str) -> None:
    target, _ = staged_firms(how, 3)
    system = CellSystem(target.relations, *known_bounds(target))
    view = SeatView(system, target.seats, most_tried=10_000)
    assert target.sought is not None
    for cell, sought in list(zip(target.wanted.tolist(), target.sought.tolist(), strict=True))[:6]:
        each = [system.end_of(cell) or 0.0]
        for number, seat in enumerate(target.seats):
            if number != sought:
                cap = np.full(len(seat.cells), np.inf) if seat.alone is None else np.where(seat.alone, seat.own, np.inf)
                end = system.end_of(cell, (seat.cells, seat.own, cap))
                assert end is not None
                each.append(end - float(seat.own[seat.cells == cell].sum()))
        found, who = view.nearest(cell, without=sought)
        assert found == pytest.approx(min(each), rel=1e-6)
        assert who != sought


def test_a_cell_that_everybody_knows_and_a_table_without_seats() -> None:
    target, _ = staged_firms("unsafe only")
    system = CellSystem(target.relations, *known_bounds(target))
    view = SeatView(system, target.seats)
    shown = int(np.flatnonzero(~target.hidden)[0])
    inside = [float(seat.own[seat.cells == shown].sum()) for seat in target.seats]
    assert view.nearest(shown)[0] == pytest.approx(target.shown[shown] - max(inside))
    assert SeatView(system, ()).nearest(int(target.wanted[0])) == (system.end_of(int(target.wanted[0])), -1)
