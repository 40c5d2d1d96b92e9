"""A running server: its processes, what they use, and how they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

__all__ = ["RunningServer", "cpu_seconds", "resident_mb"]

_TICK = os.sysconf("SC_CLK_TCK")


class RunningServer:
    """A server on loopback, started by ``tacita serve``.

    Parameters
    ----------
    settings
        Its settings file.
    workers
        Processes that talk to the network.
    patience
        Seconds that it may take to start.
    environment
        Variables that its processes get beside those of this one.

    Raises
    ------
    RuntimeError
        When it does not start.
    """

    def __init__(
        self,
        settings: Path,
        *,
        workers: int = 1,
        patience: float = 120.0,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        command = [str(Path(sys.executable).with_name("tacita")), "serve", str(settings), "--port", "0"]
        self.log = settings.with_name("server.log")
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*command, "--workers", str(workers)], stdout=log, stderr=log, env={**os.environ, **(environment or {})}
            )
        self.url = self._url(patience)
        self.port = int(self.url.rpartition(":")[2])

    def _url(self, patience: float) -> str:
        until = time.monotonic() + patience
        while time.monotonic() < until and self.process.poll() is None:
            for line in self.log.read_text(encoding="utf-8", errors="replace").splitlines():
                if line.startswith("Serving on http"):
                    return line.split()[2]
            time.sleep(0.05)
        self.kill_tree()
        raise RuntimeError(f"The server does not start: {self.log.read_text(errors='replace')[-500:]}")

    @property
    def workers(self) -> list[int]:
        """The processes that listen to the network."""
        return [pid for pid in self._spawned() if _listens(pid, self.port)]

    @property
    def engine(self) -> list[int]:
        """The process that holds the data; none while it is being started again."""
        return [pid for pid in self._spawned() if not _listens(pid, self.port)]

    @property
    def tree(self) -> list[int]:
        """All processes of the server, the supervisor first."""
        return [self.process.pid, *_children(self.process.pid)]

    def _spawned(self) -> list[int]:
        return [pid for pid in _children(self.process.pid) if b"spawn_main" in _read(pid, "cmdline")]

    def kill_tree(self) -> None:
        """End all processes at once and without a word."""
        for pid in self.tree:
            _kill(pid)
        self.process.wait()

    def kill_supervisor(self, patience: float = 45.0) -> bool:
        """End the supervisor without a word; say whether the others ended by themselves."""
        others = self.tree[1:]
        _kill(self.process.pid)
        self.process.wait()
        until = time.monotonic() + patience
        while time.monotonic() < until and any(_is_alive(pid) for pid in others):
            time.sleep(0.05)
        left = [pid for pid in others if _is_alive(pid)]
        for pid in left:
            _kill(pid)
        return not left

    def stop(self) -> None:
        """End the server in order."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(90)
            except subprocess.TimeoutExpired:
                self.kill_tree()


def cpu_seconds(pid: int) -> float:
    """Return what a process has used of the processors."""
    fields = _read(pid, "stat").rpartition(b")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK if fields else 0.0


def resident_mb(pid: int) -> float:
    """Return the memory of a process that is held, in megabytes."""
    for line in _read(pid, "status").splitlines():
        if line.startswith(b"VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def _children(pid: int) -> list[int]:
    return [int(word) for word in _read(pid, f"task/{pid}/children").split()]


def _listens(pid: int, port: int) -> bool:
    """Whether a process has the socket that listens on a port."""
    mark = b":%04X" % port
    rows = [line.split() for line in _read(pid, "net/tcp").splitlines()[1:]]
    names = {f"socket:[{int(row[9])}]" for row in rows if row[1].endswith(mark) and row[3] == b"0A"}
    try:
        found = [os.readlink(f"/proc/{pid}/fd/{name}") for name in os.listdir(f"/proc/{pid}/fd")]  # noqa: PTH208, PTH115
    except OSError:
        return False
    return any(name in names for name in found)


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def _is_alive(pid: int) -> bool:
    state = _read(pid, "stat").rpartition(b")")[2].split()
    return bool(state) and state[0] != b"Z"


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
