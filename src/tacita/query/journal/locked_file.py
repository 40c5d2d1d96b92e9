"""The file of a journal, opened and locked for one step: no two processes or threads ever write or measure it at once.

The file is opened anew for every step. A lock then belongs to that step alone, also between threads and after a fork, and a
file that was moved away meanwhile is noticed.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tacita.core.errors import FileError
from tacita.data.disk.workplace import give_back_lock, take_lock

__all__ = ["PATIENCE", "cannot", "locked", "put", "snapshot"]

PATIENCE = 30.0
"""Seconds to wait for a lock that somebody else holds; a step takes about a millisecond."""
_SHORTEST, _LONGEST = 0.0002, 0.02


@contextmanager
def locked(path: Path, *, create: bool = False) -> Iterator[int]:
    """Open a journal for reading and appending, and hold its lock.

    Parameters
    ----------
    path
        The file.
    create
        Make it when there is none; only its owner can read it.

    Raises
    ------
    FileError
        When it cannot be opened, is no file, or stays locked, or the disk knows no locks.
    """
    flags = os.O_RDWR | os.O_APPEND | getattr(os, "O_NONBLOCK", 0) | (os.O_CREAT if create else 0)
    handle = _opened(path, flags)
    try:
        if _wait(handle, path) is None:
            raise FileError(
                f"The journal '{path.name}' must be on a disk that knows locks, so that two processes never write at once; "
                "choose another directory."
            )
        yield handle
    finally:
        give_back_lock(handle)
        os.close(handle)


@contextmanager
def snapshot(path: Path) -> Iterator[tuple[int, int]]:
    """Open a journal for reading; give the handle, and how long it was at a moment when nobody wrote.

    Raises
    ------
    FileError
        When it cannot be opened, is no file, or stays locked.
    """
    handle = _opened(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        other = _opened(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # its lock is given back at once
        try:
            _wait(other, path)  # without locks the last line may be one that is being written
            size = os.fstat(handle).st_size
        finally:
            give_back_lock(other)
            os.close(other)
        yield handle, size
    finally:
        os.close(handle)


def put(handle: int, content: bytes, end: int, *, sync: bool = True) -> None:
    """Append to a file and have it on the disk; when that fails, cut the file back to where it ended.

    Parameters
    ----------
    handle
        The open file, locked.
    content
        What to append.
    end
        Where the file ends now.
    sync
        Whether to wait for the disk; who does not must do so before anybody relies on it.

    Raises
    ------
    OSError
        When it cannot be written; nothing is left half-written, unless even cutting back fails.
    """
    try:
        rest = content
        while rest:
            rest = rest[os.write(handle, rest) :]
        if sync:
            os.fsync(handle)
    except BaseException:
        with suppress(OSError):
            os.ftruncate(handle, end)
            os.fsync(handle)
        raise


def cannot(path: Path, what: str, error: OSError | ValueError) -> FileError:
    """Return an error in the words of the system."""
    number = getattr(error, "errno", None)
    reason = os.strerror(number) if number else "its name is none that a file can have"
    return FileError(f"The journal '{path.name}' cannot be {what}: {reason}.")


def _opened(path: Path, flags: int) -> int:
    try:
        handle = os.open(path, flags, 0o600)
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        raise cannot(path, "opened", error) from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise FileError(f"The journal '{path.name}' must be a file, but it is a directory, a device or a pipe.")
    return handle


def _wait(handle: int, path: Path) -> bool | None:
    """Wait for the lock: True when it is held, None where there are no locks."""
    end, pause = time.monotonic() + PATIENCE, _SHORTEST
    while (found := take_lock(handle)) is False:
        if time.monotonic() > end:
            raise FileError(
                f"The journal '{path.name}' is locked by another process for more than {PATIENCE:.0f} seconds; see whether one "
                "hangs, and try again."
            )
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST)
    return found
