"""Logs as lines of JSON: one object a line, its fields found by their names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tacita.core.arrays import IntArray
from tacita.core.errors import ColumnError
from tacita.core.progress import Task
from tacita.data.formats.duck import NO_EXTENSIONS, quiet
from tacita.data.query_log.files.checked_lines import RawLines
from tacita.data.query_log.files.cut_lines import CutLines, cut_lines
from tacita.data.query_log.files.log_bytes import LineBlock, beginning, line_blocks
from tacita.data.query_log.log_columns import LogColumns, chosen_columns
from tacita.data.query_log.log_reading import ReadingTally

__all__ = ["find_fields", "read_json_lines"]

_MANY = 1000


def find_fields(path: Path, encoding: str, columns: LogColumns | None) -> LogColumns:
    """Return which field is what, by the objects at the beginning of a file; a field may lack in any of them."""
    lines = cut_lines(LineBlock(beginning(path, encoding, 1 << 20), 1), b"")
    with _connection() as connection:
        connection.register("lines", _readable(lines, np.arange(min(len(lines.number), _MANY))))
        keys = connection.sql(
            "select distinct unnest(json_keys(o)) from (select try_cast(line as json) as o from lines) "
            "where json_type(o) = 'OBJECT'"
        ).fetchall()
    if not keys:
        raise ColumnError(f"'{path.name}' must have an object of JSON on every line, but its first lines have none.")
    return chosen_columns(path.name, sorted(key for (key,) in keys), columns)


def read_json_lines(
    path: Path, encoding: str, columns: LogColumns, tally: ReadingTally, running: Task
) -> Iterator[RawLines]:
    """Return the lines of a file; numbers become texts, and a field that lacks is none."""
    named = columns.named()
    pointers = ["/" + name.replace("~", "~0").replace("/", "~1") for name in named.values()]
    fields = ", ".join(f"f[{place}] as {part}" for place, part in enumerate(named, 1))
    query = (
        f"select is_object, {fields} from (select coalesce(json_type(o) = 'OBJECT', false) as is_object, "
        "json_extract_string(o, $pointers) as f from (select try_cast(line as json) as o from lines))"
    )
    with _connection() as connection:
        for block in line_blocks(path, encoding, tally, running):
            lines = cut_lines(block, b"")
            kept = np.flatnonzero(tally.sort_out(lines.number, lines.wrong))
            connection.register("lines", _readable(lines, kept))
            found = connection.sql(query, params={"pointers": pointers}).to_arrow_table().combine_chunks()
            is_object = found.column(0).to_numpy()
            tally.leave_out("json", lines.number[kept][~is_object])
            tally.lines += len(lines.number) - int(is_object.sum())
            whole = found.filter(pa.array(is_object)).combine_chunks()
            parts = {part: _one(whole.column(part)) for part in named}
            yield RawLines(lines.number[kept][is_object], parts, time_format=columns.time_format)


@contextmanager
def _connection() -> Iterator[Any]:
    import duckdb

    connection = quiet(duckdb.connect(config=NO_EXTENSIONS))
    try:
        connection.execute("set threads = 1")  # rows stay in their order
        yield connection
    finally:
        connection.close()


def _readable(lines: CutLines, places: IntArray) -> pa.Table:
    """Return the lines that are text, of those at some places."""
    for flags in lines.wrong.values():
        places = places[~flags[places]]
    return pa.table({"line": lines.whole(places).view(pa.string())})


def _one(column: pa.ChunkedArray) -> pa.Array:
    return column.chunk(0) if column.num_chunks == 1 else pa.array([], column.type)
