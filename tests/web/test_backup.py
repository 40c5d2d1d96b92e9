"""Backups of a server: complete, checked before anything is restored, and honest about what they forget."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from tacita.core.errors import FileError, ParameterError
from tacita.core.keyed import Key
from tacita.query.journal.journal import FileJournal
from tacita.query.journal.reading import last_anchor
from tacita.query.journal.verify import verify
from tacita.web.accounts import open_accounts
from tacita.web.backup import MANIFEST, backup, restore
from tests.query.journal.children import KEY, OTHER, written
from tests.web.accounts.children import ANN, HandClock, rule


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Make a server's files: two databases, each with its key and journal, and accounts."""
    folder = tmp_path / "site"
    for name, key in (("one", KEY), ("two", OTHER)):
        (folder / name).mkdir(parents=True)
        key.write(folder / name / "database.key")
        written(folder / name / "journal.jsonl", 4, key)
    with open_accounts(folder / "accounts.sqlite", now=HandClock()) as accounts:
        accounts.new_token(user="ann", role="researcher", datasets=("one",))
        accounts.reserve(ANN, "one", 3, [rule("user", 9)])
    return folder


def saved(site: Path, name: str = "copy", **more: object) -> Path:
    given = {
        "keys": [site / "one" / "database.key", site / "two" / "database.key"],
        "journals": [site / "one" / "journal.jsonl", site / "two" / "journal.jsonl"],
        "accounts": site / "accounts.sqlite",
    }
    backup(site.parent / name, **{**given, **more})
    return site.parent / name


def changed(folder: Path, **more: object) -> None:
    """Change what the manifest says about its first part, or about all."""
    told = json.loads((folder / MANIFEST).read_text())
    told["parts"][0] |= {name: value for name, value in more.items() if name in told["parts"][0]}
    told |= {name: value for name, value in more.items() if name not in told["parts"][0]}
    (folder / MANIFEST).write_text(json.dumps(told))


def test_everything_comes_back(site: Path, tmp_path: Path) -> None:
    copy = saved(site)
    found = restore(copy, tmp_path / "new")
    assert [part.place for part in found.parts] == [
        "keys/database.key",
        "keys/2-database.key",
        "journals/journal.jsonl",
        "journals/2-journal.jsonl",
        "accounts.sqlite",
    ]
    for name, number in (("one", ""), ("two", "2-")):
        for kind, file in (("keys", "database.key"), ("journals", "journal.jsonl")):
            assert (found.path / kind / f"{number}{file}").read_bytes() == (site / name / file).read_bytes()
    with open_accounts(found.path / "accounts.sqlite", create=False) as accounts:
        assert [facts.user for facts in accounts.tokens()] == ["ann"]
        assert [row.spent for row in accounts.spending()] == [3]


def test_only_its_owner_can_read_it(site: Path, tmp_path: Path) -> None:
    copy = saved(site)
    restore(copy, tmp_path / "new")
    for folder in (copy, tmp_path / "new"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*") if path.is_file()}
        assert modes == {0o600}


def test_the_manifest_has_the_anchors(site: Path) -> None:
    told = json.loads((saved(site) / MANIFEST).read_text())
    anchors = [part["anchor"] for part in told["parts"] if part["kind"] == "journal"]
    assert anchors == [last_anchor(site / name / "journal.jsonl") for name in ("one", "two")]


def test_a_restored_journal_goes_on(site: Path, tmp_path: Path) -> None:
    restore(saved(site), tmp_path / "new")
    path, key = tmp_path / "new" / "journals" / "journal.jsonl", tmp_path / "new" / "keys" / "database.key"
    FileJournal(path, key=key).append(status="answered")
    assert verify(path, key=key).entries == 6


def test_the_notes_say_what_is_forgotten(site: Path, tmp_path: Path) -> None:
    notes = restore(saved(site), tmp_path / "new").notes
    assert len(notes) == 3
    assert "ends with entry 4" in notes[0]
    assert "as if those answers had never left" in notes[0]
    assert "questions spent since may be asked again" in notes[2]


def test_a_backup_that_is_older_than_an_anchor_is_refused(site: Path, tmp_path: Path) -> None:
    copy = saved(site)
    then = [last_anchor(site / name / "journal.jsonl") for name in ("one", "two")]
    FileJournal(site / "one" / "journal.jsonl", key=KEY).append(status="answered")
    now = last_anchor(site / "one" / "journal.jsonl")
    for anchor in (now, [*then, now]):
        with pytest.raises(FileError, match="The backup is older than the anchor of entry 5"):
            restore(copy, tmp_path / "new", anchor=anchor)
        assert not (tmp_path / "new").exists()
    assert restore(copy, tmp_path / "new", anchor=then).notes
    assert restore(saved(site, "later"), tmp_path / "newer", anchor=[now, *then]).notes
    with pytest.raises(ParameterError, match="An anchor must be"):
        restore(copy, tmp_path / "x", anchor="5")


def test_nothing_is_replaced(site: Path, tmp_path: Path) -> None:
    copy = saved(site)
    with pytest.raises(FileError):
        saved(site)
    with pytest.raises(FileError):
        restore(copy, site)
    assert (site / "accounts.sqlite").exists()


def test_a_backup_needs_the_key_of_every_journal(site: Path) -> None:
    with pytest.raises(FileError, match="sealed with none of the keys"):
        saved(site, keys=[site / "one" / "database.key"])
    Key.draw().write(site / "third.key")
    with pytest.raises(FileError, match="sealed with none of the keys"):
        saved(site, keys=[site / "third.key"])
    assert not (site.parent / "copy").exists()


def test_a_broken_journal_is_not_kept_as_if_it_were_whole(site: Path) -> None:
    path = site / "two" / "journal.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"answered"', b'"refused2"', 1))
    with pytest.raises(FileError, match=r"The journal '2-journal.jsonl' is broken: entry 2: its content was changed"):
        saved(site)
    path.write_bytes(b"{}\n")
    with pytest.raises(FileError, match="must be a journal"):
        saved(site)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"keys": [], "journals": [], "accounts": None}, "must have something in it"),
        ({"keys": ["none"]}, "The key file 'none' cannot be read"),
        ({"journals": ["none"]}, "The journal 'none' cannot be opened"),
        ({"accounts": "none"}, "there is none"),
    ],
)
def test_what_is_not_there_is_named(site: Path, more: dict[str, object], sentence: str) -> None:
    with pytest.raises((FileError, ParameterError), match=sentence):
        saved(site, **more)
    assert {path.name for path in site.parent.iterdir()} == {"site"}


