"""Processes that are killed while they write: the chain is whole, what left is in it, and nothing disappears silently."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

import pytest

from tacita.core.errors import FileError, TacitaWarning
from tacita.query.journal.chain import BEGIN
from tacita.query.journal.journal import FileJournal
from tacita.query.journal.reading import read_entries
from tacita.query.journal.torn import flush_directory, is_torn, move_torn_line, recorded, tail_of, unrecorded
from tacita.query.journal.verify import verify
from tests.query.journal.children import KEY, child, killed_at, written

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork processes")
KILLED = -9


def some_answers(path: Path, left: Path, call: int) -> int:
    """Open and append in a child that is killed at some call; what it got back goes to ``left``, as answers would."""

    def work() -> None:
        gone = left.open("a", encoding="ascii", buffering=1)
        killed_at(call)
        journal = FileJournal(path, key=KEY)
        for number in range(2):
            gone.write(journal.append(user="ada", request={"n": number}, status="answered", answer=number).hash + "\n")

    return child(work)


def reopened(path: Path) -> FileJournal:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TacitaWarning)
        return FileJournal(path, key=KEY)


def test_every_kill_leaves_a_whole_chain_with_everything_that_left(tmp_path: Path) -> None:
    status, call, torn = KILLED, 0, 0
    while status == KILLED:
        call += 1
        path, left = tmp_path / f"j{call}", tmp_path / f"left{call}"
        status = some_answers(path, left, call)
        assert status in (0, KILLED)
        journal = reopened(path)
        found = verify(path, key=KEY, anchor=journal.head())
        assert found.state == "verified", (call, found.flaws)
        entries = list(journal.entries())
        assert set(left.read_text().split()) <= {entry.hash for entry in entries}
        recoveries = [entry for entry in entries if entry.kind == "recovery"]
        for entry in recoveries:
            assert entry.request is not None
            piece = (tmp_path / entry.request["file"]).read_bytes()
            assert len(piece) == entry.request["bytes"]
        torn += len(recoveries)
        assert journal.append(user="ada").number == len(entries)
    assert call > 8  # it was killed at every call of opening and of two appends
    assert torn >= 3  # half of the first entry, and of each of the two others


def test_a_kill_while_repairing_is_repaired(tmp_path: Path) -> None:
    status, call = KILLED, 0
    while status == KILLED:
        call += 1
        path = tmp_path / f"j{call}"
        head = written(path, 2).head()
        with path.open("ab") as file:
            file.write(BEGIN[:50])

        def work(path: Path = path, call: int = call) -> None:
            killed_at(call)
            reopened(path)

        status = child(work)
        journal = reopened(path)
        assert verify(path, key=KEY, anchor=head).state == "verified"
        assert journal.head() == f"{len(list(journal.entries())) - 1}:{list(journal.entries())[-1].hash}"
        pieces = {piece.name: piece.read_bytes() for piece in tmp_path.glob(f"j{call}.torn-*")}
        assert BEGIN[:50] in pieces.values()
        told = {entry.request["file"] for entry in read_entries(path, kind="recovery") if entry.request is not None}
        assert told == set(pieces)  # the chain tells of every piece, whenever the process was killed
    assert call > 8


def test_a_running_journal_repairs_what_another_process_left(tmp_path: Path) -> None:
    journal = written(tmp_path / "j", 2)
    with journal.path.open("ab") as file:
        file.write(BEGIN[:20])
    with pytest.warns(TacitaWarning, match="ended with an incomplete line, whose answer never left"):
        assert journal.append(user="ada").number == 4
    assert [entry.kind for entry in journal.entries()] == ["journal", "request", "request", "recovery", "request"]


@pytest.mark.parametrize("tail", [b"{", b"\0" * 700, BEGIN + b"\0\0\0x\n", b'{"entry":{"answer":null,"k'], ids=range(4))
def test_incomplete_lines_are_set_aside(tail: bytes, tmp_path: Path) -> None:
    head = written(tmp_path / "j", 1).head()
    with (tmp_path / "j").open("ab") as file:
        file.write(tail)
    assert verify(tmp_path / "j", key=KEY).state == "broken"
    with pytest.warns(TacitaWarning, match="incomplete line"):
        FileJournal(tmp_path / "j", key=KEY)
    assert verify(tmp_path / "j", key=KEY, anchor=head).state == "verified"
    (aside,) = tmp_path.glob("j.torn-*")
    assert aside.read_bytes() == tail
    assert aside.stat().st_mode & 0o777 == 0o600


def test_a_whole_line_that_is_wrong_is_no_torn_line(tmp_path: Path) -> None:
    written(tmp_path / "j", 1)
    before = (tmp_path / "j").read_bytes()
    (tmp_path / "j").write_bytes(before + b"{}\n")
    with pytest.raises(FileError, match="damaged or was changed"):
        FileJournal(tmp_path / "j", key=KEY)
    assert (tmp_path / "j").read_bytes() == before + b"{}\n"


@pytest.mark.parametrize(
    "content",
    [b"name,income\nada,3", b"x", b'{"entry":{"answer":"', b"\x89PNG\r\n", b"\n", b"y" * 4_000_000],
    ids=range(6),
)
def test_another_file_is_never_touched(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "j").write_bytes(content)
    with pytest.raises(FileError, match="is no journal"):
        FileJournal(tmp_path / "j", key=KEY)
    assert (tmp_path / "j").read_bytes() == content
    assert [path.name for path in tmp_path.iterdir()] == ["j"]


def test_the_parts(tmp_path: Path) -> None:
    assert is_torn(b"abc")
    assert is_torn(b"a\0c\n")
    assert not is_torn(b"abc\n")
    path = written(tmp_path / "j", 2).path
    whole = path.read_bytes()
    last = whole.rfind(b"\n", 0, -1) + 1
    with path.open("r+b") as file:
        assert tail_of(file.fileno(), len(whole)) == last
        file.seek(0, 2)
        file.write(b"half")
        file.flush()
        assert tail_of(file.fileno(), len(whole) + 4) == last
        move_torn_line(path, file.fileno(), len(whole), len(whole) + 4)
    assert path.read_bytes() == whole
    ((waiting, said),) = unrecorded(path)
    assert (said["bytes"], waiting.name) == (4, f"{said['file']}.unrecorded")
    recorded(waiting)
    assert unrecorded(path) == []
    assert (tmp_path / said["file"]).read_bytes() == b"half"
    flush_directory(tmp_path / "none")  # nothing to flush is no error
