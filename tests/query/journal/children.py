"""Processes that die, or meet a full disk, while they write a journal: children of the test, by fork."""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tacita.core.keyed import Key
from tacita.query.journal.journal import FileJournal

KEY = Key(b"0123456789abcdef0123456789abcdef")
OTHER = Key(b"another key of another database!")
REQUEST = {"type": "tabulate", "by": ["sex", "region"], "where": [{"age": ["20-29"]}]}
RULES = [("minimum_size", "allow", {"pieces": 3}), ("universe_gamma", "deny", "too small")]


class Ticks:
    """A clock that goes on by a second with every look."""

    def __init__(self) -> None:
        self.now = datetime(2030, 1, 31, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def written(path: Path, number: int = 5, key: Key = KEY) -> FileJournal:
    """Write a journal with some entries."""
    journal = FileJournal(path, key=key, now=Ticks())
    for place in range(number):
        status = "answered" if place % 2 else "refused"
        journal.append(
            user=f"user {place % 2}",
            request={**REQUEST, "place": place},
            status=status,
            rules=RULES,
            answer=[place] if place % 2 else None,
            versions={"data": "v1", "policy": "p1"},
        )
    return journal


def child(work: Callable[[], Any]) -> int:
    """Run something in a process of its own; return its exit status, negative for a signal."""
    number = os.fork()
    if number == 0:
        try:
            work()
        except BaseException:  # noqa: BLE001 - a child must never go on with the tests
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])


def killed_at(call: int) -> None:
    """End this process at its n-th call that changes a file; a write is done by half before."""
    left = [call]
    for name in ("open", "write", "fsync", "ftruncate"):
        setattr(os, name, _dying(name, getattr(os, name), left))


def _dying(name: str, function: Callable[..., Any], left: list[int]) -> Callable[..., Any]:
    write = os.write

    def called(*words: Any, **more: Any) -> Any:
        left[0] -= 1
        if left[0] == 0:
            if name == "write":
                write(words[0], words[1][: len(words[1]) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*words, **more)

    return called