@pytest.mark.parametrize("place", ["keys/database.key", "journals/2-journal.jsonl", "accounts.sqlite"])
def test_damage_is_seen(site: Path, tmp_path: Path, place: str) -> None:
    copy = saved(site)
    content = bytearray((copy / place).read_bytes())
    content[len(content) // 2] ^= 1
    (copy / place).write_bytes(content)
    with pytest.raises(FileError, match="is not what its manifest says"):
        restore(copy, tmp_path / "new")
    (copy / place).unlink()
    with pytest.raises(FileError, match="The backup lacks"):
        restore(copy, tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "more",
    [
        {"place": "../../x"},
        {"place": "keys/.."},
        {"place": "keys/a/b"},
        {"place": "/etc/passwd"},
        {"place": "accounts.sqlite"},
        {"place": "journals/journal.jsonl"},
        {"place": 7},
        {"kind": "other"},
        {"kind": []},
        {"form": "tacita-server-backup-2"},
        {"parts": 7},
        {"parts": [{}]},
        {"parts": [None]},
    ],
)
def test_a_manifest_of_somebody_else_is_refused(site: Path, tmp_path: Path, more: dict[str, object]) -> None:
    copy = saved(site)
    changed(copy, **more)
    with pytest.raises(FileError, match="The manifest"):
        restore(copy, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_what_is_no_backup_is_refused(site: Path, tmp_path: Path) -> None:
    for folder in (site, tmp_path / "none"):
        with pytest.raises(FileError, match="The manifest"):
            restore(folder, tmp_path / "new")


def test_a_journal_that_was_exchanged_is_seen(site: Path, tmp_path: Path) -> None:
    """Somebody puts an older beginning of a journal in its place and makes the sums right: the anchor tells."""
    import hashlib

    copy = saved(site)
    path = copy / "journals" / "journal.jsonl"
    older = b"".join(path.read_bytes().splitlines(keepends=True)[:-1])
    path.write_bytes(older)
    told = json.loads((copy / MANIFEST).read_text())
    told["parts"][2] |= {"size": len(older), "sha256": hashlib.sha256(older).hexdigest()}
    (copy / MANIFEST).write_text(json.dumps(told))
    with pytest.raises(FileError, match="does not end with the entry that its manifest names"):
        restore(copy, tmp_path / "new")


def test_accounts_may_go_elsewhere(site: Path, tmp_path: Path) -> None:
    restore(saved(site), tmp_path / "new", accounts=tmp_path / "elsewhere")
    with open_accounts(tmp_path / "elsewhere", create=False) as accounts:
        assert [facts.user for facts in accounts.tokens()] == ["ann"]


def test_parts_may_be_left_out(site: Path, tmp_path: Path) -> None:
    copy = saved(site, keys=[], journals=[])
    found = restore(copy, tmp_path / "new")
    assert [part.kind for part in found.parts] == ["accounts"]
    assert len(found.notes) == 1
