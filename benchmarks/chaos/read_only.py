"""Files that nobody may write to: the journal, or the accounts."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.chaos.faults import Fault, not_done, run_fault
from benchmarks.server.survey import write_settings

__all__ = ["ReadOnly", "run_read_only"]


class ReadOnly:
    """Files that are made read-only and writable again, by what works on this machine.

    Parameters
    ----------
    paths
        The files; those that are not there are passed over.

    Notes
    -----
    Modes do not bind root, but the attribute ``immutable`` of the file system does (``chattr +i``), also where a file is open
    already. Without root and where a file is opened for each step, a mode does.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = paths
        self._done: list[Path] = []

    @staticmethod
    def way(folder: Path) -> str:
        """Return how files in a folder are made read-only; empty when nothing works."""
        if os.geteuid() != 0:
            return "chmod 0400"
        if shutil.which("chattr") is None:
            return ""
        tried = folder / "tried"
        tried.touch()
        works = not subprocess.run(["chattr", "+i", str(tried)], capture_output=True, check=False).returncode
        if works:
            subprocess.run(["chattr", "-i", str(tried)], check=True)
        tried.unlink()
        return "chattr +i" if works else ""

    def begin(self) -> None:
        """Let nobody write to them."""
        for path in self.paths:
            if path.exists():
                self._done.append(path)
                self._set(path, is_writable=False)

    def end(self) -> None:
        """Let their owner write to them again."""
        while self._done:
            self._set(self._done.pop(), is_writable=True)

    @staticmethod
    def _set(path: Path, *, is_writable: bool) -> None:
        if os.geteuid() != 0:
            path.chmod(0o600 if is_writable else 0o400)
        else:
            subprocess.run(["chattr", "-i" if is_writable else "+i", str(path)], check=True)


def run_read_only(folder: Path, source: Path, *, seed: int) -> list[dict[str, Any]]:
    """Make the journal, then the accounts of a server read-only for a while."""
    return [
        _read_only(folder / "journal", source, seed, "journal", ["survey.journal"]),
        _read_only(folder / "accounts", source, seed, "accounts", ["accounts.sqlite", "accounts.sqlite-wal"]),
    ]


def _read_only(folder: Path, source: Path, seed: int, what: str, names: list[str]) -> dict[str, Any]:
    settings = write_settings(folder, source, policy="tables")
    way = ReadOnly.way(folder)
    if not way or (what == "accounts" and os.geteuid() != 0):  # a mode does not bind who has the file open
        return not_done(f"{what} read-only", "it takes root and a file system with 'chattr +i'")
    held = ReadOnly([folder / name for name in names])
    fault = Fault(
        name=f"{what} read-only",
        how=f"{way} {' and '.join(names)}",
        begin=lambda _: held.begin(),
        end=lambda _: held.end(),
    )
    return run_fault(fault, settings, seed=seed)
