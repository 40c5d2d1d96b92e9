"""Dominance by hand."""

from __future__ import annotations

import pytest

from tacita.tables.rules.dominance import Dominance
from tests.tables.tables_by_hand import row_of


def test_by_hand() -> None:
    """80 of 100 is more than 75 %; the total would have to be 106.67."""
    table = row_of([[80.0, 10.0, 10.0], [75.0, 15.0, 10.0], [30.0, 30.0, 40.0]])
    found = Dominance(n=1, share=75).judge(table)
    assert found.cells.tolist() == [False, True, False, False]
    assert found.above[1] == pytest.approx(80 / 0.75 - 100)
    assert Dominance(n=2, share=85).judge(table).cells.tolist() == [False, True, True, False]


def test_conventions_for_weights_by_hand() -> None:
    """70 with weight 2.4 and 12: the weighted total is 180, and (1, 37) is broken by nobody but (2, 60) by two of 70."""
    table = row_of([[70.0, 12.0]], weights=[[2.4, 1.0]])
    two = {
        how: bool(Dominance(n=2, share=60, expansion=how).judge(table).cells[1]) for how in ("part", "whole", "once")
    }
    assert two == {"part": True, "whole": True, "once": False}
