"""Types of what was changed: runs mypy on the rooms of some files.

``python tools/check_types.py src/tacita/tables/model/table.py`` looks at all of ``tables``. A file of the package's own directory
means the whole package; files elsewhere have no types to check. Rooms that use a changed one are left to ``make types``.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from rooms import ROOT, SRC, room

__all__ = ["packages_of"]


def main(names: list[str]) -> int:
    """Run mypy and return its exit status; 0 where nothing of the package was changed."""
    packages = packages_of(Path(name).resolve() for name in names)
    if not packages:
        return 0
    asked = [word for package in packages for word in ("-p", package)]
    return subprocess.run([sys.executable, "-m", "mypy", *asked], cwd=ROOT, check=False).returncode


def packages_of(paths: Iterable[Path]) -> list[str]:
    """Return the packages that mypy is to look at after a change of some files."""
    found = {room(path) for path in paths if path.is_relative_to(SRC) and path.suffix in {".py", ".pyi"}}
    there = {name for name in found if not name or (SRC / name).is_dir()}  # a room may be gone with its last file
    return ["tacita"] if "" in there else [f"tacita.{name}" for name in sorted(there)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
