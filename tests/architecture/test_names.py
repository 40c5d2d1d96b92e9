"""One name, one thing: no two classes of the tree have the same name, nor two exported functions of different rooms."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from tests.architecture.source import ROOT, SRC, parsed, room, source_files


def classes(files: Iterable[Path]) -> dict[str, list[str]]:
    """Where each class is defined, nested ones included."""
    found = defaultdict(list)
    for path in files:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(_place(path))
    return dict(found)


def exported_functions(files: Iterable[Path]) -> dict[str, list[str]]:
    """Where each function that stands in ``__all__`` is defined; variants for several types count once."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in files:
        exported = _exported(parsed(path))
        for name in dict.fromkeys(node.name for node in parsed(path).body if isinstance(node, ast.FunctionDef)):
            if name in exported and not (path.is_relative_to(SRC) and _is_verb(path, name)):
                found[name].append(_place(path))
    return dict(found)


def _exported(tree: ast.Module) -> set[str]:
    lists = [n.value for n in tree.body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "__all__"]
    return {
        n.value for value in lists for n in ast.walk(value) if isinstance(n, ast.Constant) and isinstance(n.value, str)
    }


def _is_verb(path: Path, name: str) -> bool:
    """Whether a function is a verb of the command line: users type it, and it is named after what it calls."""
    return room(path) == "cli" and path.stem == name


def _place(path: Path) -> str:
    return str(path.relative_to(SRC)) if path.is_relative_to(SRC) else path.name


def several(places: dict[str, list[str]], *, by_room: bool = False) -> dict[str, str]:
    """The names that stand in several files, or in files of several rooms."""
    return {
        name: ", ".join(where)
        for name, where in places.items()
        if len({place.partition("/")[0] for place in where} if by_room else where) > 1
    }


def test_a_class_has_its_name_alone() -> None:
    found = several(classes(source_files()))
    assert not found, f"these classes share a name, rename until it means one thing: {found}"


def test_an_exported_function_has_its_name_alone() -> None:
    found = several(exported_functions(source_files()), by_room=True)
    assert not found, f"these functions share a name, rename until it means one thing: {found}"


def test_a_planted_fault_is_seen(tmp_path: Path) -> None:
    """Two files with one class and one exported function are found; what is private or overloaded is not."""
    first, second = tmp_path / "first.py", tmp_path / "second.py"
    first.write_text('__all__ = ["measure"]\nclass Table: ...\ndef measure(): ...\ndef _own(): ...\ndef here(): ...\n')
    second.write_text('__all__ = ["measure"]\nclass Table: ...\ndef measure(): ...\ndef _own(): ...\ndef here(): ...\n')
    assert several(classes([first, second])) == {"Table": "first.py, second.py"}
    assert several(exported_functions([first, second]), by_room=True) == {"measure": "first.py, second.py"}


# --- words that were given up ---------------------------------------------------------------------------------------------

GIVEN_UP = {
    "desk": "workspace",
    "books": "state",
    "witness": "move",
    "witnesses": "moves",
    "alternative table": "move",
    "alternative tables": "moves",
    "partition_random": "random",
    "mdav_lanes": "lanes",
}
"""Words that stood beside the one of the glossary, with the one that is used."""


def given_up(text: str) -> list[str]:
    """The words of a text that have another one in their place; parts of names count, as in ``make_desk``."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower()
    return [
        f"{number}: '{word}', say '{GIVEN_UP[word]}'"
        for number, line in enumerate(apart.splitlines(), 1)
        for word in GIVEN_UP
        if re.search(rf"(?<![a-z]){word}(?![a-z])", line)
    ]


def test_one_idea_has_one_word() -> None:
    pages = [ROOT / "docs" / "glossary.md", ROOT / "docs" / "explanation" / "tables.md"]
    found = {
        str(path.relative_to(ROOT)): given_up(path.read_text(encoding="utf-8")) for path in [*source_files(), *pages]
    }
    assert not {name: words for name, words in found.items() if words}


def test_a_planted_word_is_seen() -> None:
    assert given_up("a move\nself._desk = make_workspace()") == ["2: 'desk', say 'workspace'"]
    assert given_up("class Witness:") == ["1: 'witness', say 'move'"]
    assert given_up("deskbound, bookshelf, an alternative") == []
