"""A protected table says what is left of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.tables.model.from_cells import table_from_cells
from tacita.tables.rounding.round import Round
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.rules.unsafe import Unsafe
from tacita.tables.suppression.suppress import Suppress
from tests.tables.tables_by_hand import row_of


def test_utility_of_a_suppressed_table() -> None:
    table = row_of([[77.0], [20.0, 20.0, 21.0], [30.0, 30.0, 31.0]])
    found = Suppress().protect(table, MinimumFrequency(at_least=2).judge(table)).utility
    assert (found.cells, found.hidden, found.secondary) == (4, 2, 1)
    assert found.hidden_value == 77 + 61
    assert found.hidden_value_share == pytest.approx(138 / 458)
    assert (found.totals.cells, found.totals.hidden) == (1, 0)
    assert found.keeps_totals
    assert [(part.label, part.cells, part.hidden) for part in found.classes] == [
        ("over 10 up to 100", 1, 2),
        ("over 100", 1, 0),
    ]


def test_utility_of_a_rounded_table() -> None:
    table = table_from_cells({"x": ["a", "b", "c"], "value": [4.0, 13.0, 21.0]}, ["x"])
    made = Round(base=5).protect(table, Unsafe.none(len(table)))
    found = made.utility
    assert found.whole.mean_absolute == pytest.approx(np.abs(made.values - table.values).mean())
    assert found.whole.changed == int((made.values != table.values).sum())
    assert found.totals.cells == 1
    assert not found.keeps_totals


def test_utility_of_a_table_of_zeros() -> None:
    table = table_from_cells({"x": ["a", "b"], "value": [0.0, 0.0]}, ["x"])
    found = Round(base=5).protect(table, Unsafe.none(len(table))).utility
    assert (found.hidden_value_share, found.whole.changed) == (0, 0)
    assert [part.label for part in found.classes] == ["up to 0"]


def test_without_certificate_and_check_nothing_is_safe() -> None:
    table = row_of([[77.0], [20.0, 20.0, 21.0], [30.0, 30.0, 31.0]])
    unsafe = MinimumFrequency(at_least=2).judge(table)
    made = Suppress().protect(table, unsafe)
    assert made.is_safe
    bare = replace(made, certificate=None)
    assert not bare.is_safe
    assert bare.verdict.startswith("NOT CHECKED")
    checked = replace(bare, exposed=())
    assert checked.is_safe
    assert checked.verdict == "values are changed instead of hidden; sums hold"
    exposed = replace(made, exposed=(1,))
    assert not exposed.is_safe
    assert exposed.verdict == "FAILED: 1 cells at risk"
    assert exposed.to_plain()["at_risk"] == 1
