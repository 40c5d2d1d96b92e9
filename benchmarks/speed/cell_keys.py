"""Cell keys on a million records: record keys, sums by cell, perturbation; whole tables; a file by DuckDB; 1000 matrices."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from tests.oracles.tables.cell_key_oracle import sums_record_by_record

import tacita as tc
from benchmarks.tables import timed
from tacita.core.keyed import Key
from tacita.numeric.perturbation.set_keys import key_sums, set_uniforms
from tacita.tables.perturbation.cell_key import CellKey
from tacita.tables.perturbation.keyed_table import keyed_table
from tacita.tables.perturbation.transition_matrix import TransitionMatrix

__all__ = ["run"]

_CLASSES = {"region": 1000, "age": 20, "sex": 2, "marital": 4}
_KEY = Key(bytes(range(3, 67, 2)))
_R_PACKAGE = 2.5
"""Seconds of the R package for a million records and four variables on one core, as it was told; not measured here."""


def _records(n: int) -> pa.Table:
    rng = np.random.default_rng(1)
    columns: dict[str, Any] = {"id": rng.permutation(n)}
    for name, count in _CLASSES.items():
        words = pa.array([f"{name} {i}" for i in range(count)])
        columns[name] = pa.DictionaryArray.from_arrays(pa.array(rng.integers(0, count, n).astype(np.int16)), words)
    return pa.table(columns)


def _cpu(work: Callable[[], Any], repeats: int = 5) -> float:
    """The least processor time of some runs: other work on the machine does not count."""
    work()
    best = float("inf")
    for _ in range(repeats):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return best


def _row(case: str, n: int, work: Callable[[], Any], target: str, r_package: float | None = None) -> dict[str, Any]:
    cpu = _cpu(work)
    row: dict[str, Any] = {"case": case, "n": n, "ours_s": timed(work), "cpu_s": cpu, "target": target}
    if r_package is not None:
        row["R_told_s"] = r_package
        row["times_faster"] = r_package / cpu
    return row


def _in_memory(n: int) -> list[dict[str, Any]]:
    frame, by = _records(n), list(_CLASSES)
    data = tc.Microdata.from_frame(frame)
    ids = frame.column("id").to_numpy().astype(np.uint64)
    codes = [frame.column(name).combine_chunks().indices.to_numpy() for name in by]
    shape = tuple(_CLASSES.values())
    own, how = _KEY.derive("record keys", "person"), CellKey(key=_KEY, D=5, V=3.0)

    def arrays() -> None:
        cells = np.ravel_multi_index(codes, shape)
        added = key_sums(cells, own.record_keys(ids), int(np.prod(shape)))
        how.matrix.draw(added[:, 0], set_uniforms(_KEY, added[:, 1:], added[:, 0], "cell"))

    made = keyed_table(data, by, key=_KEY, identity="id")
    share, small = n / 1_000_000, min(n, 2000)

    def whole() -> None:
        how.perturbed(keyed_table(data, by, key=_KEY, identity="id"))

    def afresh() -> None:
        how.perturbed(keyed_table(tc.Microdata.from_frame(frame), by, key=_KEY, identity="id"))

    goal = f"< {0.25 * share:g} s"
    rows = [
        _row("keys, sums, perturbation of inner cells", n, arrays, goal, _R_PACKAGE * share),
        _row("from records to a perturbed table with margins", n, whole, goal, _R_PACKAGE * share),
        _row("the same, from a frame nobody has looked at", n, afresh, goal, _R_PACKAGE * share),
        _row(f"perturbation of {len(made)} cells", n, lambda: how.perturbed(made), ""),
    ]
    begin = time.process_time()
    sums_record_by_record(
        ids[:small].tolist(),
        zip(*(frame.column(name).slice(0, small).to_pylist() for name in by), strict=True),
        _KEY,
        "person",
    )
    rows.append({"case": "the obvious version", "n": small, "cpu_s": time.process_time() - begin})
    return rows


_IN_ITS_OWN = """
import json, sys, time
from benchmarks.speed.cell_keys import _CLASSES, _KEY
from tacita.tables.perturbation.keyed_table import keyed_table
def peak():  # getrusage would count what the process had before it became this one
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024
keyed_table(sys.argv[1], list(_CLASSES), key=_KEY, identity="id", memory="1GB")
before, begin, cpu = peak(), time.perf_counter(), time.process_time()
keyed_table(sys.argv[2], list(_CLASSES), key=_KEY, identity="id", memory="1GB")
print(json.dumps([time.perf_counter() - begin, time.process_time() - cpu, peak() - before]))
"""
"""A process of its own, whose highest memory is that of this work alone; a file of 1000 records loads what is loaded once."""


def _from_file(n: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path, small = Path(folder) / "people.parquet", Path(folder) / "small.parquet"
        step = min(n, 1_000_000)
        whole = _records(step)
        pq.write_table(whole.slice(0, 1000), small)
        with pq.ParquetWriter(path, whole.schema) as writer:
            for part in range(0, n, step):
                writer.write_table(whole.set_column(0, "id", pa.array(whole.column("id").to_numpy() + part)))
        root = Path(__file__).parents[2]
        words = [sys.executable, "-c", _IN_ITS_OWN, str(small), str(path)]
        found = subprocess.run(words, cwd=root, capture_output=True, text=True, check=True)
        seconds, cpu, more = json.loads(found.stdout)
        in_memory = (
            n * (8 + 2 * len(_CLASSES)) / 2**20
        )  # identity and codes as columns of Arrow, the dictionaries left out
        return {
            "case": "file by DuckDB",
            "n": n,
            "ours_s": seconds,
            "cpu_s": cpu,
            "file_MB": path.stat().st_size / 2**20,
            "input_MB": in_memory,
            "more_MB": more,
            "ratio": more / in_memory,
            "target": "ratio < 2",
        }


def run(quick: bool) -> list[dict[str, Any]]:
    """Return the rows of the benchmark."""
    rows = _in_memory(100_000 if quick else 1_000_000)
    rows.append(_from_file(200_000 if quick else 10_000_000))
    variances = np.linspace(2, 5, 1000)
    rows.append(
        _row("1000 transition matrices, D = 5", 1000, lambda: TransitionMatrix.tuned(D=5, V=variances), "< 5 s")
    )
    rows.append(_row("one transition matrix", 1, lambda: TransitionMatrix.maximum_entropy(D=5, V=3), "milliseconds"))
    return rows
