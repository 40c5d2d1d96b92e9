"""A browser on pages of a server that listens on this machine: sizes, keys, and what the pages did that they should not."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn
from fastapi import FastAPI

from tests.report.browser import Browser, find_browser

__all__ = ["SIZES", "PageBrowser", "listening", "page_browser"]

SIZES = {"wide": (1280, 900), "narrow": (390, 844)}
"""Screens that pages are looked at on."""

_PATIENCE = 30.0
_KEYS = {"Tab": 9, " ": 32, "Enter": 13, "ArrowDown": 40}


@contextmanager
def listening(app: FastAPI) -> Iterator[str]:
    """Let an application listen on a free port of this machine; give its address."""
    with socket.create_server(("127.0.0.1", 0)) as place:
        running = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = threading.Thread(target=running.run, kwargs={"sockets": [place]}, daemon=True)
        thread.start()
        end = time.monotonic() + _PATIENCE
        while not running.started:
            assert thread.is_alive()
            assert time.monotonic() < end, "the server does not start"
            time.sleep(0.01)
        yield f"http://127.0.0.1:{place.getsockname()[1]}"
        running.should_exit = True
        thread.join(_PATIENCE)


@contextmanager
def page_browser(folder: Path, address: str) -> Iterator[PageBrowser]:
    """Give a browser; the test is skipped where there is none."""
    program = find_browser()
    if program is None:
        pytest.skip("there is no Chromium; 'apt-get install chromium' brings it, TACITA_BROWSER names another one")
    with Browser(program, folder) as opened:
        yield PageBrowser(opened, address)


class PageBrowser:
    """A person before a browser.

    Parameters
    ----------
    browser
        The browser.
    address
        Address of the server.
    """

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address, self.size = browser, address, ""
        self.resize("wide")

    def resize(self, size: str) -> None:
        """Take a wide or a narrow screen."""
        width, height = SIZES[size]
        self.size = size
        self.browser.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            screenWidth=width,
            screenHeight=height,
            deviceScaleFactor=1,
            mobile=size == "narrow",
        )

    def scripts(self, *, are_on: bool) -> None:
        """Switch the scripts of pages; those of the tests run all the same."""
        self.browser.call("Emulation.setScriptExecutionDisabled", value=not are_on)

    def go(self, path: str) -> None:
        """Open a page."""
        self.browser.run("window.isLeft = true")
        self.browser.call("Page.navigate", url=self.address + path)
        self.browser.wait_for("!window.isLeft")
        self.arrive(path)

    def arrive(self, path: str) -> None:
        """Wait until the page at a path is there; what stands behind the ``#`` is not looked at."""
        there = f"location.href.split('#')[0].startsWith({json.dumps(self.address + path)})"
        self.browser.wait_for(f"{there} && document.readyState === 'complete'")

    def wait_for(self, condition: str) -> None:
        """Wait until a page is there on which something is true."""
        self.browser.wait_for(f"document.readyState === 'complete' && ({condition})")

    def text(self, selector: str = "body") -> str:
        """Return what can be read of an element."""
        found: str = self.browser.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")
        return found

    def count(self, selector: str) -> int:
        """Return how many elements of a kind there are."""
        found: int = self.browser.run(f"document.querySelectorAll({json.dumps(selector)}).length")
        return found

    def choose(self, selector: str, value: str) -> None:
        """Choose an entry of a list."""
        self.browser.run(
            f"(() => {{ const list = document.querySelector({json.dumps(selector)}); list.value = {json.dumps(value)};"
            " list.dispatchEvent(new Event('change', {bubbles: true})); })()"
        )

    def type_into(self, selector: str, text: str) -> None:
        """Type into a field."""
        self.browser.click(selector)
        self.browser.call("Input.insertText", text=text)

    def press(self, key: str) -> None:
        """Press a key."""
        text = {"text": "\r" if key == "Enter" else key} if key in ("Enter", " ") else {}
        code = {"key": key, "code": "Space" if key == " " else key, "windowsVirtualKeyCode": _KEYS[key]}
        self.browser.call("Input.dispatchKeyEvent", type="keyDown", **code, **text)
        self.browser.call("Input.dispatchKeyEvent", type="keyUp", **code)

    def tab_to(self, selector: str, most: int = 60) -> int:
        """Press Tab until an element has the focus, and return how often."""
        for times in range(1, most + 1):
            self.press("Tab")
            if self.browser.run(f"document.activeElement.matches({json.dumps(selector)})"):
                return times
        raise AssertionError(f"{selector} is not reached by {most} times Tab")

    def look(self, name: str) -> None:
        """Check that nothing sticks out, and keep a picture where TACITA_PICTURES says."""
        width = SIZES[self.size][0]  # on a small screen the window grows with a page that is too wide
        assert self.browser.run("document.documentElement.scrollWidth") <= width, f"{name} is wider than the screen"
        folder = os.environ.get("TACITA_PICTURES")
        if folder:
            Path(folder, f"{name}-{self.size}.png").write_bytes(self.browser.screenshot())

    def strange(self) -> list[str]:
        """Return what scripts and the page complained of, and requests to anywhere but the server; then forget it."""
        found = [said for said in self.browser.complaints() if not said.startswith(self.address + "/")]
        self.browser.events.clear()
        return found
