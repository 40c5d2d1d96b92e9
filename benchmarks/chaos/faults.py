"""A fault: something that a running server needs is taken away under load, and given back after a while."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from benchmarks.chaos.askers import Askers
from benchmarks.chaos.checks import violations
from benchmarks.server.running import RunningServer

__all__ = ["Fault", "Figures", "not_done", "run_fault", "unexpected"]

_BACK = 45.0
"""Seconds within which a server must answer again once it has what it needs."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What is done to a server, and what it does then.

    Parameters
    ----------
    name
        What fails.
    how
        How that is brought about.
    begin, end
        Take something away from a running server, and give it back.
    meanwhile
        What the server does meanwhile: ``refuses`` everything with 503, ``answers`` as before, or ``either``.
    lasts
        Seconds between the two.
    loses
        Whether connections may be lost: only where a process is killed.
    """

    name: str
    how: str
    begin: Callable[[RunningServer], None]
    end: Callable[[RunningServer], None]
    meanwhile: Literal["refuses", "answers", "either"] = "refuses"
    lasts: float = 4.0
    loses: bool = False


@dataclass(frozen=True, kw_only=True)
class Figures:
    """What those who asked were told: answers before, while and after something failed, and how often 503 meanwhile."""

    before: int
    during: int
    told: int
    after: int
    back_ms: int
    lost: int = 0
    told_after: int = 0


def run_fault(
    fault: Fault,
    settings: Path,
    *,
    seed: int,
    accounts: str = "",
    environment: Mapping[str, str] | None = None,
    seconds: float = 3.0,
    checked: Callable[[], list[str]] = list,
) -> dict[str, Any]:
    """Start a server, let it be asked before, while and after something fails, and return the row of that.

    Parameters
    ----------
    fault
        What fails.
    settings
        Settings of the server; its key, journal and accounts lie beside them.
    seed
        Which questions come.
    accounts
        Where the accounts are, when they are not in the file beside the settings.
    environment
        Variables for the processes of the server.
    seconds
        How long it is asked before and after.
    checked
        Says what else is wrong at the end.
    """
    folder = settings.parent
    server = RunningServer(settings, workers=1, environment=environment)
    try:
        with Askers(server.url, seed=seed) as asked:
            time.sleep(seconds)
            figures = _met(fault, server, asked, seconds)
        found = violations(folder, asked, server.url, journal=folder / "survey.journal", accounts=accounts)
    finally:
        server.stop()
    wrong = [*unexpected(fault, figures), *found, *checked()]
    return {
        "fault": fault.name,
        "how": fault.how,
        "times": 1,
        "meanwhile": f"{fault.lasts:g} s: answered {figures.during}, refused {figures.told}",
        "back after at most, ms": figures.back_ms,
        "wrong": "; ".join(wrong),
    }


def _met(fault: Fault, server: RunningServer, asked: Askers, seconds: float) -> Figures:
    """Let the fault happen; it is undone whatever happens."""
    before = asked.received
    try:
        fault.begin(server)
        time.sleep(0.5)  # what was under way may still leave
        answered, refused = asked.received, asked.codes[503]
        time.sleep(max(fault.lasts - 0.5, 0.5))
        during, told = asked.received - answered, asked.codes[503] - refused
    finally:
        fault.end(server)
    begun, answered = time.monotonic(), asked.received
    while asked.received == answered and time.monotonic() < begun + _BACK:
        time.sleep(0.01)
    back = round(1000 * (time.monotonic() - begun))
    time.sleep(0.5)  # somebody may still hear of what failed
    answered, refused = asked.received, asked.codes[503]
    time.sleep(seconds)
    return Figures(
        before=before,
        during=during,
        told=told,
        after=asked.received - answered,
        told_after=asked.codes[503] - refused,
        back_ms=back,
        lost=asked.lost,
    )


def unexpected(fault: Fault, figures: Figures) -> list[str]:
    """Return what a server did that it must not do when this fails.

    Examples
    --------
    >>> fault = Fault(name="disk full", how="", begin=print, end=print)
    >>> unexpected(fault, Figures(before=5, during=1, told=9, after=5, back_ms=3))
    ['answered meanwhile: 1']
    """
    claims = [
        ("nothing was answered before", not figures.before),
        (f"answered meanwhile: {figures.during}", fault.meanwhile == "refuses" and figures.during),
        ("nobody was told 503", fault.meanwhile == "refuses" and not figures.told),
        (f"refused meanwhile: {figures.told}", fault.meanwhile == "answers" and figures.told),
        ("nothing was answered meanwhile", fault.meanwhile == "answers" and not figures.during),
        ("it does not answer again", not figures.after),
        (f"still refused afterwards: {figures.told_after}", figures.told_after),
        (f"connections lost: {figures.lost}", figures.lost and not fault.loses),
    ]
    return [what for what, is_so in claims if is_so]


def not_done(name: str, why: str) -> dict[str, Any]:
    """Return the row of a fault that this machine cannot have."""
    return {
        "fault": name,
        "how": f"not done: {why}",
        "times": 0,
        "meanwhile": "",
        "back after at most, ms": "",
        "wrong": "",
    }
