"""The journal in a file: several processes, full disks, wrong keys, files that were tampered with while it is open."""

from __future__ import annotations

import errno
import os
import resource
import threading
from pathlib import Path

import pytest

from tacita.core.errors import FileError
from tacita.query.journal import journal as journal_file
from tacita.query.journal.journal import FileJournal, open_journal
from tacita.query.journal.reading import read_entries
from tacita.query.journal.verify import verify
from tests.query.journal.children import KEY, OTHER, REQUEST, child, written

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork processes")


def test_it_goes_on_where_it_was(tmp_path: Path) -> None:
    head = written(tmp_path / "j", 3).head()
    again = open_journal(tmp_path / "j", key=KEY)
    assert again.head() == head
    entry = again.append(user="user 0")
    assert (entry.number, f"{entry.number - 1}:{entry.previous}") == (4, head)
    assert entry.user == next(read_entries(tmp_path / "j", kind="request")).user
    assert verify(tmp_path / "j", key=KEY, anchor=head).state == "verified"
    assert repr(again) == "FileJournal('j')"


def test_the_file_is_for_its_owner(tmp_path: Path) -> None:
    assert written(tmp_path / "j").path.stat().st_mode & 0o777 == 0o600


def test_no_values_and_no_names_are_in_the_file(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path / "j", key=KEY)
    journal.append(user="CANARY-user", request=REQUEST, status="answered", answer={"mean": 48151623.42, "t": "CANARY"})
    with journal.path.open("ab") as file:
        file.write(b"{")
    with pytest.warns(UserWarning, match="incomplete"):
        journal.append("request", user="CANARY-user")
    files = list(tmp_path.iterdir())
    assert len(files) == 2
    for path in files:
        content = path.read_bytes()
        for secret in (b"CANARY", b"48151623", b"0123456789abcdef0123456789abcdef", KEY.digest("x")):
            assert secret not in content
            assert secret.hex().encode() not in content


def test_it_is_on_the_disk_before_it_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = written(tmp_path / "j", 0)
    sizes: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: sizes.append(os.fstat(handle).st_size))
    journal.append(user="ada")
    assert sizes == [journal.path.stat().st_size]


# --- several writers ---------------------------------------------------------------------------------------------------------


@forks
def test_processes_and_threads_keep_one_chain(tmp_path: Path) -> None:
    shared = written(tmp_path / "j", 0)

    def several(name: str) -> None:
        own = FileJournal(tmp_path / "j", key=KEY)
        workers = [threading.Thread(target=lambda j=j: [j.append(user=name) for _ in range(15)]) for j in (own, shared)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    children = [threading.Thread(target=lambda name=name: codes.append(child(lambda: several(name)))) for name in "ab"]
    codes: list[int] = []
    for one in children:
        one.start()
    several("c")
    for one in children:
        one.join()
    assert codes == [0, 0]
    found = verify(tmp_path / "j", key=KEY, anchor=shared.head())
    assert (found.state, found.entries) == ("verified", 91)
    by_user = [len(list(read_entries(tmp_path / "j", user=name, key=KEY))) for name in "abc"]
    assert by_user == [30, 30, 30]


@forks
def test_two_processes_may_begin_the_same_journal(tmp_path: Path) -> None:
    codes: list[int] = []
    begin = [
        threading.Thread(
            target=lambda: codes.append(child(lambda: FileJournal(tmp_path / "j", key=KEY).append("request")))
        )
        for _ in range(3)
    ]
    for one in begin:
        one.start()
    for one in begin:
        one.join()
    assert codes == [0, 0, 0]
    assert [entry.kind for entry in read_entries(tmp_path / "j")] == ["journal", "request", "request", "request"]


# --- a full disk -----------------------------------------------------------------------------------------------------------


def test_a_full_disk_stops_the_answer_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = written(tmp_path / "j", 2)
    before, head = journal.path.read_bytes(), journal.head()
    write = os.write

    def full(handle: int, content: bytes) -> int:
        if len(content) < 300:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, content[:200])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(FileError, match="cannot be written: No space left on device"):
            journal.append(user="ada")
    assert journal.path.read_bytes() == before
    assert journal.head() == head
    journal.append(user="ada")
    assert verify(journal.path, key=KEY, anchor=head).entries == 4


@pytest.mark.parametrize("error", [OSError(errno.EIO, "x"), KeyboardInterrupt()])
def test_what_was_not_synced_is_taken_back(
    error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = written(tmp_path / "j", 2)
    before = journal.path.read_bytes()

    def fails(handle: int) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fails)
        with pytest.raises((FileError, KeyboardInterrupt)):
            journal.append(user="ada")
    assert journal.path.read_bytes() == before
    assert journal.append(user="ada").number == 3


@forks
def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    """A limit of the system: a write is done by half, the next one fails."""
    journal = written(tmp_path / "j", 2)
    before = journal.path.read_bytes()

    def work() -> None:
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 100, hard))
        with pytest.raises(FileError, match="cannot be written: File too large"):
            journal.append(user="ada")
        assert journal.path.read_bytes() == before
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        journal.append(user="ada")

    assert child(work) == 0
    assert verify(journal.path, key=KEY).entries == 4


def test_no_room_for_what_is_set_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "j", 1).path
    with path.open("ab") as file:
        file.write(b"{")
    before = path.read_bytes()

    def full(*words: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(journal_file, "move_torn_line", full)
    with pytest.raises(FileError, match="cannot be repaired after an interruption: No space left"):
        FileJournal(path, key=KEY)
    assert path.read_bytes() == before


# --- somebody else was there ---------------------------------------------------------------------------------------------


def test_another_key_is_refused(tmp_path: Path) -> None:
    for number in (0, 3):
        path = written(tmp_path / f"j{number}", number).path
        before = path.read_bytes()
        with pytest.raises(FileError, match="was written with another key"):
            FileJournal(path, key=OTHER)
        assert path.read_bytes() == before


def test_a_cut_replaced_or_removed_file_stops_the_journal(tmp_path: Path) -> None:
    journal = written(tmp_path / "j", 4)
    whole = journal.path.read_bytes()
    lines = whole.splitlines(keepends=True)
    journal.path.write_bytes(b"".join(lines[:-1]))
    with pytest.raises(FileError, match="must only grow, but it was cut or replaced"):
        journal.append(user="ada")
    journal.path.write_bytes(whole)
    assert journal.append(user="ada").number == 5
    journal.path.rename(tmp_path / "kept")
    with pytest.raises(FileError, match="cannot be opened: No such file"):
        journal.append(user="ada")
    (tmp_path / "new").write_bytes(whole + whole)
    (tmp_path / "new").rename(journal.path)
    with pytest.raises(FileError, match="cut or replaced"):
        journal.head()


def test_a_forged_line_stops_the_journal(tmp_path: Path) -> None:
    """Somebody without the key computes a right hash; the seal betrays him."""
    from tacita.query.journal.chain import ChainedLine, JournalKeys

    journal = written(tmp_path / "j", 2)
    last = list(journal.entries())[-1]
    body = {**last.to_body(), "number": 3, "previous": last.hash}
    _, line = ChainedLine.make(body, JournalKeys(OTHER))
    with journal.path.open("ab") as file:
        file.write(line)
    with pytest.raises(FileError, match="damaged or was changed"):
        journal.append(user="ada")
    with pytest.raises(FileError, match="damaged or was changed"):
        FileJournal(journal.path, key=KEY)


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be opened: No such file or directory"):
        FileJournal(tmp_path / "none" / "j", key=KEY)
    with pytest.raises(FileError, match="cannot be opened: Is a directory"):
        FileJournal(tmp_path, key=KEY)
