"""The bridge to pytauargus, a tau-ARGUS engine with HiGHS: a table and its rule go out as a batch, a pattern comes back.

The engine runs in a process and a folder of its own. It is ended when it does not stop by itself: its time limit is in
whole minutes of computing time. Folders are not shared because it works through files of fixed names where it stands.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tacita.tables.model.dimension import Dimension

__all__ = ["Answer", "Order", "ask", "is_installed"]

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

ENGINE = "pytauargus"
HIDDEN = {"U", "M"}
"""Status of a cell that is unsafe and of one that is hidden to protect others."""


@dataclass(frozen=True)
class Order:
    """What the engine is to do.

    Parameters
    ----------
    columns
        The microdata: codes of the dimensions and the response.
    dimensions
        With their hierarchies; each must have a total.
    response, rule, cost
        The column to sum, the safety rule and the cost variable in the engine's words: ``P(15,1)`` is the p % rule,
        ``FREQ(3,100)`` the minimum frequency with a range of 100 %; cost ``-2`` is unity, an empty one the response.
    method
        ``OPT(1,m)`` or ``MOD(1,m,s,t,f)`` with m minutes; s, t and f switch the three treatments of singletons on.
    """

    columns: Mapping[str, list[Any]] = field(repr=False)
    dimensions: Sequence[Dimension] = field(repr=False)
    response: str
    rule: str
    cost: str
    method: str


@dataclass(frozen=True)
class Answer:
    """What the engine did, by the codes of the cells: its pattern, the levels it saw, the time of the suppression alone.

    ``missed`` is how many cells its own audit finds at risk, None where that had no time; ``bound`` is what it proved of
    its own costs, as a share of what its pattern costs, for OPT alone.
    """

    seconds: float
    trouble: str = ""
    status: Mapping[tuple[str, ...], str] = field(default_factory=dict, repr=False)
    levels: Mapping[tuple[str, ...], tuple[float, float]] = field(default_factory=dict, repr=False)
    missed: int | None = None
    bound: float | None = None

    def hidden(self, labels: Sequence[tuple[str, ...]]) -> BoolArray:
        """(n,): hidden cells, in the order of the labels."""
        return np.array([self.status[label] in HIDDEN for label in labels], bool)

    def unsafe(self, labels: Sequence[tuple[str, ...]]) -> BoolArray:
        """(n,): unsafe cells."""
        return np.array([self.status[label] == "U" for label in labels], bool)

    def reach(self, labels: Sequence[tuple[str, ...]]) -> FloatArray:
        """(n, 2): lower and upper protection levels."""
        return np.array([self.levels[label] for label in labels], np.float64)


def is_installed() -> bool:
    """Whether the engine can be called; ``pip install tacita[sparring]`` brings it."""
    return importlib.util.find_spec(ENGINE) is not None


def ask(order: Order, folder: Path, *, seconds: float) -> Answer:
    """Run the engine for so many seconds at most; an answer with trouble has no pattern."""
    _write(order, folder)
    begin = time.perf_counter()
    command = [sys.executable, "-m", "benchmarks.argus", str(folder)]
    # A file that another table left in the current folder makes it crash.
    around = os.environ | {"TMPDIR": str(folder), "PYTHONPATH": os.pathsep.join(_paths())}
    try:
        done = subprocess.run(
            command, cwd=folder, env=around, timeout=seconds, capture_output=True, text=True, check=False
        )
        words = done.stderr.strip().splitlines() or [f"ended with code {done.returncode}"]
    except subprocess.TimeoutExpired:
        words = [f"no pattern in {seconds:.0f} s"]
    taken, verdict = folder / "seconds.json", folder / "verdict.json"
    if not taken.exists():
        return Answer(time.perf_counter() - begin, words[-1][:60])
    status, levels = _read(folder, len(order.dimensions))
    missed = json.loads(verdict.read_text(encoding="utf-8")) if verdict.exists() else None
    return Answer(json.loads(taken.read_text(encoding="utf-8")), "", status, levels, missed, _bound(folder))


def _paths() -> list[str]:
    """Where this package and the others are found from any folder."""
    return [str(Path(__file__).parents[1]), *(str(Path(path).resolve()) for path in sys.path if path)]


def _write(order: Order, folder: Path) -> None:
    """Write microdata, hierarchies and batch."""
    trees = {}
    for dimension in order.dimensions:
        path = folder / f"{dimension.name}.hrc"
        path.write_text("\n".join(_indented(dimension)) + "\n", encoding="ascii")
        trees[dimension.name] = str(path)
    importlib.import_module(ENGINE).protect(
        dict(order.columns),
        [dimension.name for dimension in order.dimensions],
        order.response,
        order.rule,
        suppress=order.method,
        cost_var=order.cost or None,
        hrc=trees,
        totcode=order.dimensions[0].total,
        workdir=str(folder),
        run=False,
    )


def _indented(dimension: Dimension) -> list[str]:
    """Codes below the total, each with one @ for each level above it."""
    parts, lines = dict(dimension.sums), []
    stack = [(code, 0) for code in reversed(parts[str(dimension.total)])]
    while stack:
        code, depth = stack.pop()
        lines.append("@" * depth + code)
        stack += [(part, depth + 1) for part in reversed(parts.get(code, ()))]
    return lines


def _read(folder: Path, many: int) -> tuple[dict[tuple[str, ...], str], dict[tuple[str, ...], tuple[float, float]]]:
    """Status from the written table, levels from the file the engine gives to its solver; both have the same order."""
    status, levels = {}, {}
    cells = (folder / "levels.jj").read_text(encoding="ascii").splitlines()[2:]
    for line, cell in zip((folder / "tab1.tab").read_text(encoding="utf-8").splitlines(), cells, strict=False):
        words, numbers = line.split(";"), cell.split()
        if float(words[many]) != float(numbers[1]):
            raise ValueError("The table and the levels of the engine are not in the same order.")
        label = tuple(word.strip().strip('"') for word in words[:many])
        status[label] = words[-3]
        levels[label] = (float(numbers[6]), float(numbers[7]))
    return status, levels


def _bound(folder: Path) -> float | None:
    """The bound of OPT from its log, over the cost of its pattern."""
    log = folder / "FullJJ.log"
    found = re.findall(r"Objectvalues:\s+(\S+) and\s+(\S+)", log.read_text(encoding="utf-8")) if log.exists() else []
    return float(found[-1][0]) / float(found[-1][1]) if found else None


def _serve(folder: Path) -> None:
    """Run the batch of a folder command by command, to see the levels and to time the suppression alone."""
    batch = importlib.import_module(f"{ENGINE}.batch")
    engine, seconds = importlib.import_module(f"{ENGINE}.engine").Engine(), 0.0
    for command in batch.parse_batch(folder / "batch.arb"):
        is_suppression = isinstance(command, batch.Suppress)
        if is_suppression:
            low, high = engine._table_cell_bounds(0)
            engine._tau.write_jj_format(0, str(folder / "levels.jj"), low, high, False, False, False)
        begin = time.perf_counter()
        engine._execute(command)
        seconds += (time.perf_counter() - begin) * is_suppression
    (folder / "seconds.json").write_text(json.dumps(seconds), encoding="utf-8")
    missed = sum(bool(cell["unsafe"]) for cell in engine.audit(0))
    (folder / "verdict.json").write_text(json.dumps(missed), encoding="utf-8")


if __name__ == "__main__":
    _serve(Path(sys.argv[1]))
