"""A disk without room is said as such, whatever the library that writes says about it."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacita.data.formats.full_disk import full_disk

SCRIPT = """
    import resource, sys, pathlib
    import numpy as np, pyarrow as pa
    import tacita as tc
    data = tc.Microdata.from_frame(pa.table({{"x": np.random.default_rng(1).normal(size=200_000), "s": ["abcdefgh"] * 200_000}}))
    resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
    try:
        tc.write(data, sys.argv[1])
    except tc.TacitaError as error:
        print(error)
    print(sorted(path.name for path in pathlib.Path(sys.argv[1]).parent.iterdir()))
"""


@pytest.mark.parametrize("ending", ["duckdb", "sav", "zsav", "dta", "csv", "parquet", "feather"])
def test_a_file_that_may_not_grow(tmp_path, ending):
    script = textwrap.dedent(SCRIPT.format(limit=300_000))
    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path / f"a.{ending}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    said = done.stdout.splitlines()
    assert "cannot be written: File too large" in said[0], done.stderr
    assert said[1] == "[]"  # nothing is left behind


def test_a_disk_without_room(tmp_path):
    if (
        os.geteuid() != 0
        or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=300k", "none", tmp_path], check=False, capture_output=True
        ).returncode
    ):
        pytest.skip("only the administrator can make a small disk")
    try:
        script = textwrap.dedent(SCRIPT.format(limit=1 << 40))
        for ending in ("duckdb", "sav", "zsav", "dta", "csv", "parquet", "feather"):
            done = subprocess.run(
                [sys.executable, "-c", script, tmp_path / f"a.{ending}"],
                capture_output=True, text=True, check=False, timeout=120,
            )  # fmt: skip
            assert "cannot be written: No space left on device" in done.stdout, (ending, done.stderr, done.stdout)
            assert done.stdout.splitlines()[-1] == "[]"
    finally:
        subprocess.run(["umount", tmp_path], check=True)


def test_by_number_by_words_and_by_trying(tmp_path):
    assert full_disk(OSError(errno.ENOSPC, "x"), tmp_path) == "No space left on device"
    assert (
        full_disk(duckdb.IOException("Could not write: No space left on device"), tmp_path) == "No space left on device"
    )
    assert full_disk(OSError("Error writing. Detail: [errno 27] File too large"), tmp_path) == "File too large"
    assert full_disk(ValueError("a label is too long"), tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_duckdb_shows_no_bar_of_its_own(tmp_path):
    import tacita as tc
    from tacita.data.file_query import asking
    from tacita.data.formats.duck import quiet

    pq.write_table(pa.table({"a": [1]}), tmp_path / "a.parquet")
    with asking(tmp_path / "a.parquet", None, "100MB", "cells") as connection:
        assert connection.sql("select current_setting('enable_progress_bar')").fetchall() == [(False,)]
    assert quiet(duckdb.connect()).sql("select current_setting('enable_progress_bar')").fetchall() == [(False,)]
    source = "\n".join(path.read_text() for path in Path(tc.__file__).parent.rglob("*.py"))
    assert source.count("duckdb.connect(") == source.count("quiet(duckdb.connect(")
