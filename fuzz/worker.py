"""One process that reads inputs, one after the other, and says before and after each of them what happens."""

from __future__ import annotations

import importlib
import io
import os
import random
import resource
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuzz.mutate import damaged
from fuzz.targets import CANARIES, TARGETS, Target

__all__ = ["content_of", "outcome", "work"]

SPAWNED = 100
"""One of so many foreign files is read by a real child process; the others by a fork, which is quicker."""


def content_of(target: Target, seeds: list[bytes], seed: int, number: int) -> bytes:
    """Return the input of a number: the whole files first, then damaged ones."""
    if number < len(seeds):
        return seeds[number]
    return damaged(seeds, random.Random(f"{seed}/{target.name}/{number}"))


def work(name: str, seed: int, numbers: range, seeds: list[bytes], say: Callable[[str], None]) -> None:
    """Read inputs of one kind; ``say`` gets a line before and after each."""
    target = TARGETS[name]
    from tacita.data.formats import foreign

    if target.foreign:  # once here, not again in every fork
        for module in (
            "pyreadstat",
            "openpyxl",
            "tacita.data.formats.statistical",
            "tacita.data.formats.excel",
            "tacita.data.read",
        ):
            importlib.import_module(module)
    real = foreign._ask_child
    with tempfile.TemporaryDirectory(prefix="tacita-fuzz-") as folder:
        path = Path(folder) / f"input{target.ending}"
        path.write_bytes(seeds[0])
        outcome(target, path)  # what loads at the first use must not count as the time of an input
        for number in numbers:
            say(f"begin {number}")
            foreign._ask_child = real if number % SPAWNED == 0 else _ask_fork
            place = Path(folder) / str(number)
            place.mkdir()
            path = place / f"input{target.ending}"
            path.write_bytes(content_of(target, seeds, seed, number))
            begun = processor()
            result = outcome(target, path)
            used = processor() - begun
            for left in place.iterdir():
                left.unlink()
            place.rmdir()
            say(f"end {number} {peak()} {used:.2f} {result}")


def processor() -> float:
    """Return the processor seconds of this process and of those that it waited for."""
    return sum(os.times()[:4])


def peak() -> int:
    """Return the largest memory so far of this process and of those that it started, in kilobytes."""
    return max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def outcome(target: Target, path: Path) -> str:
    """Read one file; return ``read``, ``refused``, or what is wrong: ``raised ...`` and ``quoted ...``."""
    from tacita.core.errors import TacitaError

    head = path.read_bytes()[:4096].split(b"\n", 1)[0]
    said: list[str] = []
    result = "read"
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            target.read(path)
        except TacitaError as error:
            result = "refused"
            said.append(str(error))
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            places = traceback.extract_tb(error.__traceback__)
            ours = [place for place in places if "tacita" in place.filename] or places
            return f"raised {type(error).__name__} at {Path(ours[-1].filename).name}:{ours[-1].lineno}"
    said += [str(warning.message) for warning in warned]
    for canary in CANARIES:
        # Where the damage has moved the value into the names of the columns, it is a name.
        if canary.encode() not in head and any(canary in sentence for sentence in said):
            return f"quoted {said[0][:200]!r}"
    return result


def _ask_fork(asked: dict[str, Any], limits: Any, take: Callable[[Any, Callable[[], int]], Any]) -> Any:
    """Do what a child process does, in a fork of this one."""
    from tacita.data.formats import foreign_child

    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(read_end)
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            with os.fdopen(write_end, "wb") as out:
                foreign_child.send_file(asked, out)
        finally:
            os._exit(0)
    os.close(write_end)
    status: list[int] = []

    def ended() -> int:
        if not status:
            status.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        return status[0]

    try:
        with os.fdopen(read_end, "rb") as stream:
            return take(io.BufferedReader(stream.raw), ended)
    finally:
        ended()


def main() -> None:
    """Work as the arguments say: kind, seed, first and last number, file of the whole files."""
    import pickle

    name, seed, first, last, store = sys.argv[1:]
    seeds = pickle.loads(Path(store).read_bytes())  # made by the process that started this one
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    work(name, int(seed), range(int(first), int(last)), seeds, lambda line: print(line, file=out, flush=True))


if __name__ == "__main__":
    main()
