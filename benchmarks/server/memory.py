"""The memory of a server at chosen moments: after the warm-up, in the middle of the long step and at its end."""

from __future__ import annotations

import threading

from benchmarks.server.running import RunningServer, resident_mb

__all__ = ["MemoryWatch"]

PARTS = ("engine", "workers")


class MemoryWatch:
    """Looks at what the processes of a server hold.

    Parameters
    ----------
    server
        The server.
    """

    def __init__(self, server: RunningServer) -> None:
        self._server = server
        self._seen: list[dict[str, float]] = []
        self._later: threading.Timer | None = None

    def look(self) -> None:
        """Look now."""
        self._seen.append({name: sum(map(resident_mb, getattr(self._server, name))) for name in PARTS})

    def look_in(self, seconds: float) -> None:
        """Look once, after some time."""
        self._later = threading.Timer(seconds, self.look)
        self._later.start()

    def found(self) -> dict[str, tuple[float, ...]]:
        """Return what each part held, in megabytes, in the order of the looks."""
        return {name: tuple(seen[name] for seen in self._seen) for name in PARTS}

    def wait(self) -> None:
        """Wait for a look that is due."""
        if self._later is not None:
            self._later.join()
