"""Why a cell is unsafe, in the words of the field."""

from __future__ import annotations

from tacita.tables.rules.danger import dangers
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.rules.named_cells import NamedCells
from tacita.tables.rules.p_percent import PPercent
from tacita.tables.rules.unsafe_zero import UnsafeZero
from tests.tables.tables_by_hand import row_of


def test_the_attacks_of_the_overview() -> None:
    table = row_of([[7.0], [7.0, 6.0], [900.0, 5.0, 1.0], [0.0, 0.0, 0.0], [5.0, 5.0, 5.0]])
    rules = MinimumFrequency(at_least=3) | PPercent(p=10) | UnsafeZero() | NamedCells(cells=[{"cell": "c4"}])
    unsafe = rules.judge(table)
    found = [tuple(danger.attack for danger in dangers(table, unsafe, cell)) for cell in range(6)]
    assert found[1] == ("external",)
    assert found[2] == ("internal",)
    assert found[3] == ("dominance",)
    assert found[4] == ("group",)
    assert found[5] == ("named",)
    assert found[0] == ("dominance",), "the total is dominated too"
    assert "900" not in str(dangers(table, unsafe, 3)[0])


def test_a_safe_cell_has_no_danger() -> None:
    table = row_of([[5.0, 5.0, 5.0]])
    assert dangers(table, PPercent().judge(table), 1) == ()
