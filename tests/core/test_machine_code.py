"""Machine code: every entry has it, a changed file is compiled anew, and what cannot be compiled runs as written."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tacita.core import machine_code
from tests.architecture.source import ROOT

CODE = """
import numpy as np
from tacita.numeric.statistics.distributions import largest_gap
print(largest_gap(np.array([1.0, 2.0]), np.array([3.0, 4.0])))
"""


@pytest.fixture
def working_copy(tmp_path: Path) -> Path:
    """The source and the tools as a contributor has them, with the machine code of this moment."""
    leave = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=leave)
    shutil.copytree(ROOT / "tools", tmp_path / "tools", ignore=leave)
    shutil.copy(ROOT / "hatch_build.py", tmp_path)
    return tmp_path


def run(place: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    surroundings = {**os.environ, "PYTHONPATH": str(place / "src"), **settings}
    return subprocess.run(
        [sys.executable, "-c", CODE], env=surroundings, capture_output=True, text=True, check=False, cwd=place
    )


def edit(place: Path) -> None:
    path = place / "src" / "tacita" / "numeric" / "statistics" / "distributions.py"
    text = path.read_text(encoding="utf-8")
    head, _, body = text.partition("def largest_gap")
    changed = f"{head}def largest_gap{body.replace('    return ', '    return 100.0 + ', 1)}"
    assert changed != text
    path.write_text(changed, encoding="utf-8")


def test_a_changed_kernel_is_compiled_when_it_is_used(working_copy: Path) -> None:
    before = run(working_copy)
    assert (before.stdout, before.stderr) == ("1.0\n", "")
    edit(working_copy)
    after = run(working_copy)
    assert after.stdout == "101.0\n"
    assert "Compiling the kernels of statistics, they were changed" in after.stderr
    again = run(working_copy)
    assert (again.stdout, again.stderr) == ("101.0\n", "")


def test_a_new_file_with_entries_changes_its_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "numeric" / "things"
    folder.mkdir(parents=True)
    (folder / "old.py").write_text("@entry\ndef a() -> None: ...\n", encoding="utf-8")
    monkeypatch.setattr(machine_code, "PACKAGE", tmp_path)
    files = {"numeric/things/old.py": machine_code.digests(folder / "old.py")}
    (folder / "helpers.py").write_text("x = 1\n", encoding="utf-8")
    assert not machine_code.is_changed("things", files)
    (folder / "new.py").write_text("@entry\ndef b() -> None: ...\n", encoding="utf-8")
    assert machine_code.is_changed("things", files)


def test_without_a_compiler_the_present_text_runs_as_python(working_copy: Path) -> None:
    edit(working_copy)
    found = run(working_copy, CC="there-is-none")
    assert found.stdout == "101.0\n"
    assert "Kernels run as Python" in found.stderr
    assert "There is no C compiler on this machine" in found.stderr


def test_an_installation_without_machine_code_says_so(working_copy: Path) -> None:
    shutil.rmtree(working_copy / "tools")
    shutil.rmtree(working_copy / "src" / "tacita" / "_kernels")
    found = run(working_copy)
    assert found.stdout == "1.0\n"
    assert "there is no machine code for this Python and processor" in found.stderr


@pytest.mark.parametrize(
    ("forms", "running", "wanted"),
    [
        (["x86-64", "x86-64-v3"], {"x86-64-v3"}, "x86-64-v3"),
        (["x86-64", "x86-64-v3", "x86-64-v4"], {"x86-64-v3", "x86-64-v4"}, "x86-64-v4"),
        (["x86-64", "x86-64-v4", "x86-64-v3"], {"x86-64-v3"}, "x86-64-v3"),
        (["x86-64", "x86-64-v3"], set(), "x86-64"),
        (["x86-64-v3"], set(), None),
        ([""], set(), ""),
    ],
    ids=["fast", "fastest", "not the fastest", "plain", "none that runs here", "another architecture"],
)
def test_a_form_is_loaded_only_where_it_runs(
    monkeypatch: pytest.MonkeyPatch, forms: list[str], running: set[str], wanted: str | None
) -> None:
    monkeypatch.setattr(machine_code, "runs", lambda form: form in running)
    assert machine_code._form({"forms": forms}) == wanted


def test_the_plain_form_can_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code, "runs", lambda _: True)
    monkeypatch.setenv("TACITA_KERNELS", "plain")
    assert machine_code._form({"forms": ["x86-64", "x86-64-v3"]}) == "x86-64"


def test_an_installed_package_runs_no_tool_that_lies_beside_it(working_copy: Path) -> None:
    """A directory called tools/kernels above an installation is somebody else's."""
    place = working_copy / "vendor"
    (working_copy / "src").rename(place)
    build = working_copy / "tools" / "kernels" / "build.py"
    build.write_text("raise SystemExit('it ran')\n", encoding="utf-8")
    shutil.rmtree(place / "tacita" / "_kernels")
    surroundings = {**os.environ, "PYTHONPATH": str(place)}
    found = subprocess.run(
        [sys.executable, "-c", CODE], env=surroundings, capture_output=True, text=True, check=False, cwd=working_copy
    )
    assert found.stdout == "1.0\n"
    assert "Compiling" not in found.stderr
    assert "it ran" not in found.stderr


def test_a_damaged_file_of_machine_code_is_said(working_copy: Path) -> None:
    for path in (working_copy / "src" / "tacita" / "_kernels").glob("tacita_statistics*"):
        path.write_bytes(b"no machine code")
    found = run(working_copy)
    assert found.stdout == "1.0\n"
    assert "missing or damaged" in found.stderr


def test_groups_are_loaded_once() -> None:
    module = machine_code.compiled_module("statistics")
    assert module is not None
    assert module is machine_code.compiled_module("statistics")
    assert hasattr(module, "distributions__largest_gap__0")


def test_two_versions_of_a_file_differ(tmp_path: Path) -> None:
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text("a", encoding="utf-8")
    other.write_text("b", encoding="utf-8")
    assert machine_code.digests(one) != machine_code.digests(other)


KERNEL = '''"""A file."""

LIMIT = 3


@kernel
def inner(x):
    """Add."""
    return x + LIMIT


def python(x):
    return inner(x)
'''


@pytest.mark.parametrize(
    ("was", "becomes", "is_compiled"),
    [
        ("x + LIMIT", "x - LIMIT", True),
        ("LIMIT = 3", "LIMIT = 4", True),
        ("Add.", "Add the limit.", False),
        ("return inner(x)", "return 2 * inner(x)", False),
    ],
    ids=["a kernel", "a constant", "words", "Python"],
)
def test_only_what_is_compiled_counts(tmp_path: Path, was: str, becomes: str, is_compiled: bool) -> None:
    path = tmp_path / "kernels.py"
    path.write_text(KERNEL, encoding="utf-8")
    before = machine_code.digests(path)
    path.write_text(KERNEL.replace(was, becomes), encoding="utf-8")
    after = machine_code.digests(path)
    assert before[0] != after[0]
    assert (before[1] != after[1]) == is_compiled
