"""A server of the program itself in processes of its own, for tests that kill it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

__all__ = ["RunningServer", "serving"]

_PATIENCE = 60.0


class RunningServer:
    """A server that was started.

    Parameters
    ----------
    url
        Where it listens.
    process
        Its supervisor.
    """

    def __init__(self, url: str, process: subprocess.Popen[bytes]) -> None:
        self.url, self.process = url, process

    def ask(self, body: dict[str, Any], token: str | None = None, *, kind: str = "tabulate") -> httpx.Response:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return httpx.post(f"{self.url}/{kind}", json=body, headers=headers, timeout=30)

    def get(self, path: str) -> httpx.Response:
        return httpx.get(f"{self.url}{path}", timeout=30)

    def kill(self) -> None:
        """End all its processes at once, as a loss of power does."""
        os.killpg(self.process.pid, signal.SIGKILL)  # of the group that we made
        self.process.wait(_PATIENCE)


@contextmanager
def serving(settings: Path) -> Iterator[RunningServer]:
    """Serve by a settings file on a free port of this machine; give the server when it answers."""
    log = settings.with_suffix(".log")
    command = [str(Path(sys.executable).with_name("tacita")), "serve", str(settings), "--port", "0"]
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        until, said = time.monotonic() + _PATIENCE, ""
        while "Serving on " not in said:
            assert process.poll() is None, f"the server ended:\n{said}"
            assert time.monotonic() < until, f"the server does not serve:\n{said}"
            time.sleep(0.05)
            said = log.read_text(encoding="utf-8")
        yield RunningServer(said.partition("Serving on ")[2].split()[0], process)
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
