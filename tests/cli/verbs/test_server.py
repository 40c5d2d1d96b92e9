"""``tacita server``: tokens and backups as a steward calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tacita.web.accounts import open_accounts
from tests.cli.test_verbs import tacita
from tests.query.journal.children import KEY, written


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "accounts.sqlite"


def new(file: Path, *more: object) -> object:
    return tacita("server", "token", "new", "--accounts", file, "--user", "ann", "--dataset", "survey", *more)


def test_a_token_is_printed_once(file: Path) -> None:
    done = new(file, "--organisation", "institute", "--dataset", "b", "--days", 90)
    assert done.returncode == 0, done.stderr
    text = done.stdout.strip()
    assert "Authorization: Bearer TOKEN" in done.stderr
    with open_accounts(file, create=False) as accounts:
        visitor = accounts.who(text)
        (facts,) = accounts.tokens()
    assert (visitor.user, visitor.role, visitor.organisation) == ("ann", "researcher", "institute")
    assert visitor.datasets == ("survey", "b")
    assert (facts.expires - facts.created).days == 90 or (facts.expires - facts.created).seconds > 86000
    listed = tacita("server", "token", "list", "--accounts", file)
    assert "tokens: 1" in listed.stdout
    assert visitor.token in listed.stdout
    assert "valid" in listed.stdout
    assert text.split("_")[2] not in listed.stdout + listed.stderr


def test_json(file: Path) -> None:
    made = json.loads(new(file, "--role", "steward", "--json").stdout)
    with open_accounts(file) as accounts:
        assert accounts.who(made["token"]).role == "steward"
    listed = json.loads(tacita("server", "token", "list", "--accounts", file, "--json").stdout)
    assert listed == [{name: value for name, value in made.items() if name != "token"}]
    gone = json.loads(tacita("server", "token", "revoke", made["id"], "--accounts", file, "--json").stdout)
    assert gone["revoked"] is not None


def test_a_token_is_revoked(file: Path) -> None:
    text = new(file).stdout.strip()
    number = text.split("_")[1]
    done = tacita("server", "token", "revoke", number, "--accounts", file)
    assert done.returncode == 0
    assert "revoked" in done.stdout
    with open_accounts(file) as accounts:
        assert accounts.who(text) is None
    none = tacita("server", "token", "revoke", "0" * 16, "--accounts", file)
    assert none.returncode == 2
    assert "there is none of that number" in none.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["token", "list", "--accounts", "none.sqlite"], "there is none"),
        (["token", "list", "--accounts", "mysql://ann:canary@host/x"], "must be the name of a file or an address"),
        (["token", "new", "--accounts", "x", "--user", "ann"], "'--dataset' must be given"),
        (
            ["token", "new", "--accounts", "x", "--user", "ann", "--dataset", "s", "--role", "boss"],
            "'role' must be one of",
        ),
        (["token", "new", "--accounts", "x", "--user", "ann", "--dataset", "s", "--days", "99999999"], "'--days' must"),
        (["backup", "copy"], "must have something in it"),
        (["restore", "none", "new"], "The manifest"),
        (["tokens"], "No such command 'tokens'"),
    ],
)
def test_bad_input_is_one_sentence(
    words: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = tacita("server", *words)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "canary" not in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_backup_and_restore(file: Path, tmp_path: Path) -> None:
    new(file)
    KEY.write(tmp_path / "key")
    journal = written(tmp_path / "journal.jsonl", 3).path
    words = ["--key", tmp_path / "key", "--journal", journal, "--accounts", file]
    made = tacita("server", "backup", tmp_path / "copy", *words)
    assert made.returncode == 0, made.stderr
    assert "copy: files: 3" in made.stdout
    anchor = tacita("journal", "head", journal).stdout.strip()
    assert anchor in made.stdout
    back = tacita("server", "restore", tmp_path / "copy", tmp_path / "new", "--anchor", anchor)
    assert back.returncode == 0, back.stderr
    assert "Whatever was answered after it is forgotten" in back.stderr
    assert "tokens: 1" in tacita("server", "token", "list", "--accounts", tmp_path / "new" / "accounts.sqlite").stdout
    later = anchor.replace("3:", "4:")
    old = tacita("server", "restore", tmp_path / "copy", tmp_path / "other", "--anchor", later)
    assert old.returncode == 2
    assert "older than the anchor of entry 4" in old.stderr
    plain = json.loads(tacita("server", "restore", tmp_path / "copy", tmp_path / "third", "--json").stdout)
    assert len(plain["notes"]) == 2
    told = json.loads(tacita("server", "backup", tmp_path / "more", "--accounts", file, "--json").stdout)
    assert [part["kind"] for part in told["parts"]] == ["accounts"]


def test_help_lists_the_commands() -> None:
    shown = tacita("server", "--help")
    assert shown.returncode == 0
    for word in ("token", "backup", "restore"):
        assert word in shown.stdout
