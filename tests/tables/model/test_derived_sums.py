"""Sums that follow from dimensions, whatever a file states."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import DataError, ParameterError
from tacita.tables.model.derived_sums import derive_sums, untold_sums
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.link import link
from tacita.tables.model.relations import Relations
from tacita.tables.model.table import Table
from tacita.tables.model.tabulate import tabulate

NONE = Relations(np.zeros(1, np.int64), np.empty(0, np.int64), np.empty(0), 0)


def survey(**given: object) -> list[Table]:
    data = tc.samples.business_survey(200, seed=1)
    return [tabulate(data, by, ["", "turnover"], **given) for by in (["region", "size_class"], ["activity"])]


def rows_of(relations: Relations) -> set[tuple[tuple[int, float], ...]]:
    pairs = (relations.row(r) for r in range(len(relations)))
    return {tuple(sorted(zip(cells.tolist(), signs.tolist(), strict=True))) for cells, signs in pairs}


def nothing(size: int) -> Relations:
    return Relations(NONE.start, NONE.cells, NONE.signs, size)


@pytest.mark.parametrize("how", ["one", "linked"])
def test_all_sums_of_a_whole_table_follow(how: str) -> None:
    tables = survey()
    table = tables[0] if how == "one" else link(tables)
    found = derive_sums(table.dimensions, table.codes, table.parts, nothing(len(table)))
    assert rows_of(found.relations) == rows_of(table.relations)
    assert (found.added, found.trusted, len(found.cut)) == (len(table.relations), 0, 0)


@pytest.mark.parametrize("how", ["one", "linked", "without empties"])
def test_what_is_stated_stays_in_its_order(how: str) -> None:
    tables = survey(empties=how != "without empties")
    table = link(tables) if how == "linked" else tables[0]
    found = derive_sums(table.dimensions, table.codes, table.parts, table.relations)
    assert (found.added, found.trusted, len(found.cut)) == (0, 0, 0)
    assert found.relations.cells.tolist() == table.relations.cells.tolist()


def test_a_sum_in_part_must_be_stated() -> None:
    table = survey(empties=False)[0]
    found = derive_sums(table.dimensions, table.codes, table.parts, nothing(len(table)))
    assert len(found.cut) > 0


def test_what_follows_from_nothing_is_counted() -> None:
    row = Dimension.flat("g", ["a", "b"])
    codes = np.arange(3, dtype=np.int64)[:, None]
    odd = Relations.of([(1, [2])], 3)
    found = derive_sums([row], codes, None, odd)
    assert (found.added, found.trusted) == (1, 1)
    turned = Relations(np.array([0, 3]), np.array([2, 0, 1]), np.array([-2.0, 2.0, -2.0]), 3)
    assert derive_sums([row], codes, None, turned).added == 0
    with pytest.raises(ParameterError, match="stand twice"):
        derive_sums([row], codes[[0, 1, 1]], None, odd)


def test_dimensions_without_their_sums_are_named_or_refused() -> None:
    def made(sums: tuple[tuple[str, tuple[str, ...]], ...], codes: tuple[str, ...], values: list[float]) -> Table:
        dimension = Dimension("g", codes, sums)
        places = np.arange(len(codes), dtype=np.int64)[:, None]
        rows = derive_sums([dimension], places, None, nothing(len(codes))).relations
        return Table((dimension,), places, np.array(values), rows)

    everything = np.ones(5, bool)
    with pytest.raises(DataError, match="'Total' is the sum of"):
        untold_sums(made((("N", ("a", "b")),), ("Total", "N", "a", "b", "S"), [9, 3, 1, 2, 6]), everything)
    with pytest.raises(DataError, match="'DE' is the sum of"):
        untold_sums(made((("N", ("a", "b")),), ("DE", "N", "a", "b", "S"), [9, 3, 1, 2, 6]), everything)
    found = untold_sums(made((), ("2019", "2020", "2021"), [9, 3, 1]), np.ones(3, bool))
    assert found == ["Dimension 'g' has no sum over '2019', '2020', '2021'."]
    whole = made((("Total", ("a", "b")),), ("Total", "a", "b"), [3, 1, 2])
    assert untold_sums(whole, np.ones(3, bool)) == []
