"""A real browser for tests: Debian's Chromium without a window, spoken to over two pipes.

The DevTools protocol is JSON with a zero byte after each message; ``--remote-debugging-pipe`` needs no port, no driver and no
further package.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

__all__ = ["Browser", "find_browser"]

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_PATIENCE = 60.0
_CONNECT = (
    "import os, sys; os.dup2(int(sys.argv[1]), 20); os.dup2(int(sys.argv[2]), 21); "
    "os.dup2(20, 3); os.dup2(21, 4); os.execv(sys.argv[3], sys.argv[3:])"
)
"""The browser listens on file 3 and answers on file 4."""


def find_browser() -> str | None:
    """Return the program, or None where there is none; TACITA_BROWSER names another one."""
    told = os.environ.get("TACITA_BROWSER")
    return next((found for name in ((told,) if told else _NAMES) if (found := shutil.which(name))), None)


class Browser:
    """One page in a browser of its own."""

    def __init__(self, program: str, folder: Path, *, size: tuple[int, int] = (1400, 1000)) -> None:
        self.events: list[dict[str, Any]] = []
        self._count, self._rest, self._session = 0, b"", None
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-c", _CONNECT, str(theirs_in), str(theirs_out)),
                program,
                "--headless=new",
                "--no-sandbox",  # the tests may run as root, in a container
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--hide-scrollbars",
                f"--user-data-dir={folder / 'profile'}",
                f"--window-size={size[0]},{size[1]}",
                "--remote-debugging-pipe",
                "about:blank",
            ],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._in, self._out = ours_in, ours_out

    def __enter__(self) -> Self:
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._out)  # the browser ends when nobody speaks to it
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._in)

    # --- the protocol ----------------------------------------------------------------------------------------------------

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and return its answer; events that come meanwhile are kept."""
        self._count += 1
        message: dict[str, Any] = {"id": self._count, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + _PATIENCE
        while True:
            answer = self._receive(end)
            if answer.get("id") == self._count:
                assert "error" not in answer, f"{method}: {answer['error']}"
                result: dict[str, Any] = answer["result"]
                return result

    def _receive(self, end: float) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], max(0.0, end - time.monotonic()))
            assert ready, "the browser does not answer"
            more = os.read(self._in, 1 << 20)
            assert more, "the browser has gone"
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        if "method" in message:
            self.events.append(message)
        return message

    # --- what a user does ------------------------------------------------------------------------------------------------

    def open(self, page: Path) -> None:
        """Open a file and wait until it is there."""
        self.call("Page.navigate", url=page.resolve().as_uri())
        self.wait_for("document.readyState === 'complete' && document.querySelectorAll('#map .point').length > 0")

    def run(self, script: str) -> Any:
        """Return the value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait_for(self, condition: str) -> None:
        """Wait until a JavaScript expression is true."""
        end = time.monotonic() + _PATIENCE
        while not self.run(condition):
            assert time.monotonic() < end, f"waited in vain for {condition}"
            time.sleep(0.05)

    def move_to(self, selector: str) -> tuple[float, float]:
        """Move the mouse to the middle of an element."""
        element = f"document.querySelector({json.dumps(selector)})"
        assert self.run(f"{element} !== null"), f"there is no {selector}"
        self.run(f"{element}.scrollIntoView({{block: 'center'}})")
        x, y = self.run(
            f"(() => {{ const b = {element}.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()"
        )
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        return x, y

    def click(self, selector: str) -> None:
        """Click on an element."""
        x, y = self.move_to(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key: str) -> None:
        """Press a key."""
        code = {"Enter": 13, "Escape": 27, "ArrowRight": 39, "ArrowLeft": 37}[key]
        for kind in ("keyDown", "keyUp"):
            text = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **text)

    def screenshot(self, *, dark: bool = False) -> bytes:
        """Return the page as PNG, in light or dark."""
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=scheme)
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def complaints(self) -> list[str]:
        """Return errors of scripts and of the page, and requests to anywhere but the page itself."""
        self.run("0")  # whatever happened before has arrived after this
        found = []
        for event in self.events:
            name, params = event["method"], event["params"]
            if name == "Runtime.exceptionThrown":
                found.append(str(params["exceptionDetails"]))
            elif name == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
                found.append(str(params["args"]))
            elif name == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                found.append(params["entry"]["text"])
            elif name == "Network.requestWillBeSent" and not params["request"]["url"].startswith(
                ("file:", "data:", "about:")
            ):
                found.append(params["request"]["url"])
        return found
