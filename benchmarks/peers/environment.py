"""An environment for packages that shall not meet ours: made once, kept in a hidden folder, gone with ``make clean``."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

__all__ = ["environment"]

HOME = Path(__file__).resolve().parents[2] / ".venv-peers"


def environment(name: str, packages: Sequence[str], *, alone: Sequence[str] = ()) -> Path | None:
    """Return the Python of an environment with these packages, made when it is not there; None where they cannot be had.

    Parameters
    ----------
    name
        What the environment is called.
    packages
        What is installed, with versions.
    alone
        What is installed without what it asks for, where that is there already in another version.
    """
    folder = HOME / name
    python, wanted = folder / "bin" / "python", "\n".join([*packages, *alone])
    ready = folder / "installed.txt"
    if ready.exists() and ready.read_text(encoding="utf-8") == wanted:
        return python
    shutil.rmtree(folder, ignore_errors=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    steps = [[sys.executable, "-m", "venv", str(folder)], [*pip, *packages]]
    if alone:
        steps.append([*pip, "--no-deps", *alone])
    for step in steps:
        if subprocess.run(step, check=False, capture_output=True).returncode:
            return None
    ready.write_text(wanted, encoding="utf-8")
    return python
