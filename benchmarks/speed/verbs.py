"""Verbs of the command line on a CSV file of ten columns: processor time and memory beside DuckDB's reading of the same file.

Each verb runs in a process of its own. `kernel` is the work on data that are read already; the aim is twice the time of
DuckDB's reading and the kernel together, in less than three times the size of what is read. `evaluate` reads two files: the
original, and the release that `mask` wrote. A further verb is a further line in ``VERBS``.

`mask` holds the original and what was masked (0.95 of the file; whole numbers lie in one to four bytes, others in eight), the
pairing (0.15), the numbers of the households (0.2), the risks of single records in a byte each (0.15), and beside them one thing
at a time: the patterns of the keys with counts, weights and frequencies (0.8, since nearly every record has keys of its own
here), or what a measure takes (0.6 to 1.2). What is freed goes back to the system between these. A report of 1000 records takes
170 MB, mostly the programs that draw it: for a file of 10^6 records (47 MB) these weigh more than the data.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv

__all__ = ["VERBS", "run"]

VERBS: Mapping[str, str] = {
    "describe": "from tacita.data.describe import describe\ndescribe(data)",
    "assess": "tc.assess(data)",
    "mask": """
release = tc.Recipe([tc.mask.RankSwap(columns=["income", "savings"], p=5)]).apply(data, seed=1)
tc.publish(release, folder, card=tc.evaluate(data, release), overwrite=True)
""",
    "evaluate": "tc.evaluate(data, masked)",
}
"""The kernel of each verb: a program in which ``tc`` is the package, ``data`` what was read, with the schema of the file, and
``folder`` a directory for a release."""

_SCHEMA = """
[columns]
id = {role = "identifier"}
hid = {role = "household", scale = "nominal"}
region = {role = "key", scale = "nominal"}
sex = {role = "key", scale = "nominal"}
age = {role = "key"}
education = {role = "key", scale = "ordinal"}
occupation = {role = "key", scale = "nominal"}
income = {role = "confidential"}
savings = {role = "confidential"}
weight = {role = "weight"}
"""
_MEASURED = """
import json, resource, sys
from pathlib import Path
import duckdb, pyarrow.csv, pyarrow.compute
import tacita as tc
from tacita.cli.files import read_masked
path, schema, folder = sys.argv[1:]
def spent():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
tc.read, tc.describe, tc.assess, tc.evaluate, tc.publish, duckdb.connect()  # loaded before the clock starts
bare, start = peak(), spent()
{read}
middle = spent()
{kernel}
print(json.dumps([middle - start, spent() - middle, peak() - bare]))
"""
_DUCKDB = "connection = duckdb.connect()\nconnection.execute('create table t as select * from read_csv(?)', [path])"
_READ = "data = tc.read(path, schema=schema or None)"
_READ_BOTH = f"""{_READ}
masked, link = read_masked(Path(folder), data, None)
masked = masked.with_origin(data, link)
"""


def _write_file(folder: Path, n: int) -> Path:
    rng = np.random.default_rng(1)
    path = folder / "file.csv"
    with path.open("wb") as file:
        for start in range(0, n, 1_000_000):
            m = min(1_000_000, n - start)
            columns = {
                "id": np.arange(start, start + m),
                "hid": np.arange(start, start + m) // 3,
                "region": rng.integers(1, 17, m),
                "sex": rng.integers(1, 3, m),
                "age": rng.integers(0, 95, m),
                "education": rng.integers(1, 8, m),
                "occupation": rng.integers(1000, 9999, m),
                "income": np.round(rng.lognormal(9, 1, m), 2),
                "savings": np.round(rng.lognormal(7, 2, m) * (rng.random(m) < 0.6)).astype(np.int64),
                "weight": np.round(rng.uniform(1, 300, m), 3),
            }
            options = arrow_csv.WriteOptions(include_header=start == 0)
            arrow_csv.write_csv(pa.table(columns), file, options)
    return path


def _measured(folder: Path, read: str, kernel: str, *, has_schema: bool) -> tuple[float, float, float]:
    program = _MEASURED.format(read=read, kernel=kernel)
    schema = str(folder / "file.toml") if has_schema else ""
    words = [sys.executable, "-c", program, str(folder / "file.csv"), schema, str(folder / "release")]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    reading, working, memory = json.loads(done.stdout.splitlines()[-1])
    return reading, working, memory


def run(quick: bool) -> list[dict[str, Any]]:
    """Measure every verb on a file of a million records (ten million without ``quick``)."""
    n = 1_000_000 if quick else 10_000_000
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        size = _write_file(folder, n).stat().st_size
        (folder / "file.toml").write_text(_SCHEMA, encoding="utf-8")
        duckdb, _, memory = _measured(folder, _DUCKDB, "pass", has_schema=False)
        rows.append({"case": "duckdb reads", "n": n, "cpu_s": duckdb, "memory / file": memory / size})
        for verb, kernel in VERBS.items():
            is_both = verb == "evaluate"
            read = _READ_BOTH if is_both else _READ
            reading, working, memory = _measured(folder, read, kernel, has_schema=verb != "describe")
            files = size + (folder / "release/public/data.csv").stat().st_size if is_both else size
            rows.append(
                {
                    "case": verb,
                    "n": n,
                    "cpu_s": reading + working,
                    "kernel_s": working,
                    "time / (duckdb + kernel)": (reading + working) / (duckdb * files / size + working),
                    "memory / file": memory / files,
                    "target": "< 2, < 3",
                }
            )
    return rows
