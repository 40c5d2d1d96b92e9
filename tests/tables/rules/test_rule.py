"""What rules share: combination, levels that end at the bounds, weights, negative amounts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.tables.auditor.audit import audit
from tacita.tables.model.from_cells import table_from_cells
from tacita.tables.model.table import Table
from tacita.tables.protect.infeasible import InfeasibleError
from tacita.tables.protect.protector import make_problem
from tacita.tables.rules.dominance import Dominance
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.rules.named_cells import NamedCells
from tacita.tables.rules.p_percent import PQ, PPercent
from tacita.tables.rules.request import Request
from tacita.tables.rules.rule import Rule, Rules, counted, dominating
from tacita.tables.rules.unsafe_codes import UnsafeCodes
from tacita.tables.suppression.suppress import Suppress
from tests.tables.tables_by_hand import row_of


def test_rules_combine_with_the_wider_level() -> None:
    table = row_of([[100.0, 5.0], [40.0, 30.0, 30.0, 20.0], [60.0]])
    one, other = PPercent(p=10), MinimumFrequency(at_least=3, span=50)
    both = (one | other).judge(table)
    first, second = one.judge(table), other.judge(table)
    assert (both.cells == (first.cells | second.cells)).all()
    assert (both.above == np.maximum(first.above, second.above)).all()
    assert both.rules == (one.words(), other.words())
    assert both.by.shape == (4, 2)


def test_no_rule_is_an_error() -> None:
    with pytest.raises(ParameterError, match="at least one rule"):
        Rules(())


def test_a_level_ends_at_what_everybody_knows() -> None:
    table = row_of([[100.0], [50.0, 50.0, 50.0]])
    found = Dominance(n=1, share=10).judge(table)
    assert found.below[1] == 100.0, "nobody believes in a negative amount"
    assert found.above[1] == 900.0


def test_depth_and_missing_contributors_are_named() -> None:
    table = row_of([[3.0, 2.0, 1.0, 1.0]], depth=2)
    with pytest.raises(DataError, match="depth=3"):
        Dominance(n=3, share=80).judge(table)
    with pytest.raises(DataError, match="holdings"):
        PPercent(level="holding").judge(table)


def test_negative_amounts_do_not_hide_dominance() -> None:
    """100 and -95 cancel, but by size they dominate the cell."""
    table = row_of([[100.0, -95.0, 1.0], [10.0, 10.0, 10.0]])
    assert PPercent(p=10).judge(table).cells[1]
    assert Dominance(n=2, share=90).judge(table).cells[1]


@given(
    st.lists(st.lists(st.integers(0, 50), min_size=1, max_size=6), min_size=1, max_size=4),
    st.floats(1, 60),
    st.integers(1, 2),
)
def test_against_the_definitions(cells: list[list[int]], p: float, n: int) -> None:
    table = row_of([[float(a) for a in cell] for cell in cells], depth=6)
    percent, dominance = PPercent(p=p).judge(table), Dominance(n=n, share=p).judge(table)
    for place, cell in enumerate([[a for c in cells for a in c], *cells]):
        if place == 0 and len(cell) > 6:
            continue
        top, total = sorted(cell, reverse=True), sum(cell)
        rest = total - sum(top[:2])
        unsafe = top[0] > 0 and rest < p / 100 * top[0] - 1e-9 * max(total, 1)
        assert percent.cells[place] == unsafe
        dominant = top[0] > 0 and sum(top[:n]) * 100 / p > total + 1e-9 * max(total, 1)
        assert dominance.cells[place] == dominant


# --- no unsafe cell can be found exactly ----------------------------------------------------------------------------------


SPANLESS = [
    MinimumFrequency(at_least=3, span=0),
    NamedCells(cells=[{"cell": "c0"}], span=0),
    UnsafeCodes(column="cell", codes="c0", span=0),
]


@pytest.mark.parametrize("rule", SPANLESS, ids=lambda rule: rule.name)
@pytest.mark.parametrize("scale", [1.0, 1e-8, 1e6])
@pytest.mark.parametrize("amount", [0.0, 4.0])
def test_an_unsafe_cell_is_never_found_exactly(rule: Rule, scale: float, amount: float) -> None:
    """Whatever the span and the value: hiding the cell alone fails the audit, and suppression hides another."""
    rows = [[amount], [5.0, 6.0, 7.0], [5.0, 6.0, 8.0]]
    table = row_of([[scale * value for value in row] for row in rows])
    unsafe = rule.judge(table)
    assert unsafe.cells.tolist() == [False, True, False, False]
    assert (unsafe.sliding[unsafe.cells] > 0).all()
    assert not audit(make_problem(table, unsafe), unsafe.cells).is_safe
    made = Suppress().protect(table, unsafe)
    assert made.hidden.sum() >= 2
    exact = audit(made.problem, made.hidden, exact=True)
    width = (exact.high - exact.low)[exact.hidden == 1]
    assert (width >= 0.9 * unsafe.sliding[1]).all()


def test_the_smallest_width_is_by_size() -> None:
    table = row_of([[0.0], [2000.0], [1000.0, 1000.0, 1000.0]])
    found = MinimumFrequency(at_least=3, span=0).judge(table)
    # a zero takes the size of the median cell, which is 3000 of 2000, 3000 and 5000
    assert found.sliding.tolist() == pytest.approx([0.0, 3.0, 2.0, 0.0])
    counts = replace(table, response="", responses=("",))
    assert NamedCells(cells=[{"cell": "c0"}]).judge(counts).sliding[1] == 1.0
    assert not MinimumFrequency(at_least=3).judge(counts).sliding.any(), "its level of one unit says as much"
    known = replace(table, lower=table.values, upper=table.values + 0.5)
    assert MinimumFrequency(at_least=3, span=0).judge(known).sliding[1] == 0.5, "it ends at what everybody knows"


def test_a_zero_that_published_zeros_force_is_named() -> None:
    """With the margins locked, the zero moves only if the empty cell across it does, which stays published by default."""
    rows = {"a": ["p", "p", "q", "q"], "b": ["u", "v", "u", "v"], "value": [0.0, 6.0, 5.0, 0.0], "n": [1, 4, 3, 0]}
    table = table_from_cells(rows, ["a", "b"], response="x", count="n")
    margins = np.union1d(table.find({"a": "Total"}), table.find({"b": "Total"}))
    unsafe = NamedCells(cells=[{"a": "p", "b": "u"}]).judge(table).lock(margins)
    with pytest.raises(InfeasibleError, match="a=p, b=u"):
        Suppress().protect(table, unsafe)
    assert Suppress(hide_empty=True).protect(table, unsafe).is_safe


# --- weights, waivers, shadows -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["unit", "holding"])
@pytest.mark.parametrize(
    "rule", [PPercent(p=15), PQ(p=10, prior=40), Dominance(n=1, share=75), Dominance(n=2, share=85)]
)
@given(st.lists(st.integers(0, 30), min_size=1, max_size=4), st.integers(0, 3))
def test_a_larger_weight_is_never_less_safe(rule: Any, level: str, cell: list[int], which: int) -> None:
    """Weights of the largest contributor, or of all, from 1 to 4 in small steps: once safe, safe from there on.

    Two contributors who dominate are another matter: two of the largest size have more of a cell than one and a small one.
    """
    was_safe = False
    cell = cell[:1] if rule == Dominance(n=2, share=85) else cell
    for weight in np.arange(1.0, 4.01, 0.125).tolist():
        weights = [weight if which == 3 or i == int(np.argmax(cell)) else 1.0 for i in range(len(cell))]
        table = row_of([[float(a) for a in cell], [50.0, 50.0, 50.0, 50.0]], weights=[weights, [1.0] * 4], depth=6)
        table = replace(table, holdings=table.units)
        is_safe = not replace(rule, level=level).judge(table).cells[1]
        assert is_safe or not was_safe
        was_safe = is_safe


def test_a_single_contributor_of_growing_weight() -> None:
    judged = [
        bool(PPercent(p=15).judge(row_of([[100.0], [5.0, 6.0, 7.0]], weights=[[w], [1.0] * 3])).cells[1])
        for w in (1.0, 1.5, 1.9, 2.0, 2.1, 2.9, 3.0)
    ]
    assert judged == [True, True, True, True, True, False, False]


def waived(table: Table, who: list[int]) -> Table:
    assert table.units is not None
    waives = np.zeros(int(table.units.owners.max()) + 1, bool)
    waives[who] = True
    return replace(table, units=replace(table.units, waives=waives))


def test_whoever_waived_is_no_victim_but_an_attacker() -> None:
    table = waived(row_of([[100.0, 10.0, 9.0]]), [0])
    assert table.units is not None
    victim, others = dominating(table.units, 2, owner="test")
    assert (victim[1], others[1]) == (10.0, 100.0)
    victim, others = dominating(table.units, 1, owner="test")
    assert (victim[1], others[1]) == (10.0, 0.0)
    # one who is not kept may be as large as the smallest who is
    hidden = waived(row_of([[100.0, 10.0, 9.0, 8.0]], depth=3), [0, 1, 2])
    assert hidden.units is not None
    assert dominating(hidden.units, 2, owner="test")[0][1] == 9.0


def test_every_rule_heeds_waivers() -> None:
    plain = row_of([[100.0], [5.0, 6.0, 7.0, 8.0]])
    rules: list[Rule] = [PPercent(p=15), Dominance(n=1, share=75), MinimumFrequency(at_least=3)]
    for rule in rules:
        assert rule.judge(plain).cells[1]
        assert not rule.judge(waived(plain, [0])).cells[1]
    pair = row_of([[100.0, 4.0], [50.0, 60.0, 70.0, 80.0]])
    assert MinimumFrequency(at_least=3).judge(waived(pair, [0])).cells[1], "the other one did not agree"
    assert not MinimumFrequency(at_least=3).judge(waived(pair, [0, 1])).cells[1]


def test_levels_are_in_units_of_the_values() -> None:
    """Turnover in thousands stands for employment; both are proportional, so the levels must be the same as without."""
    rows = [[1000.0, 900.0, 10.0], [500.0, 600.0, 700.0, 800.0]]
    table = row_of(rows)
    small = row_of([[amount / 1000 for amount in row] for row in rows])
    shadowed = replace(table, units=small.units, shadow=small.values)
    assert table.units is not None
    assert small.units is not None
    for rule in (PPercent(p=15), PQ(p=10, prior=40), Dominance(n=2, share=85)):
        expected, found = rule.judge(table), rule.judge(shadowed)
        assert found.cells.tolist() == expected.cells.tolist()
        assert expected.cells[1]
        assert found.above == pytest.approx(expected.above)
        assert found.below == pytest.approx(expected.below)
    asks = np.ones(7, bool)
    expected = Request(share=40).judge(replace(table, units=replace(table.units, asks=asks)))
    found = Request(share=40).judge(replace(shadowed, units=replace(small.units, asks=asks)))
    assert expected.cells[1]
    assert found.above == pytest.approx(expected.above)


def test_a_rule_sees_tables_of_small_numbers() -> None:
    table = row_of([[1e-8, 4e-9, 5e-10], [5e-9, 5e-9, 5e-9]])
    assert PPercent(p=10).judge(table).cells.tolist() == [False, True, False]
    assert Dominance(n=1, share=60).judge(table).cells.tolist() == [False, True, False]


def test_counts_among_other_responses() -> None:
    table = row_of([[5.0], [4.0, 4.0]])
    both = replace(table, parts=np.array([0, 1, 1]), responses=("amount", ""))
    assert counted(both).tolist() == [False, True, True]
    assert not counted(table).any()


def test_sliding_is_asked_for_and_named() -> None:
    table = row_of([[10.0], [5.0, 6.0, 7.0]])
    for rule in (
        MinimumFrequency(sliding=80),
        NamedCells(cells=[{"cell": "c0"}], sliding=80),
        UnsafeCodes(column="cell", codes="c0", sliding=80),
    ):
        assert rule.judge(table).sliding.tolist() == [0.0, 8.0, 0.0]
    assert "sliding=80" in MinimumFrequency(sliding=80).words()
    assert "sliding" not in MinimumFrequency().words()
    with pytest.raises(ParameterError, match="sliding"):
        MinimumFrequency(sliding=-1)
