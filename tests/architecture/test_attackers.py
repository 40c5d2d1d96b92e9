"""An attacker has what left and nothing else: no room that protects, no judge, no original, no link to an origin."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.source import SRC, for_each, parsed

ATTACK = SRC / "attack"

ROOMS = frozenset({"core", "numeric", "solve", "data", "attack"})
"""The rooms that an attacker may use: arithmetic, files, and what other attackers do."""

NOT_THESE = {
    "tacita.attack.judge": "the judge has the truth",
    "tacita.core.registry": "a registry finds the masks and policies that protect",
    "tacita.data.pairing": "pairs records with their originals",
    "tacita.data.unchanged": "holds a release against its original",
}
"""Modules inside those rooms that an attacker has not."""

NOT_SAID = {
    "original": "nobody outside has it",
    "truth": "it is the judge's",
    "origin_rows": "it links records to where they came from",
    "history": "it lists the masks that made a file",
    "has_all_rows": "it tells whether a file was cut out of another",
}
"""Names that no attacker has a use for. What links a file to its origin is inside of every object, and never leaves."""


def attackers() -> list[Path]:
    """The files of the room that attackers stand in: all but the judge's, and the door, which shows both."""
    files = (path for path in sorted(ATTACK.rglob("*.py")) if "judge" not in path.relative_to(ATTACK).parts)
    return [path for path in files if path != ATTACK / "__init__.py"]


def breaches(tree: ast.Module) -> list[str]:
    """Return what an attacker's file has that an attacker has not."""
    return [f"line {line}: {why}" for line, why in sorted(set(_imports(tree)) | set(_words(tree)))]


def _imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level:
            yield node.lineno, "an import must be written in full"
            continue
        elif isinstance(node, ast.ImportFrom):
            modules = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for module in modules:
            parts = module.split(".")
            if parts[0] != "tacita":
                continue
            if len(parts) == 1 or parts[1] not in ROOMS:
                yield node.lineno, f"{module}: an attacker has not that room"
            for name, why in NOT_THESE.items():
                if module == name or module.startswith(f"{name}."):
                    yield node.lineno, f"{name}: {why}"


def _words(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        said = {
            ast.Name: lambda n: n.id,
            ast.Attribute: lambda n: n.attr,
            ast.arg: lambda n: n.arg,
            ast.keyword: lambda n: n.arg,
            ast.alias: lambda n: n.asname,
        }.get(type(node))
        word = said(node) if said else None  # type: ignore[no-untyped-call]
        if word in NOT_SAID:
            yield getattr(node, "lineno", 0), f"{word}: {NOT_SAID[word]}"


@for_each(attackers())
def test_an_attacker_has_what_left_and_nothing_else(path: Path) -> None:
    # The file of targets sees to it that a file has no history; it is the one place that may ask.
    allowed = "history: " if path == ATTACK / "targets.py" else "\0"
    found = [breach for breach in breaches(parsed(path)) if allowed not in breach]
    assert not found, "; ".join(found)


def test_there_are_attackers() -> None:
    assert len(attackers()) > 10
    assert not any("judge" in path.parts for path in attackers())


@pytest.mark.parametrize(
    ("planted", "seen"),
    [
        ("from tacita.mask.swap.rank_swap import RankSwap", "an attacker has not that room"),
        ("from tacita import query", "an attacker has not that room"),
        ("import tacita.tables", "an attacker has not that room"),
        ("import tacita", "an attacker has not that room"),
        ("def run():\n    from tacita.risk import linkage", "an attacker has not that room"),
        ("from tacita.attack.judge.answers import Answers", "the judge has the truth"),
        ("from tacita.attack import judge", "the judge has the truth"),
        ("from tacita.core import registry", "a registry finds"),
        ("from tacita.data.pairing import pair_records", "pairs records with their originals"),
        ("from .judge import grade", "must be written in full"),
        ("def run(target):\n    return target.released.history", "lists the masks"),
        ("def run(target):\n    return target.released.origin_rows()", "links records"),
        ("def run(original):\n    return 1", "nobody outside has it"),
        ("found = run(truth=3)", "it is the judge's"),
        ("from tacita.data.microdata import Microdata as original", "nobody outside has it"),
    ],
)
def test_a_planted_breach_is_seen(planted: str, seen: str) -> None:
    found = breaches(ast.parse(planted))
    assert len(found) == 1
    assert seen in found[0]


def test_an_honest_attacker_has_none() -> None:
    honest = (
        "import numpy as np\nfrom tacita.attack.claims import Claims\nfrom tacita.data.microdata import Microdata\n"
        "from tacita.core import errors\nfrom tacita.solve.solver import Solver\n"
        "def run(target):\n    '''Not even the original.'''\n    return target.released.float('x')\n"
    )
    assert breaches(ast.parse(honest)) == []
