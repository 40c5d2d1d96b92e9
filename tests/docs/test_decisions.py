"""Records of decisions have one form, fit on a page and are listed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from docs_examples import ROOT

PLACE = ROOT / "docs" / "decisions"
RECORDS = sorted(path for path in PLACE.glob("*.md") if path.name != "index.md")
PARTS = ["Context", "Decision", "Consequences", "Alternatives that were not taken"]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_has_its_parts_and_fits_on_a_page(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == PARTS
    assert len(text.splitlines()) <= 60


def test_every_record_is_listed_by_its_title() -> None:
    listed = dict(
        re.findall(r"^\| \[([^\]]+)\]\(([^)]+)\)", (PLACE / "index.md").read_text(encoding="utf-8"), re.MULTILINE)
    )
    titles = {path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# "): path.name for path in RECORDS}
    assert listed == titles


def test_there_are_records() -> None:
    assert {"solver.md", "frames.md", "streams.md", "atomic-writes.md"} <= {path.name for path in RECORDS}


def test_places_in_the_tree_that_records_name_exist() -> None:
    for path in RECORDS:
        for name in re.findall(r"`([a-z_]+/(?:[a-z_]+/?)*(?:\.py)?)`", path.read_text(encoding="utf-8")):
            inside, beside = ROOT / "src" / "tacita" / name, ROOT / name
            assert inside.exists() or beside.exists() or name in {"public/", "internal/"}, f"{path.name}: {name}"
