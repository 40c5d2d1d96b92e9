"""Logs in Parquet and Arrow files, batch by batch."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from tacita.core.progress import Task
from tacita.data.formats.base import damaged
from tacita.data.query_log.files.checked_lines import RawLines
from tacita.data.query_log.log_columns import LogColumns, chosen_columns

__all__ = ["read_column_file"]

_ROWS = 1 << 17


def read_column_file(path: Path, kind: str, columns: LogColumns | None, running: Task) -> Iterator[RawLines]:
    """Return the records of a file.

    Parameters
    ----------
    path
        The file.
    kind
        ``parquet`` or ``arrow``.
    columns
        Which column is what; None where the names say it.
    running
        Gets the bytes of the file.
    """
    title = "Parquet" if kind == "parquet" else "Arrow or Feather"
    try:
        with _opened(path, kind) as file:
            chosen = chosen_columns(path.name, file.names, columns)
            named, first, size = chosen.named(), 1, path.stat().st_size
            for found in file.batches(list(named.values())):
                batch = _checked(found)
                number = np.arange(first, first + batch.num_rows)
                parts = {part: batch.column(name) for part, name in named.items()}
                first += batch.num_rows
                running.advance(size * batch.num_rows / max(file.rows, 1))
                yield RawLines(number, parts, time_format=chosen.time_format)
    except (pa.ArrowException, OSError, ValueError) as error:
        if type(error).__module__.startswith("tacita"):
            raise
        raise damaged(path, title) from None


@dataclass(frozen=True)
class _File:
    names: Sequence[str]
    rows: int
    source: Any
    """A Parquet file, or what iterates over the batches of an Arrow file."""

    def batches(self, names: list[str]) -> Iterator[pa.RecordBatch]:
        if isinstance(self.source, parquet.ParquetFile):
            yield from self.source.iter_batches(_ROWS, columns=names)
            return
        for batch in self.source:
            for start in range(0, batch.num_rows, _ROWS):
                yield batch.select(names).slice(start, _ROWS)


@contextmanager
def _opened(path: Path, kind: str) -> Iterator[_File]:
    # Opened here: given a path, the library would look for addresses in it.
    with pa.OSFile(os.fsencode(path), "rb") as source:
        if kind == "parquet":
            with parquet.ParquetFile(source, page_checksum_verification=True) as file:
                yield _File(file.schema_arrow.names, file.metadata.num_rows, file)
            return
        is_file = source.read(6) == b"ARROW1"
        source.seek(0)
        if is_file:
            with pa.ipc.open_file(source) as opened:
                count = opened.num_record_batches
                rows = sum(opened.get_batch(place).num_rows for place in range(count)) if count < 1000 else 0
                yield _File(opened.schema.names, rows, (opened.get_batch(place) for place in range(count)))
        else:
            with pa.ipc.open_stream(source) as stream:
                yield _File(stream.schema.names, 0, stream)


def _checked(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Raise where offsets are damaged, which would otherwise crash the process at their first use."""
    arrays = [_as_bytes(values) for values in batch.columns]
    for values in arrays:
        values.validate(full=True)
    return pa.RecordBatch.from_arrays(arrays, names=batch.schema.names)


def _as_bytes(values: pa.Array) -> pa.Array:
    """Return texts as bytes: whether they are text is looked at line by line."""
    if pa.types.is_dictionary(values.type):
        values.validate(full=True)
        values = values.cast(values.type.value_type)
    kind = values.type
    if pa.types.is_string_view(kind) or pa.types.is_binary_view(kind):
        values.validate(full=True)
        return values.cast(pa.large_binary())
    if pa.types.is_string(kind):
        return values.view(pa.binary())
    return values.view(pa.large_binary()) if pa.types.is_large_string(kind) else values
