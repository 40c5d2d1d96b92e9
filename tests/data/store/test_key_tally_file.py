"""Key tallies of files: memory for cells and not for records, identities that stand twice, near and far apart."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tacita as tc
from tacita.core.errors import ColumnError, DataError, FileError
from tacita.core.keyed import Key
from tacita.data.store.key_tally_file import key_tally_of_file

KEY = Key(bytes(range(3, 67, 2)))


def test_identities_that_stand_twice_are_refused_in_files(tmp_path: Path) -> None:
    tc.write(tc.Microdata.from_frame(pa.table({"id": [1, 1, 2], "a": ["x", "y", "z"]})), tmp_path / "x.parquet")
    with pytest.raises(DataError, match="1 of 3 values repeat"):
        key_tally_of_file(tmp_path / "x.parquet", ["a"], identity="id", key=KEY)
    tc.write(tc.Microdata.from_frame(pa.table({"id": [1, None, 2], "a": ["x", "y", "z"]})), tmp_path / "y.parquet")
    with pytest.raises(DataError, match="1 have none"):
        key_tally_of_file(tmp_path / "y.parquet", ["a"], identity="id", key=KEY)


@pytest.mark.parametrize("step", [1, 1000, -1, 2**40])
def test_identities_may_be_near_or_far_apart(tmp_path: Path, step: int) -> None:
    ids = [5, 5 + step, 5 + 2 * step, -7]
    pq.write_table(pa.table({"id": ids, "a": ["x", "y", "x", "x"]}), tmp_path / "x.parquet")
    found = key_tally_of_file(tmp_path / "x.parquet", ["a"], identity="id", key=KEY)
    assert found.sums.sum(axis=0).tolist() == KEY.record_keys(np.array(ids).view(np.uint64)).sum(axis=0).tolist()
    pq.write_table(pa.table({"id": [*ids[:3], ids[1]], "a": ["x", "y", "x", "x"]}), tmp_path / "y.parquet")
    with pytest.raises(DataError, match="1 of 4 values repeat"):
        key_tally_of_file(tmp_path / "y.parquet", ["a"], identity="id", key=KEY)


def test_unknown_columns_and_mixed_decimal_signs_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("id;a;x\n1;p;1,5\n2;q;2.5\n")
    with pytest.raises(FileError, match="decimal commas"):
        key_tally_of_file(tmp_path / "x.csv", ["a"], identity="id", key=KEY, response="x")
    with pytest.raises(ColumnError, match="'y' is not in the data"):
        key_tally_of_file(tmp_path / "x.csv", ["a"], identity="id", key=KEY, response="y")
    (tmp_path / "empty.csv").write_text("id,a\n")
    with pytest.raises(DataError, match="no records"):
        key_tally_of_file(tmp_path / "empty.csv", ["a"], identity="id", key=KEY)


_GROWTH = """
import sys
from tacita.core.keyed import Key
from tacita.data.store.key_tally_file import key_tally_of_file
def peak():  # getrusage would count what the process had before it became this one
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) // 1024
peaks = []
for path in sys.argv[1:]:
    found = key_tally_of_file(path, ["a", "b"], identity="id", key=Key(bytes(range(3, 67, 2))), response="x", memory="200MB")
    peaks.append(peak())
print(peaks[-1] - peaks[-2])
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the highest memory of a process stands in /proc")
def test_memory_grows_with_cells_and_not_with_records(tmp_path: Path) -> None:
    """1.5 million records more take less than half of what their columns alone would, 46 MB."""
    rng = np.random.default_rng(2)
    for name, n in (("small", 300_000), ("large", 1_800_000)):
        table = {
            "id": rng.permutation(n),
            "a": rng.integers(0, 9, n),
            "b": rng.integers(0, 7, n),
            "x": rng.uniform(size=n),
        }
        pq.write_table(pa.table(table), tmp_path / f"{name}.parquet", row_group_size=100_000)
    files = [str(tmp_path / name) for name in ("small.parquet", "small.parquet", "large.parquet")]
    found = subprocess.run([sys.executable, "-c", _GROWTH, *files], capture_output=True, text=True, check=True)
    assert int(found.stdout) < 23, f"{found.stdout} MB more"
