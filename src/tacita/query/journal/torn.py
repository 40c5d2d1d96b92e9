"""An incomplete last line: what a process leaves that is killed, or whose machine stops, while it writes.

No answer ever followed such a line, for an answer leaves only when its entry is on the disk. The line is moved to a file of
its own beside the journal, and the chain gets an entry that says so: nothing disappears silently.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from tacita.query.journal.chain import BEGIN, LONGEST

__all__ = ["flush_directory", "is_torn", "move_torn_line", "recorded", "tail_of", "unrecorded"]

_WAITING = ".unrecorded"


def is_torn(line: bytes) -> bool:
    """Whether a last line is incomplete: it has no end, or zero bytes where a disk had not written yet.

    JSON has no zero bytes, so no entry that was ever complete is taken for one.
    """
    return not line.endswith(b"\n") or b"\0" in line


def tail_of(handle: int, size: int) -> int | None:
    """Return where the last line begins that is followed by nothing but an incomplete one; None when it is no journal.

    Parameters
    ----------
    handle
        The open file.
    size
        How long it is; more than 0.

    Notes
    -----
    At most three of the longest lines are read, however long the file is. The beginning of a file decides whether it is a
    journal: nothing of another file is ever cut off.
    """
    opening = os.pread(handle, len(BEGIN), 0)
    if opening.rstrip(b"\0") != BEGIN[: len(opening.rstrip(b"\0"))]:
        return None
    start = max(size - 3 * LONGEST, 0)
    tail = os.pread(handle, size - start, start)
    last = tail.rfind(b"\n", 0, len(tail) - 1) + 1
    if is_torn(tail[last:]) and last:
        last = tail.rfind(b"\n", 0, last - 1) + 1
    return start + last if last or not start else None


def move_torn_line(path: Path, handle: int, start: int, size: int) -> None:
    """Move what stands at the end of a journal to a file of its own, which waits to be recorded in the chain.

    Parameters
    ----------
    path, handle
        The journal, locked.
    start, size
        Where the incomplete line begins, and where the file ends.

    Raises
    ------
    OSError
        When the file beside cannot be written; the journal is unchanged then.

    Notes
    -----
    The new file is on the disk before the journal is cut, and is named after its content, so that a process that is killed
    in between does the same again. Its name says that no entry tells of it until one does (:func:`recorded`).
    """
    piece = os.pread(handle, size - start, start)
    waiting = path.with_name(f"{path.name}.torn-{hashlib.sha256(piece).hexdigest()[:16]}{_WAITING}")
    new = os.open(waiting, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        rest = piece
        while rest:
            rest = rest[os.write(new, rest) :]
        os.fsync(new)
    finally:
        os.close(new)
    flush_directory(path.parent)
    os.ftruncate(handle, start)
    os.fsync(handle)


def unrecorded(path: Path) -> list[tuple[Path, dict[str, Any]]]:
    """Return the pieces of a journal that no entry tells of, each with what the entry shall say."""
    found = []
    for waiting in sorted(path.parent.iterdir()):
        if waiting.name.startswith(f"{path.name}.torn-") and waiting.name.endswith(_WAITING) and waiting.is_file():
            piece = waiting.read_bytes()
            said = {"bytes": len(piece), "file": waiting.name.removesuffix(_WAITING)}
            found.append((waiting, {**said, "sha256": hashlib.sha256(piece).hexdigest()}))
    return found


def recorded(waiting: Path) -> None:
    """Give a piece its final name, now that an entry tells of it."""
    waiting.rename(waiting.with_name(waiting.name.removesuffix(_WAITING)))


def flush_directory(directory: Path) -> None:
    """Have the names in a directory on the disk, where the system knows how."""
    with suppress(OSError):
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
