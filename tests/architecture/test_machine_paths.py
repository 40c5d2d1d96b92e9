"""No file of the tree names a directory of somebody's machine; the check itself finds what is planted."""

from __future__ import annotations

import shutil
from pathlib import Path

import machine_paths
import pytest
from machine_paths import EXEMPT, main, traces

from tests.architecture.source import ROOT, TESTS


def all_files() -> list[Path]:
    """What is under version control; without Git everything that stands beside the sources."""
    if shutil.which("git") and (ROOT / ".git").exists():
        return machine_paths.tracked_files()
    places = [ROOT / name for name in ("src", "tests", "docs", "tools", "benchmarks", "fuzz", ".ci")]
    return [*ROOT.glob("*.*"), ROOT / "Makefile", *(path for place in places for path in place.rglob("*"))]


def test_no_file_tells_of_a_machine() -> None:
    found = [str(trace) for trace in traces(all_files())]
    assert not found, "\n".join(found)


def test_the_tree_is_looked_at() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in all_files()}
    assert {"Makefile", "README.md", "constraints.txt", "tools/machine_paths.py", "src/tacita/__init__.py"} <= names


@pytest.mark.parametrize("name", EXEMPT)
def test_every_exemption_is_needed_and_has_its_reason(name: str) -> None:
    assert len(EXEMPT[name].split()) >= 3
    assert list(traces([ROOT / name], exempt=())), f"{name} has nothing to be exempt for"


@pytest.mark.parametrize(
    "line",
    [
        "data = read('/home/ana/survey.csv')",
        "see /work/main/src",
        "cd /root/tacita",
        "out=/tmp/x.log",
        '"/Users/ana/Documents"',
        r"open('C:\Users\ana\survey.sav')",
        r'open("C:\\Users\\ana\\survey.sav")',
        "C:/Users/ana",
        "numpy @ file:///home/ana/numpy.whl",
        "pip install --index-url somewhere tacita",
        "export PIP_INDEX_URL=somewhere",
        "https://pypi.org/simple",
        "https://files.pythonhosted.org/packages",
        "image: registry.example.org/tacita",
        "//artifactory.office.example/python",
    ],
)
def test_what_is_planted_is_found(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "page.md"
    path.write_text(f"A line before.\n{line}\n", encoding="utf-8")
    assert main([str(path)]) == 1
    said = capsys.readouterr().out
    assert said.startswith(f"{path}:2: ")
    assert "ana" not in said.replace(str(tmp_path), "")


@pytest.mark.parametrize(
    "line",
    [
        "docs/home/index.md and src/work/x.py",
        "https://example.org/home/page",
        "make PYTHON=/path/to/python3.11",
        "n/root/2, a / work / b",
        "'~/work/data'",
        "registry.find('mask', name)",
        "<a href='../tmp/x'>",
        "{folder}/tmp/x",
        "problems:\\n  - one",
    ],
)
def test_what_is_no_path_of_a_machine_passes(line: str, tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(line, encoding="utf-8")
    assert main([str(path)]) == 0


def test_what_is_no_text_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\0 /home/ana/picture.png")
    assert not list(traces([path, tmp_path, tmp_path / "gone"]))


def test_the_test_itself_is_exempt() -> None:
    assert TESTS / "architecture" / "test_machine_paths.py" in {ROOT / name for name in EXEMPT}
