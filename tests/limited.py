"""Cases that must end: they run in a process of their own, which is stopped when one of them takes too long.

Compiled code that never comes back cannot be interrupted from within, neither by an exception nor by a signal's handler. So a
watchdog of the child process ends it with a traceback, and the parent says which case it was. What compiles on first use is
run before the watch begins.
"""

from __future__ import annotations

import faulthandler
import importlib
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

__all__ = ["run_limited"]

_ROOT = Path(__file__).parents[1]


def run_limited(target: str, first: int, last: int, *, seconds: float = 60.0, warm: int = 3) -> None:
    """Run ``target(case)`` for all cases from ``first`` up to ``last`` and fail on what raises, crashes or hangs.

    Parameters
    ----------
    target
        Module and function, such as ``tests.mask.gap_cases:suppress``.
    first, last
        The cases; ``last`` is not among them.
    seconds
        How long one case may take.
    warm
        Number of cases that are run before the watch begins, as negative numbers: they compile what must be compiled.
    """
    command = [sys.executable, "-m", "tests.limited", target, str(first), str(last), str(seconds), str(warm)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=_ROOT, timeout=3600)
    told = f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    assert done.returncode == 0, f"status {done.returncode} after the last case that was begun:\n{told}"
    assert f"{last - first} cases, 0 failed" in done.stdout, told


def _run(name: str, first: int, last: int, seconds: float, warm: int) -> int:
    module, _, function = name.partition(":")
    target: Callable[[int], None] = getattr(importlib.import_module(module), function)
    warnings.simplefilter("ignore")
    failed = 0
    for case in [*range(-warm, 0), *range(first, last)]:
        _say(f"case {case}")
        if case >= first:
            faulthandler.dump_traceback_later(seconds, exit=True)
        try:
            target(case)
        except Exception:  # noqa: BLE001 - every case is to be tried
            failed += 1
            _say(f"case {case} failed:\n{traceback.format_exc()}")
        faulthandler.cancel_dump_traceback_later()
    _say(f"{last - first} cases, {failed} failed")
    return min(failed, 1)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(_run(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5])))
