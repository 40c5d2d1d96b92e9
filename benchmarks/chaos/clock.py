"""The clock jumps back: budgets of past days are not given again, and the journal goes on."""

from __future__ import annotations

import shutil
import struct
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.chaos.checks import periods_spent
from benchmarks.chaos.faults import Fault, not_done, run_fault
from benchmarks.server.survey import write_settings
from tacita.query.journal.reading import read_entries

__all__ = ["run_clock_back"]

_NAME, _DAYS = "clock jumps back", 40


def run_clock_back(folder: Path, source: Path, *, seed: int) -> list[dict[str, Any]]:
    """Put the clock of a server's processes back by forty days while it runs, and then right again.

    Notes
    -----
    The processes load ``shifted_clock.c`` before the C library, so that every part of them sees the other time, and nobody else
    on this machine does. The budget of this server is one of each day.
    """
    compiler = shutil.which("cc")
    if compiler is None:
        return [not_done(_NAME, "there is no C compiler to make another clock with")]
    settings = write_settings(folder, source, policy="tables", per="day")
    library, shift = folder / "shifted_clock.so", folder / "shift"
    code = Path(__file__).with_name("shifted_clock.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(code), "-ldl"], check=True)
    _put(shift, 0)
    seen: list[str] = []

    def begin(_: object) -> None:
        seen.extend(periods_spent(str(folder / "accounts.sqlite")))
        _put(shift, -86_400 * _DAYS)

    fault = Fault(
        name=_NAME,
        how=f"{_DAYS} days, by a library before libc's",
        begin=begin,
        end=lambda _: _put(shift, 0),
        meanwhile="answers",
    )
    environment = {"LD_PRELOAD": str(library), "SHIFTED_CLOCK": str(shift)}
    return [run_fault(fault, settings, seed=seed, environment=environment, checked=lambda: _checked(folder, seen))]


def _put(shift: Path, seconds: int) -> None:
    """Write in place: the file is mapped into the processes."""
    with shift.open("r+b" if shift.exists() else "wb") as file:
        file.write(struct.pack("q", seconds))


def _checked(folder: Path, seen: list[str]) -> list[str]:
    """Say whether the clock did go back, and whether a day that was over was counted into again."""
    times = [entry.time for entry in read_entries(folder / "survey.journal")]
    is_met = any(later < earlier for earlier, later in pairwise(times))
    past = [period for period in periods_spent(str(folder / "accounts.sqlite")) if period < max(seen, default="")]
    return [
        *([] if is_met else ["no entry has the other time"]),
        *(f"budget of {period} given again" for period in past),
    ]
