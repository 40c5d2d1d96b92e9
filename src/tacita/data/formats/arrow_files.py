"""Parquet and Arrow (Feather) files."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from tacita.data.formats.base import FileContent, ReadRequest, WriteRequest, damaged, plain_types
from tacita.data.formats.outgoing import outgoing
from tacita.data.microdata import Microdata

__all__ = ["read_arrow", "read_parquet", "write_arrow", "write_parquet"]

_ROWS_IN_GROUP = 1 << 17
_PANDAS_INDEX = re.compile(r"__index_level_\d+__")


def read_parquet(path: Path, request: ReadRequest) -> FileContent:
    """Read a Parquet file."""
    del request  # nothing to choose in this format
    return FileContent(table=_guarded(path, "Parquet", _load_parquet))


def read_arrow(path: Path, request: ReadRequest) -> FileContent:
    """Read an Arrow file (Feather version 2) or stream."""
    del request  # nothing to choose in this format
    return FileContent(table=_guarded(path, "Arrow or Feather", _load_arrow))


def _guarded(path: Path, kind: str, load: Callable[[Path], pa.Table]) -> pa.Table:
    try:
        table = load(path)
        table.validate(full=True)  # damaged offsets would otherwise crash the process at their first use
    except (pa.ArrowException, OSError, ValueError):
        raise damaged(path, kind) from None
    # An index without a name is no column, as with frames that come from memory.
    kept = [place for place, name in enumerate(table.column_names) if not _PANDAS_INDEX.fullmatch(name)]
    return plain_types(table.select(kept))


def _load_parquet(path: Path) -> pa.Table:
    # Opened here: given a path, the library would look for addresses in it.
    with (
        pa.OSFile(os.fsencode(path), "rb") as source,
        parquet.ParquetFile(source, page_checksum_verification=True) as file,
    ):
        return file.read()


def _load_arrow(path: Path) -> pa.Table:
    with pa.OSFile(os.fsencode(path), "rb") as source:
        is_file = source.read(6) == b"ARROW1"
    # The table must not depend on the file any more when it is returned, so the file is not mapped into memory.
    with pa.OSFile(os.fsencode(path), "rb") as source:
        if is_file:
            return pa.ipc.open_file(source).read_all()
        return pa.ipc.open_stream(source).read_all()


# --- writing ----------------------------------------------------------------------------------------------------------------


def write_parquet(data: Microdata, path: Path, request: WriteRequest) -> None:
    """Write a Parquet file whose bytes depend on the data and the version of Arrow only."""
    del request  # nothing to choose in this format
    table = outgoing(data, "Parquet")
    with pa.OSFile(os.fsencode(path), "wb") as sink:
        parquet.write_table(
            table,
            sink,
            version="2.6",
            data_page_version="1.0",
            compression="zstd",
            compression_level=3,
            row_group_size=_ROWS_IN_GROUP,
            write_page_checksum=True,
        )


def write_arrow(data: Microdata, path: Path, request: WriteRequest) -> None:
    """Write an Arrow file (Feather version 2) whose bytes depend on the data and the version of Arrow only."""
    del request  # nothing to choose in this format
    table = outgoing(data, "Arrow")
    options = pa.ipc.IpcWriteOptions(compression=pa.Codec("zstd", compression_level=3))
    with pa.OSFile(os.fsencode(path), "wb") as sink, pa.ipc.new_file(sink, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=_ROWS_IN_GROUP)
