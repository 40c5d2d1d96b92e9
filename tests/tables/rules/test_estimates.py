"""Estimates from inside, held against the sentence that they come from: a v + b (o + g) - X for each contributor."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.tables.rules.estimates import estimates_from_inside

AMOUNTS = [[100.0, 40.0, 5.0, 2.0], [50.0, 30.0, 20.0, 1.0], [60.0, 58.0, 1.0, 1.0]]


def table() -> tc.Table:
    """Three cells and their total, each contributor a record of its own."""
    codes = [name for name, row in zip("abc", AMOUNTS, strict=True) for _ in row]
    firms = tc.Microdata.from_frame(pa.table({"code": codes, "x": [x for row in AMOUNTS for x in row]}))
    return tc.tabulate(firms, ["code"], "x")


def level_oracle(amounts: list[float], mine: int, victim: float, attacker: float, partners: int) -> float:
    """The level that one contributor needs to be kept off: the largest other is the victim, the next ones help."""
    others = sorted((x for i, x in enumerate(amounts) if i != mine), reverse=True)
    need = victim * others[0] + attacker * (amounts[mine] + sum(others[1 : 1 + partners])) - sum(amounts)
    least = 1e-3 * (sum(amounts) - amounts[mine])
    return max(need, least) if need > 1e-9 * sum(amounts) else 0.0


@pytest.mark.parametrize(
    ("victim", "attacker", "partners"), [(1.1, 1.0, 0), (1.5, 1.0, 0), (1.2, 1.0, 1), (100 / 60, 100 / 60, 0)]
)
def test_every_seat_asks_what_the_sentence_says(victim: float, attacker: float, partners: int) -> None:
    made = table()
    unsafe = np.ones(len(made), bool)
    found = made.units
    assert found is not None
    inside = estimates_from_inside(
        made, found, unsafe, np.abs(made.values), victim=victim, attacker=attacker, partners=partners
    )
    members = made.members
    assert members is not None
    seen = 0
    for entry in range(len(members.cells)):
        cell, seat = int(members.cells[entry]), int(members.of_entry[entry])
        if cell == 0:
            continue  # the total, whose smallest contributors the table does not keep
        row = AMOUNTS[cell - 1]
        mine = row.index(abs(members.amounts[entry]))
        asked = inside.of_seat(seat, np.array([cell]))[0]
        assert asked[1] == pytest.approx(level_oracle(row, mine, victim, attacker, partners))
        assert asked[[0, 2]].tolist() == [0.0, 0.0], "nothing is asked of the lower side"
        seen += 1
    assert seen >= 6, "the two largest of each cell sit in it"


def test_the_second_largest_asks_what_the_rule_asks_from_outside() -> None:
    made = table()
    judged = tc.tables.PPercent(p=10).judge(made)
    assert judged.cells[1]
    assert judged.above[1] == pytest.approx(level_oracle(AMOUNTS[0], 1, 1.1, 1.0, 0))


def test_cells_that_are_safe_ask_nothing() -> None:
    made = table()
    found = made.units
    assert found is not None
    inside = estimates_from_inside(
        made, found, np.zeros(len(made), bool), np.abs(made.values), victim=1.1, attacker=1.0
    )
    assert not inside.most.any()
    assert len(inside.cells) == 0
