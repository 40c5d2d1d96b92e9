"""Opening data for questions: what is checked, warned of, remembered and entered."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import tacita as tc
from tacita.core.errors import ParameterError, TacitaNote, TacitaWarning
from tacita.query.catalogue.catalogue import Catalogue
from tacita.query.opening import open_database
from tacita.query.requests import Tabulate
from tacita.query.restrictions import TableSize
from tacita.query.restrictions.row_audit import RowAudit
from tests.query.builders import KEY, opened, policy_of, ring


def test_it_is_what_the_package_calls_open() -> None:
    assert tc.query.open is open_database


def test_every_opening_is_entered_with_its_version(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    for _ in range(2):
        db = opened(ring(), policy_of(TableSize()), journal=path)
    entries = [entry for entry in db.journal.entries() if entry.kind == "version"]
    assert len(entries) == 2
    assert {entry.versions["data"] for entry in entries} == {db.version.id}
    assert entries[0].request == entries[1].request


def test_what_was_answered_is_remembered_before_anything_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    opened(ring(), policy_of(TableSize()), journal=path).ask(Tabulate(by=["sex"]))
    again = opened(ring(), policy_of(TableSize()), journal=path)
    assert (again.history.answered, len(again.asked)) == (1, 1)
    assert again.replay() == 1, "it says how many answers the journal has"


def test_what_cannot_be_used_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with pytest.raises(ParameterError, match="'key' must be given where a journal is kept"):
        opened(ring(), policy_of(TableSize()), key=None, journal=path)
    with pytest.raises(tc.TacitaError):
        opened(ring(), "no such preset", journal=path)
    assert not path.exists()


def test_a_catalogue_may_come_from_a_file(tmp_path: Path) -> None:
    db = opened(ring(), policy_of(TableSize()))
    db.catalogue.write(tmp_path / "catalogue.toml")
    again = opened(ring(), policy_of(TableSize()), catalogue=tmp_path / "catalogue.toml")
    assert again.catalogue == Catalogue.read(tmp_path / "catalogue.toml")
    assert again.ask(Tabulate(by=["sex"])).to_json() == db.ask(Tabulate(by=["sex"])).to_json()


def test_an_audit_of_rows_without_roles_is_told_so() -> None:
    bare = tc.Microdata.from_frame(ring().to_frame())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TacitaWarning)
        with pytest.warns(TacitaNote, match="'row_audit' has nothing to audit"):
            open_database(bare, policy=policy_of(RowAudit()), key=KEY)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        open_database(ring(), policy=policy_of(RowAudit()), key=KEY)
        open_database(bare, policy=policy_of(TableSize()), key=KEY)
    assert not [one for one in told if "row_audit" in str(one.message)]
