"""Machine paths: no file of the tree names a directory of somebody's machine or a host that packages come from.

``python tools/machine_paths.py`` looks through all files under version control, with names behind it through these. It prints the
places, not what stands there, and the exit status is 1 when there are any.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["EXEMPT", "ROOT", "Trace", "traces", "tracked_files"]

ROOT = Path(__file__).resolve().parents[1]

EXEMPT = {
    "tests/architecture/test_machine_paths.py": "it plants what is looked for",
}
"""Files that may name such paths, each with its reason."""

# Places where people and build servers keep their files. The path must begin here: a folder of that name inside
# another one, or behind the host of an address, is no path of a machine.
_PLACES = "home|root|work|workspaces?|builds|mnt|media|srv|tmp|Users|private|opt"
_KINDS = {
    "a directory of a machine": rf"(?<![\w.\-)\]}}>/~])/(?:{_PLACES})/[\w.$~{{<-]",
    "a directory of a Windows machine": r"(?<![\w])[A-Za-z]:(?:\\{1,2}|/)(?:Users|Documents and Settings)\b",
    "an address on a machine": rf"\bfile:/{{2,3}}(?:{_PLACES})/",
    "a host that packages come from": (
        r"\b(?:pypi\.org|(?:files\.)?pythonhosted\.org|(?:pypi|registry|artifactory|nexus|devpi)(?:\.[\w-]+)+\.[a-z]{2,}\b)"
    ),
    "an index of packages": r"--(?:extra-)?index-url\b|\bPIP_(?:EXTRA_)?INDEX_URL\b",
}
_TRACE = re.compile("|".join(f"(?P<k{number}>{pattern})" for number, pattern in enumerate(_KINDS.values())))


class Trace(NamedTuple):
    """Where a file tells of a machine."""

    path: Path
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}"


def main(names: list[str]) -> int:
    """Look through the named files, or all."""
    found = list(traces(map(Path, names) if names else tracked_files()))
    for trace in found:
        sys.stdout.write(f"{trace}\n")
    return 1 if found else 0


def traces(paths: Iterable[Path], *, exempt: Iterable[str] = tuple(EXEMPT)) -> Iterator[Trace]:
    """Give every trace of a machine in some files; what is no text has none."""
    passed = {ROOT / name for name in exempt}
    for path in paths:
        if path.is_file() and path.resolve() not in passed:
            content = path.read_bytes()
            if b"\0" not in content:
                yield from _in_text(path, content.decode("utf-8", errors="replace"))


def _in_text(path: Path, text: str) -> Iterator[Trace]:
    kinds = list(_KINDS)
    for number, line in enumerate(text.split("\n"), 1):
        for found in _TRACE.finditer(line):
            yield Trace(path, number, kinds[int(str(found.lastgroup)[1:])])


def tracked_files() -> list[Path]:
    """All files under version control, and those that will be."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        check=True,
    )
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
