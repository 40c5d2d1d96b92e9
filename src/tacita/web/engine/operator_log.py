"""What the operator must know: one line in the log of the server, and the same thing at most once a minute."""

from __future__ import annotations

import sys
import threading
import time
import warnings
from collections.abc import Callable

from tacita.core.errors import TacitaWarning

__all__ = ["OperatorLog", "say_warnings_plainly"]

_MOST = 100


class OperatorLog:
    """Says what keeps the server from answering.

    Parameters
    ----------
    say
        Takes a line; by default the standard error, which a system's log reads.
    pause
        Seconds within which the same line is not said again.
    now
        The clock, in seconds.

    Notes
    -----
    Lines are in our own words, with names of files and no value of the data. A full disk makes every question fail: one line a
    minute says so without filling what is left.

    Examples
    --------
    >>> log = OperatorLog(print)
    >>> log.say("The disk is full."), log.say("The disk is full.")
    The disk is full.
    (True, False)
    """

    def __init__(
        self,
        say: Callable[[str], object] | None = None,
        *,
        pause: float = 60.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._say, self.pause, self._now = say, pause, now
        self._said: dict[str, float] = {}
        self._lock = threading.Lock()

    def say(self, line: str) -> bool:
        """Say a line, unless it was said just now; return whether it was."""
        with self._lock:
            now = self._now()
            if now - self._said.get(line, -float("inf")) < self.pause:
                return False
            if len(self._said) >= _MOST:
                self._said.clear()
            self._said[line] = now
        (self._say or _to_standard_error)(line)
        return True


def say_warnings_plainly() -> None:
    """Let warnings of the package be one sentence each, without the place in the code that they come from; others are silent."""

    def show(message: Warning | str, category: type[Warning], *_: object, **__: object) -> None:
        if issubclass(category, TacitaWarning):
            _to_standard_error(f"Warning: {message}")

    warnings.showwarning = show


def _to_standard_error(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
