"""Draws the tree of the source and the ladder of imports into the page of the house.

The tree is made of the first sentences of the folders' ``__init__.py``, the ladder of that of the test of imports. Run it as
``python tools/docs_tree.py``; with ``--check`` nothing is written, and the exit code is 1 when the page is not up to date.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

__all__ = ["PAGE", "current", "first_sentence", "ladder", "redrawn", "tree"]

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src" / "tacita"
PAGE = ROOT / "docs" / "explanation" / "architecture.md"
COMMAND = "python tools/docs_tree.py"


def first_sentence(text: str) -> str:
    """Return the first sentence of a docstring, on one line."""
    return re.split(r"(?<=[.!?]) (?=[A-Z`])", " ".join(text.split("\n\n", maxsplit=1)[0].split()))[0]


def tree(source: Path) -> str:
    """Draw the folders of a package, each with its first sentence."""
    folders = sorted(path.parent for path in source.rglob("__init__.py"))
    drawn = []
    for folder in folders:
        depth = len(folder.relative_to(source).parts)
        said = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
        name = "  " * depth + folder.name + "/"
        drawn.append(f"{name:<24}{first_sentence(said)}".rstrip())
    return "\n".join(drawn)


def ladder(steps: Sequence[Iterable[str]], rooms: Iterable[str]) -> str:
    """Draw the steps of a ladder, the highest first, with the rooms that are there."""
    there = set(rooms)
    lines = ["  ".join(room for room in step if room in there) for step in reversed(steps)]
    return "\n".join(line for line in lines if line)


def redrawn(page: str, parts: dict[str, str]) -> str:
    """Return a page with each part drawn anew between its two markers."""
    for name, drawn in parts.items():
        begin, end = f"<!-- {name}: written by {COMMAND} -->", f"<!-- end of {name} -->"
        if page.count(begin) != 1 or page.count(end) != 1:
            raise SystemExit(f"The page must have the lines '{begin}' and '{end}' once each.")
        before, rest = page.split(begin)
        page = f"{before}{begin}\n```text\n{drawn}\n```\n{end}{rest.split(end)[1]}"
    return page


def current() -> dict[str, str]:
    """Draw what belongs on the page now."""
    sys.path.insert(0, str(ROOT))
    from tests.architecture.ladder import LADDER

    rooms = [path.parent.name for path in SRC.glob("*/__init__.py")]
    return {"tree": tree(SRC), "ladder": ladder(LADDER, rooms)}


def main() -> int:
    """Write the page, or look whether it is up to date."""
    parser = argparse.ArgumentParser(description="Draw the tree of the source into the page of the house.")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit code 1 when the page is not up to date"
    )
    asked = parser.parse_args()
    old = PAGE.read_text(encoding="utf-8")
    new = redrawn(old, current())
    if asked.check:
        return int(old != new)
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
