"""What interrupted runs left behind: found by its workplace, put right, and removed when its process is surely gone."""

from __future__ import annotations

import contextlib
import os
import stat
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tacita.core.errors import TacitaWarning
from tacita.data.disk.workplace import NAME, NOTE, Owner, clear, put_back, read_note, start_of, take_lock

__all__ = ["Leftover", "find_leftovers", "remove_leftovers", "tidy"]

State = Literal["abandoned", "in use", "of another machine", "not ours"]


@dataclass(frozen=True)
class Leftover:
    """Something called ``.tacita-...`` in a directory.

    Parameters
    ----------
    path
        Where it is.
    state
        ``abandoned`` when its process is gone, ``in use`` when it works, ``of another machine`` when nobody can tell from
        here, ``not ours`` when it is something else under such a name.
    target
        What was being made in it, where that is known.
    restored
        Whether an earlier output that had been moved out of the way was put back.
    is_removed
        Whether it is gone now.
    """

    path: Path
    state: State
    target: str = ""
    restored: bool = False
    is_removed: bool = False


def find_leftovers(directory: str | Path) -> list[Leftover]:
    """Look at everything called ``.tacita-...`` in a directory; nothing is changed.

    How it is decided: a workplace belongs to the same user, is a directory (no symbolic link) called ``.tacita-`` and 32
    hexadecimal digits, and holds a note that repeats this name, or nothing at all. Its process works as long as it holds the
    lock of the note. Where the file system knows no locks, number and start of the process decide. A note of another machine,
    or of a container on a file system without locks, is never judged from here. A machine that was started again is the same one.
    """
    return [_looked_at(path, removes=False, other_hosts=False) for path in _named(Path(directory))]


def remove_leftovers(directory: str | Path, *, other_hosts: bool = False) -> list[Leftover]:
    """Remove what is abandoned and return all that was looked at.

    Parameters
    ----------
    directory
        Where to look; the directories below are not searched.
    other_hosts
        Remove also what other machines left; the caller knows that nothing runs there. A lock that is held counts all the
        same.
    """
    return [_looked_at(path, removes=True, other_hosts=other_hosts) for path in _named(Path(directory))]


def tidy(directory: Path) -> None:
    """Remove what earlier runs left in a directory, and say so.

    Warns
    -----
    TacitaWarning
        When something was there.
    """
    gone = [found for found in remove_leftovers(directory) if found.is_removed]
    told = [found for found in gone if found.target]  # one without a target was stopped before it had done anything
    if told:
        back = sorted({found.target for found in told if found.restored})
        restored = f" Put back: {', '.join(back)}." if back else ""
        warnings.warn(
            f"{len(told)} unfinished output(s) that an interrupted run had left in '{directory}' were removed.{restored}",
            TacitaWarning,
            stacklevel=4,
        )


def _named(directory: Path) -> Iterator[Path]:
    try:
        with os.scandir(directory) as entries:
            names = sorted(entry.name for entry in entries if entry.name.startswith(".tacita-"))
    except OSError:
        return
    yield from (directory / name for name in names)


def _looked_at(path: Path, *, removes: bool, other_hosts: bool) -> Leftover:
    try:
        facts = path.lstat()
    except OSError:
        return Leftover(path, "abandoned", is_removed=True)  # its process has just finished
    if not NAME.fullmatch(path.name) or not stat.S_ISDIR(facts.st_mode) or not _is_mine(facts):
        return Leftover(path, "not ours")
    try:
        handle = os.open(path / NOTE, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        return _without_note(path, removes=removes)
    except OSError:
        return Leftover(path, "not ours")
    try:
        return _with_note(path, handle, removes=removes, other_hosts=other_hosts)
    finally:
        os.close(handle)


def _is_mine(facts: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or facts.st_uid == os.geteuid()


def _without_note(path: Path, *, removes: bool) -> Leftover:
    """One that was stopped before its first file, or after its last: an empty directory, of which nothing can be lost."""
    with contextlib.suppress(OSError):
        if os.listdir(path):  # noqa: PTH208 - names are enough
            return Leftover(path, "not ours")
        if removes:
            os.rmdir(path)  # noqa: PTH106
    return Leftover(path, "abandoned", is_removed=not os.path.lexists(path))


def _with_note(path: Path, handle: int, *, removes: bool, other_hosts: bool) -> Leftover:
    is_free = take_lock(handle)
    owner = read_note(handle)
    if owner is None or owner.name != path.name:
        # A note is written before anything else is put beside it, so one that was not finished stands alone.
        is_begun = os.fstat(handle).st_size == 0 and set(os.listdir(path)) <= {NOTE}  # noqa: PTH208
        if not is_begun:
            return Leftover(path, "not ours")
        if is_free is not True:
            return Leftover(path, "in use")
        owner = Owner.here(path.name, locks=True)  # an empty file: nothing can be lost
    state = _state(owner, is_free)
    if not removes or not (
        state == "abandoned" or (state == "of another machine" and other_hosts and is_free is not False)
    ):
        return Leftover(path, state, owner.target)
    try:
        restored = put_back(path, owner.target)
    except OSError:  # what was there before is worth more than a tidy directory
        return Leftover(path, state, owner.target)
    clear(path)
    return Leftover(path, state, owner.target, restored, is_removed=not os.path.lexists(path))


def _state(owner: Owner, is_free: bool | None) -> State:
    here = Owner.here()
    if is_free is False:
        return "in use"
    is_lock_left = owner.locks and is_free is True
    if owner.boot is not None and owner.boot == here.boot:
        if is_lock_left:
            return "abandoned"
        if owner.space != here.space or owner.started is None:
            return "of another machine"
        return "in use" if start_of(owner.process) == owner.started else "abandoned"
    # The same machine was started again since, or its system does not tell when it was; then the lock decides alone.
    is_over = is_lock_left if owner.boot is None else here.boot is not None
    return "abandoned" if owner.machine == here.machine and is_over else "of another machine"
