"""Reading what left: the same tables and marks come back, and damaged files are refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import FileError, TacitaError
from tacita.core.keyed import Key
from tacita.tables.files.publish_counts import publish_counts
from tacita.tables.files.read_counts import read_counts
from tacita.tables.readers.joint_cells import read_tables

KEY = Key(bytes(range(3, 67, 2)))
PEOPLE = tc.samples.census_register(2000, seed=1, regions=12)
TRUE = list(tc.tables.declare(PEOPLE, [["municipality", "tenure"], ["sex", "marital"]]).tables)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    noisy = []
    for table in TRUE:
        keyed = tc.tables.keyed_table(PEOPLE, table.dimensions, key=KEY, identity="person_id", empties=False)
        noisy.append(tc.tables.CellKey(key=KEY, D=3, V=2.0).protect(keyed, tc.tables.Unsafe.none(len(keyed))))
    return publish_counts(noisy, tmp_path / "out", true=TRUE, key=KEY, reach=3) / "public"


def test_what_left_comes_back(made: Path) -> None:
    found = read_counts(made)
    assert found.bound == 3
    joint = read_tables(found.tables, owner="test")
    truth = joint.counts(TRUE)
    assert np.abs(joint.most - truth).max() in (1, 2, 3)
    assert [table.dimensions for table in found.tables] == [table.dimensions for table in TRUE]
    for table, marks in zip(found.tables, found.marks, strict=True):
        assert len(marks) == len(table)
        assert [mark == "" for mark in marks] == (table.values == 0).tolist()
        assert not table.relations.residuals(np.zeros(len(table))).any()


def test_what_a_mark_gives_away_is_never_wrong(made: Path) -> None:
    """A reader who concludes a narrower bound from a mark is right: deviations are told within two of what they are."""
    found = read_counts(made)
    narrower = 0
    for table, reach in zip(found.tables, found.reaches, strict=True):
        own = read_tables([table], owner="test")
        away = np.abs(own.most - own.counts(TRUE))
        assert (away <= reach).all()
        narrower += int((reach < found.bound).sum())
    assert narrower > 0


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: text.replace("value", "count"), "with the columns"),
        (lambda text: text.rsplit("\n", 2)[0] + "\n", "each of its .* cells once"),
        (lambda text: text.replace("Total,Total,", "Total,Totals,"), "codes that 'about.json' knows"),
        (lambda text: text.replace("owner,", "owner,-", 1), "at least 0"),
        (lambda text: text + "x\n", "too few fields"),
    ],
)
def test_a_damaged_table_is_refused(made: Path, damage: object, message: str) -> None:
    path = made / "table-1.csv"
    path.write_text(damage(path.read_text(encoding="utf-8")), encoding="utf-8")  # type: ignore[operator]
    with pytest.raises(FileError, match=message):
        read_counts(made)


@pytest.mark.parametrize(
    "damage",
    [
        {"bound": "many"},
        {"dimensions": {}},
        {"tables": {"../table-1.csv": ["municipality", "tenure"]}},
        {"tables": {"table-9.csv": ["municipality", "tenure"]}},
        {"tables": ["table-1.csv"]},
    ],
)
def test_a_damaged_description_is_refused(made: Path, damage: dict[str, object]) -> None:
    path = made / "about.json"
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **damage}), encoding="utf-8")
    with pytest.raises(TacitaError):
        read_counts(made)


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="about"):
        read_counts(tmp_path)
