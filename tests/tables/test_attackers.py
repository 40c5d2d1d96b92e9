"""Who attacks a table: contributors who are alone nowhere, the rule's own condition from their places, every method."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ParameterError
from tacita.tables.auditor.audit import audit
from tacita.tables.model.table import Table
from tacita.tables.protect.protector import make_problem
from tacita.tables.rules.inside import Inside
from tacita.tables.rules.rule import Rule
from tests.tables.small_problems import random_problem

METHODS = ["fast", "exact", "modular", "hypercube"]


def rows_of(cells: dict[str, list[float]], **more: list[Any]) -> Table:
    codes = [code for code, amounts in cells.items() for _ in amounts]
    columns = {"g": codes, "x": [a for amounts in cells.values() for a in amounts], **more}
    data = tc.Microdata.from_frame(pa.table(columns))
    return tc.tabulate(data, ["g"], "x", **{name: name for name in more})


THREE = rows_of({"A": [100.0, 1], "B": [90.0, 1], "C": [80.0, 80, 70, 70]})


def asked(table: Table, rule: Rule, cell: int) -> dict[int, float]:
    """The upper level of a cell from each contributor who is in it, and from all others as -1."""
    inside = rule.judge(table).from_inside
    here = inside.cells == cell
    found = dict(zip(inside.seats[here].tolist(), inside.levels[here, 1].tolist(), strict=True))
    return {-1: float(inside.most[cell, 1]), **found}


# --- the example ------------------------------------------------------------------------------------------------


def test_a_floor_tells_of_a_neighbour() -> None:
    """The firm of 100 knows A >= 100; A + B = 192, so B <= 92, and the 90 is known to 2.2 %."""
    unsafe = tc.tables.PPercent(p=10).judge(THREE)
    problem = make_problem(THREE, unsafe)
    found = audit(problem, unsafe.cells)
    assert [(leak.cell, leak.seat, leak.side, leak.known, leak.floors) for leak in found.leaks] == [
        (2, 0, "above", (), (1,)),
        (1, 2, "above", (), (2,)),
    ]
    assert found.leaks[0].share == pytest.approx(1 / 8), "1 more than B, where 99 - 91 = 8 are asked for"
    assert audit(problem, unsafe.cells, seats="singletons").is_safe
    assert audit(problem, unsafe.cells, seats="none").is_safe


@pytest.mark.parametrize("method", METHODS)
def test_every_method_hides_a_third_cell(method: Any) -> None:
    unsafe = tc.tables.PPercent(p=10).judge(THREE)
    protected = tc.tables.Suppress(method=method).protect(THREE, unsafe)
    assert protected.is_safe
    assert protected.hidden.tolist() == [False, True, True, True]
    narrow = tc.tables.Suppress(method=method, seats="singletons").protect(THREE, unsafe)
    assert narrow.hidden.tolist() == [False, True, True, False]


def test_certificates_name_the_attackers() -> None:
    unsafe = tc.tables.PPercent(p=10).judge(THREE)
    words = {
        seats: tc.tables.Suppress(seats=seats).protect(THREE, unsafe).verdict  # type: ignore[arg-type]
        for seats in ("contributors", "singletons", "none")
    }
    assert "6 contributors, who stand for everybody in the table" in words["contributors"]
    assert "from the cells they are alone in" in words["singletons"]
    assert "contributors to the table were not looked at" in words["none"]
    with pytest.raises(ParameterError, match="'seats' must be one of contributors, singletons, none"):
        audit(make_problem(THREE, unsafe), unsafe.cells, seats="all")  # type: ignore[arg-type]


# --- the rule's own condition -------------------------------------------------------------------------------------------


def test_p_percent_from_everybody() -> None:
    """100, 9, 2 and p = 20: 120 must fit above what the attacker has; the largest attacks the 9."""
    table = rows_of({"A": [100.0, 9, 2], "B": [50.0, 50, 50]})
    found = asked(table, tc.tables.PPercent(p=20), 1)
    assert found == pytest.approx({-1: 120 - 111, 0: 0.0, 1: 9 + 120 - 111}), "100 + 1.2 times 9 is below the 111"
    unsafe = tc.tables.PPercent(p=20).judge(table)
    assert found[1] == pytest.approx(unsafe.above[1]), "for the second largest it is the level"
    assert (unsafe.from_inside.most[:, [0, 2]] == 0).all(), "estimates are from above"


def test_whom_the_rule_holds_for_may_find_the_cell() -> None:
    table = rows_of({"A": [100.0, 30, 2], "B": [50.0, 50, 50]})
    found = asked(table, tc.tables.PPercent(p=20), 1)
    assert found[-1] == 0.0
    assert found[0] == pytest.approx(100 + 36 - 132)
    assert found[1] == pytest.approx(30 + 120 - 132)


def test_pq_with_the_prior() -> None:
    table = rows_of({"A": [100.0, 9, 20], "B": [50.0, 50, 50]})
    rule = tc.tables.PQ(p=10, prior=40)
    found = asked(table, rule, 1)
    assert found[-1] == pytest.approx(0.0)
    assert max(found.values()) == pytest.approx(rule.judge(table).above[1]) == pytest.approx(25 - 9)


def test_dominance_with_the_attacker_among_the_n() -> None:
    table = rows_of({"A": [80.0, 15, 5], "B": [50.0, 50, 50]})
    two = asked(table, tc.tables.Dominance(n=2, share=80), 1)
    assert two == pytest.approx({-1: 0.0, 0: (80 + 15) / 0.8 - 100, 1: (80 + 15) / 0.8 - 100})
    one = asked(table, tc.tables.Dominance(n=1, share=60), 1)
    assert one == pytest.approx({-1: 80 / 0.6 - 100, 0: 0.0, 1: 80 / 0.6 - 100})


def test_a_rule_about_the_cell_asks_for_the_share_of_the_others() -> None:
    table = rows_of({"A": [75.0, 25], "B": [50.0, 50, 50]})
    inside = tc.tables.MinimumFrequency(at_least=3, span=40).judge(table).from_inside
    assert inside.most[1].tolist() == [40.0, 40.0, 0.0]
    here = inside.cells == 1
    assert inside.levels[here].tolist() == [[10.0, 10.0, 0.0], [30.0, 30.0, 0.0]]


def test_a_holding_does_not_attack_its_members() -> None:
    """The holding has 100 and 9: from its place the 2 is the victim. By the rule for units, its members attack each other."""
    cells = {"A": [100.0, 9, 2], "B": [50.0, 50, 50]}
    table = rows_of(cells, holding=["H", "H", "I", "J", "K", "L"])
    members = table.members
    assert members is not None
    found = asked(table, tc.tables.PPercent(p=20), 1)
    of = {(bool(members.is_holding[s]), int(members.numbers[s])): level for s, level in found.items() if s >= 0}
    assert of[True, 0] == pytest.approx(109 + 2.4 - 111)
    assert of[False, 1] == pytest.approx(9 + 120 - 111)
    by_holding = asked(table, tc.tables.PPercent(p=20, level="holding"), 1)
    assert by_holding[members.find(np.array([0]), holdings=True)[0]] == pytest.approx(109 + 2.4 - 111)


def test_who_waived_is_no_victim_and_still_attacks() -> None:
    table = rows_of({"A": [100.0, 9, 2], "B": [50.0, 50, 50]}, waiver=[1.0, 0, 0, 0, 0, 0])
    found = asked(table, tc.tables.PPercent(p=30), 1)
    assert found == pytest.approx({-1: 0.0, 0: 100 + 1.3 * 9 - 111, 1: 0.0})


# --- searches against brute force -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_audits_with_levels_from_inside_equal_the_oracle(seed: int) -> None:
    from tests.oracles.tables import audit as oracle
    from tests.tables.small_problems import random_pattern

    rng = np.random.default_rng([seed, 8])
    problem = random_problem(rng)
    hidden = random_pattern(problem, rng)
    base = np.stack([problem.below, problem.above, problem.sliding], axis=1)
    if len(problem.seats):
        cells, seats = rng.integers(0, problem.size, 30), rng.integers(0, len(problem.seats), 30)
        levels = base[cells] * rng.choice([0, 0.2, 0.9, 1.0], (30, 3))
        most = base * rng.choice([0, 0.3, 0.7, 1.0], base.shape)
        problem = replace(problem, inside=Inside.of(most, cells, seats, levels))
    found = {(leak.seat, leak.cell, leak.side) for leak in audit(problem, hidden).leaks}
    assert found == set(oracle.leaks(problem, hidden))
