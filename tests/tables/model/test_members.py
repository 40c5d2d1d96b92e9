"""Members: who could attack from inside, and what each has in every cell."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.tables.model.members import Members
from tacita.tables.model.table import Table


def table_of(rows: list[tuple[Any, ...]], names: tuple[str, ...] = ("g", "h", "x"), **settings: Any) -> Table:
    data = tc.Microdata.from_frame(pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))))
    return tc.tabulate(data, ["g", "h"], "x", **settings)


def has(members: Members, table: Table, member: int) -> dict[str, float]:
    part = slice(members.start[member], members.start[member + 1])
    return {
        "/".join(table.labels(c)): a
        for c, a in zip(members.cells[part].tolist(), members.amounts[part].tolist(), strict=True)
    }


def test_amounts_stand_in_every_cell_and_small_ones_are_stood_for() -> None:
    table = table_of([("a", "p", 5.0), ("a", "p", 9.0), ("a", "p", 7.0), ("b", "q", 1.0)])
    members = table.members
    assert members is not None
    assert members.numbers.tolist() == [1, 2, 3], "the 5 has less than two others in the same cells"
    assert members.stands.tolist() == [True, True, False]
    assert has(members, table, 0) == {"Total/Total": 9.0, "Total/p": 9.0, "a/Total": 9.0, "a/p": 9.0}
    assert members.is_whole


def test_who_is_in_several_cells_is_always_listed() -> None:
    rows = [
        ("a", "p", 5.0, "s"),
        ("a", "q", 1.0, "s"),
        ("a", "p", 9.0, "t"),
        ("a", "p", 9.0, "u"),
        ("a", "p", 8.0, "v"),
    ]
    table = table_of(rows, ("g", "h", "x", "firm"), contributor="firm")
    members = table.members
    assert members is not None
    assert members.numbers.tolist() == [0, 1, 2]
    assert has(members, table, 0) == {"Total/Total": 6.0, "Total/p": 5.0, "Total/q": 1.0,
                                      "a/Total": 6.0, "a/p": 5.0, "a/q": 1.0}  # fmt: skip


def test_a_holding_of_one_is_its_member() -> None:
    rows = [("a", "p", 5.0, "H"), ("b", "q", 2.0, "H"), ("a", "q", 4.0, "I")]
    table = table_of(rows, ("g", "h", "x", "holding"), holding="holding")
    members = table.members
    assert members is not None
    assert members.is_holding.tolist() == [False, False, True, True]
    assert members.find(np.array([0, 1, 7]), holdings=True).tolist() == [2, 3, -1]
    assert has(members, table, 2)["Total/Total"] == 7.0
    seats = table.seats
    assert seats.who == (2, 2)
    alone = {table.labels(c) for c in seats.known(2).tolist()}
    assert alone == {("a", "p"), ("b", "Total"), ("b", "q"), ("Total", "p")}


def test_floors_do_not_hold_with_negative_amounts_nor_for_shadows() -> None:
    assert table_of([("a", "p", 5.0), ("a", "p", 9.0), ("b", "q", -1.0)]).seats.own_cells is None
    rows = [("a", "p", 5.0, 1.0), ("a", "p", 9.0, 3.0), ("b", "q", 1.0, 1.0)]
    assert table_of(rows, ("g", "h", "x", "size"), shadow="size").seats.own_cells is None


def test_the_floor_of_a_sampled_contributor_has_its_weight() -> None:
    rows = [("a", "p", 5.0, 3.0), ("a", "p", 9.0, 1.0), ("b", "q", 1.0, 2.0)]
    table = table_of(rows, ("g", "h", "x", "w"), weight="w")
    seat, cell, amount = table.seats.parts()
    floors = {
        (s, "/".join(table.labels(c))): a for s, c, a in zip(seat.tolist(), cell.tolist(), amount.tolist(), strict=True)
    }
    assert floors[0, "a/p"] == 15.0
    assert floors[1, "a/p"] == 9.0
    assert floors[2, "b/q"] == 2.0, "a weight of 2 stands for another: not known to be alone"


def test_linked_tables_keep_whoever_is_large_in_one_of_them() -> None:
    """Firm 2 is third in the first table's cell, but with others in the second's."""
    rows = [("a", "p", 9.0), ("a", "p", 8.0), ("a", "q", 7.0), ("b", "q", 1.0)]
    data = tc.Microdata.from_frame(
        pa.table(dict(zip(("g", "h", "x"), map(list, zip(*rows, strict=True)), strict=True)))
    )
    one, two = (tc.tabulate(data, [name], "x") for name in ("g", "h"))
    assert one.members is not None
    assert one.members.numbers.tolist() == [0, 1, 3]
    linked = tc.tables.link([one, two])
    assert linked.members is not None
    assert linked.members.numbers.tolist() == [0, 1, 2, 3]
    assert linked.members.is_whole


def test_without_records_the_largest_are_listed() -> None:
    table = replace(table_of([("a", "p", float(x)) for x in range(1, 9)]), sources=())
    assert table.members is not None
    assert len(table.members) == 5
    assert not table.members.is_whole
    assert (
        "smaller ones were not looked at"
        in tc.tables.Suppress().protect(table, tc.tables.PPercent().judge(table)).certificate.attackers
    )  # type: ignore[union-attr]


@pytest.mark.parametrize("holding", [None, "holding"])
def test_every_entry_equals_a_sum_over_records(holding: str | None) -> None:
    from tacita.data.samples import business_survey

    data = business_survey(300, seed=4)
    table = tc.tabulate(data, ["region", "size_class"], "turnover", weight=False, holding=holding or False)
    members, x = table.members, data.float("turnover")
    assert members is not None
    group = None if holding is None else data.codes("holding").values
    labels = [np.array(data.to_arrow().column(name).to_pylist(), object) for name in ("region", "size_class")]
    rng = np.random.default_rng(0)
    for entry in rng.choice(len(members.cells), 60):
        member, cell = int(members.of_entry[entry]), int(members.cells[entry])
        mine = np.arange(len(x)) == members.numbers[member]
        if members.is_holding[member]:
            assert group is not None
            mine = group == members.numbers[member]
        for place, dimension in enumerate(table.dimensions):
            leaves = dimension.members[table.labels(cell)[place]]
            mine &= np.array([str(v) in leaves for v in labels[place]])
        assert members.amounts[entry] == pytest.approx(np.nansum(x[mine]))


def test_everybody_is_a_holding_of_its_own() -> None:
    """Contributors that are whole holdings are left out for them; that can be all of them."""
    firms = tc.Microdata.from_frame(
        pa.table({"code": ["a", "a", "b", "b"], "x": [1.0, 2.0, 3.0, 4.0], "h": ["1", "2", "3", "4"]}), household="h"
    )
    members = tc.tabulate(firms, ["code"], "x").members
    assert members is not None
    assert members.is_holding.all()
    assert members.start.tolist() == [0, 2, 4, 6, 8]
