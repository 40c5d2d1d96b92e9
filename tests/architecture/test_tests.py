"""The tests themselves: every skip with its reason, nothing commented out, nothing that cannot fail."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.architecture.assertions import checks_nothing
from tests.architecture.source import for_each, parsed, test_files

every_test_file = for_each(test_files())

NEEDS_REASON = {"skip", "skipif", "xfail"}
WAITS = re.compile(r"\byet\b|\bto (be built|come)\b|\bcomes? with\b|\bnext version\b|\bis being\b", re.IGNORECASE)
"""What a skip says whose subject is still to come."""


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
    """A test asserts, expects an error or a warning, or hands over to a function of the tests that does."""
    found = [f"{path.name}:{test.lineno}: {test.name} checks nothing" for test in checks_nothing(path)]
    assert not found, "; ".join(found)


@every_test_file
def test_no_constant_is_asserted(path: Path) -> None:
    for node in ast.walk(parsed(path)):
        trivial = isinstance(node, ast.Assert) and isinstance(node.test, ast.Constant) and bool(node.test.value)
        assert not trivial, f"{path.name}:{getattr(node, 'lineno', 0)}: asserts a constant"


@every_test_file
def test_test_functions_are_not_defined_twice(path: Path) -> None:
    """The second of two tests with one name hides the first."""
    names = [node.name for node in parsed(path).body if isinstance(node, ast.FunctionDef)]
    twice = sorted({name for name in names if names.count(name) > 1})
    assert not twice, f"{path.name}: {', '.join(twice)}"


@every_test_file
def test_no_test_waits_for_something_to_be_built(path: Path) -> None:
    """A skip is for what a machine may lack, never for a part of the package: that is there, or its test fails."""
    found = [f"{path.name}:{line}: {reason!r}" for line, reason in waiting_skips(path)]
    assert not found, f"these skips wait for something: {'; '.join(found)}"


def waiting_skips(path: Path) -> list[tuple[int, str]]:
    """The skips of a file whose reason says that something is still to come, with their lines."""
    calls = [n for n in ast.walk(parsed(path)) if isinstance(n, ast.Call) and _name(n.func).startswith("pytest.")]
    marks = [n for n in calls if _name(n.func).rpartition(".")[2] in NEEDS_REASON]
    texts = [(n.lineno, t.value) for n in marks for t in ast.walk(n) if isinstance(t, ast.Constant)]
    return [(line, text) for line, text in texts if isinstance(text, str) and WAITS.search(text)]


# --- the guards themselves ------------------------------------------------------------------------------------------------

HELPERS = """
def checks(x):
    assert x > 0

def builds(x):
    assert x is not None
    assert isinstance(x, int) and x is not None
    return x

def hands_on(x):
    checks(x)

def round_and_round(x):
    round_and_round(x)

TABLE = {"a": checks, "b": hands_on}
BROKEN = {"a": checks, "b": builds}
"""

CAN_FAIL = {
    "assert": "    assert 1 + 1 == 2",
    "assert of a type": "    assert isinstance(1, int)",
    "error": "    with pytest.raises(ValueError):\n        int('x')",
    "warning": "    with pytest.warns(UserWarning):\n        print()",
    "fail": "    pytest.fail('here')",
    "assertion error": "    raise AssertionError('here')",
    "numpy": "    np.testing.assert_allclose(1, 1)",
    "imported by name": "    assert_equal(1, 1)",
    "function of the file": "    own(1)",
    "imported": "    checks(1)",
    "imported, through a second": "    hands_on(1)",
    "module": "    helpers.checks(1)",
    "function inside": "    def inside(x):\n        assert x\n    inside(1)",
    "table of checks": "    for name in 'ab':\n        TABLE[name](1)",
}
CANNOT_FAIL = {
    "nothing": "    pass",
    "a call": "    print(1)",
    "constant": "    assert True",
    "library": "    np.sort([1])",
    "builder": "    builds(1)",
    "circle": "    round_and_round(1)",
    "function inside that nobody calls": "    def inside(x):\n        assert x",
    "table with one that checks nothing": "    for name in 'ab':\n        BROKEN[name](1)",
    "another error": "    if len('x') > 1:\n        raise ValueError",
}
OPENING = """
import numpy as np
import pytest
from numpy.testing import assert_equal
from tests import helpers
from tests.helpers import BROKEN, TABLE, builds, checks, hands_on, round_and_round

def own(x):
    assert x
"""


def _planted(folder: Path, text: str) -> Path:
    (folder / "tests").mkdir()
    (folder / "tests" / "__init__.py").touch()
    (folder / "tests" / "helpers.py").write_text(HELPERS)
    path = folder / "tests" / "test_planted.py"
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", CAN_FAIL)
def test_a_test_that_checks_is_accepted(tmp_path: Path, name: str) -> None:
    path = _planted(tmp_path, f"{OPENING}\ndef test_planted():\n{CAN_FAIL[name]}\n")
    assert checks_nothing(path, tmp_path) == []


@pytest.mark.parametrize("name", CANNOT_FAIL)
def test_a_planted_test_that_checks_nothing_is_seen(tmp_path: Path, name: str) -> None:
    path = _planted(tmp_path, f"{OPENING}\ndef test_planted():\n{CANNOT_FAIL[name]}\n")
    assert [test.name for test in checks_nothing(path, tmp_path)] == ["test_planted"]


@pytest.mark.parametrize(("second", "found"), [("assert len(x) < 9", []), ("len(x)", ["test_planted"])])
def test_every_check_that_a_test_gets_is_looked_at(tmp_path: Path, second: str, found: list[str]) -> None:
    path = _planted(
        tmp_path,
        f"""
import pytest

def one(x):
    assert x

def two(x):
    {second}

@pytest.mark.parametrize(("text", "check"), [("a", one), pytest.param("b", two)])
def test_planted(text, check):
    check(text)
""",
    )
    assert [test.name for test in checks_nothing(path, tmp_path)] == found


@pytest.mark.parametrize(
    ("reason", "waits"),
    [
        ("there is no glossary yet", True),
        ("the command line is not there yet", True),
        ("comes with the next version", True),
        ("to be built", True),
        ("polars is not installed", False),
        ("the reference data are not here", False),
    ],
)
def test_a_planted_skip_that_waits_is_seen(tmp_path: Path, reason: str, waits: bool) -> None:
    path = tmp_path / "test_planted.py"
    path.write_text(f"import pytest\n\nneeds = pytest.mark.skipif(True, reason={reason!r})\n")
    assert bool(waiting_skips(path)) == waits
