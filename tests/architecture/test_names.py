"""One name, one thing: no two classes of the tree have the same name, nor two exported functions of different rooms."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.architecture.source import SRC, parsed, room, source_files

TO_BE_EMPTIED = {
    "Contributions": "mask/reweight/margins.py, tables/model/contributions.py",
    "Task": "core/progress.py, mask/recode/group_model.py",
    "_Findings": "loss/analytical_validity.py, mask/microaggregation/microaggregation.py",
    "grid": "compare/search/candidates.py, tables/model/grid.py",
    "grown": "numeric/table_moves/proofs.py, tables/protect/neighbourhood.py",
}
"""Names that still mean two things, with the files; whoever renames one strikes it from this list."""


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
    unknown = {name: where for name, where in found.items() if name not in TO_BE_EMPTIED}
    assert not unknown, f"these classes share a name, rename until it means one thing: {unknown}"


def test_an_exported_function_has_its_name_alone() -> None:
    found = several(exported_functions(source_files()), by_room=True)
    unknown = {name: where for name, where in found.items() if name not in TO_BE_EMPTIED}
    assert not unknown, f"these functions share a name, rename until it means one thing: {unknown}"


@pytest.mark.parametrize("name", TO_BE_EMPTIED)
def test_the_list_of_exceptions_is_not_longer_than_needed(name: str) -> None:
    found = several(classes(source_files())) | several(exported_functions(source_files()), by_room=True)
    assert found.get(name) == TO_BE_EMPTIED[name], f"'{name}' means one thing by now: strike it from the list"


def test_a_planted_fault_is_seen(tmp_path: Path) -> None:
    """Two files with one class and one exported function are found; what is private or overloaded is not."""
    first, second = tmp_path / "first.py", tmp_path / "second.py"
    first.write_text('__all__ = ["measure"]\nclass Table: ...\ndef measure(): ...\ndef _own(): ...\ndef here(): ...\n')
    second.write_text('__all__ = ["measure"]\nclass Table: ...\ndef measure(): ...\ndef _own(): ...\ndef here(): ...\n')
    assert several(classes([first, second])) == {"Table": "first.py, second.py"}
    assert several(exported_functions([first, second]), by_room=True) == {"measure": "first.py, second.py"}
