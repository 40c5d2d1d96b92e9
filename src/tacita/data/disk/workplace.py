"""Workplaces: private directories beside a target, in which its new content is made, with a note of who works there.

A workplace is called ``.tacita-`` and 32 hexadecimal digits, may be entered by its owner only (0700), and holds a note
``owner.json`` that is locked as long as its process lives. Whatever a killed process leaves behind is inside a workplace, so
:mod:`tacita.data.disk.leftovers` can tell it from everything else.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import secrets
import shutil
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tacita.core.errors import FileError
from tacita.data.disk.exchange import move_to_free_name

_locking: Any = None  # a system without such locks
with contextlib.suppress(ImportError):
    import fcntl

    _locking = fcntl

__all__ = [
    "NAME",
    "NEW",
    "NOTE",
    "OLD",
    "Owner",
    "clear",
    "give_back_lock",
    "put_back",
    "read_note",
    "start_of",
    "take_lock",
    "workplace",
]

NAME = re.compile(r"\.tacita-[0-9a-f]{32}")
NOTE, NEW, OLD = "owner.json", "new", "old"
"""The note of who works here, what is being made, and what was moved out of the way meanwhile."""

_FORM = "tacita-workplace-1"
_BY_HANDLE = os.unlink in os.supports_dir_fd and os.listdir in os.supports_fd and hasattr(os, "O_NOFOLLOW")
"""Whether names are looked up in an open directory instead of along a path."""
_TRIES = 20
_LONGEST_NOTE = 1 << 14


@dataclass(frozen=True)
class Owner:
    """Who works in a workplace.

    Parameters
    ----------
    name
        The name of the workplace, so that a copy under another name is not taken for one.
    target
        The name, in the directory of the workplace, of what is made; empty for mere scratch space.
    process, started
        Number of the process, and when it began, in the clock of its system; None where the system does not tell.
    boot, machine, space
        Which run of which machine it is, and its space of process numbers (a container has its own).
    locks
        Whether the note is locked as long as the process lives; not every file system knows locks.
    """

    name: str
    target: str
    process: int
    started: str | None
    boot: str | None
    machine: str
    space: str | None
    locks: bool

    @classmethod
    def here(cls, name: str = "", target: str = "", *, locks: bool = False) -> Owner:
        """Return this process."""
        number = os.getpid()
        return cls(
            name,
            target,
            number,
            start_of(number),
            _line("/proc/sys/kernel/random/boot_id"),
            _machine(),
            _space(),
            locks,
        )


@contextmanager
def workplace(directory: Path, target: str = "") -> Iterator[Path]:
    """Give a private directory inside another one; it is gone afterwards.

    Parameters
    ----------
    directory
        Where it is made; on the disk of the target, so that what is made can be moved there in one step.
    target
        Name of what is made.

    Raises
    ------
    OSError
        When the directory is not there or cannot be written to.
    """
    place, handle = _begin(directory, target)
    try:
        yield place
    finally:
        try:
            put_back(place, target)
        except OSError:
            pass  # what was there before stays in the workplace, and the next run puts it back
        else:
            clear(place)
        os.close(handle)  # only now is the lock free: nobody else takes an unfinished removal for a leftover


def put_back(place: Path, target: str) -> bool:
    """Put what had been moved out of the way back to its name, unless something has taken its place.

    Raises
    ------
    OSError
        When it cannot be moved; it must not be removed then.
    """
    if not target or not os.path.lexists(place / OLD):
        return False
    try:
        move_to_free_name(place / OLD, place.parent / target)
    except FileExistsError:
        return False
    return True


def clear(place: Path) -> None:
    """Remove a workplace; the note goes last, so that it is recognised until there is nothing left in it.

    The directory is opened once and never through a link: whoever may write beside it could put a link in its place.
    """
    with contextlib.suppress(OSError):
        handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW) if _BY_HANDLE else None
        inside: int | Path = place if handle is None else handle
        try:
            for name in os.listdir(inside):  # noqa: PTH208
                if name != NOTE:
                    _remove(place / name if handle is None else Path(name), handle)
            if os.listdir(inside) in ([NOTE], []):  # noqa: PTH208
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(place / NOTE if handle is None else NOTE, dir_fd=handle)
                os.rmdir(place)  # noqa: PTH106 - tests stop a process at every call of os
        finally:
            if handle is not None:
                os.close(handle)


def _remove(name: Path, handle: int | None) -> None:
    if stat.S_ISDIR(os.stat(name, dir_fd=handle, follow_symlinks=False).st_mode):
        shutil.rmtree(name, ignore_errors=True, dir_fd=handle)
    else:
        with contextlib.suppress(OSError):
            os.unlink(name, dir_fd=handle)


# --- beginning ----------------------------------------------------------------------------------------------------------


def _begin(directory: Path, target: str) -> tuple[Path, int]:
    """Make a workplace; again under another name when somebody who tidies up took the empty one for a leftover."""
    for _ in range(_TRIES):
        place = directory / f".tacita-{secrets.token_hex(16)}"
        os.mkdir(place, 0o700)  # noqa: PTH102 - tests stop a process at every call of os
        try:
            os.chmod(place, 0o700)  # noqa: PTH101 - a umask may take rights even from the owner
            handle = os.open(place / NOTE, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        except FileNotFoundError:
            continue
        except BaseException:
            clear(place)
            raise
        try:
            locks = take_lock(handle)
            if locks is not False and _is_same(handle, place / NOTE):
                _write_note(handle, Owner.here(place.name, target, locks=locks is True))
                return place, handle
        except BaseException:
            clear(place)
            os.close(handle)
            raise
        os.close(handle)
    raise FileError(f"No place to work could be made in '{directory}': it is removed again and again by somebody else.")


def _write_note(handle: int, owner: Owner) -> None:
    rest = json.dumps({"form": _FORM, **asdict(owner)}).encode()
    while rest:
        rest = rest[os.write(handle, rest) :]
    os.fsync(handle)


def _is_same(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.lstat())
    except FileNotFoundError:
        return False


def take_lock(handle: int) -> bool | None:
    """Lock a note: True, False when somebody else holds it, None where there are no locks."""
    if _locking is None:
        return None
    try:
        _locking.flock(handle, _locking.LOCK_EX | _locking.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
            return False
        return None
    return True


def give_back_lock(handle: int) -> None:
    """Unlock a file; closing it is not enough where a process that was forked meanwhile has a copy of the handle."""
    if _locking is not None:
        with contextlib.suppress(OSError):
            _locking.flock(handle, _locking.LOCK_UN)


def read_note(handle: int) -> Owner | None:
    """Return what a note says; None when it is no note of ours."""
    facts = os.fstat(handle)
    if not stat.S_ISREG(facts.st_mode) or facts.st_size > _LONGEST_NOTE:
        return None
    try:
        found: Any = json.loads(os.pread(handle, _LONGEST_NOTE, 0).decode("utf-8"))
        if found.pop("form") != _FORM:
            return None
        texts: tuple[Any, ...] = (found["name"], found["target"])
        owner = Owner(**found)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    is_whole = all(isinstance(text, str) for text in texts)
    # A target is a mere name: it leads to nothing outside the directory of the workplace.
    return owner if is_whole and owner.target == os.path.basename(owner.target) else None  # noqa: PTH119


# --- who we are -----------------------------------------------------------------------------------------------------------


def start_of(process: int) -> str | None:
    """Return when a process began, in ticks since its system started; None when there is none, or nobody tells."""
    text = _line(f"/proc/{process}/stat")
    # The second field is the name of the program, in parentheses, and may hold anything; the start is field 22.
    fields = [] if text is None else text.rpartition(")")[2].split()
    return fields[19] if len(fields) > 19 else None


def _machine() -> str:
    return f"{socket.gethostname()} {_line('/etc/machine-id') or ''}".strip()


def _space() -> str | None:
    try:
        return os.readlink("/proc/self/ns/pid")  # noqa: PTH115 - a text, no path
    except OSError:
        return None


def _line(path: str) -> str | None:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip() or None
    except OSError:
        return None
