"""Takes the pictures of the server's pages for the documentation, in a browser without a window.

One is of ``tacita serve --demo``, the other of what the tutorial builds: it is run up to the place where it looks at a page.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from docs_examples import Page
from docs_shell import run_in_shell
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.report.browser import Browser, find_browser  # noqa: E402  the repository's own browser for tests

__all__ = ["DEMO", "TUTORIAL", "take"]

TUTORIAL = ROOT / "docs" / "tutorial" / "survey-online.md"
"""The page whose first look is ``survey-online.png``."""

DEMO = "/explore/households/table?by=education&by=sex&statistic=count&u.urban=city&u.urban=town"
"""What ``server.png`` shows."""

_SIZE = (1180, 1000)
_COLOURS = 128
_PATIENCE = 60.0


def take(folder: Path) -> list[Path]:
    """Take all pictures and return their files.

    Raises
    ------
    FileNotFoundError
        When there is no Chromium.
    """
    program = find_browser()
    if program is None:
        raise FileNotFoundError("There is no Chromium; TACITA_BROWSER names one.")
    width, height = _SIZE
    with tempfile.TemporaryDirectory() as profile, Browser(program, Path(profile), size=_SIZE) as seen:
        seen.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        with _demo() as url:
            _shoot(seen, url + DEMO, folder / "server.png")
        page = Page.read(TUTORIAL)
        first = next(number for number, block in enumerate(page.blocks) if block.browser is not None)
        begin = replace(page, blocks=page.blocks[: first + 1])
        shown = "\n".join(page.blocks[first].lines)
        run_in_shell(begin, lambda address, _token: _shoot(seen, address, folder / "survey-online.png") or shown)
    return [folder / "server.png", folder / "survey-online.png"]


def _shoot(seen: Browser, address: str, target: Path) -> None:
    """Take a picture of an address."""
    seen.call("Page.navigate", url=address)
    seen.wait_for("location.pathname.startsWith('/explore') && document.readyState === 'complete'")
    seen.run("document.querySelector('table') && document.querySelector('table').scrollIntoView()")
    time.sleep(1)  # charts are drawn after the page is there
    seen.run("scrollTo(0, 0)")
    _save(seen.screenshot(), target)


def _save(png: bytes, target: Path) -> None:
    """Write a picture with few colours: pages have no others."""
    with Image.open(io.BytesIO(png)) as picture:
        picture.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE).save(target, optimize=True)


@contextlib.contextmanager
def _demo() -> Iterator[str]:
    """Start the demonstration on a free port; give its address."""
    command = [str(Path(sys.executable).with_name("tacita")), "serve", "--demo", "--no-browser", "--port", "0"]
    with tempfile.TemporaryFile("w+") as out:
        server = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env={**os.environ, "COLUMNS": "140"})
        try:
            until = time.monotonic() + _PATIENCE
            said = ""
            while "Serving on " not in said:
                if server.poll() is not None or time.monotonic() > until:
                    raise RuntimeError(f"The demonstration did not start:\n{said}")
                time.sleep(0.1)
                out.seek(0)
                said = out.read()
            yield said.partition("Serving on ")[2].split()[0]
        finally:
            server.terminate()
            server.wait(_PATIENCE)


def main() -> int:
    """Take the pictures into docs/images, or elsewhere."""
    parser = argparse.ArgumentParser(description="Take the pictures of the server's pages.")
    parser.add_argument("--into", type=Path, default=ROOT / "docs" / "images")
    for path in take(parser.parse_args().into):
        sys.stdout.write(f"{path.name}: {path.stat().st_size:,} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
