"""The source tree as the architecture tests see it: files, rooms, syntax trees."""

from __future__ import annotations

import ast
import functools
import importlib
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType

__all__ = ["ROOT", "SRC", "TESTS", "for_each", "imports", "load_tool", "parsed", "room", "source_files", "test_files"]

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src" / "tacita"
TESTS = ROOT / "tests"


def source_files() -> list[Path]:
    """All files of the package."""
    return sorted(SRC.rglob("*.py"))


def test_files() -> list[Path]:
    """All files of the test suite."""
    return sorted(TESTS.rglob("*.py"))


test_files.__test__ = False  # type: ignore[attr-defined]


def for_each(paths: Iterable[Path]) -> Callable[[Callable[[Path], None]], Callable[[], None]]:
    """Make one test of a check of single files: it looks at all of them and then says everything that is wrong.

    A test for each file would be thousands, whose collection takes longer than what they check.
    """
    listed = tuple(paths)

    def decorate(check: Callable[[Path], None]) -> Callable[[], None]:
        def test() -> None:
            wrong = []
            for path in listed:
                try:
                    check(path)
                except AssertionError as error:
                    wrong.append(f"{path.relative_to(ROOT)}: {str(error).partition(chr(10))[0]}")
            assert not wrong, "\n".join(wrong)

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return decorate


def load_tool(name: str) -> ModuleType:
    """Import a file of ``tools/``."""
    if str(ROOT / "tools") not in sys.path:
        sys.path.append(str(ROOT / "tools"))
    return importlib.import_module(name)


@functools.cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def room(path: Path) -> str:
    """Return the room that a file stands in; empty for the files of the package's own directory."""
    parts = path.relative_to(SRC).parts
    return parts[0] if len(parts) > 1 else ""


@functools.cache
def imports(path: Path) -> tuple[tuple[str, int, bool], ...]:
    """Return every imported module with its line and whether it is imported when the file is (not inside a function)."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[tuple[str, int, bool]]:
    package = path.relative_to(SRC.parent).with_suffix("").parts
    for node, at_once in _statements(parsed(path).body, at_once=True):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno, at_once
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level]) if node.level else ""
            module = ".".join(part for part in (base, node.module or "") if part)
            yield module, node.lineno, at_once
            if module == "tacita":  # `from tacita import mask` imports a room
                for alias in node.names:
                    yield f"tacita.{alias.name}", node.lineno, at_once


def _statements(body: list[ast.stmt], *, at_once: bool) -> Iterator[tuple[ast.stmt, bool]]:
    """Give all statements, those inside others too, with whether they run when the file is imported."""
    for node in body:
        yield node, at_once
        later = at_once and not _is_function(node)
        for name in ("body", "orelse", "finalbody"):
            runs = later and not (name == "body" and _is_for_the_type_checker(node))
            yield from _statements(getattr(node, name, []), at_once=runs)
        for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            yield from _statements(part.body, at_once=later)


def _is_for_the_type_checker(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
