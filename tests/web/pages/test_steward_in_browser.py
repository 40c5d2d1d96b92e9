"""The steward in a real browser: signs in, allows a question that waits, closes the data set and signs out."""

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

from tacita.web.accounts import open_accounts
from tacita.web.api.app import make_app
from tacita.web.engine import LocalEngine
from tests.report.browser import Browser, find_browser
from tests.web.pages.steward_server import REVIEWED, StewardServer, make_server

SIZES = {"wide": (1400, 1000), "narrow": (390, 844)}


@contextmanager
def listening(server: StewardServer) -> Iterator[str]:
    """Let the whole application listen on a free port of this machine; give its address."""
    settings = server.keeper.settings
    app = make_app(settings, LocalEngine(server.keeper), open_accounts(settings.accounts))
    with socket.create_server(("127.0.0.1", 0)) as place:
        running = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = threading.Thread(target=running.run, kwargs={"sockets": [place]}, daemon=True)
        thread.start()
        while not running.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield f"http://127.0.0.1:{place.getsockname()[1]}"
        running.should_exit = True
        thread.join(30)


@pytest.fixture(params=SIZES)
def browser(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Browser]:
    program = find_browser()
    if program is None:
        pytest.skip("there is no Chromium; 'apt-get install chromium' brings it, TACITA_BROWSER names another one")
    width, height = SIZES[request.param]
    with Browser(program, tmp_path / "browser", size=(width, height)) as opened:
        opened.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            screenWidth=width,
            screenHeight=height,
            deviceScaleFactor=1,
            mobile=request.param == "narrow",
        )
        opened.call("Emulation.setScriptExecutionDisabled", value=True)  # of the pages; ours is run all the same
        yield opened


def go(browser: Browser, address: str) -> None:
    """Open an address."""
    browser.call("Page.navigate", url=address)
    arrive(browser, address)


def arrive(browser: Browser, address: str) -> None:
    """Wait until the page of an address is there."""
    browser.wait_for(f"location.href === {json.dumps(address)} && document.readyState === 'complete'")


def type_into(browser: Browser, selector: str, text: str) -> None:
    """Type into a field."""
    browser.click(selector)
    browser.call("Input.insertText", text=text)


def look(browser: Browser, name: str) -> None:
    """Check that nothing sticks out, and keep a picture where TACITA_PICTURES says."""
    width = browser.run("screen.width")  # on a small screen the window grows with a page that is too wide
    assert browser.run("document.documentElement.scrollWidth") <= width, f"{name} is wider than the screen"
    folder = os.environ.get("TACITA_PICTURES")
    if folder:
        Path(folder, f"{name}-{width}.png").write_bytes(browser.screenshot())
        Path(folder, f"{name}-{width}-dark.png").write_bytes(browser.screenshot(dark=True))


def strange_requests(browser: Browser, address: str) -> list[str]:
    """Return complaints, and requests to anywhere but the server."""
    return [said for said in browser.complaints() if not said.startswith(address)]


def test_a_steward_decides_without_scripts(browser: Browser, tmp_path: Path) -> None:
    server = make_server(tmp_path)
    server.ask({"kind": "tabulate", "by": ["region", "part"]})
    asked = server.ask(REVIEWED)
    with listening(server) as address:
        go(browser, f"{address}/sign-in?next=/steward")
        look(browser, "sign-in")
        type_into(browser, "#token", server.token())
        browser.press("Enter")
        arrive(browser, f"{address}/steward")
        look(browser, "overview")
        for name in ("journal", "refusals", "explain"):
            go(browser, f"{address}/steward/town/{name}")
            look(browser, name)
        go(browser, f"{address}/steward/budgets")
        look(browser, "budgets")
        go(browser, f"{address}/steward/town/reviews")
        look(browser, "reviews")
        type_into(browser, "input[name=why]", "agreed with the board")
        browser.click("button[value=allow]")
        arrive(browser, f"{address}/steward/town/reviews?done=1")
        assert "Nothing waits" in browser.run("document.body.innerText")
        assert server.client().get(f"/answers/{asked.json()['id']}").status_code == 200
        go(browser, f"{address}/steward/town/close")
        type_into(browser, "#why", "a leak is looked at")
        look(browser, "close")
        browser.press("Enter")
        arrive(browser, f"{address}/steward")
        browser.wait_for("document.body.innerText.includes('a leak is looked at')")
        browser.click("form[action='/steward/town/verify'] button")
        arrive(browser, f"{address}/steward/town/verify")
        look(browser, "verified")
        browser.click("form[action='/sign-out'] button")
        arrive(browser, f"{address}/")
        go(browser, f"{address}/steward")
        assert "There is nothing at this address" in browser.run("document.body.innerText")
        assert [said for said in strange_requests(browser, address) if "404" not in said] == []
