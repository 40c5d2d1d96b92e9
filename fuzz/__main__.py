"""Fuzz all readers: ``python -m fuzz --inputs 20000 --seed 1``."""

from __future__ import annotations

import argparse
import os
import pickle
import selectors
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from fuzz.targets import TARGETS, Target
from fuzz.worker import content_of

MOST_SECONDS, MOST_KILOBYTES = 10.0, 1_000_000
"""Of the processor; an input that waits for something else may wait for a minute, because the machine may be busy."""
MOST_WAITING = 60.0
BATCH = 400
FAILED = ("raised", "quoted", "crashed", "hung", "swelled")


@dataclass
class Record:
    """What happened to the inputs of one kind."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[int, str]] = field(default_factory=list)
    slowest: float = 0.0
    peak: int = 0

    @property
    def failed(self) -> int:
        """How many inputs failed."""
        return sum(self.counts[word] for word in FAILED)

    def take(self, number: int, result: str, seconds: float, peak: int) -> None:
        """Take one result in."""
        word = result.split(maxsplit=1)[0]
        if word not in FAILED and seconds > MOST_SECONDS:
            word, result = "hung", f"hung for {seconds:.1f} s"
        if word not in FAILED and peak > MOST_KILOBYTES and self.peak <= MOST_KILOBYTES:
            word, result = "swelled", f"swelled to {peak / 1000:.0f} MB"
        self.counts[word] += 1
        self.slowest, self.peak = max(self.slowest, seconds), max(self.peak, peak)
        if word in FAILED:
            self.failures.append((number, result))


def fuzz(target: Target, store: Path, seed: int, inputs: int) -> Record:
    """Read so many inputs of one kind; a worker that dies is followed by another, which goes on behind its last input."""
    record, number = Record(), 0
    while number < inputs:
        number = _batch(target, store, seed, number, min(inputs, number + BATCH), record)
    return record


def _batch(target: Target, store: Path, seed: int, first: int, last: int, record: Record) -> int:
    """Watch one worker; return the number of the input that comes next."""
    command = [sys.executable, "-m", "fuzz.worker", target.name, str(seed), str(first), str(last), str(store)]
    worker = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1)
    watch = selectors.DefaultSelector()
    watch.register(worker.stdout, selectors.EVENT_READ)
    current, begun, number = None, time.monotonic(), first
    pending = ""
    try:
        while True:
            if watch.select(timeout=0.2):
                piece = os.read(worker.stdout.fileno(), 1 << 16).decode(errors="replace")
                if not piece:
                    break
                *lines, pending = (pending + piece).split("\n")
                for line in lines:
                    word, at, *rest = line.split(" ", 4)
                    if word == "begin":
                        current, begun = int(at), time.monotonic()
                    else:
                        record.take(int(at), rest[2], float(rest[1]), int(rest[0]))
                        current, number = None, int(at) + 1
            wrong = _wrong(worker.pid, begun) if current is not None else None
            if wrong is not None:
                worker.kill()
                record.take(current, wrong, time.monotonic() - begun, 0)
                return current + 1
        worker.wait()
        if current is not None:
            record.take(current, f"crashed with {worker.returncode}", time.monotonic() - begun, 0)
            return current + 1
        if number < last and worker.returncode:
            raise SystemExit(f"The worker for {target.name} does not start; run: {' '.join(command)}")
        return number
    finally:
        worker.kill()
        worker.wait()
        watch.close()
        worker.stdout.close()


def _wrong(pid: int, begun: float) -> str | None:
    seconds = time.monotonic() - begun
    if seconds > MOST_WAITING:
        return f"hung for {seconds:.1f} s"
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return None
    kilobytes = pages * os.sysconf("SC_PAGE_SIZE") // 1000
    return f"swelled to {kilobytes // 1000} MB" if kilobytes > 2 * MOST_KILOBYTES else None


def main() -> int:
    """Fuzz, print a line for each kind of file, keep the inputs that failed."""
    parser = argparse.ArgumentParser(description="Fuzz everything that reads a file.")
    parser.add_argument("--inputs", type=int, default=20_000, help="how many inputs over all kinds of files")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other inputs")
    parser.add_argument("--jobs", type=int, default=1, help="how many workers at once")
    parser.add_argument("--only", default="", help="kinds of files, separated by commas")
    parser.add_argument("--keep", type=Path, default=Path("fuzz-failures"), help="where inputs that failed are kept")
    said = parser.parse_args()
    chosen = [TARGETS[name] for name in said.only.split(",")] if said.only else list(TARGETS.values())
    share, more = divmod(said.inputs, len(chosen))
    begun, total, bad = time.monotonic(), 0, 0
    print(
        f"{'reader':20} {'inputs':>6} {'read':>6} {'refused':>8} {'failed':>7} {'slowest s':>10} {'peak MB':>8}",
        flush=True,
    )
    with tempfile.TemporaryDirectory(prefix="tacita-fuzz-") as folder, ThreadPoolExecutor(said.jobs) as pool:
        running = []
        for place, target in enumerate(chosen):
            seeds, store = target.seeds(), Path(folder) / str(place)
            store.write_bytes(pickle.dumps(seeds))
            work = pool.submit(fuzz, target, store, said.seed, share + (place < more))
            running.append((target, seeds, work))
        for target, seeds, work in running:
            record = work.result()
            show(target, record)
            total, bad = total + record.counts.total(), bad + record.failed
            for number, result in record.failures[:20]:
                said.keep.mkdir(exist_ok=True, parents=True)
                kept = said.keep / f"{target.name.replace(' ', '-')}-{said.seed}-{number}{target.ending}"
                kept.write_bytes(content_of(target, seeds, said.seed, number))
                print(f"    input {number}: {result}; kept as {kept}", flush=True)
    print(f"{total:,} inputs in {time.monotonic() - begun:.0f} s, {bad} failed.")
    return 1 if bad else 0


def show(target: Target, record: Record) -> None:
    """Print a line for one kind of file."""
    counts = record.counts
    print(
        f"{target.name:20} {counts.total():6} {counts['read']:6} {counts['refused']:8} {record.failed:7} "
        f"{record.slowest:10.2f} {record.peak / 1000:8.0f}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
