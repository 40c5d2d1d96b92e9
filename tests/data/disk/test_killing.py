"""A process that is killed leaves the old output or the new one, nothing that others can read, nothing that stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

DRIVER = Path(__file__).with_name("killing.py")
pytestmark = pytest.mark.skipif(
    not hasattr(signal, "SIGKILL"), reason="this system does not kill processes in this way"
)


def kills(folder: Path, *tasks: str) -> list[int]:
    """Run the driver; return for each task how many processes were killed."""
    (folder / "temporary").mkdir()
    done = subprocess.run(
        [sys.executable, str(DRIVER), str(folder), *tasks],
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
        env={**os.environ, "TMPDIR": str(folder / "temporary")},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert list((folder / "temporary").glob(".tacita-*")) == []
    return [int(line) for line in done.stdout.split()]


def test_some_placed_and_some_random_kills(tmp_path: Path) -> None:
    found = kills(
        tmp_path,
        "file:placed:3",
        "new release:placed:33",
        "release exchanged:placed:31",
        "release moved:placed:31",
        "set aside:placed:13",
        "database:placed:21",
        "release exchanged:random:5",
    )
    assert all(number >= 2 for number in found), found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["file", "new release", "release exchanged", "release moved", "set aside", "database"])
def test_every_placed_kill(tmp_path: Path, name: str) -> None:
    assert kills(tmp_path, f"{name}:placed:1")[0] >= 20


@pytest.mark.slow
@pytest.mark.parametrize("name", ["new release", "release exchanged", "release moved", "database"])
def test_fifty_random_kills(tmp_path: Path, name: str) -> None:
    assert kills(tmp_path, f"{name}:random:50")[0] == 50
