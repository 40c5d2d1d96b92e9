"""Tables as JSON."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings

import tacita as tc
from tacita.core.errors import FileError
from tacita.tables.files.read_write import read_table, write_table
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.from_cells import table_from_cells
from tacita.tables.model.link import link
from tacita.tables.model.table import Table
from tacita.tables.model.tabulate import tabulate
from tacita.tables.rules.request import Request
from tacita.tables.rules.unsafe import Unsafe
from tests.effort import examples
from tests.tables.examples import microdata, surveys


def same(one: Any, other: Any) -> bool:
    """Whether two tables, or parts of them, are equal to the last bit."""
    if one is None or other is None:
        return one is other
    if isinstance(one, np.ndarray):
        return bool(np.array_equal(one, other, equal_nan=one.dtype.kind == "f")) and one.dtype == other.dtype
    if isinstance(one, (str, int, tuple)):
        return bool(one == other)
    return all(same(getattr(one, f.name), getattr(other, f.name)) for f in fields(one))


@settings(max_examples=examples(30))
@given(survey=surveys())
def test_round_trip(survey: tuple[list[Dimension], list[dict[str, Any]]], tmp_path: Path) -> None:
    dims, records = survey
    assume(records)
    table = tabulate(
        microdata(dims, records), dims, "x", weight="w", contributor="u", holding="h", shadow="w", cost="w"
    )
    path = write_table(table, tmp_path / "a.json", secret=True, overwrite=True)
    assert same(read_table(path).table, replace(table, sources=())), "records stay where they are"


def test_linked_and_unsafe(tmp_path: Path) -> None:
    data = tc.samples.business_survey(200, seed=1)
    both: Table = link(
        [tabulate(data, ["region", "size_class"], "profit"), tabulate(data, ["size_class"], ["", "turnover"])]
    )
    n = len(both)
    some = np.arange(n) % 7 == 1
    unsafe = Unsafe(some, some * 0.1, some * 1.5, some * 0.0, ("p", "q"), np.column_stack([some, ~some]), ~some)
    path = write_table(both, tmp_path / "a.json", hidden=some, unsafe=unsafe, secret=True)
    found = read_table(path)
    assert same(found.table, replace(both, sources=()))
    assert same(found.unsafe, unsafe)
    assert same(found.hidden, some)


def test_levels_from_inside_come_back_with_their_contributors(tmp_path: Path) -> None:
    """What a certificate held for holds for the file too; a public file has nothing of it."""
    table = tabulate(tc.samples.business_survey(60, seed=3), ["size_class", "region"], "turnover", weight=False)
    unsafe = tc.tables.PPercent(p=10).judge(table)
    protected = tc.tables.Suppress(cost="unity").protect(table, unsafe)
    path = write_table(table, tmp_path / "a.json", hidden=protected.hidden, unsafe=unsafe, secret=True)
    found = read_table(path)
    assert found.unsafe is not None
    again = tc.tables.make_problem(found.table, found.unsafe)
    assert tc.tables.audit(again, protected.hidden).is_safe
    cells = np.flatnonzero(unsafe.cells)
    np.testing.assert_array_equal(again.from_inside.most[cells], protected.problem.from_inside.most[cells])  # type: ignore[union-attr]
    public = write_table(table, tmp_path / "b.json", hidden=protected.hidden)
    assert not {"inside", "units", "holdings", "unsafe"} & set(json.loads(public.read_text(encoding="utf-8")))


def test_contributors_are_secret(tmp_path: Path) -> None:
    table = tabulate(tc.samples.business_survey(200, seed=1), ["region"], "turnover")
    public = json.loads(write_table(table, tmp_path / "b.json", hidden=np.arange(len(table)) == 3).read_text())
    assert set(public) & {"units", "holdings", "counts", "shadow", "cost", "unsafe"} == set()
    assert public["values"][3] is None


def test_a_file_is_public_unless_it_is_secret(tmp_path: Path) -> None:
    """Counts, shadow and cost of a table whose values were adjusted would tell the true ones."""
    firms = tc.samples.business_survey(200, seed=1)
    table = tabulate(firms, ["region"], "turnover", shadow="employees", cost="turnover")
    public = json.loads(write_table(table, tmp_path / "a.json").read_text())
    assert set(public) & {"units", "holdings", "counts", "shadow", "cost", "unsafe"} == set()
    assert set(json.loads(write_table(table, tmp_path / "b.json", secret=True).read_text())) >= {"counts", "cost"}


@pytest.mark.parametrize("ending", ["json", "csv"])
def test_bounds_of_hidden_cells_do_not_leave(ending: str, tmp_path: Path) -> None:
    """Bounds made from a value tell it: 10 lies in the middle of 5 and 15."""
    rows = {
        "g": ["a", "b", "c", "Total"],
        "value": [10, 20, 30, 60],
        "lower": [5, 10, 15, 31],
        "upper": [15, 29, 45, 93],
    }
    table = table_from_cells(rows, ["g"], lower="lower", upper="upper", response="x")
    hidden = np.array([False, True, True, False])
    include = ("lower", "upper") if ending == "csv" else ()
    path = write_table(table, tmp_path / f"a.{ending}", hidden=hidden, include=include)
    low, high = read_table(path).table.bounds_published(hidden)
    assert low[hidden].tolist() == [0.0, 0.0] if ending == "json" else np.isneginf(low[hidden]).all()
    assert np.isinf(high[hidden]).all()
    if ending == "json":  # nor those of published cells, whose values may have been adjusted
        assert set(json.loads(path.read_text())) & {"lower", "upper"} == set()


def test_bounds_that_tell_nothing_stay(tmp_path: Path) -> None:
    table = tabulate(tc.samples.business_survey(200, seed=1), ["size_class"], "profit")
    hidden = np.arange(len(table)) == 1
    found = read_table(write_table(table, tmp_path / "a.json", hidden=hidden)).table
    assert np.isneginf(found.bounds_published(hidden)[0][hidden]).all()


def test_bounds_below_zero_become_none_at_all(tmp_path: Path) -> None:
    rows = {"g": ["a", "b", "Total"], "value": [1, 2, 3], "lower": [-7351, 0, 2], "upper": [5, 0, np.inf]}
    table = table_from_cells(rows, ["g"], lower="lower", upper="upper")
    path = write_table(table, tmp_path / "a.json", hidden=np.array([False, True, True]))
    assert "7351" not in path.read_text()
    found = read_table(path).table
    assert found.lower is not None
    assert found.upper is not None
    assert found.lower.tolist() == [-np.inf, -np.inf, 0]  # of the total nothing is told: others can be negative
    assert found.upper.tolist() == [np.inf, np.inf, 0]


def test_requests_and_waivers_come_back(tmp_path: Path) -> None:
    frame = {"a": list("ppqqq"), "x": [100.0, 1.0, 5.0, 6.0, 7.0], "r": [1, 0, 0, 0, 0], "w": [0, 0, 0, 1, 0]}
    data = tc.Microdata.from_frame(pd.DataFrame(frame))
    table = tabulate(data, ["a"], "x", request="r", waiver="w")
    found = read_table(write_table(table, tmp_path / "a.json", secret=True)).table
    assert table.units is not None
    assert table.units.asks is not None
    assert same(found.units, table.units)
    assert Request(share=70).judge(found).cells.tolist() == Request(share=70).judge(table).cells.tolist()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"CANARY', "not valid JSON"),
        ('{"form": "CANARY"}', "no table"),
        ("[1]", "no table"),
        ("1" * 5000, "more than 300 digits"),
        ("[" * 100_000, "nested more than 50 deep"),
        ('{"form": "tacita table", "version": 1, "values": [1' + "0" * 250 + "]}", "lacks parts"),
        ('{"form": "tacita table", "version": 99}', "another version"),
        ('{"form": "tacita table", "version": 1, "values": ["CANARY"]}', "lacks parts"),
    ],
)
def test_damaged_files(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(FileError, match=message) as caught:
        read_table(tmp_path / "a.json")
    assert "CANARY" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"codes": [[9]] * 5}, "point to what is not there"),
        ({"relations": {"start": [0, 2], "cells": [0, 77], "signs": [1, 1]}}, "point to what is not there"),
        ({"counts": [1]}, "one entry for each of the 5 cells"),
        ({"hidden": [88]}, "lacks parts"),
        ({"values": ["CANARY"] * 5}, "lacks parts"),
    ],
)
def test_parts_that_do_not_fit(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    table = tabulate(tc.samples.business_survey(50, seed=1), ["size_class"], "turnover")
    path = write_table(table, tmp_path / "a.json")
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(FileError, match=message) as caught:
        read_table(path)
    assert "CANARY" not in str(caught.value)


def test_what_rules_are_about_comes_back_and_old_files_say_it_by_names(tmp_path: Path) -> None:
    table = tabulate(tc.samples.business_survey(60, seed=3), ["size_class"], "turnover")
    unsafe = (tc.tables.MinimumFrequency() | tc.tables.UnsafeZero() | tc.tables.PPercent()).judge(table)
    path = write_table(table, tmp_path / "a.json", unsafe=unsafe, secret=True)
    plain = json.loads(path.read_text(encoding="utf-8"))
    assert plain["unsafe"]["about"] == ["internal", "group", "dominance"]
    for about in (["group", "named", "internal"], None):
        if about is None:
            del plain["unsafe"]["about"]
        else:
            plain["unsafe"]["about"] = about
        path.write_text(json.dumps(plain), encoding="utf-8")
        found = read_table(path).unsafe
        assert found is not None
        assert found.about == (tuple(about) if about else unsafe.about)
    for wrong in (["group"], ["group", "named", "rumour"]):
        plain["unsafe"]["about"] = wrong
        path.write_text(json.dumps(plain), encoding="utf-8")
        with pytest.raises(FileError, match="must each be about one of the attacks dominance, internal"):
            read_table(path)
