"""The p % and pq rules by hand: levels, weights, coalitions, waivers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.tables.rules.p_percent import PQ, PPercent
from tests.tables.tables_by_hand import row_of


def test_by_hand() -> None:
    """100, 40, 5: the rest of 5 is less than 10 % of 100, so 5 are missing."""
    table = row_of([[100.0, 40.0, 5.0], [50.0, 50.0, 50.0]])
    found = PPercent(p=10).judge(table)
    assert found.cells.tolist() == [False, True, False]
    assert found.above[1] == pytest.approx(5.0)
    assert found.below[1] == pytest.approx(5.0)


def test_exactly_at_the_limit_is_safe() -> None:
    assert not PPercent(p=10).judge(row_of([[100.0, 40.0, 10.0]])).cells[1]


def test_pq_is_p_percent_when_nothing_is_known() -> None:
    table = row_of([[100.0, 40.0, 12.0], [100.0, 40.0, 30.0]])
    assert PQ(p=10, prior=100).judge(table).cells.tolist() == PPercent(p=10).judge(table).cells.tolist()
    assert PQ(p=10, prior=50).judge(table).cells.tolist() == [False, True, False]
    with pytest.raises(ParameterError, match="'p' must be below 'prior'"):
        PQ(p=50, prior=50)


def test_a_sampled_contributor_stands_for_several() -> None:
    """With weight 3 the two largest are the same firm twice, and the third of its kind is the rest."""
    plain = row_of([[100.0, 1.0]])
    sampled = row_of([[100.0, 1.0]], weights=[[3.0, 1.0]])
    assert PPercent(p=15).judge(plain).cells[1]
    assert not PPercent(p=15).judge(sampled).cells[1]


def test_a_coalition_knows_more() -> None:
    table = row_of([[100.0, 40.0, 40.0, 5.0]])
    assert not PPercent(p=10).judge(table).cells[1]
    assert PPercent(p=10, coalition=2).judge(table).cells[1]


def test_a_waiver_moves_protection_to_the_next() -> None:
    table = row_of([[100.0, 10.0, 9.0]])
    assert table.units is not None
    waives = np.zeros(3, bool)
    waives[0] = True
    agreed = replace(table, units=replace(table.units, waives=waives))
    assert PPercent(p=10).judge(table).cells[1]
    assert not PPercent(p=90).judge(agreed).cells[1], "the others are 9, which is 90 % of the second"
    found = PPercent(p=95).judge(agreed)
    assert found.cells[1]
    assert found.above[1] == pytest.approx(0.5)


def test_everybody_waived() -> None:
    table = row_of([[100.0, 10.0]])
    assert table.units is not None
    agreed = replace(table, units=replace(table.units, waives=np.ones(2, bool)))
    assert not PPercent(p=50).judge(agreed).cells.any()


def test_conventions_for_weights_by_hand() -> None:
    """100 with weight 1.6, beside 20: the weighted total is 180.

    In parts the contributions are 100, 60, 20, and a rest of 20 is enough for 15 %. As whole numbers they are 100, 100 (rounded
    to 2), and nothing is left. Once they are 100 and 20, and 60 of the total are left.
    """
    table = row_of([[100.0, 20.0]], weights=[[1.6, 1.0]])
    unsafe = {how: PPercent(p=15, expansion=how).judge(table).cells[1] for how in ("part", "whole", "once")}
    assert unsafe == {"part": False, "whole": True, "once": False}
    assert PPercent(p=15, expansion="whole").words() == "p_percent(p=15, coalition=1, expansion=whole)"
    assert PPercent(p=15).words() == "p_percent(p=15, coalition=1)"


def test_without_weights_the_conventions_agree() -> None:
    table = row_of([[100.0, 40.0, 5.0], [50.0, 50.0, 50.0]])
    for how in ("whole", "once"):
        found, usual = PPercent(p=10, expansion=how).judge(table), PPercent(p=10).judge(table)
        assert found.cells.tolist() == usual.cells.tolist()
        assert found.above.tolist() == usual.above.tolist()
