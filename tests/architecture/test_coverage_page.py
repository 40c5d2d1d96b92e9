"""The page on coverage: what is counted, what is left out, and that nothing is counted twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import coverage_page
import pytest

from tests.architecture.source import ROOT

CODE = """from tacita.core.kernel import kernel


@kernel
def unseen(x: int) -> int:
    if x:
        return 1
    return 2


def seen(x: int) -> int:
    if x:
        return 1
    return 2


seen(1)
"""


def summary(statements: int, reached: int, branches: int, taken: int, excluded: int = 0) -> dict[str, dict[str, int]]:
    names = ("num_statements", "covered_lines", "num_branches", "covered_branches", "excluded_lines")
    return {"summary": dict(zip(names, (statements, reached, branches, taken, excluded), strict=True))}


FILES = {
    "src/tacita/__init__.py": summary(10, 10, 0, 0),
    "src/tacita/core/clock.py": summary(10, 9, 4, 1),
    "src/tacita/core/deep/er.py": summary(30, 27, 4, 3, 5),
    "src/tacita/tables/model/table.py": summary(50, 25, 0, 0, 1000),
}


def test_rooms_are_added_up() -> None:
    text = coverage_page.page(FILES, "a run")
    assert "| `core` | 2 | 40 | 90.0 % | 8 | 50.0 % | 5 |" in text
    assert "| `tables` | 1 | 50 | 50.0 % | 0 |  | 1,000 |" in text
    assert "| **all** | 4 | 100 | 71.0 % | 8 | 50.0 % | 1,005 |" in text
    assert "after a run." in text


def test_a_page_of_some_rooms_counts_these_only() -> None:
    text = coverage_page.page(FILES, "the tests of one room", ["core"])
    assert "`tables` |" not in text
    assert "| **all** | 2 | 40 | 90.0 % | 8 | 50.0 % | 5 |" in text


def test_branches_are_measured_and_kernels_left_out(tmp_path: Path) -> None:
    """The settings of the project on a file with a kernel, a branch that is taken and one that is not."""
    place = tmp_path / "src" / "tacita"
    place.mkdir(parents=True)
    (place / "made_up.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    there = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])}
    there = {key: value for key, value in there.items() if not key.startswith("COV")}
    for words in (["run", "--parallel-mode", "src/tacita/made_up.py"], ["combine"], ["json"]):
        subprocess.run(
            [sys.executable, "-m", "coverage", *words], cwd=tmp_path, env=there, check=True, capture_output=True
        )
    files = json.loads((tmp_path / "coverage.json").read_text(encoding="utf-8"))["files"]
    found = files["src/tacita/made_up.py"]
    assert found["summary"]["num_branches"] == 2
    assert found["summary"]["covered_branches"] == 1
    assert set(found["excluded_lines"]) >= {5, 6, 7, 8}
    assert found["missing_lines"] == [14]


def test_test_all_measures_and_writes_the_page() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "pytest -n 2 --cov --cov-report=" in text
    assert "tools/coverage_page.py" in text


@pytest.mark.parametrize("words", ["Kernels are left out", "Which share of the code", "| **all** |"])
def test_the_page_is_there(words: str) -> None:
    assert words in coverage_page.PAGE.read_text(encoding="utf-8")
