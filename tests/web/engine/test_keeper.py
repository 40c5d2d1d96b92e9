"""The keeper: what keeps a server from opening, and how requests are read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import tacita as tc
from tacita.core.errors import FileError, ParameterError, TacitaError, TacitaWarning
from tacita.core.keyed import Key
from tacita.web.demo import demo_settings
from tacita.web.engine import EngineUnavailableError, Keeper
from tacita.web.settings import ServerLimits


def test_no_key_no_server(tmp_path: Path) -> None:
    settings = demo_settings(tmp_path, records=200)
    (tmp_path / "demo.key").unlink()
    with pytest.raises(FileError, match=r"demo\.key"):
        Keeper.open(settings)


def test_a_broken_journal_no_server(tmp_path: Path) -> None:
    settings = demo_settings(tmp_path, records=300)
    keeper = Keeper.open(settings)
    for by in ("sex", "urban", "region"):
        keeper.ask("households", b'{"by":["%b"]}' % by.encode(), kind="tabulate", user="ann")
    keeper.jobs.close()
    journal = tmp_path / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:1] + lines[2:]))
    with pytest.raises(FileError, match="must verify before data set 'households' is opened"):
        Keeper.open(settings)


def test_a_journal_that_was_torn_by_a_kill_opens_again(tmp_path: Path) -> None:
    settings = demo_settings(tmp_path, records=300)
    first = Keeper.open(settings)
    said = first.ask("households", b'{"by":["sex"]}', kind="tabulate", user="ann")
    first.jobs.close()
    with (tmp_path / "journal.jsonl").open("ab") as journal:
        journal.write(b'{"number":')
    with pytest.warns(TacitaWarning, match="incomplete line"):
        again = Keeper.open(settings)
    again.jobs.close()
    assert again.ask("households", b'{"by":["sex"]}', kind="tabulate", user="ann").body == said.body


@pytest.mark.parametrize("key", [b"", b"short", b"6b6579", b"\x00" * 8])
def test_a_short_key_no_server(key: bytes, tmp_path: Path) -> None:
    settings = demo_settings(tmp_path, records=200)
    (tmp_path / "demo.key").write_bytes(key)
    with pytest.raises(TacitaError, match="key"):
        Keeper.open(settings)


def test_another_key_no_server(tmp_path: Path) -> None:
    settings = demo_settings(tmp_path, records=200)
    Keeper.open(settings).jobs.close()
    (tmp_path / "demo.key").unlink()
    Key.draw().write(tmp_path / "demo.key")
    with pytest.raises(FileError, match=r"must verify|another key"):
        Keeper.open(settings)


def test_a_variable_may_be_called_kind(keeper: Keeper) -> None:
    said = keeper.ask("households", b'{"by":["kind"]}', kind="tabulate", user="ann")
    assert said.reasons == ("unknown_variable",)
    said = keeper.ask("households", b'{"kind":"regress","by":["sex"]}', kind="tabulate", user="ann")
    assert said.reasons == ("request_form",)


def test_what_is_not_there(keeper: Keeper) -> None:
    with pytest.raises(ParameterError, match="no such data set"):
        keeper.ask("none", b"{}", kind="tabulate", user="ann")
    with pytest.raises(ParameterError, match="cannot do that"):
        keeper.steward("households", "erase", {})
    assert keeper.answer("0" * 32, datasets=["households", "none"], user="ann") is None


FEW = b'{"by":["sex"],"where":{"birth_country":["Fiji"],"occupation":["01"]}}'


def test_the_steward_sees_what_was_refused(keeper: Keeper) -> None:
    """The policy 'mas' keeps no identities, so nobody sees who asked."""
    said = keeper.ask("households", FEW, kind="tabulate", user="ann")
    assert said.is_timed
    (last,) = keeper.steward("households", "journal", {"last": 1, "status": "refused"})
    assert last["user"] is None
    assert last["request"]["where"] == {"birth_country": ["Fiji"], "occupation": ["01"]}
    assert keeper.steward("households", "refusals", {})["statuses"]["refused"] >= 1


def test_the_journal_has_pseudonyms_and_no_names(tmp_path: Path) -> None:
    keeper = Keeper.open(demo_settings(tmp_path, records=300, policy="tables"))
    for user in ("ann", "bob", "ann"):
        keeper.ask("households", FEW, kind="tabulate", user=user)
    keeper.jobs.close()
    first, second, third = (row["user"] for row in keeper.steward("households", "journal", {"last": 3}))
    assert first == third != second
    assert {first, second}.isdisjoint({"ann", "bob", None})


def test_what_tells_by_its_time(keeper: Keeper) -> None:
    """A refusal by data, a table of which some parts were refused; not what only the catalogue was needed for."""
    asked = {
        FEW: True,
        b'{"by":["occupation","sex"],"each":"occupation"}': True,
        b'{"by":["sex"]}': False,
        b'{"by":["none"]}': False,
        b"{": False,
    }
    own = Keeper(replace(keeper.settings, limits=ServerLimits(parts=1000)), keeper.databases)
    found = {body: own.ask("households", body, kind="tabulate", user="ann").is_timed for body in asked}
    own.jobs.close()
    assert found == asked


def test_a_key_that_everybody_can_read_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = demo_settings(tmp_path, records=200)
    Keeper.open(settings).jobs.close()
    assert "can read the key" not in capsys.readouterr().err
    (tmp_path / "demo.key").chmod(0o644)
    Keeper.open(settings).jobs.close()
    assert "everybody on this machine can read the key 'demo.key'" in capsys.readouterr().err


def test_a_journal_that_cannot_be_written_is_told_to_the_operator(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keeper = Keeper.open(demo_settings(tmp_path, records=200))
    journal = tmp_path / "journal.jsonl"
    journal.rename(tmp_path / "away")
    for _ in range(3):
        with pytest.raises(EngineUnavailableError):
            keeper.ask("households", b'{"by":["sex"]}', kind="tabulate", user="ann")
    keeper.jobs.close()
    assert capsys.readouterr().err.count("Nothing is answered: The journal 'journal.jsonl' cannot be opened") == 1


def test_the_version_before_is_opened_where_the_settings_name_it(tmp_path: Path) -> None:
    settings = demo_settings(tmp_path, records=200, policy="tables")
    (dataset,) = settings.datasets
    old = Path(dataset.source).with_name("old.parquet")
    Path(dataset.source).rename(old)
    tc.write(tc.samples.household_survey(190, seed=1), dataset.source)
    made = replace(settings, datasets=(replace(dataset, previous=str(old), record_id="person_id"),))
    keeper = Keeper.open(made)
    keeper.jobs.close()
    previous = keeper.databases["households"].history.previous
    assert previous is not None
    assert (len(previous.version), len(keeper.databases["households"].version)) == (200, 190)
