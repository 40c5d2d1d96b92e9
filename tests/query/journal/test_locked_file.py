"""The lock, the rights and the place of a journal's file."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from tacita.core.errors import FileError
from tacita.query.journal import locked_file
from tacita.query.journal.locked_file import cannot, locked, put, snapshot


def test_a_new_file_is_for_its_owner(tmp_path: Path) -> None:
    with locked(tmp_path / "j", create=True):
        assert (tmp_path / "j").stat().st_mode & 0o777 == 0o600


def test_two_never_hold_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locked_file, "PATIENCE", 0.01)
    path = tmp_path / "j"
    with locked(path, create=True), pytest.raises(FileError, match="is locked by another process"), locked(path):
        pass
    with locked(path) as handle:
        assert os.fstat(handle).st_size == 0
    with locked(path), pytest.raises(FileError, match="is locked"), snapshot(path):
        pass


def test_a_snapshot_holds_no_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locked_file, "PATIENCE", 0.01)
    (tmp_path / "j").write_bytes(b"abc")
    with snapshot(tmp_path / "j") as (handle, size), locked(tmp_path / "j") as writer:
        put(writer, b"def", 3)
        assert size == 3
        assert os.pread(handle, 10, 0) == b"abcdef"


def test_a_disk_without_locks_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locked_file, "take_lock", lambda _: None)
    with pytest.raises(FileError, match="must be on a disk that knows locks"), locked(tmp_path / "j", create=True):
        pass


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileError, match="must be a file"), snapshot(tmp_path / "pipe"):
        pass
    with pytest.raises(FileError, match="cannot be opened: Is a directory"), locked(tmp_path):
        pass
    with pytest.raises(FileError, match="cannot be opened: No such file"), locked(tmp_path / "none"):
        pass
    with pytest.raises(FileError, match="none that a file can have"), locked(tmp_path / "a\0b"):
        pass


def test_a_failed_write_is_cut_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "j").write_bytes(b"abc")
    write = os.write

    def full(handle: int, content: bytes) -> int:
        if len(content) < 4:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, content[:4])

    monkeypatch.setattr(os, "write", full)
    with locked(tmp_path / "j") as handle, pytest.raises(OSError, match="No space left"):
        put(handle, b"defghi", 3)
    assert (tmp_path / "j").read_bytes() == b"abc"


def test_an_error_has_the_words_of_the_system(tmp_path: Path) -> None:
    said = str(cannot(tmp_path / "j", "written", OSError(errno.ENOSPC, "CANARY")))
    assert said == "The journal 'j' cannot be written: No space left on device."
