"""Declared sets: the same tables as made one by one, shared cells once, and errors that name what is wrong."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import ColumnError, DataError, ParameterError
from tacita.numeric.additive.goal import add_up
from tacita.tables.additive.declared_set import DeclaredSet, declare
from tests.tables.additive.examples import bands

DATA = tc.samples.census_register(2000, seed=1, regions=8)
TABLES = [["municipality", "sex"], ["sex", bands()], ["marital", "municipality"], ["education", "sex", "marital"]]


@pytest.fixture(scope="module")
def declared() -> DeclaredSet:
    return declare(DATA, TABLES)


def test_tables_are_those_made_one_by_one(declared: DeclaredSet) -> None:
    for by, made in zip(TABLES, declared.tables, strict=True):
        alone = tc.tabulate(DATA, by, empties=False, holding=False)
        counts = {alone.labels(cell): count for cell, count in enumerate(alone.counts.tolist())}
        assert {made.labels(cell): count for cell, count in enumerate(made.counts.tolist())} == counts
        assert np.array_equal(made.codes, alone.codes), "in the same order, whatever that of the columns"
        assert np.array_equal(made.counts, alone.counts)
        assert len(made.relations) == len(alone.relations)
        made.check_additive()


def test_shared_cells_stand_once(declared: DeclaredSet) -> None:
    linked = tc.tables.link([tc.tabulate(DATA, by, empties=False, holding=False) for by in TABLES])
    assert len(declared) == len(linked)
    assert declared.elementary.sum() == len(DATA)
    assert np.array_equal(add_up(declared.holders, declared.elementary), declared.counts)
    assert sum(len(cells) for cells in declared.levels.values()) == len(declared)
    assert {"Total", "sex", "age", "sex x age", "municipality x marital"} <= set(declared.levels)
    assert declared.counts[declared.levels["Total"]].tolist() == [len(DATA)]


def test_noise_is_gathered_where_it_is_consistent(declared: DeclaredSet) -> None:
    noise = np.arange(len(declared)) % 3
    noisy = declared.gather([declared.counts[place] + noise[place] for place in declared.places])
    assert np.array_equal(noisy, declared.counts + noise)
    assert np.array_equal(declared.gather(lambda table: table.counts), declared.counts)
    parts = [table.counts.copy() for table in declared.tables]
    parts[1][declared.tables[1].find({"sex": "Total", "age": "Total"})] += 1
    with pytest.raises(DataError, match="1 cells have different noisy counts"):
        declared.gather(parts)
    with pytest.raises(ParameterError, match="an array for each of the 4 tables"):
        declared.gather(parts[1:])
    with pytest.raises(ParameterError, match="counts for table 0"):
        declared.gather([part[1:] for part in parts])
    with pytest.raises(ParameterError, match="whole numbers"):
        declared.gather(lambda table: table.counts + 0.5)


@pytest.mark.parametrize(
    ("tables", "error", "what"),
    [
        ([], ParameterError, "at least one table"),
        (["sex"], ParameterError, "a list of columns"),
        ([["sex", "sex"]], ParameterError, "twice"),
        ([[bands(), "sex"], [bands().with_sums({"old": ["80", "81"]})]], ParameterError, "different dimensions"),
        ([["sex", "shoe"]], ColumnError, "shoe"),
    ],
)
def test_wrong_declarations_are_refused(tables: list[list[str]], error: type[Exception], what: str) -> None:
    with pytest.raises(error, match=what):
        declare(DATA, tables)


def test_no_records_no_tables() -> None:
    with pytest.raises(DataError, match="no records"):
        declare(DATA.take(np.arange(0)), [["sex"]])
