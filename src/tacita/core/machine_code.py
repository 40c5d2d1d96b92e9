"""Machine code of kernels: where it lies, which of it fits this processor, and whether it is that of the present files.

``tools/kernels`` writes one extension module for each folder of ``numeric`` into ``tacita/_kernels``, for x86-64 in
several forms: plain, for processors with AVX2, and, where it is much quicker, for those with AVX-512.
``contents.json`` beside them says from which files each was made, by a digest of the whole file and by one of what is
compiled: words of a docstring, or functions that are no kernels, need no compiler.

``TACITA_KERNELS`` chooses: ``python`` runs the functions as they are written, ``plain`` takes the plain form of machine code.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.machinery
import importlib.util
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = [
    "BUILT",
    "CONTENTS",
    "FORMS",
    "PACKAGE",
    "as_written",
    "compiled_module",
    "digests",
    "is_changed",
    "is_there",
    "read_contents",
    "runs",
    "why_not",
]

PACKAGE = Path(__file__).parents[1]
BUILT = PACKAGE / "_kernels"
CONTENTS = "contents.json"
_TREE = PACKAGE.parents[1]
_BUILD = _TREE / "tools" / "kernels" / "build.py"
FORMS = {"x86-64-v3": ("AVX2", "FMA3"), "x86-64-v4": ("AVX512F", "AVX512BW", "AVX512CD", "AVX512DQ", "AVX512VL")}
"""What a processor must have for each form beyond the plain one, the slower form first."""
_reasons: list[str] = []


@functools.cache
def compiled_module(group: str) -> ModuleType | None:
    """Return the compiled module of a group of kernels; None where there is none for this Python and processor."""
    known = _usable(group)
    if _is_workshop() and (known is None or is_changed(group, known["files"])):
        _compile_anew(group, known is not None)
        _contents.cache_clear()
        known = _usable(group)
        if known is not None and is_changed(group, known["files"]):
            known = None  # it could not be compiled: what is written counts, not what was compiled before
    if known is None:
        if not _reasons:
            _reasons.append("there is no machine code for this Python and processor in this installation.")
        return None
    path = BUILT / known["modules"][str(_form(known))]
    name = path.name.partition(".")[0]
    loader = importlib.machinery.ExtensionFileLoader(name, str(path))
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    try:
        module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
        loader.exec_module(module)
    except ImportError:
        _reasons.append("a file of machine code is missing or damaged; install the package again.")
        return None
    return module


def _usable(group: str) -> dict[str, Any] | None:
    """What is known of a group, if one of its forms runs here: a directory may be shared by machines of several kinds."""
    known = _contents().get(group)
    return known if known is not None and _form(known) is not None else None


def _form(known: dict[str, Any]) -> str | None:
    """The fastest form of a group that this processor runs; None where it runs none."""
    usable = [form for form in known["forms"] if form not in FORMS or (runs(form) and _chosen() != "plain")]
    order = list(FORMS)
    return max(usable, key=lambda form: order.index(form) if form in FORMS else -1, default=None)


def _chosen() -> str:
    return os.environ.get("TACITA_KERNELS", "")


def as_written() -> bool:
    """Whether kernels are asked to run as Python."""
    return _chosen() == "python"


def is_there() -> bool:
    """Whether kernels run compiled here: for those who choose how much to do."""
    return not as_written() and compiled_module("statistics") is not None


def why_not() -> str:
    """Say why the kernels that were asked for last are not compiled, and what can be done."""
    return _reasons[-1]


def digests(path: Path) -> list[str]:
    """Return what tells two versions of a file apart: its bytes, and the part of it that is compiled."""
    return [_bytes_of(path), _compiled_part(path)]


def _bytes_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def _compiled_part(path: Path) -> str:
    tree = ast.parse(path.read_bytes())
    tree.body = [node for node in tree.body if not isinstance(node, ast.FunctionDef) or _is_kernel(node)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()[:16]


def _is_kernel(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(decorator).partition("(")[0] in {"kernel", "entry"} for decorator in node.decorator_list)


def is_changed(group: str, files: dict[str, list[str]]) -> bool:
    """Whether something of what was compiled is written differently now, or a file with entries has come to the group."""
    return _has_more(PACKAGE / "numeric" / group, files) or any(
        _differs(PACKAGE / name, known) for name, known in files.items()
    )


def _has_more(folder: Path, files: dict[str, list[str]]) -> bool:
    unknown = (path for path in folder.rglob("*.py") if path.relative_to(PACKAGE).as_posix() not in files)
    return any("@entry" in path.read_text(encoding="utf-8") for path in unknown)


def _differs(path: Path, known: list[str]) -> bool:
    return not path.is_file() or (_bytes_of(path) != known[0] and _compiled_part(path) != known[1])


def read_contents() -> dict[str, Any]:
    """Return what was compiled for this Python: forms, modules and files of each group."""
    try:
        found = json.loads((BUILT / CONTENTS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return dict(found["groups"]) if found.get("python") == sys.implementation.cache_tag else {}


_contents = functools.cache(read_contents)


def _is_workshop() -> bool:
    """Whether this is a working copy, where files change; an installed package is taken as it is, whatever lies beside it."""
    return PACKAGE.parent == _TREE / "src" and _BUILD.is_file() and (_TREE / "hatch_build.py").is_file()


def _compile_anew(group: str, is_change: bool) -> None:
    command = [sys.executable, str(_BUILD), "--group", group]
    what = "they were changed" if is_change else "for the first time"
    sys.stderr.write(f"Compiling the kernels of {group}, {what}; this can take a minute.\n")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["the compiler ended without a word."]
        _reasons.append(f"{lines[-1]} 'make kernels' shows more.")


def runs(form: str) -> bool:
    """Whether this processor runs a form of machine code."""
    if form not in FORMS:
        return True
    if platform.machine().lower() not in {"x86_64", "amd64"}:
        return False
    from numpy._core._multiarray_umath import __cpu_features__ as features  # type: ignore[import-not-found]

    return all(features.get(name) for name in FORMS[form])
