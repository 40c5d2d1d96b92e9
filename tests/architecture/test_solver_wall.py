"""Only ``solve/`` knows a solver's options: no other room names one, nor reaches behind the wall by a private name.

The options are asked of the solver itself, so that a new version brings its own. Words that stand in the signatures of
``solve/`` are its own, as ``time_limit`` is, and may be used by everybody.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable
from pathlib import Path

import highspy
import pytest

from tacita.solve.interior_point import InteriorPoint
from tacita.solve.solver import Solver, solve
from tests.architecture.source import SRC, for_each, parsed, room, source_files

WALL = sorted((SRC / "solve").rglob("*.py"))
FACE = {name for f in (Solver, Solver.run, InteriorPoint, solve) for name in inspect.signature(f).parameters}
OPTIONS = {name for name in dir(highspy.HighsOptions()) if not name.startswith("_")} - FACE


def defined(files: Iterable[Path]) -> tuple[set[str], set[str]]:
    """The classes of some files, and the private names that their functions and attributes have."""
    classes, private = set(), set()
    for path in files:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef):
                classes.add(node.name)
            name = node.name if isinstance(node, ast.FunctionDef) else getattr(node, "attr", "")
            if name.startswith("_") and not name.startswith("__"):
                private.add(name)
    return classes, private


def breaches(path: Path) -> list[str]:
    """What a file outside the wall knows of what stands behind it, with its lines."""
    classes, private = defined(WALL)
    found = []
    for node in ast.walk(parsed(path)):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Constant) and node.value in OPTIONS:
            found.append(f"{line}: the option '{node.value}'")
        elif isinstance(node, ast.keyword) and node.arg in OPTIONS:
            found.append(f"{line}: the option '{node.arg}'")
        elif (
            isinstance(node, ast.Attribute) and node.attr in private and ast.unparse(node.value) not in {"self", "cls"}
        ):
            found.append(f"{line}: the private '{node.attr}'")
        elif isinstance(node, ast.ClassDef):
            found += [
                f"{line}: {node.name} is made from {base}"
                for base in (ast.unparse(base).rpartition(".")[2] for base in node.bases)
                if base in classes and base in _from_wall(path)
            ]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tacita.solve"):
            found += [f"{line}: the private '{alias.name}'" for alias in node.names if alias.name.startswith("_")]
    return found


def _from_wall(path: Path) -> set[str]:
    """The names that a file imports from ``solve/``."""
    nodes = [n for n in ast.walk(parsed(path)) if isinstance(n, ast.ImportFrom)]
    return {alias.name for n in nodes if (n.module or "").startswith("tacita.solve") for alias in n.names}


OUTSIDE = [path for path in source_files() if room(path) != "solve"]


@for_each(OUTSIDE)
def test_only_the_wall_knows_a_solver(path: Path) -> None:
    found = breaches(path)
    assert not found, f"{path.name} reaches behind solve/: {'; '.join(found)}"


def test_the_options_are_known() -> None:
    assert {"simplex_strategy", "presolve", "mip_rel_gap", "run_crossover", "solver"} <= OPTIONS
    assert "_option" in defined(WALL)[1]


PLANTED = {
    "option": 'model._option("presolve", "off")',
    "private way": 'model._option(name, "off")',
    "option by a keyword": "model.set(simplex_strategy=4)",
    "option by its name alone": 'chosen = {"mip_rel_gap": 0.1}',
    "object of the library": "model._highs.run()",
    "own solver": "class Faster(Solver):\n    pass",
    "private function": "from tacita.solve.solver import _rounded",
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_breach_is_seen(tmp_path: Path, name: str) -> None:
    path = tmp_path / "planted.py"
    path.write_text(f"from tacita.solve import Solver\n\n{PLANTED[name]}\n")
    assert breaches(path)


def test_the_face_may_be_used(tmp_path: Path) -> None:
    path = tmp_path / "planted.py"
    path.write_text(
        "from tacita.solve import Solver\n\n"
        'class Model:\n    def run(self):\n        self._whole = Solver(*parts, threads=1, method="primal")\n'
        "        return self._whole.run(time_limit=3.0, gap=0.1)\n"
    )
    assert breaches(path) == []
