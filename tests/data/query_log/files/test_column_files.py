from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacita.core.errors import FileError, TacitaError
from tacita.core.progress import task
from tacita.data.query_log.files import column_files
from tacita.data.query_log.files.column_files import read_column_file
from tacita.data.query_log.read import read_log

TABLE = pa.table({"user": [str(row % 7) for row in range(500)], "query": ["tea", None, "milk", "a", "b"] * 100})


def written(folder: Path, kind: str) -> Path:
    path = folder / f"a.{kind}"
    if kind == "parquet":
        pq.write_table(TABLE, path, row_group_size=100)
        return path
    with pa.OSFile(str(path), "wb") as sink:
        opened = pa.ipc.new_stream if kind == "ipc" else pa.ipc.new_file
        with opened(sink, TABLE.schema) as writer:
            writer.write_table(TABLE, max_chunksize=150)
    return path


@pytest.mark.parametrize("kind", ["parquet", "arrow", "ipc"])
def test_records_have_their_numbers(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_files, "_ROWS", 64)
    with task("Reading log") as running:
        parts = list(
            read_column_file(written(tmp_path, kind), "parquet" if kind == "parquet" else "arrow", None, running)
        )
    assert [int(number) for part in parts for number in part.number] == list(range(1, 501))
    assert [text for part in parts for text in part.columns["query"].cast(pa.string()).to_pylist()] == TABLE[
        "query"
    ].to_pylist()


@pytest.mark.parametrize("kind", ["parquet", "arrow", "ipc"])
def test_a_damaged_file_is_refused_or_read_but_never_crashes(tmp_path: Path, kind: str) -> None:
    path, rng = written(tmp_path, kind), random.Random(5)
    whole = path.read_bytes()
    refused = 0
    for _ in range(60):
        content = bytearray(whole)
        for _ in range(3):
            content[rng.randrange(len(content))] = rng.randrange(256)
        path.write_bytes(content[: rng.choice((len(content), len(content) // 2))])
        try:
            read_log(path)
        except TacitaError:
            refused += 1
    assert refused > 20


def test_a_text_that_is_none_breaks_its_record_only(tmp_path: Path) -> None:
    bad = pa.array([b"tea", b"\xff", b"a\0b", b"milk", b"x", b"y"]).view(pa.string())
    path = tmp_path / "a.arrow"
    table = pa.table({"user": [1, 2, 3, 4, 5, 6], "query": bad})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    log = read_log(path)
    assert log.texts.to_pylist() == ["tea", "milk", "x", "y"]
    assert log.reading is not None
    assert log.reading.first == {"encoding": (("a.arrow", 2),), "zero byte": (("a.arrow", 3),)}


def test_another_file_with_the_ending_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PAR1" + bytes(100) + b"PAR1")
    with pytest.raises(FileError, match="whole Parquet file"):
        read_log(path)
