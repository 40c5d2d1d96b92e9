"""Pages with a server run from beginning to end: in a shell, with curl, and in a real browser."""

from __future__ import annotations

import json
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

import docs_examples
import pytest
from docs_examples import Block, ExampleError, Page, pages
from docs_shell import Look, run_in_shell

from tests.report.browser import Browser, find_browser

ONLINE = [page for page in pages() if page.is_in_shell]


@pytest.fixture
def look(tmp_path: Path) -> Iterator[Look | None]:
    """Give somebody who looks at pages in Chromium; None where there is none."""
    program = find_browser()
    if program is None:
        yield None
        return
    with Browser(program, tmp_path / "browser") as browser:
        yield lambda address, token: _seen(browser, address, token)


def _seen(browser: Browser, address: str, token: str | None) -> str:
    """Open an address as anybody, or as who has a token, and return what is shown."""
    target = urllib.parse.urlsplit(address)
    if token is not None:
        place = f"{target.scheme}://{target.netloc}"
        _go(browser, f"{place}/sign-in?next={urllib.parse.quote(target.path)}")
        browser.click("#token")
        browser.call("Input.insertText", text=token)
        browser.press("Enter")
        browser.wait_for(f"location.pathname === {json.dumps(target.path)} && document.readyState === 'complete'")
    else:
        _go(browser, address)
    return str(browser.run("document.body.innerText"))


def _go(browser: Browser, address: str) -> None:
    browser.call("Page.navigate", url=address)
    browser.wait_for(f"location.href === {json.dumps(address)} && document.readyState === 'complete'")


def test_the_pages_are_found() -> None:
    assert {"docs/tutorial/survey-online.md", "docs/http-api.md"} <= {page.name for page in ONLINE}
    assert any(block.browser for page in ONLINE for block in page.blocks)


@pytest.mark.parametrize("page", ONLINE, ids=lambda page: page.name)
def test_a_page_with_a_server_does_what_it_says(page: Page, look: Look | None) -> None:
    unseen = run_in_shell(page, look)
    looks = sum(block.browser is not None for block in page.blocks)
    assert unseen == (looks if look is None else 0)
    if unseen:
        pytest.skip(f"everything but {unseen} looks by a browser was tried: there is no Chromium")


def _page(*blocks: Block) -> Page:
    return Page(docs_examples.ROOT / "made-up.md", blocks, is_in_shell=True)


@pytest.mark.parametrize(
    "block",
    [
        Block("console", ("$ false",), 1),
        Block("console", ("$ echo 100", "120"), 1),
        Block("console", ("$ exit 3",), 1, exits="4 another one"),
        Block("console", ("$ tacita serve no-such.csv --key none.key &",), 1),
        Block("text", ("a table",), 1, browser="http://127.0.0.1:8000/"),
        Block("python", ("1 / 0",), 1),
    ],
    ids=lambda block: block.lines[0],
)
def test_a_broken_example_fails(block: Block) -> None:
    with pytest.raises(ExampleError):
        run_in_shell(_page(block), lambda _address, _token: "a refusal")


def test_the_port_of_a_page_is_a_free_one() -> None:
    seen = []

    def look(address: str, token: str | None) -> str:
        seen.append((address, token))
        return "a  table"

    shown = Block("text", ("a table",), 1, browser="http://127.0.0.1:8000/x signed in with token")
    run_in_shell(_page(Block("text", ("secret",), 1, file="token"), shown), look)
    ((address, token),) = seen
    assert token == "secret"
    assert address.startswith("http://127.0.0.1:")
    assert address.endswith("/x")
    echo = Block("console", ("$ echo 127.0.0.1:8000", "127.0.0.1:8000"), 1)
    assert run_in_shell(_page(echo, shown), None) == 1
