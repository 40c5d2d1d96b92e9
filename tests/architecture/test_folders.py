"""Folders show the ideas: each says what it is, none is a corridor, and the page of the house draws them as they are."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.architecture.ladder import LADDER
from tests.architecture.source import ROOT, SRC, load_tool

MOST_FILES = 25
FOLDERS = sorted(path.parent for path in SRC.rglob("__init__.py"))
PLACES = ("src", "benchmarks", "tools", "docs", "fuzz", ".ci")
MADE = {ROOT / "docs" / "reference", ROOT / "fuzz" / "corpus"}
"""The generated reference, and damaged files that are kept as they were found."""


@pytest.fixture(scope="module")
def docs_tree() -> ModuleType:
    return load_tool("docs_tree")


# --- what a folder says ---------------------------------------------------------------------------------------------------


def lacks(folder: Path) -> list[str]:
    """What the docstring of a folder lacks: sentences, what comes in and goes out, a file to begin with."""
    said = " ".join((ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or "").split())
    sentences = [s for s in re.split(r"(?<=[.!?])\s+(?=[A-Z`])", said) if s.endswith(".")]
    named = re.findall(r"``([\w/]+\.py)``", said)
    found = [] if len(sentences) >= 2 else ["two sentences"]
    found += [] if named else ["the file to read first"]
    found += [f"the file {name}, which it names" for name in named if not (folder / name).is_file()]
    if folder != SRC:  # what comes into the whole package, and goes out, is said in its documentation
        found += [] if re.search(r"\bIn comes? ", said) and re.search(r"\bout comes? ", said) else ["in and out"]
    return found


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(SRC.parent)))
def test_a_folder_says_what_it_is(folder: Path) -> None:
    assert not lacks(folder), f"{folder.relative_to(SRC.parent)}/__init__.py lacks {', '.join(lacks(folder))}"


def test_every_folder_of_source_has_its_docstring() -> None:
    assert {path.parent for path in SRC.rglob("*.py")} == set(FOLDERS)


GOOD = "Nets: what is caught.\n\nIn come fish; out come crates. Read ``net.py`` first."


@pytest.mark.parametrize(
    ("said", "lacking"),
    [
        (GOOD, []),
        ("", ["two sentences", "the file to read first", "in and out"]),
        ("Nets: in come fish; out come crates, see ``net.py``.", ["two sentences", "in and out"]),
        (GOOD.replace("net.py", "gone.py"), ["the file gone.py, which it names"]),
        (GOOD.replace(" Read ``net.py`` first.", ""), ["the file to read first"]),
        (GOOD.replace("In come fish; out come", "Fish and"), ["in and out"]),
    ],
)
def test_a_planted_docstring_is_seen(tmp_path: Path, said: str, lacking: list[str]) -> None:
    (tmp_path / "__init__.py").write_text(f'"""{said}"""\n')
    (tmp_path / "net.py").touch()
    assert lacks(tmp_path) == lacking


# --- how many files stand in one ------------------------------------------------------------------------------------------


def corridors(*places: Path, but: Callable[[Path], bool] = lambda _: False) -> list[str]:
    """Folders with more files than anybody looks through, however deep they lie."""
    folders = [f for place in places for f in (place, *place.rglob("*")) if f.is_dir() and not but(f)]
    counts = {f: sum(p.is_file() and p.suffix not in {".pyc", ".nbi", ".nbc"} for p in f.iterdir()) for f in folders}
    return [f"{folder} has {count}" for folder, count in counts.items() if count > MOST_FILES]


def _is_made(folder: Path) -> bool:
    return folder.name == "__pycache__" or any(folder.is_relative_to(made) for made in MADE)


@pytest.mark.parametrize("place", PLACES)
def test_no_folder_is_a_corridor(place: str) -> None:
    found = corridors(ROOT / place, but=_is_made)
    assert not found, f"more than {MOST_FILES} files want folders of their own: {'; '.join(found)}"


def test_no_folder_of_tests_is_a_corridor() -> None:
    found = corridors(ROOT / "tests", but=_is_made)
    assert not found, f"more than {MOST_FILES} files want folders of their own: {'; '.join(found)}"


def test_a_planted_corridor_is_seen(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    for i in range(MOST_FILES):
        (deep / f"{i}.py").touch()
    assert corridors(tmp_path) == []
    (deep / "one_more.py").touch()
    assert corridors(tmp_path) == [f"{deep} has {MOST_FILES + 1}"]


# --- the page of the house ------------------------------------------------------------------------------------------------


def test_the_page_of_the_house_is_up_to_date(docs_tree: ModuleType) -> None:
    page = docs_tree.PAGE.read_text(encoding="utf-8")
    assert page == docs_tree.redrawn(page, docs_tree.current()), f"run: {docs_tree.COMMAND}"


def test_every_room_is_drawn(docs_tree: ModuleType) -> None:
    drawn = docs_tree.current()
    rooms = {folder.name for folder in FOLDERS if folder.parent == SRC}
    assert set(drawn["ladder"].split()) == rooms
    assert {line.split("/")[0].strip() for line in drawn["tree"].splitlines()} == {folder.name for folder in FOLDERS}


def test_the_ladder_is_that_of_the_imports(docs_tree: ModuleType) -> None:
    assert docs_tree.ladder(LADDER, ["core", "numeric", "solve", "cli"]) == "cli\nnumeric  solve\ncore"


PLANTED_PAGE = """# House

<!-- tree: written by python tools/docs_tree.py -->
old
<!-- end of tree -->

Words.
"""


def test_a_planted_folder_makes_the_page_stale(tmp_path: Path, docs_tree: ModuleType) -> None:
    source = tmp_path / "house"
    (source / "cellar").mkdir(parents=True)
    (source / "__init__.py").write_text('"""A house. It stands."""\n')
    (source / "cellar" / "__init__.py").write_text('"""The cellar: wine, coal. More words.\n\nAnd more.\n"""\n')
    page = docs_tree.redrawn(PLANTED_PAGE, {"tree": docs_tree.tree(source)})
    assert "  cellar/               The cellar: wine, coal.\n" in page
    assert page.endswith("<!-- end of tree -->\n\nWords.\n")
    assert page == docs_tree.redrawn(page, {"tree": docs_tree.tree(source)})
    (source / "attic").mkdir()
    (source / "attic" / "__init__.py").write_text('"""The attic: letters."""\n')
    assert page != docs_tree.redrawn(page, {"tree": docs_tree.tree(source)})


def test_a_page_without_its_markers_is_an_error(docs_tree: ModuleType) -> None:
    with pytest.raises(SystemExit, match="once each"):
        docs_tree.redrawn("# House\n", {"tree": "x"})
