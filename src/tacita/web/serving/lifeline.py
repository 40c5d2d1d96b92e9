"""A lifeline: a process ends when the one that started it has gone, however that ended."""

from __future__ import annotations

import os
import signal
import threading
from multiprocessing.connection import Connection

__all__ = ["hold_on"]


def hold_on(line: Connection) -> None:
    """Ask this process to end as soon as the other end of a pipe is closed.

    Parameters
    ----------
    line
        The end of a pipe that nobody ever writes to.
    """

    def wait() -> None:
        try:
            line.recv_bytes()
        except (EOFError, OSError):
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="lifeline", daemon=True).start()
