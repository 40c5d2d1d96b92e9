"""Clocks, visitors and processes that the tests of accounts share."""

from __future__ import annotations

import os
import random
import signal
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tacita.web.accounts import BudgetRule, Visitor, open_accounts

ANN = Visitor("ann", "researcher", "institute", ("survey",), "192.0.2.7", "0" * 16)
BOB = Visitor("bob", "researcher", "institute", ("survey",), "192.0.2.8", "1" * 16)
EVE = Visitor.anonymous("198.51.100.9")
BEGIN = datetime(2030, 1, 31, 23, 30, tzinfo=UTC).timestamp()


class HandClock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.moment = BEGIN

    def __call__(self) -> float:
        return self.moment

    def go(self, *, hours: float = 0, seconds: float = 0) -> None:
        self.moment += 3600 * hours + seconds


def rule(scope: str, questions: int, per: str = "day") -> BudgetRule:
    return BudgetRule(scope=scope, questions=questions, per=per)


def begun(work: Callable[[], Any]) -> int:
    """Start something in a process of its own; return its number."""
    number = os.fork()
    if number:
        return number
    try:
        work()
    except BaseException:  # noqa: BLE001 - a child must never go on with the tests
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def ended(number: int) -> int:
    """Wait for a child; return its exit status, negative for a signal."""
    return os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])


def asks(place: str, acknowledged: Path, limit: int) -> None:
    """Reserve one question after the other; note each one that was granted, after it was."""
    notes = os.open(acknowledged, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    with open_accounts(place, now=HandClock()) as accounts:
        while accounts.reserve(ANN, "survey", rules=[rule("user", limit), rule("dataset", limit, "ever")]).granted:
            os.write(notes, b".")


def asked_and_killed(place: str, folder: Path, *, rounds: int, children: int, seed: int) -> tuple[int, int]:
    """Let children ask and kill them at random; return how many questions they noted, and how many were killed."""
    chance, killed, noted = random.Random(seed), 0, folder / "noted"
    noted.touch()
    for _ in range(rounds):
        before, patience = noted.stat().st_size, time.monotonic() + 30
        numbers = [begun(lambda: asks(place, noted, 10**9)) for _ in range(children)]
        while noted.stat().st_size < before + 10 and time.monotonic() < patience:  # a busy machine starts them late
            time.sleep(0.01)
        for number in numbers:
            time.sleep(chance.uniform(0.02, 0.25))
            os.kill(number, signal.SIGKILL)
        killed += sum(ended(number) == -signal.SIGKILL for number in numbers)
    return noted.stat().st_size, killed
