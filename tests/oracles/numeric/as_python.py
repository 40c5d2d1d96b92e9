"""Kernels as Python runs them: the same functions without machine code, in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

__all__ = ["run_as_python"]


def run_as_python(code: str, *, compiled: bool = False) -> str:
    """Return what a piece of code prints, with kernels as they are written, or compiled."""
    chosen = {key: value for key, value in os.environ.items() if key != "TACITA_KERNELS"}
    if not compiled:
        chosen["TACITA_KERNELS"] = "python"
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], env=chosen, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
