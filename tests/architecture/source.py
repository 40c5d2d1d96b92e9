"""The source tree as the architecture tests see it: files, rooms, syntax trees."""

from __future__ import annotations

import ast
import functools
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

__all__ = ["ROOT", "SRC", "TESTS", "imports", "load_tool", "parsed", "room", "source_files", "test_files"]

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


def imports(path: Path) -> Iterator[tuple[str, int, bool]]:
    """Give every imported module with its line and whether it is imported when the file is (not inside a function)."""
    inside = {id(n) for f in ast.walk(parsed(path)) if _is_function(f) for n in ast.walk(f)}
    package = path.relative_to(SRC.parent).with_suffix("").parts
    for node in ast.walk(parsed(path)):
        at_once = id(node) not in inside
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


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
