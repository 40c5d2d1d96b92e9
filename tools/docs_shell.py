"""Runs pages of the documentation that need a shell: a server in the background, curl, and somebody who looks at pages.

A page with ``<!-- in a shell: REASON -->`` is run here. The rules are those of ``docs_examples.py``, and these:

* every line ``$ ...`` of a ``console`` block runs in bash, in the directory of the page. A line that ends with ``&`` starts a
  server and is read up to the line that says where it serves; ``$ kill %1`` ends it, and so does the end of the page.
* ``127.0.0.1:8000`` stands for a free port of this machine, in commands, in Python and in what they print.
* a ``text`` block after ``<!-- browser: ADDRESS -->`` has lines that a browser shows there; after ``<!-- browser: ADDRESS
  signed in with FILE -->`` to whoever signs in with the token in that file.
* numbers may differ by five percent: the key of a server is drawn anew whenever a page runs, and with it the noise.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from docs_examples import Block, ExampleError, Page, compare, is_right_below, run_python, split_console

__all__ = ["Look", "ShellPage", "run_in_shell"]

Look = Callable[[str, str | None], str]
"""What a browser shows at an address, to somebody with a token or without; one text."""

_SHOWN = "127.0.0.1:8000"
_READY = "Serving on "
_PATIENCE = 60.0
_TOLERANCE = 0.05


def run_in_shell(page: Page, look: Look | None = None) -> int:
    """Run a page in a directory of its own and return how many blocks a browser would have had to look at, but none was given.

    Parameters
    ----------
    page
        The page.
    look
        The browser.

    Raises
    ------
    ExampleError
        When something does not do what the page says.
    """
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), ShellPage(page, look) as running:
        for number, block in enumerate(page.blocks):
            running.run(block, page.blocks[number + 1] if number + 1 < len(page.blocks) else None)
        return running.unseen


class ShellPage:
    """A page that runs; what it has started ends with it.

    Parameters
    ----------
    page
        The page.
    look
        The browser, if there is one.
    """

    def __init__(self, page: Page, look: Look | None) -> None:
        self.page, self.look, self.unseen = page, look, 0
        self._names: dict[str, Any] = vars(type(sys)("tacita_docs_example"))
        self._server: subprocess.Popen[str] | None = None
        self._place = f"127.0.0.1:{_free_port()}"

    def __enter__(self) -> ShellPage:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def run(self, block: Block, below: Block | None) -> None:
        """Run a block; what stands below it may be its output."""
        where = f"{self.page.name}, line {block.start}"
        if block.exempt is not None:
            return
        if block.file is not None:
            Path(block.file).write_text(block.text, encoding="utf-8")
        elif block.browser is not None:
            self._look(block, where)
        elif block.kind == "console":
            self._console(block, where)
        elif block.kind == "python":
            printed = run_python(replace(block, lines=tuple(map(self._real, block.lines))), self._names, where)
            if below is not None and below.kind == "text" and is_right_below(block, below) and below.browser is None:
                compare(below.lines, list(map(self._shown, printed)), where, tolerance=_TOLERANCE)

    # --- commands --------------------------------------------------------------------------------------------------------

    def _console(self, block: Block, where: str) -> None:
        for command, expected in split_console(block):
            if command.endswith("&"):
                code, printed = 0, self._start(command[:-1].strip())
            elif command == "kill %1":
                code, printed = self._end(), []
            else:
                done = self._bash(command, stdout=subprocess.PIPE)
                out, _ = done.communicate(timeout=_PATIENCE)
                code, printed = done.returncode, out.splitlines()
            printed = list(map(self._shown, printed))
            if str(code) not in ("0", *(block.exits or "").split()[:1]):
                raise ExampleError(f"{where}: '{command}' ended with exit code {code}:\n" + "\n".join(printed))
            if expected:
                compare(expected, printed, f"{where}: $ {command}", tolerance=_TOLERANCE)

    def _start(self, command: str) -> list[str]:
        """Start a server and return what it says until it serves."""
        self._end()
        log = Path("server.log")
        with log.open("w", encoding="utf-8") as out:
            port = "" if "--port" in command else f" --port {self._place.rpartition(':')[2]}"
            self._server = self._bash(f"exec {command}{port}", stdout=out)
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            lines = log.read_text(encoding="utf-8").splitlines()
            if any(line.startswith(_READY) for line in lines):
                return lines
            if self._server.poll() is not None:
                raise ExampleError(f"{self.page.name}: '{command}' ended:\n" + "\n".join(lines))
            time.sleep(0.05)
        raise ExampleError(f"{self.page.name}: '{command}' does not serve.")

    def _end(self) -> int:
        """End the server and return its exit code."""
        if self._server is None:
            return 0
        server, self._server = self._server, None
        server.send_signal(signal.SIGTERM)
        try:
            return server.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
            return server.wait()

    def _bash(self, command: str, stdout: int | IO[str]) -> subprocess.Popen[str]:
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
        return subprocess.Popen(
            ["bash", "-c", self._real(command)],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            env={**os.environ, "PATH": path, "COLUMNS": "140"},
        )

    # --- the browser -----------------------------------------------------------------------------------------------------

    def _look(self, block: Block, where: str) -> None:
        if self.look is None:
            self.unseen += 1
            return
        address, _, file = str(block.browser).partition(" signed in with ")
        token = Path(file).read_text(encoding="utf-8").strip() if file else None
        shown = " ".join(self.look(self._real(address), token).split())
        for line in block.lines:
            if " ".join(line.split()) not in shown:
                raise ExampleError(f"{where}: {address} does not show '{line}' but\n{shown}")

    def _real(self, text: str) -> str:
        return text.replace(_SHOWN, self._place)

    def _shown(self, text: str) -> str:
        return text.replace(self._place, _SHOWN)


def _free_port() -> int:
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return int(place.getsockname()[1])
