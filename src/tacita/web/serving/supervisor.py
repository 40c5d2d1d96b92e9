"""The supervisor: starts the engine and the workers, starts again what ends, and ends them all in order."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import shutil
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from tacita.core.errors import FileError, ParameterError
from tacita.web.accounts.accounts import open_accounts
from tacita.web.serving.binding import Binding
from tacita.web.serving.processes import engine_main, worker_main
from tacita.web.settings import ServerSettings

__all__ = ["Supervisor"]

_PAUSES = (0.1, 0.5, 2.0, 10.0)
"""Seconds before a process that ended is started again; the longer the more often it ended lately."""

_LATELY = 60.0
"""Seconds after which an end is forgotten."""

_SPAWN = multiprocessing.get_context("spawn")


class Supervisor:
    """The processes of a server.

    Parameters
    ----------
    settings
        What the server is told.
    binding
        Where it listens.
    workers
        Processes that talk to the network.

    Notes
    -----
    Everything that keeps a server from starting is found before it listens to anybody: the address, the accounts, keys, journals
    that do not verify, data that do not fit. A worker that ends is started again, and so is the engine; while it opens its data,
    visitors are told that the server is unavailable. All end when the supervisor does, also when that is killed.
    """

    def __init__(self, settings: ServerSettings, binding: Binding, *, workers: int = 1) -> None:
        if not 1 <= workers <= 64:
            raise ParameterError(f"'workers' must be in [1, 64], got {workers}.")
        self.settings, self.binding, self.workers = settings, binding, workers
        self._folder = Path(tempfile.mkdtemp(prefix="tacita-"))  # 0700
        self._ends = threading.Event()
        self._processes: dict[str, SpawnProcess] = {}
        self._begun: dict[str, float] = {}
        self._ended: dict[str, int] = {}
        self._due: dict[str, float] = {}
        self._report: Connection | None = None
        self._listening: socket.socket | None = None
        self._line, self._held = _SPAWN.Pipe(duplex=False)

    @property
    def url(self) -> str:
        """The address of the server."""
        port = self.binding.port if self._listening is None else int(self._listening.getsockname()[1])
        return self.binding.url(port)

    def run(self, *, ready: Callable[[str], object] = str) -> None:
        """Serve until SIGTERM or SIGINT.

        Parameters
        ----------
        ready
            Called with the address when the server answers.

        Raises
        ------
        FileError, ParameterError
            When the server cannot start; nothing listens then.
        """
        for told in (signal.SIGTERM, signal.SIGINT):
            signal.signal(told, lambda *_: self._ends.set())
        try:
            open_accounts(self.settings.accounts).close()
            self._listening = self.binding.listen()
            self._start_engine()
            for number in range(self.workers):
                self._start_worker(f"worker {number + 1}")
            ready(self.url)
            while not self._ends.wait(0.2):
                self._watch()
        finally:
            self._end()

    # --- processes -----------------------------------------------------------------------------------------------------

    @property
    def _socket(self) -> Path:
        return self._folder / "engine"

    def _start_engine(self, *, is_first: bool = True) -> None:
        self._hear()
        self._report, told = _SPAWN.Pipe(duplex=False)  # kept: the engine must not talk to nobody
        self._start("engine", engine_main, self.settings, self._socket, told, self._line)
        told.close()
        if is_first:
            self._wait(self._report)

    def _hear(self) -> None:
        """Write down why an engine that was started again could not open its data."""
        if self._report is None:
            return
        wrong = None
        with contextlib.suppress(EOFError, OSError):
            while wrong is None and self._report.poll():
                wrong = self._report.recv()
        if wrong is not None:
            logging.getLogger("tacita.server").error("The engine does not start: %s", wrong)
        self._report.close()
        self._report = None

    def _wait(self, report: Connection) -> None:
        """Wait until the engine listens; raise what it says where it cannot."""
        while not report.poll(0.2):
            if self._ends.is_set():
                return
        try:
            wrong = report.recv()
        except EOFError:
            wrong = "The engine ended before it could open the data."
        if wrong is not None:
            raise FileError(wrong)

    def _start_worker(self, name: str) -> None:
        self._start(name, worker_main, self.settings, self._socket, self._listening, self.binding, self._line)

    def _start(self, name: str, main: Callable[..., None], *given: Any) -> None:
        process = _SPAWN.Process(target=main, args=given, name=f"tacita {name}", daemon=True)
        process.start()
        self._processes[name], self._begun[name] = process, time.monotonic()

    def _watch(self) -> None:
        """Start again what has ended, each after its own pause."""
        now = time.monotonic()
        for name, process in list(self._processes.items()):
            if process.is_alive():
                continue
            if name not in self._due:
                process.join()
                times = 0 if now - self._begun[name] > _LATELY else self._ended.get(name, 0)
                self._ended[name] = times + 1
                self._due[name] = now + _PAUSES[min(times, len(_PAUSES) - 1)]
            if now >= self._due[name]:
                del self._due[name]
                if name == "engine":
                    self._start_engine(is_first=False)
                else:
                    self._start_worker(name)

    def _end(self) -> None:
        """End the workers, which finish what they have begun, and then the engine."""
        workers = [process for name, process in self._processes.items() if name != "engine"]
        for group in (workers, [self._processes[name] for name in ("engine",) if name in self._processes]):
            for process in group:
                if process.is_alive():
                    process.terminate()
            until = time.monotonic() + 35
            for process in group:
                process.join(max(until - time.monotonic(), 0.1))
                if process.is_alive():
                    process.kill()
                    process.join()
        if self._listening is not None:
            self._listening.close()
        self._hear()
        self._held.close()
        self._line.close()
        shutil.rmtree(self._folder, ignore_errors=True)
