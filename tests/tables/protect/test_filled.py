"""Readers who know that no hidden count is 0: their bounds, and patterns that hold against them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from scipy.optimize import linprog

from tacita.core.arrays import BoolArray
from tacita.core.errors import DataError, ParameterError
from tacita.data.microdata import Microdata
from tacita.tables.model.from_cells import table_from_cells
from tacita.tables.model.link import link
from tacita.tables.model.table import Table
from tacita.tables.model.tabulate import tabulate
from tacita.tables.protect.filled import filled_known
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.rules.named_cells import NamedCells
from tacita.tables.suppression.suppress import Suppress

RULE = MinimumFrequency(at_least=3)


def people(seed: int) -> Table:
    rng = np.random.default_rng(seed)
    columns = {
        name: rng.choice(list(codes), 70, p=rng.dirichlet([1.0] * 4)) for name, codes in (("a", "pqrs"), ("b", "wxyz"))
    }
    return tabulate(Microdata.from_frame(pa.table(columns)), ["a", "b"])


def interval(table: Table, hidden: BoolArray, cell: int, floor: float) -> tuple[float, float]:
    """What an outsider finds by two linear programmes over all cells, hidden ones being ``floor`` at least."""
    bounds = [(floor, None) if h else (v, v) for v, h in zip(table.values.tolist(), hidden.tolist(), strict=True)]
    goal = np.zeros(len(table))
    goal[cell] = 1.0
    matrix = table.relations.matrix
    ends = [linprog(sign * goal, A_eq=matrix, b_eq=np.zeros(matrix.shape[0]), bounds=bounds) for sign in (1, -1)]
    return float(ends[0].fun), np.inf if ends[1].status == 3 else float(-ends[1].fun)


def test_only_counts_that_are_not_empty_have_the_floor() -> None:
    table = table_from_cells({"g": ["a", "b", "c", "Total"], "value": [2, 5, 0, 7]}, ["g"])
    known, asked = filled_known(table, NamedCells(cells=[{"g": "a"}], span=100).judge(table))
    low = dict(zip(table.column("g"), known.bounds[0].tolist(), strict=True))
    assert low == {"a": 1, "b": 1, "c": 0, "Total": 2}
    assert asked.below.max() == 1, "the level ends at the floor"
    assert asked.above.max() == 2
    assert (table.bounds[0] == 0).all(), "the table itself stays"


@pytest.mark.parametrize("method", ["fast", "exact", "modular", "hypercube"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_second_count_is_possible_for_who_knows_that_nothing_hidden_is_empty(seed: int, method: str) -> None:
    table = people(seed)
    unsafe = RULE.judge(table)
    assert unsafe.count
    made = Suppress(method=method, knows_filled=True, time_limit=5).protect(table, unsafe)
    assert made.is_safe
    for cell in np.flatnonzero(unsafe.cells).tolist():
        low, high = interval(table, made.hidden, cell, 1.0)
        value = table.values[cell]
        assert low <= max(value - 1, 1) + 1e-6
        assert high >= value + 1 - 1e-6
    assert made.certificate is not None
    assert made.certificate.attackers.endswith("; to all of them no hidden cell is below 1")


def test_floors_are_what_linear_programmes_find_with_everything_hidden() -> None:
    for seed in range(5):
        table = people(seed)
        known = filled_known(table, RULE.judge(table))[0].bounds[0]
        for cell in np.flatnonzero(table.values).tolist():
            assert interval(table, table.values > 0, cell, 1.0)[0] == pytest.approx(known[cell])


def test_an_only_part_has_the_floor_of_its_total() -> None:
    """Whoever is in b is of x; the y are in a alone. So x in b is all of b, and b has two kinds of c."""
    rows = [("a", "x", "p"), ("a", "y", "p"), ("b", "x", "p"), ("b", "x", "q"), ("b", "x", "q")]
    data = Microdata.from_frame(pa.table(dict(zip("gsc", map(list, zip(*rows, strict=True)), strict=True))))
    table = link([tabulate(data, ["g", "s"]), tabulate(data, ["g", "c"])])
    known = filled_known(table, RULE.judge(table))[0].bounds[0]
    assert known[table.find({"g": "b", "s": "x", "c": "Total"})].tolist() == [2]


def test_without_it_a_reader_finds_a_count() -> None:
    """Two hidden cells with a sum of 2: each may be 0 to who takes it for possibly empty, and is 1 to who knows better."""
    table = tabulate(Microdata.from_frame(pa.table({"g": list("ab" + 9 * "c")})), ["g"])
    cell = int(table.find({"g": "a"})[0])
    plain = Suppress(cost="unity", method="exact", seats="none").protect(table, RULE.judge(table))
    assert plain.is_safe
    assert interval(table, plain.hidden, cell, 1.0) == pytest.approx((1.0, 1.0))
    made = Suppress(cost="unity", method="exact", seats="none", knows_filled=True).protect(table, RULE.judge(table))
    assert int(made.hidden.sum()) == int(plain.hidden.sum()) + 1
    assert interval(table, made.hidden, cell, 1.0)[1] >= 2


def test_refusals() -> None:
    with pytest.raises(ParameterError, match="'knows_filled' must not stand with 'hide_empty'"):
        Suppress(knows_filled=True, hide_empty=True)
    sums = table_from_cells({"g": ["a", "b", "Total"], "value": [2, 5, 7]}, ["g"], response="turnover")
    with pytest.raises(DataError, match="about whole counts"):
        filled_known(sums, NamedCells(cells=[{"g": "a"}]).judge(sums))
    counts = table_from_cells({"g": ["a", "b", "Total"], "value": [0, 5, 5]}, ["g"])
    with pytest.raises(DataError, match="1 of them have to be hidden"):
        filled_known(counts, NamedCells(cells=[{"g": "a"}]).judge(counts))
