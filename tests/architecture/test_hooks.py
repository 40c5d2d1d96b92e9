"""The checks before a commit run without a network, pass on what is clean, and stop what is not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from check_types import packages_of

from tests.architecture.source import ROOT, SRC

TAKEN = (
    ".pre-commit-config.yaml",
    "pyproject.toml",
    "tools/rooms.py",
    "tools/check_types.py",
    "tools/machine_paths.py",
    "tests/__init__.py",
    "tests/architecture/__init__.py",
    "tests/architecture/source.py",
    "src/tacita/__init__.py",
    "src/tacita/py.typed",
    "src/tacita/core",
)
"""The least of the tree that all checks can run on: its ground floor stands on nothing."""

FAULTS = {
    "ruff-check": ("src/tacita/core/clock.py", "\nimport os\n"),
    "ruff-format": ("src/tacita/core/clock.py", "\n\n\n\n\nA  =  1\n"),
    "machine-paths": ("pyproject.toml", "# see " + "/".join(["", "home", "ana", "tacita"]) + "\n"),
    "mypy": ("src/tacita/core/clock.py", '\nA: int = "a"\n'),
}
"""For each check what it must stop: a file, and what is added to it."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Make a repository of a part of the tree, with the environment that the tests run in as its own."""
    place = tmp_path / "tree"
    for name in TAKEN:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, place / name)
    (place / ".venv").symlink_to(sys.prefix, target_is_directory=True)
    (place / ".gitignore").write_text(".venv\n.mypy_cache\n.ruff_cache\n", encoding="utf-8")
    subprocess.run(["git", "init", "--quiet", place], check=True)
    subprocess.run(["git", "-C", place, "add", "--all"], check=True)
    return place


def run(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the checks on all files, with a proxy that answers nobody."""
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "HTTPS_PROXY"), "http://192.0.2.1:9")
    there = {key: value for key, value in os.environ.items() if not key.startswith("GIT_") and key != "SKIP"}
    return subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color=never", *words],
        cwd=tree,
        env={**there, **nowhere, "PRE_COMMIT_HOME": str(tree.parent / "home")},
        capture_output=True,
        text=True,
        check=False,
    )


def plant(tree: Path, hook: str) -> None:
    name, text = FAULTS[hook]
    with (tree / name).open("a", encoding="utf-8") as file:
        file.write(text)


def hooks() -> list[str]:
    text = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    return [line.split(":")[1].strip() for line in text.splitlines() if line.strip().startswith("- id:")]


def test_every_check_has_a_fault_to_find() -> None:
    assert set(hooks()) == set(FAULTS)


def test_nothing_is_fetched() -> None:
    text = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert [line.strip() for line in text.splitlines() if "repo:" in line] == ["- repo: local"]
    assert text.count("language: system") == len(hooks())


@pytest.mark.parametrize("hook", [hook for hook in hooks() if hook != "mypy"])
def test_a_check_passes_what_is_clean_and_stops_a_fault(tree: Path, hook: str) -> None:
    clean = run(tree, hook)
    assert clean.returncode == 0, clean.stdout + clean.stderr
    plant(tree, hook)
    assert run(tree, hook).returncode == 1


@pytest.mark.slow
def test_types_are_checked(tree: Path) -> None:
    """The whole of them at once, mypy among them, which starts from nothing here."""
    clean = run(tree)
    assert clean.returncode == 0, clean.stdout + clean.stderr
    assert clean.stdout.count("Passed") == len(hooks())
    plant(tree, "mypy")
    stopped = run(tree, "mypy")
    assert stopped.returncode == 1
    assert "clock.py" in stopped.stdout


def test_changed_files_are_mapped_to_rooms() -> None:
    here = SRC / "tables" / "model" / "table.py"
    assert packages_of([here, SRC / "core" / "clock.py", here]) == ["tacita.core", "tacita.tables"]
    assert packages_of([here, SRC / "_version.py"]) == ["tacita"]
    assert packages_of([ROOT / "README.md", ROOT / "tools" / "rooms.py", SRC / "report" / "report.css"]) == []
    assert packages_of([SRC / "attic" / "gone.py"]) == []
