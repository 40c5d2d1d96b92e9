"""Rooms and who uses whom: which tests a change of one room wants.

``python tools/rooms.py tables`` prints what pytest is to run after a change of ``tables``: the tests and doctests of the room,
those of every room that uses it, directly or through another one, the architecture, and what else of the tests uses one of them
(conformance, fuzzing). ``docs`` stands for the tests of the documentation, which belong to no room. No room means all tests.

A room uses what its files import, and the rooms whose methods it looks up in the registry by their kind.
"""

from __future__ import annotations

import argparse
import ast
import functools
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]  # the tests share their reading of the tree

from tests.architecture.source import SRC, TESTS, imports, parsed, room, source_files  # noqa: E402

DOCS = "docs"
ALWAYS = "architecture"
ROOM_OF_KIND = {
    "mask": "mask",
    "loss": "loss",
    "risk": "risk",
    "rule": "tables",
    "protector": "tables",
    "restriction": "query",
    "attack": "attack",
    "anonymiser": "logs",
    "log_measure": "logs",
}
"""Where the methods of each kind stand."""
LOOKUPS = {"registry.find", "registry.methods", "all_examples"}
"""How a file asks for methods; the last is how the conformance tests do."""


def main() -> int:
    """Print the paths for pytest, or say that there is no such room."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("room", nargs="?", default="", help="a room of the package, or docs")
    asked = parser.parse_args().room
    if asked and asked not in {*rooms(), DOCS}:
        parser.error(f"there is no room '{asked}'; there are {', '.join([*rooms(), DOCS])}")
    sys.stdout.write(" ".join(str(path.relative_to(ROOT)) for path in wanted(asked)) + "\n")
    return 0


@functools.cache
def rooms() -> tuple[str, ...]:
    """Every room of the package."""
    return tuple(sorted({room(path) for path in source_files()} - {""}))


def wanted(asked: str) -> list[Path]:
    """Return the folders and files of tests that a change of a room wants; all of them by giving none."""
    if not asked:
        return []
    if asked == DOCS:
        return [TESTS / DOCS]
    chosen = dependents(asked)
    places = [place for name in sorted(chosen) for place in (TESTS / name, SRC / name) if place.is_dir()]
    return [*places, TESTS / ALWAYS, *sorted(_other_tests(chosen))]


def _other_tests(chosen: frozenset[str]) -> Iterator[Path]:
    """The test files that stand in the folder of no room and use one of the chosen."""
    for folder in TESTS.iterdir():
        if folder.name not in {*rooms(), DOCS, ALWAYS}:
            yield from (path for path in folder.rglob("test_*.py") if used_by_test(path) & chosen)


@functools.cache
def dependents(name: str) -> frozenset[str]:
    """Return a room with all that use it, directly or not."""
    found = {name}
    while more := {other for other in rooms() if other not in found and uses(other) & found}:
        found |= more
    return frozenset(found)


@functools.cache
def uses(name: str) -> frozenset[str]:
    """Return the rooms that a room uses: by import, and by the registry what does not import the room itself."""
    looked_up = {kind for path in _files(name) for kind in _looked_up(parsed(path))}
    return _imported_by(name) | {other for other in looked_up if name not in _below(other)} - {name}


@functools.cache
def _imported_by(name: str) -> frozenset[str]:
    return frozenset(other for path in _files(name) for other in _imported(path)) - {name}


@functools.cache
def _below(name: str) -> frozenset[str]:
    """A room with all that it imports, directly or not."""
    return _imported_by(name).union(*(_below(other) for other in _imported_by(name)), {name})


def _files(name: str) -> list[Path]:
    return [path for path in source_files() if room(path) == name]


def _imported(path: Path) -> set[str]:
    return {module.split(".")[1] for module, _, _ in imports(path) if module.startswith("tacita.")} & set(rooms())


def _looked_up(tree: ast.Module, *, unnamed: bool = True) -> set[str]:
    """The rooms whose methods a file finds in the registry; ``unnamed`` says whether a call without a kind means all."""
    measuring = {
        id(part.iter)
        for node in ast.walk(tree)
        for part in getattr(node, "generators", ())
        if any("Measure" in ast.unparse(condition) for condition in part.ifs)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in LOOKUPS:
            kinds = {word.value for word in node.args if isinstance(word, ast.Constant)} & ROOM_OF_KIND.keys()
            if not kinds and unnamed:
                kinds = {"loss", "risk"} if id(node) in measuring else set(ROOM_OF_KIND)
            found |= {ROOM_OF_KIND[kind] for kind in kinds}
    return found


# --- what a test uses ------------------------------------------------------------------------------------------------


@functools.cache
def used_by_test(path: Path) -> frozenset[str]:
    """Return the rooms that a test file uses, itself or through files of the tests and of ``fuzz`` that it imports."""
    seen, waiting, found = {path}, [path], set[str]()
    while waiting:
        at = waiting.pop()
        tree = parsed(at)
        found |= _looked_up(tree, unnamed=at == path) | set(_public_names(tree))
        for module in _modules(tree):
            if module.startswith("tacita."):
                found.add(module.split(".")[1])
            elif module.partition(".")[0] in {"tests", "fuzz"}:
                file = ROOT.joinpath(*module.split(".")).with_suffix(".py")
                if file.is_file() and file not in seen:
                    seen.add(file)
                    waiting.append(file)
    return frozenset(found & set(rooms()))


def _modules(tree: ast.Module) -> Iterable[str]:
    """Every module that is imported; a name taken from a package may be a module too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _public_names(tree: ast.Module) -> Iterable[str]:
    """The rooms behind the names ``tc.something``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "tc":
            place = _places().get(node.attr, "")
            if place.count("."):
                yield place.split(".")[1]


@functools.cache
def _places() -> dict[str, str]:
    """Where each public name stands, as ``tacita/__init__.py`` has it."""
    for node in parsed(SRC / "__init__.py").body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_PLACES":
            return dict(ast.literal_eval(node.value))
    raise LookupError("src/tacita/__init__.py has no _PLACES")


if __name__ == "__main__":
    sys.exit(main())
