"""The tests themselves: every skip with its reason, nothing commented out, nothing that cannot fail."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.architecture.source import TESTS, parsed, test_files

every_test_file = pytest.mark.parametrize("path", test_files(), ids=lambda path: str(path.relative_to(TESTS)))

NEEDS_REASON = {"skip", "skipif", "xfail"}


def _name(node: ast.AST) -> str:
    return ast.unparse(node) if isinstance(node, (ast.Attribute, ast.Name)) else ""


@every_test_file
def test_skips_have_reasons(path: Path) -> None:
    tree = parsed(path)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        where = f"{path.name}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Call) and _name(node.func).startswith("pytest."):
            last = _name(node.func).rpartition(".")[2]
            if last in NEEDS_REASON:
                marked = ".mark." in _name(node.func)
                given = [k.value for k in node.keywords if k.arg in {"reason", "msg"}]
                given += node.args[:1] if not marked or last == "skip" else []
                texts = [g for g in given if not (isinstance(g, ast.Constant) and not str(g.value).strip())]
                assert texts, f"{where}: {last} without a reason"
        elif isinstance(node, ast.Attribute) and ".mark." in _name(node) and id(node) not in called:
            assert node.attr not in NEEDS_REASON, f"{where}: {node.attr} without a reason"


@every_test_file
def test_nothing_is_commented_out(path: Path) -> None:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        assert not re.match(r"\s*#\s*(def test_|assert |@pytest)", line), f"{path.name}:{number}"


@every_test_file
def test_every_test_can_fail(path: Path) -> None:
    """A test asserts, expects an error, or hands over to a function that does."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            does = any(isinstance(n, (ast.Assert, ast.Call, ast.Raise)) for part in node.body for n in ast.walk(part))
            assert does, f"{path.name}:{node.lineno}: {node.name} checks nothing"
            trivial = [
                n
                for n in ast.walk(node)
                if isinstance(n, ast.Assert) and isinstance(n.test, ast.Constant) and n.test.value
            ]
            assert not trivial, f"{path.name}:{node.lineno}: {node.name} asserts a constant"


@every_test_file
def test_test_functions_are_not_defined_twice(path: Path) -> None:
    """The second of two tests with one name hides the first."""
    names = [node.name for node in parsed(path).body if isinstance(node, ast.FunctionDef)]
    twice = sorted({name for name in names if names.count(name) > 1})
    assert not twice, f"{path.name}: {', '.join(twice)}"
