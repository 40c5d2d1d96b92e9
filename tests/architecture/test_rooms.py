"""``make test ROOM=...`` runs a room and what uses it: the set follows from imports and from look-ups in the registry."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
import rooms

from tacita.core.vocabulary import KINDS
from tests.architecture.source import ROOT, SRC, TESTS, imports, room, source_files


@pytest.mark.parametrize("name", rooms.rooms())
def test_who_imports_a_room_is_tested_with_it(name: str) -> None:
    """Counted once more, file by file."""
    chosen = rooms.dependents(name)
    for path in source_files():
        imported = {module.split(".")[1] for module, _, _ in imports(path) if module.startswith("tacita.")}
        if room(path) and imported & chosen:
            assert room(path) in chosen, f"{path.name} imports {', '.join(sorted(imported & chosen))}"


def test_the_ground_floor_wants_everything() -> None:
    assert rooms.dependents("core") == set(rooms.rooms())


def test_the_top_wants_itself() -> None:
    assert rooms.dependents("cli") == {"cli"}


def test_tables_want_what_shows_tables_and_no_mask() -> None:
    chosen = rooms.dependents("tables")
    assert {"tables", "report", "cli"} <= chosen
    assert not chosen & {"mask", "risk", "loss", "data", "numeric", "solve", "core"}


def test_what_is_looked_up_in_the_registry_counts() -> None:
    """Masks import no risk, but take a rule by its name."""
    assert "risk" in rooms.uses("mask")
    assert {"loss", "risk"} <= rooms.uses("compare")
    assert "mask" not in rooms.uses("data"), "a lower room that lists all methods does not stand on them"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('registry.find("risk", name)', {"risk"}),
        ('list(registry.methods("rule"))', {"tables"}),
        ('registry.find("restriction", name)', {"query"}),
        ("registry.find(kind, name)", {"mask", "loss", "risk", "tables", "query", "attack", "logs"}),
        ("[m for m in registry.methods() if issubclass(m, Measure)]", {"loss", "risk"}),
        ('all_examples("loss", "risk")', {"loss", "risk"}),
        ("text.find('mask')", set()),
    ],
)
def test_look_ups_are_found(code: str, found: set[str]) -> None:
    assert rooms._looked_up(ast.parse(code)) == found


def test_every_kind_of_method_has_its_room() -> None:
    assert set(rooms.ROOM_OF_KIND) == set(KINDS)
    assert set(rooms.ROOM_OF_KIND.values()) <= set(rooms.rooms())


def test_a_room_wants_tests_and_doctests() -> None:
    places = rooms.wanted("tables")
    assert {TESTS / "tables", SRC / "tables", TESTS / "cli", TESTS / "architecture"} <= set(places)
    assert TESTS / "conformance" / "test_rules.py" in places
    assert TESTS / "conformance" / "test_masks.py" not in places
    assert all(path.exists() for path in places)


def test_the_documentation_is_tested_only_when_asked_for() -> None:
    assert rooms.wanted("docs") == [TESTS / "docs"]
    for name in rooms.rooms():
        assert not any("docs" in path.parts for path in rooms.wanted(name))


def test_no_room_leaves_the_choice_to_pytest() -> None:
    assert rooms.wanted("") == []


def test_every_test_is_wanted_by_some_room() -> None:
    places = {place for name in [*rooms.rooms(), "docs"] for place in rooms.wanted(name)}
    for path in TESTS.rglob("test_*.py"):
        assert places & {path, *path.parents}, f"no room runs {path.relative_to(ROOT)}"


def test_a_test_uses_what_it_imports_through_others(tmp_path: Path) -> None:
    path = tmp_path / "test_made_up.py"
    path.write_text(
        "import tacita as tc\nfrom tests.conformance import table_examples\ntc.evaluate\n", encoding="utf-8"
    )
    used = rooms.used_by_test(path)
    assert {"compare", "tables"} <= used
    assert "cli" not in used


def test_an_unknown_room_is_refused() -> None:
    made = subprocess.run(
        [sys.executable, ROOT / "tools" / "rooms.py", "attic"], capture_output=True, text=True, check=False
    )
    assert made.returncode == 2
    assert made.stdout == ""
    assert "there is no room 'attic'" in made.stderr


def test_the_makefile_asks_the_tool() -> None:
    """A failing tool stops the command: pytest without places would run everything."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "places=$$($(BIN)/python tools/rooms.py $(ROOM)) && $(BIN)/pytest" in text
