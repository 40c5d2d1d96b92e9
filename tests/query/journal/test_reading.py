"""Reading a journal by user, time, status and rule."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from tacita.core.errors import FileError, ParameterError
from tacita.query.journal import reading
from tacita.query.journal.chain import read_line
from tacita.query.journal.journal import FileJournal
from tacita.query.journal.reading import last_anchor, read_entries, summarise
from tests.query.journal.children import KEY, written


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return written(tmp_path / "j", 6).path


def numbers(path: Path, **asked: object) -> list[int]:
    return [entry.number for entry in read_entries(path, **asked)]  # type: ignore[arg-type]


def test_entries_are_chosen(path: Path) -> None:
    pseudonym = next(read_entries(path, kind="request")).user
    noon = datetime(2030, 1, 31, 12, tzinfo=UTC)
    assert numbers(path) == [0, 1, 2, 3, 4, 5, 6]
    assert numbers(path, kind="journal") == [0]
    assert numbers(path, user=pseudonym) == numbers(path, user="user 0", key=KEY) == [1, 3, 5]
    assert numbers(path, user="user 0") == []
    assert numbers(path, status="answered") == [2, 4, 6]
    assert numbers(path, since=noon + timedelta(seconds=3)) == [2, 3, 4, 5, 6]
    assert numbers(path, until=(noon + timedelta(seconds=3)).astimezone(timezone(timedelta(hours=-5)))) == [0, 1]
    assert numbers(path, rule="minimum_size") == [1, 2, 3, 4, 5, 6]
    assert numbers(path, rule="other") == []
    with pytest.raises(ParameterError, match="must have a time zone"):
        numbers(path, since=datetime(2030, 1, 1))


def test_a_summary_counts_and_keeps_the_last(path: Path) -> None:
    found = summarise(read_entries(path), last=2)
    assert (found.entries, found.statuses) == (7, {"answered": 3, "refused": 3})
    assert found.rules == {"minimum_size": {"allow": 6}, "universe_gamma": {"deny": 6}}
    assert [entry.number for entry in found.last] == [5, 6]
    assert [entry["number"] for entry in found.to_plain()["entries"]] == [5, 6]
    assert summarise([], last=0).to_plain() == {"count": 0, "statuses": {}, "rules": {}, "entries": []}


def test_an_incomplete_line_is_left_out(path: Path) -> None:
    anchor = last_anchor(path)
    with path.open("ab") as file:
        file.write(b'{"entry":{"ans')
    assert numbers(path) == [0, 1, 2, 3, 4, 5, 6]
    assert last_anchor(path) == anchor


def test_the_anchor_is_that_of_the_last_entry(path: Path) -> None:
    last = list(read_entries(path))[-1]
    assert last_anchor(path) == f"6:{last.hash}"


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"\0" * 100, b'{"entry":{}}\n', b"x" * 4_000_000], ids=len)
def test_what_is_no_journal_has_no_anchor(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "j").write_bytes(content)
    with pytest.raises(FileError, match="must be a journal"):
        last_anchor(tmp_path / "j")


def test_a_changed_end_has_no_anchor(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:-1], lines[-1].replace(b'"answered"', b'"reviewed"')]))
    with pytest.raises(FileError, match="whole last entry"):
        last_anchor(path)


def test_a_damaged_line_is_named(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], b"CANARY\n", *lines[3:]]))
    with pytest.raises(FileError, match="damaged in line 4") as caught:
        numbers(path)
    assert "CANARY" not in str(caught.value)
    with pytest.raises(FileError, match="No such file"):
        numbers(path.with_name("none"))


@pytest.mark.parametrize("near", [1, 300, 1 << 14])
def test_an_entry_is_found_by_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, near: int) -> None:
    monkeypatch.setattr(reading, "_NEAR", near)
    journal = FileJournal(tmp_path / "j", key=KEY)
    for place in range(60):
        journal.append(request={"place": place, "filler": "x" * (place * 37 % 400)})
    with (tmp_path / "j").open("ab") as file:
        file.write(b'{"number":')  # a line that a killed process has left
    for entry in reading.read_entries(tmp_path / "j"):
        assert reading.read_entry(tmp_path / "j", entry.number) == entry
    assert reading.read_entry(tmp_path / "j", 61) is None
    assert reading.read_entry(tmp_path / "j", -1) is None


def test_few_lines_are_looked_at_to_find_an_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = FileJournal(tmp_path / "j", key=KEY)
    for place in range(500):
        journal.append(request={"place": place, "filler": "x" * 200})
    looked = []
    monkeypatch.setattr(reading, "read_line", lambda line: looked.append(1) or read_line(line))
    assert reading.read_entry(tmp_path / "j", 123).request["place"] == 122
    assert len(looked) < 60
