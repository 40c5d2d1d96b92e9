"""Versions: answers of two versions that give few records away together are found, and nothing else."""

from pathlib import Path

import numpy as np
import pytest

from tacita.core.errors import DataError
from tacita.query import Tabulate
from tacita.query.database import Database
from tacita.query.restrictions import TableSize
from tacita.query.steward.versions import audit_versions
from tests.query.builders import opened, people, policy_of, survey

POLICY = policy_of(TableSize())
DATA = survey(600)
ALL = Tabulate(by=["sex"])


def version(n: int, old: Database | None = None, **options: object) -> Database:
    """The first n people of the survey."""
    catalogue = None if old is None else old.catalogue
    return opened(DATA.take(np.arange(n)), POLICY, catalogue=catalogue, **options)


FULL = version(600)


def pair(old_n: int, new_n: int) -> tuple[Database, Database]:
    return version(old_n, FULL), version(new_n, FULL)


def test_newcomers_are_seen_by_the_difference_of_two_answers() -> None:
    old, new = pair(598, 600)
    old.ask(ALL)
    new.ask(ALL)
    (found,) = audit_versions(old, new).pairs
    assert found.records == 2
    assert found.old == found.new == {"kind": "tabulate", "by": ["sex"]}
    assert (found.old_cell, found.new_cell) == (-1, -1)
    assert audit_versions(old, new, limit=2).is_clean


def test_other_questions_about_nearly_the_same_people_are_found_too() -> None:
    """Everybody of the old version, and all but a class with few records of the new one."""
    old, new = pair(600, 600)
    few = np.bincount(FULL.version.codes("birth_country"), minlength=len(FULL.catalogue["birth_country"].all_classes))
    chosen = int(np.flatnonzero(few == 1)[0])
    classes = list(FULL.catalogue["birth_country"].all_classes)
    rest = [word for number, word in enumerate(classes) if number != chosen]
    old.ask(ALL)
    new.ask(Tabulate(by=["urban"], where={"birth_country": rest}))
    audit = audit_versions(old, new)
    assert [(p.records, p.new["by"]) for p in audit.pairs] == [(1, ["urban"])]
    assert (audit.old_sets, audit.new_sets, audit.limit) == (1, 1, 3)


def test_the_same_people_or_many_others_are_no_difference() -> None:
    old, new = pair(600, 600)
    for db in (old, new):
        db.ask(ALL)
    assert audit_versions(old, new).is_clean
    old, new = pair(590, 600)
    for db in (old, new):
        db.ask(ALL)
    assert audit_versions(old, new).is_clean


def test_cells_are_sets_where_one_asks_for_them() -> None:
    old, new = pair(590, 600)
    for db in (old, new):
        db.ask(Tabulate(by=["region"]))
    assert audit_versions(old, new).is_clean
    audit = audit_versions(old, new, is_by_cell=True)
    before = np.bincount(FULL.version.codes("region")[_rows(old)], minlength=12)
    after = np.bincount(FULL.version.codes("region"), minlength=12)
    small = {int(i) for i in np.flatnonzero((after > before) & (after - before < 3))}
    assert small
    assert {p.new_cell for p in audit.pairs if p.old_cell == p.new_cell} == small


def _rows(db: Database) -> np.ndarray:
    return np.flatnonzero(np.isin(FULL.version.record_ids, db.version.record_ids))


def test_no_value_is_in_the_report() -> None:
    old, new = pair(599, 600)
    for db in (old, new):
        db.ask(ALL)
    plain = audit_versions(old, new).to_plain()
    assert plain["pairs"] == [
        {"old": {"kind": "tabulate", "by": ["sex"]}, "new": {"kind": "tabulate", "by": ["sex"]}}
        | {"old_cell": -1, "new_cell": -1, "records": 1}
    ]


def test_both_versions_may_share_one_journal(tmp_path: Path) -> None:
    """Each looks at the entries of its own version only; what was refused, or asked twice, does not count twice."""
    path = tmp_path / "journal.jsonl"
    old = version(599, FULL, journal=path)
    old.ask(ALL)
    old.ask(ALL)
    old.ask(Tabulate(by=["nobody"]))
    new = version(600, FULL, journal=path)
    new.ask(ALL)
    again = version(599, FULL, journal=path)
    audit = audit_versions(again, new)
    assert (audit.old_sets, audit.new_sets, len(audit.pairs)) == (1, 1, 1)


def test_without_record_ids_nobody_can_tell() -> None:
    data = people({("f",): 9, ("m",): 9}, ("sex",))
    one, two = opened(data, POLICY), opened(data, POLICY)
    with pytest.raises(DataError, match="identifies each record"):
        audit_versions(one, two)
