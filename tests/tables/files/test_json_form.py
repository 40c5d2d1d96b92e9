"""Tables as JSON."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import tacita as tc
from tacita.core.errors import FileError
from tacita.tables.dimension import Dimension
from tacita.tables.files.read_write import read_table, write_table
from tacita.tables.link import link
from tacita.tables.table import Table
from tacita.tables.tabulate import tabulate
from tacita.tables.unsafe import Unsafe
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


@settings(max_examples=30)
@given(survey=surveys())
def test_round_trip(survey: tuple[list[Dimension], list[dict[str, Any]]], tmp_path: Path) -> None:
    dims, records = survey
    table = tabulate(
        microdata(dims, records), dims, "x", weight="w", contributor="u", holding="h", shadow="w", cost="w"
    )
    path = write_table(table, tmp_path / "a.json", secret=True, overwrite=True)
    assert same(read_table(path).table, table)


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
    assert same(found.table, both)
    assert same(found.unsafe, unsafe)
    assert same(found.hidden, some)


def test_contributors_are_secret(tmp_path: Path) -> None:
    table = tabulate(tc.samples.business_survey(200, seed=1), ["region"], "turnover")
    open_file = read_table(write_table(table, tmp_path / "a.json")).table
    assert open_file.units is None
    assert open_file.counts is not None
    public = json.loads(write_table(table, tmp_path / "b.json", hidden=np.arange(len(table)) == 3).read_text())
    assert set(public) & {"units", "holdings", "counts", "shadow", "cost", "unsafe"} == set()
    assert public["values"][3] is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"CANARY', "truncated"),
        ('{"form": "CANARY"}', "no table"),
        ("[1]", "no table"),
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
