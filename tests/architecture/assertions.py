"""Whether a test can fail: it asserts, expects an error or a warning, or hands over to a function of the tests that does.

A call counts only when the called function is found, in the same file or in another file of the tests, and checks something
itself. That a library raises an error when all goes wrong is no check: every test would have it. Nor is an ``assert`` in a
called function that only tells the type checker what a value is.
"""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from tests.architecture.source import ROOT, parsed

__all__ = ["checks_nothing", "full_name"]

Function = ast.FunctionDef | ast.AsyncFunctionDef

EXPECTATIONS = {"pytest.raises", "pytest.warns", "pytest.deprecated_call", "pytest.fail"}
ASSERTING = ("numpy.testing.assert_", "pandas.testing.assert_", "polars.testing.assert_")


def checks_nothing(path: Path, root: Path = ROOT) -> list[Function]:
    """Return the tests of a file that cannot fail. Other files are found by the names of their modules below ``root``."""
    if not path.name.startswith("test_"):
        return []
    tests = [n for n in ast.walk(parsed(path)) if isinstance(n, Function) and n.name.startswith("test_")]
    return [test for test in tests if not _Search(root).checks(path, test) and not _hands_over(path, test, root)]


class _Search:
    """One search through functions that call each other; what is being looked at already proves nothing."""

    def __init__(self, root: Path, seen: set[tuple[Path, int]] | None = None) -> None:
        self.root = root
        self.seen = seen or set()

    def checks(self, path: Path, function: Function | ast.ClassDef) -> bool:
        """Whether a function, or a class when it is made, has something that makes a test fail."""
        if (path, function.lineno) in self.seen:
            return False
        is_test = not self.seen
        self.seen.add((path, function.lineno))
        nodes = _own_nodes(function)
        return any(_asserts(node, is_test=is_test) for node in nodes) or any(
            self._calls_a_check(path, function, node) for node in nodes if isinstance(node, ast.Call)
        )

    def _calls_a_check(self, path: Path, function: ast.AST, node: ast.Call) -> bool:
        if isinstance(node.func, ast.Subscript):  # a table of checks: every one of them is looked at
            table = list(self._table(path, full_name(path, ast.unparse(node.func.value))))
            return bool(table) and all(
                _Search(self.root, {(path, node.lineno)}).checks(where, called) for where, called in table
            )
        name = full_name(path, ast.unparse(node.func))
        if name in EXPECTATIONS or name.startswith(ASSERTING):
            return True
        inside = [n for n in _functions_below(function).get(name, ()) if n is not function]
        found = [(path, n) for n in inside] or list(self._find(path, name))
        return any(self.checks(where, called) for where, called in found)

    def _table(self, path: Path, name: str) -> Iterator[tuple[Path, Function | ast.ClassDef]]:
        """The functions that stand in a dictionary of this file or of an imported one."""
        module, _, last = name.rpartition(".")
        where = _file(self.root, module) or path
        for node in parsed(where).body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            value = getattr(node, "value", None)
            if isinstance(value, ast.Dict) and any(isinstance(t, ast.Name) and t.id == last for t in targets):
                for entry in value.values:
                    yield from self._find(where, full_name(where, ast.unparse(entry)))

    def _find(self, path: Path, name: str) -> Iterator[tuple[Path, Function | ast.ClassDef]]:
        """What a name may stand for: a function of this file or of an imported one, or a method called as ``self.x()``."""
        first, _, rest = name.partition(".")
        if first in {"self", "cls"} and rest:
            yield from ((path, n) for n in _functions_below(parsed(path)).get(rest, ()))
        yield from ((path, n) for n in parsed(path).body if isinstance(n, Function | ast.ClassDef) and n.name == name)
        module, _, last = name.rpartition(".")
        other = _file(self.root, module)
        if other is not None and other != path:
            yield from self._find(other, full_name(other, last))


