"""The notebook of the tutorial runs without a network, and what it shows can be read, in light and in dark."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from docs_examples import ROOT
from jupyter_client import AsyncKernelManager
from nbclient import NotebookClient
from PIL import Image

from tests.docs.notebook_page import notebook_page, outputs_of
from tests.report.browser import Browser, find_browser
from tests.report.test_map_browser import contrast

PATH = ROOT / "docs" / "tutorial" / "first-hour.ipynb"


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Run the notebook as Jupyter does, in a kernel of its own."""
    folder = tmp_path_factory.mktemp("notebook")
    notebook = nbformat.read(PATH, 4)
    kernel = AsyncKernelManager(kernel_name="python3", transport="ipc", ip=str(folder / "kernel"))
    NotebookClient(notebook, km=kernel, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    return notebook


@pytest.fixture(scope="module", params=["light", "dark"])
def browser(request: pytest.FixtureRequest, ran: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program = find_browser()
    if program is None:
        pytest.skip("there is no Chromium; 'apt-get install chromium' brings it, TACITA_BROWSER names another one")
    folder = tmp_path_factory.mktemp("page")
    page = folder / "notebook.html"
    page.write_text(notebook_page(ran, request.param), encoding="utf-8")
    with Browser(program, folder) as opened:
        opened.call("Page.navigate", url=page.as_uri())
        opened.wait_for("document.readyState === 'complete' && document.querySelector('.vega-embed svg') !== null")
        yield opened
        assert opened.complaints() == []


def test_it_is_kept_without_outputs() -> None:
    notebook = nbformat.read(PATH, 4)
    nbformat.validate(notebook)
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in notebook.cells)
    assert json.dumps(notebook, indent=1, ensure_ascii=False) + "\n" == PATH.read_text(encoding="utf-8")


def test_every_result_shows_itself(ran: Any) -> None:
    shown = "".join(bundle.get("text/html", "") for cell in ran.cells for bundle in outputs_of(cell))
    for name in ("Schema", "Microdata", "Assessment", "Scorecard", "Search", "Protected table", "Certificate"):
        assert f'<span class="name">{name}</span>' in shown
    assert not [cell.source for cell in ran.cells for out in cell.get("outputs", []) if out.output_type == "error"]


def test_no_value_of_a_record_is_in_it(ran: Any) -> None:
    """Regions and occupations of the sample, and amounts of five digits."""
    for cell in ran.cells:
        for bundle in outputs_of(cell):
            html = re.sub(r"<(style|script|svg)\b.*?</\1>", "", bundle.get("text/html", ""), flags=re.DOTALL)
            said = re.sub(r"<[^>]*>", " ", html) + bundle["text/plain"]
            assert not re.search(r"Aldmoor|Brennvik|married|very good|(?<![\w.])\d{5,}(?![\w.])", said), cell.source


def test_bars_are_gone_when_the_work_is_done(ran: Any) -> None:
    searched = next(cell for cell in ran.cells if "tc.search(" in cell.source)
    bar, result = outputs_of(searched)
    assert bar == {"text/plain": "", "text/html": ""}
    assert "SearchResult" in result["text/plain"]


def test_nothing_is_asked_of_a_network(ran: Any) -> None:
    for cell in ran.cells:
        for bundle in outputs_of(cell):
            for text in bundle.values():
                assert not re.search(r"""(src|href)=["']?(https?:)?//|@import|requirejs""", text)


def test_words_and_tables_can_be_read(browser: Browser) -> None:
    paper, *inks = browser.run(
        "[getComputedStyle(document.body).backgroundColor,"
        " ...[...document.querySelectorAll('.tacita td, .tacita th, .tacita p')].map(n => getComputedStyle(n).color)]"
    )
    assert len(inks) > 300
    assert min(contrast(paper, ink) for ink in set(inks)) >= 7
    assert (
        browser.run("Math.max(...[...document.querySelectorAll('.tacita')].map(n => n.scrollWidth - n.clientWidth))")
        <= 0
    )


def test_the_map_says_what_is_under_the_mouse(browser: Browser) -> None:
    browser.run("document.querySelector('.vega-embed').scrollIntoView()")
    browser.move_to(".vega-embed .mark-symbol path[transform]")
    browser.wait_for("document.querySelector('#vg-tooltip-element.visible') !== null")
    said = browser.run("document.querySelector('#vg-tooltip-element').innerText")
    assert "candidate" in said
    assert re.search("rank_swap|mdav|additive_noise", said)


def test_pictures_are_no_empty_frames(browser: Browser, tmp_path: Path) -> None:
    for number in range(2):
        box = browser.run(
            f"(() => {{ const b = document.querySelectorAll('.out > svg, .vega-embed svg')[{number}].getBoundingClientRect();"
            " return [b.x + scrollX, b.y + scrollY, b.width, b.height]; })()"
        )
        clip = dict(zip(("x", "y", "width", "height"), box, strict=True)) | {"scale": 1}
        shot = browser.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        (tmp_path / "chart.png").write_bytes(base64.b64decode(shot["data"]))
        with Image.open(tmp_path / "chart.png") as picture:
            colours = picture.convert("RGB").getcolors(1 << 24)
        assert min(box[2:]) > 150
        assert len(colours) > 50
        assert max(count for count, _ in colours) < 0.97 * sum(count for count, _ in colours)
