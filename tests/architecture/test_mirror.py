"""Every source file has its tests: a test file of its name in the same folder of ``tests/``, or one that names it.

A test file names a source file by importing it, by using something that the file defines under the public name of its room, as
``tc.mask.RankSwap``, or by its docstring: ``tacita.mask.draw``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.architecture.assertions import full_name
from tests.architecture.source import ROOT, SRC, parsed

NO_CODE = {"__init__.py", "__main__.py", "_version.py"}


def module_of(path: Path, source: Path) -> str:
    """The dotted name of a source file."""
    return ".".join(path.relative_to(source.parent).with_suffix("").parts)


def reexported(source: Path) -> dict[str, str]:
    """Where each public name of a room is defined: ``tacita.mask.RankSwap`` in ``tacita.mask.swap.rank_swap``."""
    found: dict[str, str] = {}
    for path in source.rglob("__init__.py"):
        package = ".".join(path.parent.relative_to(source.parent).parts)
        for node in ast.walk(parsed(path)):
            if (
                node in parsed(path).body
                and isinstance(node, ast.ImportFrom)
                and str(node.module).startswith(f"{source.name}.")
            ):
                found |= {f"{package}.{alias.asname or alias.name}": node.module for alias in node.names}
            elif isinstance(node, ast.Dict):  # the public face, whose names load when they are first used
                pairs = [(k, v) for k, v in zip(node.keys, node.values, strict=True) if k is not None]
                texts = [
                    (k.value, v.value) for k, v in pairs if isinstance(k, ast.Constant) and isinstance(v, ast.Constant)
                ]
                found |= {f"{package}.{k}": v for k, v in texts if str(v).startswith(source.name + ".")}
    return found


def named(files: Iterable[Path], source: Path) -> set[str]:
    """The modules that some test files name."""
    public = reexported(source)
    found: set[str] = set()
    for path in files:
        tree, used = parsed(path), set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                used |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                used |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
            elif isinstance(node, ast.Attribute):
                used.add(full_name(path, ast.unparse(node)))
        used |= set(re.findall(rf"``({source.name}(?:\.\w+)+)``", ast.get_docstring(tree) or ""))
        found |= used | {public[name] for name in (_spelled_out(name, public) for name in used) if name in public}
    return found


def _spelled_out(name: str, public: dict[str, str]) -> str:
    """A name in full: ``tacita.samples.business_survey`` is one of ``tacita.data.samples``."""
    place, _, last = name.rpartition(".")
    return f"{public[place]}.{last}" if place in public else name


def without_tests(source: Path, tests: Path) -> list[str]:
    """The source files that no test mirrors or names."""
    files = [path for path in sorted(source.rglob("*.py")) if path.name not in NO_CODE]
    known = named(sorted(tests.rglob("test_*.py")), source)
    return [
        module_of(path, source)
        for path in files
        if not (tests / path.relative_to(source).parent / f"test_{path.name}").is_file()
        and module_of(path, source) not in known
    ]


def test_every_source_file_is_mirrored_or_named() -> None:
    found = without_tests(SRC, ROOT / "tests")
    assert not found, f"no test file has the name of these, and none names them: {', '.join(found)}"


@pytest.mark.parametrize(
    ("test", "is_tested"),
    [
        ("", False),
        ("import house", False),
        ("from house.cellar import Coal", False),
        ("from house.cellar import Wine", True),
        ("from house.cellar.wine import Wine", True),
        ("from house.cellar import wine", True),
        ("import house as tc\n\ntc.cellar.Wine()", True),
        ("from house import cellar\n\ncellar.Wine()", True),
        ("cellar = 1\n\ncellar.Wine()", False),
        ("import house as tc\n\ntc.cellar.Coal()", False),
        ('"""Tests of ``house.cellar.wine``."""', True),
        ('"""Tests of wine."""', False),
    ],
)
def test_a_planted_file_without_tests_is_seen(tmp_path: Path, test: str, is_tested: bool) -> None:
    source, tests = tmp_path / "house", tmp_path / "tests"
    (source / "cellar").mkdir(parents=True)
    tests.mkdir()
    (source / "__init__.py").write_text("")
    (source / "cellar" / "__init__.py").write_text(
        "from house.cellar.coal import Coal\nfrom house.cellar.wine import Wine\n"
    )
    (source / "cellar" / "wine.py").write_text("class Wine: ...\n")
    (tests / "test_something.py").write_text(test + "\n")
    assert without_tests(source, tests) == ([] if is_tested else ["house.cellar.wine"])


def test_a_mirror_is_enough(tmp_path: Path) -> None:
    source, tests = tmp_path / "house", tmp_path / "tests"
    source.mkdir()
    tests.mkdir()
    (source / "wine.py").touch()
    (tests / "test_wine.py").touch()
    assert without_tests(source, tests) == []
