"""What an a-priori file says, put over the verdict of rules."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.tables.adjustment.adjust import Adjust
from tacita.tables.files.apriori import read_apriori
from tacita.tables.model.from_cells import table_from_cells
from tacita.tables.model.table import Table
from tacita.tables.rules.apriori import Apriori
from tacita.tables.rules.danger import dangers
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.rules.p_percent import PPercent
from tacita.tables.rules.unsafe import Unsafe
from tacita.tables.suppression.suppress import Suppress
from tests.tables.tables_by_hand import row_of


@pytest.fixture
def table() -> Table:
    """Total 229; c0 has one contributor, so that it is unsafe by frequency."""
    return row_of([[77.0], [20.0, 20.0, 21.0], [30.0, 30.0, 31.0]])


def said(text: str, table: Table, tmp_path: Path, **more: float) -> Apriori:
    path = tmp_path / "known.hst"
    path.write_text(text, encoding="utf-8")
    return read_apriori(path, table, **more)  # type: ignore[arg-type]


def test_statuses_by_hand(table: Table, tmp_path: Path) -> None:
    rules = MinimumFrequency(at_least=2).judge(table)
    assert rules.cells.tolist() == [False, True, False, False]
    found = said("c0;s\nc1;u\nc2;p\n", table, tmp_path).over(rules)
    assert found.cells.tolist() == [False, False, True, False]
    assert found.locked.tolist() == [False, False, False, True]
    assert found.below[2] == found.above[2] == pytest.approx(0.3 * 61)
    assert found.rules[1] == "named_cells(known.hst, unsafe)"
    assert not found.by[1].any()
    assert [danger.attack for danger in dangers(table, found, 2)] == ["named"]


def test_without_rules(table: Table, tmp_path: Path) -> None:
    found = said("c1;u", table, tmp_path, span=10.0).over()
    assert found.count == 1
    assert found.below[2] == pytest.approx(6.1)


def test_the_wider_level_counts_and_given_levels_replace_it(table: Table, tmp_path: Path) -> None:
    rules = PPercent(p=50).judge(table)
    cell = 1
    assert rules.cells[cell]
    wide = rules.above[cell]
    assert said("c0;u", table, tmp_path, span=1.0).over(rules).above[cell] == wide
    found = said("c0;pl;2;3", table, tmp_path).over(rules)
    assert (found.below[cell], found.above[cell], found.sliding[cell]) == (2, 3, 0)
    assert said("c0;u;2;3", table, tmp_path).over().above[cell] == 3


def test_a_level_ends_where_everybody_knows_more(table: Table, tmp_path: Path) -> None:
    assert said("c0;u;500;600", table, tmp_path).over().below[1] == 77
    assert said("c0;u;500;600", table, tmp_path).over().above[1] == 600


def test_contradictions_with_the_rules_name_cells_and_lines(table: Table, tmp_path: Path) -> None:
    rules = MinimumFrequency(at_least=2).judge(table)
    with pytest.raises(DataError, match="line 2: the cell cell=c0 must stay published, but it is unsafe"):
        said("c1;s\nc0;p\n", table, tmp_path).over(rules)
    assert said("c0;s\nc0;p\n", table, tmp_path).over(rules).locked[1]
    with pytest.raises(DataError, match="line 1: the cell cell=c1 has protection levels, but it is not unsafe"):
        said("c1;pl;1;1", table, tmp_path).over(rules)
    with pytest.raises(ParameterError, match="4 cells"):
        said("c1;u", table, tmp_path).over(Unsafe.none(3))


@pytest.mark.parametrize("method", ["fast", "exact", "modular", "hypercube"])
def test_hidden_and_published_cells_bind_every_method(method: str, tmp_path: Path) -> None:
    labels = [(a, b) for a in "ABC" for b in "xyz"]
    table = table_from_cells(
        {
            "row": [a for a, _ in labels],
            "column": [b for _, b in labels],
            "value": [20.0, 50, 10, 8, 19, 22, 17, 32, 12],
        },
        ["row", "column"],
    )
    found = said("A;x;u\nC;z;m\nB;y;p\n", table, tmp_path).over()
    made = Suppress(method=method).protect(table, found)  # type: ignore[arg-type]
    assert made.is_safe
    hidden = {table.labels(cell) for cell in np.flatnonzero(made.hidden).tolist()}
    assert {("A", "x"), ("C", "z")} <= hidden
    assert ("B", "y") not in hidden


def test_adjustment_cannot_hide(table: Table, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no protection level"):
        Adjust().protect(table, said("c0;u\nc1;m", table, tmp_path).over())


def test_costs_turn_the_pattern(table: Table, tmp_path: Path) -> None:
    cells = table_from_cells({"x": ["a", "b", "c"], "value": [50.0, 60.0, 70.0]}, ["x"])
    known = said("a;u\nb;c;500\n", cells, tmp_path)
    unsafe = known.over()
    plain = Suppress(method="exact").protect(cells, unsafe)
    priced = Suppress(method="exact", cost="own").protect(known.priced(), unsafe)
    assert [cells.labels(c)[0] for c in np.flatnonzero(plain.secondary).tolist()] == ["b"]
    assert [cells.labels(c)[0] for c in np.flatnonzero(priced.secondary).tolist()] == ["c"]


def test_other_scales_of_costs(table: Table, tmp_path: Path) -> None:
    known = said("c0;c;9", table, tmp_path)
    assert known.priced().cost.tolist() == [229, 9, 61, 91]  # type: ignore[union-attr]
    assert known.priced("frequency").cost.tolist() == [7, 9, 3, 3]  # type: ignore[union-attr]
    assert known.priced("unity").cost.tolist() == [1, 9, 1, 1]  # type: ignore[union-attr]
    twice = read_apriori(tmp_path / "known.hst", known.priced("unity")).priced("own")
    assert twice.cost.tolist() == [1, 9, 1, 1]  # type: ignore[union-attr]
    with pytest.raises(DataError, match="cost variable"):
        known.priced("own")
    with pytest.raises(ParameterError, match="got 'distance'"):
        known.priced("distance")
