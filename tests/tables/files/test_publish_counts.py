"""Publishing perturbed counts: what leaves tells nothing about zeros, marks agree, and what must not leave does not."""

from __future__ import annotations

import csv
import json
import stat
from pathlib import Path

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import DataError, FileError, ParameterError
from tacita.core.keyed import Key
from tacita.tables.files.publish_counts import publish_counts

KEY = Key(bytes(range(3, 67, 2)))
PEOPLE = tc.samples.census_register(3000, seed=1, regions=12)
DECLARED = tc.tables.declare(PEOPLE, [["municipality", "tenure"], ["municipality", "sex"], ["sex", "birth_country"]])
TRUE = list(DECLARED.tables)


def noisy(table: tc.Table) -> tc.tables.Protected:
    keyed = tc.tables.keyed_table(PEOPLE, table.dimensions, key=KEY, identity="person_id", empties=False)
    return tc.tables.CellKey(key=KEY, D=3, V=2.0).protect(keyed, tc.tables.Unsafe.none(len(keyed)))


NOISY = [noisy(table) for table in TRUE]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_what_leaves(tmp_path: Path) -> None:
    made = publish_counts(NOISY, tmp_path / "out", true=TRUE, key=KEY, reach=3)
    public = [rows(made / "public" / f"table-{n}.csv") for n in (1, 2, 3)]
    marks: dict[tuple[tuple[str, str], ...], set[str]] = {}
    for table, found in zip(TRUE, public, strict=True):
        names = [dimension.name for dimension in table.dimensions]
        assert len(found) == np.prod([len(dimension.codes) for dimension in table.dimensions])
        assert list(found[0]) == [*names, "value", "reliability"]
        for row in found:
            assert (row["reliability"] == "") == (row["value"] == "0"), "no mark tells a true zero from another"
            cell = tuple(sorted((name, row[name]) for name in names if row[name] != "Total"))
            marks.setdefault(cell, set()).add(row["reliability"])
    assert all(len(found) == 1 for found in marks.values()), "a cell has one mark in all tables"
    assert {mark for found in marks.values() for mark in found} >= {"A", "B", "C"}


def test_what_is_told_of_deviations(tmp_path: Path) -> None:
    made = publish_counts(NOISY, tmp_path / "out", true=TRUE, key=KEY, reach=3)
    about = json.loads((made / "public" / "about.json").read_text(encoding="utf-8"))
    assert (about["bound"], about["smallest"]) == (3, 3)
    joint = {}
    for n, table in enumerate(TRUE, 1):
        names = [dimension.name for dimension in table.dimensions]
        for row in rows(made / "internal" / f"table-{n}.csv"):
            cell = tuple(sorted((name, row[name]) for name in names if row[name] != "Total"))
            joint[cell] = (int(row["published"]), int(row["true"]))
    away = [abs(shown - true) for shown, true in joint.values() if shown > 0]
    assert sum(about["deviations"].values()) == len(away)
    for size, times in about["deviations"].items():
        assert abs(times - away.count(int(size))) <= 4, "frequencies of deviations are kept"
    assert sum(true for cell, (_, true) in joint.items() if cell == ()) == len(PEOPLE)


def test_only_the_owner_reads_the_truth(tmp_path: Path) -> None:
    made = publish_counts(NOISY, tmp_path / "out", true=TRUE, key=KEY, reach=3)
    assert stat.S_IMODE((made / "internal").stat().st_mode) == 0o700
    assert {path.name for path in (made / "public").iterdir()} == {"about.json", *(f"table-{n}.csv" for n in (1, 2, 3))}


def test_the_same_key_gives_the_same_files(tmp_path: Path) -> None:
    one, two = (publish_counts(NOISY, tmp_path / name, true=TRUE, key=KEY, reach=3) for name in ("a", "b"))
    other = publish_counts(NOISY, tmp_path / "c", true=TRUE, key=Key(bytes(range(5, 69, 2))), reach=3)
    texts = [(made / "public" / "table-1.csv").read_bytes() for made in (one, two, other)]
    assert texts[0] == texts[1] != texts[2]


def test_what_must_not_leave(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with pytest.raises(DataError, match="counts from 1 to 2"):
        publish_counts(TRUE, target, true=TRUE, key=KEY, reach=3)
    with pytest.raises(DataError, match="further from the truth"):
        publish_counts(NOISY, target, true=TRUE, key=KEY, reach=1)
    changed = NOISY[1].values.copy()
    changed[0] += 1
    with pytest.raises(DataError, match="differ about 1 cells"):
        publish_counts([NOISY[0], TRUE[1].with_values(changed)], target, true=TRUE[:2], key=KEY, reach=3)
    with pytest.raises(ParameterError, match="'true' must have the tables"):
        publish_counts(NOISY, target, true=TRUE[:2], key=KEY, reach=3)
    with pytest.raises(ParameterError, match="'good'"):
        publish_counts(NOISY, target, true=TRUE, key=KEY, reach=3, good=0.5)
    with pytest.raises(ParameterError, match="looks like one of an example"):
        publish_counts(NOISY, target, true=TRUE, key=Key(bytes(32)), reach=3)
    assert not target.exists()


def test_an_earlier_set_is_replaced_only_when_told(tmp_path: Path) -> None:
    target = publish_counts(NOISY, tmp_path / "out", true=TRUE, key=KEY, reach=3)
    with pytest.raises(FileError):
        publish_counts(NOISY, target, true=TRUE, key=KEY, reach=3)
    assert publish_counts(NOISY[:1], target, true=TRUE[:1], key=KEY, reach=3, overwrite=True) == target
    assert not (target / "public" / "table-2.csv").exists()
