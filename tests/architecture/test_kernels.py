"""Compiled functions: what Python calls is an entry with an exact signature, and nothing of numba is needed to run it."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tacita.core import kernel, machine_code
from tacita.core.arrays import ArrayForm
from tests.architecture.source import SRC, imports, load_tool, parsed, source_files

PLAIN = {"int", "float", "bool", "uint64", "Generator"}
Function = tuple[Path, str]


def marked(files: list[Path]) -> dict[Function, str]:
    """Every function with a decorator of compiled functions, and which one it is."""
    found = {}
    for path in files:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef):
                words = {ast.unparse(decorator).partition("(")[0] for decorator in node.decorator_list}
                for word in words & {"kernel", "entry"}:
                    found[path, node.name] = word
    return found


def named_in_python(files: list[Path], functions: dict[Function, str]) -> Iterator[Function]:
    """The compiled functions that are named in a function that is not compiled, or outside of any."""
    modules = {_module(path): path for path in files}
    for path in files:
        tree = parsed(path)
        known = {name: (path, name) for place, name in functions if place == path}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module in modules:
                place = modules[node.module]
                known |= {a.asname or a.name: (place, a.name) for a in node.names if (place, a.name) in functions}
        yield from _named(tree, path, known, functions)


def _named(node: ast.AST, path: Path, known: dict[str, Function], functions: dict[Function, str]) -> Iterator[Function]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef) and (path, child.name) in functions:
            continue
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load) and child.id in known:
            yield known[child.id]
        yield from _named(child, path, known, functions)


def _module(path: Path) -> str:
    if not path.is_relative_to(SRC):
        return path.stem
    return ".".join(("tacita", *path.relative_to(SRC).with_suffix("").parts))


def test_what_python_calls_is_an_entry() -> None:
    files = source_files()
    functions = marked(files)
    called = set(named_in_python(files, functions))
    hidden = sorted(name for path, name in called if functions[path, name] == "kernel")
    idle = sorted(name for (path, name), word in functions.items() if word == "entry" and (path, name) not in called)
    assert not hidden, f"Python calls these, so they must be entries: {', '.join(hidden)}"
    assert not idle, f"no Python code calls these entries, kernels will do: {', '.join(idle)}"


def test_a_planted_fault_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "planted.py"
    path.write_text(
        "@kernel\ndef inner(x): ...\n@kernel\ndef outer(x):\n    return inner(x)\ndef python(x):\n    return outer(x)\n"
    )
    functions = marked([path])
    assert [name for _, name in named_in_python([path], functions)] == ["outer"]


def _entries() -> list[kernel.Entry]:
    for path in source_files():
        if any(module == "tacita.core.kernel" for module, _, _ in imports(path)):
            importlib.import_module(_module(path))
    return [known for known in kernel.entries() if known.function.__module__.startswith("tacita.")]


@pytest.mark.parametrize("known", _entries(), ids=lambda known: f"{known.group}.{known.symbol}")
def test_an_entry_has_an_exact_signature_and_machine_code(known: kernel.Entry) -> None:
    for kinds in kernel.signatures(known.function):
        for kind in kinds:
            _assert_exact(kind, known.symbol)
    module = machine_code.compiled_module(known.group)
    assert module is not None, f"{known.group} is not compiled: make kernels"
    for number in range(len(kernel.signatures(known.function))):
        assert hasattr(module, f"{known.symbol}__{number}")


def _assert_exact(kind: object, symbol: str) -> None:
    if isinstance(kind, ArrayForm):
        return
    if isinstance(kind, tuple):
        for part in kind[1:]:
            _assert_exact(part, symbol)
        return
    assert getattr(kind, "__name__", "") in PLAIN, f"{symbol}: {kind} says too little for machine code"


def test_every_folder_with_entries_is_compiled() -> None:
    build = load_tool("kernels.build")
    assert set(build.GROUPS) == {known.group for known in _entries()}


def test_nobody_imports_the_compiler() -> None:
    for path in source_files():
        for module, line, _ in imports(path):
            assert module.partition(".")[0] not in {"numba", "llvmlite"}, (
                f"{path.name}:{line}: only tools/kernels compiles"
            )