def _asserts(node: ast.AST, *, is_test: bool) -> bool:
    if isinstance(node, ast.Assert):
        return not isinstance(node.test, ast.Constant) and (is_test or not _is_about_types(node.test))
    return isinstance(node, ast.Raise) and node.exc is not None and "AssertionError" in ast.unparse(node.exc)


def _is_about_types(test: ast.expr) -> bool:
    """Whether an assertion only narrows a type: ``x is not None``, ``isinstance(x, Kind)``, or several of them."""
    if isinstance(test, ast.BoolOp):
        return all(_is_about_types(part) for part in test.values)
    if isinstance(test, ast.Compare):
        return [type(op) for op in test.ops] == [ast.IsNot] and ast.unparse(test.comparators[0]) == "None"
    return isinstance(test, ast.Call) and ast.unparse(test.func) == "isinstance"


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """A part of a function and all below it, without the bodies of functions inside: these count where they are called."""
    yield node
    if not isinstance(node, Function):
        for child in ast.iter_child_nodes(node):
            yield from _own(child)


@functools.cache
def _own_nodes(function: Function | ast.ClassDef) -> list[ast.AST]:
    return [node for part in function.body for node in _own(part)]


@functools.cache
def _functions_below(node: ast.AST) -> dict[str, list[Function]]:
    """The functions inside a piece of code, by name."""
    found: dict[str, list[Function]] = {}
    for inner in ast.walk(node):
        if isinstance(inner, Function):
            found.setdefault(inner.name, []).append(inner)
    return found


# --- names and files ----------------------------------------------------------------------------------------------------


@functools.cache
def _imported(path: Path) -> dict[str, str]:
    """What the imported names of a file stand for."""
    found = {}
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            found |= {alias.asname: alias.name for alias in node.names if alias.asname}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return found


def full_name(path: Path, name: str) -> str:
    """A name with its module before it, as far as the imports of the file tell."""
    first, dot, rest = name.partition(".")
    return _imported(path).get(first, first) + dot + rest


@functools.cache
def _file(root: Path, module: str) -> Path | None:
    """The file of a module of the tests."""
    path = root.joinpath(*module.split("."))
    return next((p for p in (path.with_suffix(".py"), path / "__init__.py") if p.is_file()), None) if module else None


# --- functions that a test gets as a parameter ------------------------------------------------------------------------------


def _hands_over(path: Path, test: Function, root: Path) -> bool:
    """Whether a test calls one of its parameters, and every function that is given for it checks something."""
    names = {argument.arg for argument in test.args.args}
    calls = [ast.unparse(node.func) for part in test.body for node in _own(part) if isinstance(node, ast.Call)]
    for parameter, _, rest in (call.partition(".") for call in calls):
        if parameter in names:
            given = [_member(value, rest) for value in _given(_module(path, root), test.name, parameter)]
            if given and all(isinstance(f, FunctionType) and _function_checks(f, root) for f in given):
                return True
    return False


def _function_checks(function: FunctionType, root: Path) -> bool:
    path, line = Path(function.__code__.co_filename), function.__code__.co_firstlineno
    return any(
        isinstance(node, Function) and min([node.lineno, *(d.lineno for d in node.decorator_list)]) == line
        and _Search(root).checks(path, node)
        for node in ast.walk(parsed(path))
    )  # fmt: skip


def _given(module: ModuleType, test: str, parameter: str) -> list[Any]:
    """The values that the marks of a test give for one of its parameters."""
    found = []
    for mark in getattr(getattr(module, test, None), "pytestmark", []):
        names = mark.args[0] if mark.name == "parametrize" else ()
        names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
        if parameter in names:
            for given in mark.args[1]:
                values = getattr(given, "values", given)
                found.append(values[names.index(parameter)] if isinstance(values, (tuple, list)) else values)
    return found


def _member(value: Any, dotted: str) -> Any:
    for part in dotted.split(".") if dotted else ():
        value = getattr(value, part, None)
    return value


def _module(path: Path, root: Path) -> ModuleType:
    name = ".".join(path.relative_to(root).with_suffix("").parts)
    if root == ROOT:
        return importlib.import_module(name)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
