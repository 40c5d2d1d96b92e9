"""Coverage: writes the page that says which share of the statements and branches of each room the tests reach.

``python tools/coverage_page.py`` reads what ``make test-all`` measured (``.coverage``) and writes the page of the benchmarks.
``--tests`` says in words what was run, ``--rooms`` limits the page to some rooms when only their tests were.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "benchmarks" / "coverage.md"

HEAD = """# Coverage

Which share of the code the tests reach, by room. Written by `tools/coverage_page.py` after {tests}.

| room | files | statements | of them reached | branches | of them taken | lines left out |
|---|---|---|---|---|---|---|
"""
TAIL = """
A branch is a way out of a condition or a loop: an `if` without `else` has two. Reached does not mean checked: what a test
asserts is not measured here.

**Kernels are left out.** Compiled functions (`@kernel`, `@entry`) run outside the interpreter, where coverage sees nothing. Their
lines count neither as reached nor as missed; the last column says how many lines are left out. Kernels are held against slow and
obvious versions in `tests/oracles/`. Running them as Python (`TACITA_KERNELS=python`) would count them; it is no part of
`make test-all`, because loops over all pairs of records would then run in Python. Declarations for type checkers are left
out too.
"""


@dataclass
class Room:
    """What was counted in one room."""

    files: int = 0
    statements: int = 0
    reached: int = 0
    branches: int = 0
    taken: int = 0
    excluded: int = 0

    def add(self, summary: Mapping[str, Any]) -> None:
        """Count one file more."""
        self.files += 1
        self.statements += summary["num_statements"]
        self.reached += summary["covered_lines"]
        self.branches += summary["num_branches"]
        self.taken += summary["covered_branches"]
        self.excluded += summary["excluded_lines"]

    def row(self, name: str) -> str:
        """Return the row of the table."""
        shares = (_percent(self.reached, self.statements), _percent(self.taken, self.branches))
        cells = [name, f"{self.files:,}", f"{self.statements:,}", shares[0], f"{self.branches:,}", shares[1]]
        return "| " + " | ".join([*cells, f"{self.excluded:,}"]) + " |"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else ""


def main() -> int:
    """Read what was measured and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--tests", default="`make test-all`", help="what was run, in words")
    parser.add_argument("--rooms", default="", help="rooms of the page, with commas between; default: all")
    parser.add_argument("--write", type=Path, default=PAGE, help="where the page goes")
    asked = parser.parse_args()
    asked.write.write_text(page(measured(), asked.tests, filter(None, asked.rooms.split(","))), encoding="utf-8")
    sys.stdout.write(f"Wrote {asked.write}\n")
    return 0


def measured() -> dict[str, Any]:
    """Return what coverage found in each file of the package."""
    from coverage import Coverage

    found = Coverage(data_file=str(ROOT / ".coverage"), config_file=str(ROOT / "pyproject.toml"))
    found.load()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "coverage.json"
        found.json_report(outfile=str(path))
        return dict(json.loads(path.read_text(encoding="utf-8"))["files"])


def page(files: Mapping[str, Any], tests: str, only: Iterable[str] = ()) -> str:
    """Return the page for what was measured."""
    chosen, rooms, whole = set(only), dict[str, Room](), Room()
    for name, found in files.items():
        parts = Path(name).as_posix().rpartition("tacita/")[2].split("/")
        room = parts[0] if len(parts) > 1 else "(root)"
        if not chosen or room in chosen:
            rooms.setdefault(room, Room()).add(found["summary"])
            whole.add(found["summary"])
    rows = [counted.row(f"`{room}`") for room, counted in sorted(rooms.items())]
    return HEAD.format(tests=tests) + "\n".join([*rows, whole.row("**all**")]) + "\n" + TAIL


if __name__ == "__main__":
    sys.exit(main())
