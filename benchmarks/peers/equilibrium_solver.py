"""Nash solvers of other packages as functions of a game; they work in a process of their own, which ends when it is late."""

from __future__ import annotations

import json
import select
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers.environment import HOME, environment
from tacita.core.arrays import FloatArray
from tacita.games.model.game import Game

__all__ = ["PACKAGES", "PeerSolvers", "weight"]

PACKAGES = ("nashpy==0.0.43", "pygambit==16.7.0")
THERE = Path(__file__).with_name("equilibria_there.py")


class PeerSolvers:
    """The other environment; a call solves one game by one solver.

    Parameters
    ----------
    most_seconds
        After which a call is given up.

    Raises
    ------
    FileNotFoundError
        When the packages cannot be had.
    """

    def __init__(self, most_seconds: float = 60.0) -> None:
        python = environment("equilibria", PACKAGES)
        if python is None:
            raise FileNotFoundError("nashpy and pygambit cannot be had here")
        self.python, self.most_seconds = python, most_seconds
        self._process: subprocess.Popen[str] | None = None

    def close(self) -> None:
        """End the process, whatever it does."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def __call__(self, solver: str, game: Game) -> tuple[float, list[list[FloatArray]]] | None:
        """Return processor seconds and the listed equilibria; None where the time was up or it went wrong there."""
        if self._process is None:
            pipe: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
            self._process = subprocess.Popen([str(self.python), str(THERE)], text=True, **pipe)
        orders, answers = self._process.stdin, self._process.stdout
        if orders is None or answers is None:
            raise RuntimeError("the process of the other solvers cannot be spoken to")
        orders.write(json.dumps({"solver": solver, "utilities": game.utilities.tolist()}) + "\n")
        orders.flush()
        ready, _, _ = select.select([answers], [], [], self.most_seconds)
        answer = json.loads(answers.readline() or "{}") if ready else {}
        if "found" not in answer:
            self.close()
            return None
        return answer["seconds"], [[np.array(x) for x in one] for one in answer["found"]]


def weight(package: str) -> float:
    """Return the megabytes of an installed package of that environment, without what it needs."""
    found = [p for p in (HOME / "equilibria").glob(f"lib/python*/site-packages/{package}*") if p.is_dir()]
    return sum(f.stat().st_size for folder in found for f in folder.rglob("*") if f.is_file()) / 2**20
