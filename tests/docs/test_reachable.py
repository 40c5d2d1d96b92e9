"""What a page imports is reachable from ``import tacita as tc``; completion in a room shows what the room is for."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from docs_examples import ROOT

import tacita as tc
from tacita.core import registry

EXCEPTIONS = {
    "howto/add-a-method.md": "who writes a method imports what it is built of",
    "explanation/architecture.md": "it shows a method as it stands in its file",
    "howto/run-a-server.md": "the server needs an extra of its own and is no part of the library's face",
    "howto/keep-accounts.md": "accounts belong to the server",
    "explanation/regression-attacks.md": "it runs a study of the paper and the enterprises that it is made of",
    "explanation/file-attacks.md": "it plays the scenes of the matrix, which are a study",
}
"""Pages that may import from inside, and why."""

GENERATED = ROOT / "docs" / "reference" / "methods"
"""Examples in docstrings name the file where they stand."""
_IMPORT = re.compile(r"^(?:>>> )?from (tacita\.[\w.]+) import ([\w, ]+)$", re.MULTILINE)


def imports_of_pages() -> Iterator[tuple[Path, str, str]]:
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "docs").rglob("*.ipynb"))]:
        if not page.is_relative_to(GENERATED):
            for module, names in _IMPORT.findall(
                page.read_text(encoding="utf-8").replace('\\n"', "\n").replace('    "', "")
            ):
                yield page, module, names


def public_things() -> list[object]:
    """Return everything that ``tc`` and the rooms under it offer."""
    found, rooms = [], [tc]
    while rooms:
        room = rooms.pop()
        for name in {*room.__all__, *(dir(room) if "__dir__" in vars(room) else ())}:
            thing = getattr(room, name, None)
            if isinstance(thing, ModuleType) and thing.__name__.startswith("tacita.") and not name.startswith("_"):
                rooms.append(thing)
            found.append(thing)
    return found


def test_pages_import_nothing_that_the_library_does_not_show() -> None:
    shown = {id(thing) for thing in public_things()}
    hidden = [
        f"{page.relative_to(ROOT)}: {module}.{name}"
        for page, module, names in imports_of_pages()
        if str(page.relative_to(ROOT / "docs") if page.is_relative_to(ROOT / "docs") else page.name) not in EXCEPTIONS
        for name in names.split(", ")
        if id(getattr(importlib.import_module(module), name)) not in shown
    ]
    assert hidden == [], "say tc.NAME there, or add a reason to the exceptions"


def test_an_exception_is_used() -> None:
    used = {str(page.relative_to(ROOT / "docs")) for page, _, _ in imports_of_pages() if page.name != "README.md"}
    assert set(EXCEPTIONS) <= used


def test_the_scan_sees_a_planted_import() -> None:
    assert _IMPORT.findall("import x\nfrom tacita.core.keyed import Key, read\n") == [
        ("tacita.core.keyed", "Key, read")
    ]
    assert id(tc.Key) in {id(thing) for thing in public_things()}
    from tacita.core.arrays import FloatArray

    assert id(FloatArray) not in {id(thing) for thing in public_things()}


@pytest.mark.parametrize(("room", "kind"), [(tc.mask, "mask"), (tc.risk, "risk"), (tc.loss, "loss")])
def test_completion_in_a_room_shows_its_methods_alone(room: ModuleType, kind: str) -> None:
    registry.load_all()
    shown = dir(room)
    assert {getattr(room, name).kind for name in shown} == {kind}
    assert set(shown) <= set(room.__all__)
    assert not {"Mask", "Risk", "Loss", "base", "moved"} & set(shown)


@pytest.mark.parametrize("room", [tc.tables, tc.query, tc.samples])
def test_completion_shows_what_a_room_gives_and_no_files(room: ModuleType) -> None:
    assert set(room.__all__) <= set(dir(room))
    assert not {"annotations", "moved", "base", "importlib"} & set(dir(room))


def test_folders_of_the_query_room_load_when_used() -> None:
    assert tc.query.steward.compare_policies.__name__ == "compare_policies"
    assert tc.query.cutpoints.FixedWidth(minimum=5).minimum == 5
    with pytest.raises(AttributeError, match=r"'tacita\.query' has no attribute 'stewart'"):
        _ = tc.query.stewart
