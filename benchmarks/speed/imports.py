"""Time of `import tacita` in units of `import numpy`, each in a fresh process."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

__all__ = ["run"]

_PROGRAM = "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"


def _seconds(module: str, repeats: int) -> float:
    found = []
    for _ in range(repeats):
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM.format(module)], capture_output=True, text=True, check=True
        )
        found.append(float(done.stdout))
    return min(found)


def run(quick: bool) -> list[dict[str, Any]]:
    """Compare the imports."""
    repeats = 5 if quick else 15
    numpy, ours = _seconds("numpy", repeats), _seconds("tacita", repeats)
    return [{"case": "import tacita / import numpy", "ours_s": ours, "ratio": ours / numpy, "target": "<= 3"}]
