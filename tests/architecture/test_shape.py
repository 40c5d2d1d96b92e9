"""The shape of the code: lengths, leftovers, one kind of error, one word for one thing."""

from __future__ import annotations

import ast
import builtins
import re
import warnings
from collections import defaultdict
from pathlib import Path

import pytest

from tacita.core import registry
from tacita.core.parameters import json_schema
from tacita.core.vocabulary import ROLES, SCALES
from tests.architecture.source import ROOT, SRC, for_each, parsed, room, source_files, test_files

LONG_FILE, TOO_LONG_FILE, TOO_LONG_FUNCTION = 350, 600, 60
LEFTOVERS = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" * 3]) + r")\b")

every_source = for_each(source_files())
every_file = for_each(
    [
        *source_files(),
        *test_files(),
        *sorted(path for path in (ROOT / "tools").rglob("*.*") if path.suffix in {".py", ".sh"}),
        *sorted((ROOT / "benchmarks").rglob("*.py")),
    ],
)


@every_source
def test_files_fit_into_a_head(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= TOO_LONG_FILE, f"{path.name} has {lines} lines; files have 80 to {LONG_FILE}"
    if lines > LONG_FILE:
        warnings.warn(f"{path.name} has {lines} lines; files have 80 to {LONG_FILE}", stacklevel=1)


@every_source
def test_functions_fit_on_a_screen(path: Path) -> None:
    for node in ast.walk(parsed(path)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            docs = node.body[0] if ast.get_docstring(node) is not None else None
            length = (node.end_lineno or 0) - node.lineno + 1
            length -= 0 if docs is None else (docs.end_lineno or 0) - docs.lineno + 1
            assert length <= TOO_LONG_FUNCTION, f"{path.name}:{node.lineno}: {node.name} has {length} lines of code"


@every_file
def test_no_leftovers(path: Path) -> None:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        assert not LEFTOVERS.search(line), f"{path.name}:{number}: finish it or write an issue"


@every_source
def test_only_the_command_line_prints(path: Path) -> None:
    if room(path) == "cli":
        return
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id != "print", f"{path.name}:{node.lineno}: only the command line prints"


@every_source
def test_errors_are_ours(path: Path) -> None:
    """Whatever is raised with a message is in the error tree, so that one ``except TacitaError`` is enough."""
    if path in {SRC / "__init__.py", SRC / "core" / "moved.py"}:  # a module's __getattr__ must raise AttributeError
        return
    if room(path) == "numeric":  # kernels take what the rooms above have checked; compiled code knows no error of ours
        return
    ours_not = {name for name in dir(builtins) if name.endswith(("Error", "Exception"))}
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name):
            name = node.exc.func.id
            assert name not in ours_not, f"{path.name}:{node.lineno}: raise an error of tacita.core.errors, not {name}"


@every_source
def test_classes_are_techniques(path: Path) -> None:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ClassDef):
            assert not re.search(r"(Manager|Helper|Handler|Utils?)$", node.name), (
                f"{path.name}:{node.lineno}: {node.name}"
            )
    assert path.stem not in {"utils", "helpers", "common", "misc"}


@every_source
def test_files_say_what_they_are(path: Path) -> None:
    if path.name in {"__init__.py", "_version.py"} and not parsed(path).body:
        return
    docs = ast.get_docstring(parsed(path))
    assert docs, f"{path.name} does not say what it is"
    assert docs.split("\n")[0].rstrip().endswith((".", ":", "?", ";", ",")) or "\n" in docs


# --- one concept, one word -------------------------------------------------------------------------------------------


def _shared_parameters() -> dict[str, list[tuple[str, object]]]:
    """Parameters of several methods: those of recipes and tables together, those of policies, which no recipe has, apart."""
    found: dict[str, list[tuple[str, object]]] = defaultdict(list)
    for method in registry.methods():
        if method.__module__.startswith("tacita."):
            for parameter in method.parameters():
                place = f"policy: {parameter.name}" if method.kind == "restriction" else parameter.name
                found[place].append((method.name, json_schema(parameter.annotation).get("type")))
    return {name: uses for name, uses in found.items() if len(uses) > 1}


@pytest.mark.parametrize(("name", "uses"), _shared_parameters().items(), ids=_shared_parameters().keys())
def test_a_shared_parameter_means_the_same_everywhere(name: str, uses: list[tuple[str, object]]) -> None:
    assert len({str(kind) for _, kind in uses}) == 1, f"'{name}' has different types: {uses}"


GLOSSARY = ROOT / "docs" / "glossary.md"


def test_glossary_has_every_shared_word() -> None:
    text = GLOSSARY.read_text(encoding="utf-8")
    law = {"data", "original", "masked", "columns", "weights", "k", "p", "sd_ratio", "by", "unit", "rng", "seed", "key"}
    wanted = law | set(ROLES) | set(SCALES) | {name.removeprefix("policy: ") for name in _shared_parameters()}
    lacking = sorted(word for word in wanted if f"`{word}`" not in text)
    assert not lacking, f"the glossary lacks {', '.join(lacking)}"
