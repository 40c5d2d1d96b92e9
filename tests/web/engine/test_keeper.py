"""The keeper: what keeps a server from opening, and how requests are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacita.core.errors import FileError, ParameterError
from tacita.web.demo import demo_settings
from tacita.web.engine import Keeper


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
    keeper.databases["households"].close()
    keeper.jobs.close()
    journal = tmp_path / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:1] + lines[2:]))
    with pytest.raises(FileError, match="must verify before data set 'households' is opened"):
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


def test_the_steward_sees_what_was_refused(keeper: Keeper) -> None:
    few = b'{"by":["sex"],"where":{"birth_country":["Fiji"],"occupation":["01"]}}'
    said = keeper.ask("households", few, kind="tabulate", user="ann")
    assert said.is_timed
    (last,) = keeper.steward("households", "journal", {"last": 1, "status": "refused"})
    assert last["user"] == "ann"
    assert keeper.steward("households", "refusals", {})["statuses"]["refused"] >= 1
