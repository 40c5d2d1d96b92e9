"""A synthesiser of another package as a function of records and a seed, like ours; it works in a process of its own."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

import tacita as tc
from benchmarks.peers.environment import environment

__all__ = ["PeerSynthesiser"]

PACKAGES = ("torch==2.13.0", "sdv==2.0.0")
ALONE = ("python-synthpop==0.1.2",)
THERE = Path(__file__).with_name("synthesise_there.py")


class PeerSynthesiser:
    """One method of the other environment; a call fits it to the records and draws as many.

    Parameters
    ----------
    method
        ``copula`` (SDV) or ``cart`` (python-synthpop).

    Raises
    ------
    FileNotFoundError
        When the packages cannot be had.
    """

    def __init__(self, method: str) -> None:
        python = environment("synthesisers", PACKAGES, alone=ALONE)
        if python is None:
            raise FileNotFoundError("the packages of the other synthesisers cannot be had here")
        self.method, self.seconds = method, 0.0
        self._folder = tempfile.TemporaryDirectory()
        self._process = subprocess.Popen(
            [str(python), str(THERE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()  # without an order more it ends
        self._folder.cleanup()

    def __call__(self, data: tc.Microdata, seed: int) -> tc.Microdata:
        """Fit and draw; ``seconds`` is what the last call took of a processor."""
        folder = Path(self._folder.name)
        order = {
            "method": self.method,
            "data": str(folder / "data.csv"),
            "out": str(folder / "made.csv"),
            "numbers": [column.name for column in data.schema if column.scale == "numeric"],
            "seed": seed,
        }
        tc.write(data, folder / "data.csv", overwrite=True)
        orders, answers = self._process.stdin, self._process.stdout
        if orders is None or answers is None:
            raise RuntimeError(f"{self.method}: its process cannot be spoken to")
        orders.write(json.dumps(order) + "\n")
        orders.flush()
        answer = json.loads(answers.readline() or '{"error": "its process ended"}')
        if "error" in answer:
            raise RuntimeError(f"{self.method}: {answer['error']}")
        self.seconds = answer["fit"] + answer["draw"]
        made = tc.read(folder / "made.csv", schema=data.schema)
        return made.with_origin(data, np.full(len(made), -1))
