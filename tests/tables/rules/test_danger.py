"""Why a cell is unsafe, in the words of the field."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tacita.core.traits import RuleTraits
from tacita.tables.rules.danger import dangers
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.rules.named_cells import NamedCells
from tacita.tables.rules.p_percent import PPercent
from tacita.tables.rules.unsafe import about_by_name
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


def test_a_rule_of_ones_own_says_what_it_is_about() -> None:
    """Nothing is read out of names: a rule with the name of no other is told by its traits."""

    @dataclass(frozen=True, kw_only=True)
    class Nobody(UnsafeZero):
        """A cell with the value zero is unsafe, under another name."""

        traits = RuleTraits(about="named")

        def words(self) -> str:
            return "minimum_frequency(of nobody)"

    table = row_of([[0.0, 0.0, 0.0], [5.0, 5.0, 5.0]])
    (found,) = dangers(table, Nobody().judge(table), 1)
    assert found.attack == "named"
    assert found.rules == ("minimum_frequency(of nobody)",)


def test_what_rules_are_about_stays_with_them() -> None:
    table = row_of([[7.0], [900.0, 5.0, 1.0], [0.0, 0.0, 0.0]])
    unsafe = (MinimumFrequency(at_least=4) | PPercent(p=10) | UnsafeZero()).judge(table)
    assert unsafe.about == ("internal", "dominance", "group")
    assert unsafe.released(np.array([1])).lock(np.array([1])).about == unsafe.about
    assert [danger.attack for danger in dangers(table, unsafe, 2)] == ["internal", "dominance"]


def test_a_verdict_that_does_not_say_it_is_taken_for_dominance() -> None:
    found = replace(PPercent().judge(row_of([[7.0]])), rules=("file",), about=())
    assert found.about == ("dominance",)
    assert about_by_name(["unsafe_zero(which=zero, reach=1)", "file", "named_cells(2 given)"]) == (
        "group",
        "dominance",
        "named",
    )
