"""Logs as text of one line a search: the form of AOL, other tables with a header, and lines of JSON."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv

from tacita.core.arrays import BoolArray, IntArray
from tacita.core.errors import ColumnError, FileError
from tacita.core.progress import Task
from tacita.data.formats.csv_form import SEPARATORS
from tacita.data.query_log.files.checked_lines import NO_TEXT, RawLines
from tacita.data.query_log.files.cut_lines import CutLines, cut_lines
from tacita.data.query_log.files.log_bytes import ByteStream, LineBlock, ahead, beginning, chunks, line_blocks
from tacita.data.query_log.files.log_times import read_times
from tacita.data.query_log.log_columns import AOL_HEADER, LogColumns, chosen_columns
from tacita.data.query_log.log_reading import ReadingTally

__all__ = ["NO_QUERY", "TextTable", "find_table", "is_aol", "read_aol", "read_cut", "read_quoted"]

NO_QUERY = "-"
"""What the form of AOL has where a line has no query."""

_PARTS = ("user", "query", "time", "rank", "url")
_HEADER = "\t".join(AOL_HEADER).encode()
_SAMPLE_LINES = 200
_NO_LETTERS = re.compile("[\udc80-\udcff]+")


@dataclass(frozen=True)
class TextTable:
    """How a table of text is written.

    Parameters
    ----------
    separator
        The character between fields.
    has_quotes
        Whether fields may stand in quotation marks.
    names
        Its header.
    columns
        Which column is what.
    """

    separator: str
    has_quotes: bool
    names: tuple[str, ...]
    columns: LogColumns


# --- the form of AOL ------------------------------------------------------------------------------------------------------------


def is_aol(path: Path, encoding: str) -> bool:
    """Whether a file begins with the header of AOL, or most of its first lines have its fields."""
    start = beginning(path, encoding)
    lines = cut_lines(LineBlock(start, 1), b"\t")
    first = np.arange(min(len(lines.number), _SAMPLE_LINES))
    if not len(first):
        return False
    if lines.are(_HEADER)[0]:
        return True
    fits = first[np.isin(lines.fields[first], (3, 5))]
    if len(fits) <= len(first) // 2:
        return False
    times = lines.field(2, fits)
    try:
        read, wrong = read_times(times.cast(pa.string()))
    except pa.ArrowInvalid:
        return False
    return bool((~np.isnat(read)).any() and wrong.sum() <= len(fits) // 2)


def read_aol(path: Path, encoding: str, tally: ReadingTally, running: Task) -> Iterator[RawLines]:
    """Return the lines of a file in the form of AOL; its header may stand anywhere, or nowhere."""
    for block in line_blocks(path, encoding, tally, running):
        lines = cut_lines(block, b"\t")
        wanted = np.flatnonzero(~lines.are(_HEADER))
        has_click = lines.fields == len(AOL_HEADER)
        # A search without a click may end behind its time.
        kept = _sorted_out(lines, wanted, has_click | (lines.fields == len(AOL_HEADER) - 2), tally)
        columns: dict[str, pa.Array] = {part: lines.field(place, kept) for place, part in enumerate(_PARTS[:3])}
        with_click = kept[has_click[kept]]
        for place, part in enumerate(_PARTS[3:], 3):
            found = lines.field(place, with_click)
            columns[part] = found if len(with_click) == len(kept) else _spread(found, has_click[kept])
        yield RawLines(lines.number[kept], columns, is_text=True)


def _sorted_out(lines: CutLines, wanted: IntArray, fits: BoolArray, tally: ReadingTally) -> IntArray:
    """Count lines that are no text or have other fields than they must, and return the others."""
    wrong = {**lines.wrong, "fields": ~fits}
    whole = tally.sort_out(lines.number[wanted], {why: flags[wanted] for why, flags in wrong.items()})
    tally.lines += int((~whole).sum())
    return wanted[whole]


def _spread(values: pa.Array, where: BoolArray) -> pa.Array:
    """Put values where they belong, null elsewhere."""
    return values.take(pa.array(np.cumsum(where) - 1, mask=~where))


# --- tables with a header -------------------------------------------------------------------------------------------------------


def find_table(
    path: Path, encoding: str, columns: LogColumns | None, separator: str | None, quotes: bool | None
) -> TextTable:
    """Return how a table is written: the separator with which its header has the columns of a log.

    Raises
    ------
    ColumnError
        When the header lacks columns.
    """
    start = beginning(path, encoding).lstrip(b"\r\n")
    found: list[TextTable] = []
    problem: tuple[int, ColumnError] | None = None
    for candidate in SEPARATORS if separator is None else (separator,):
        has_quotes = candidate != "\t" if quotes is None else quotes
        names = _header(path, start, candidate, has_quotes)
        try:
            found.append(TextTable(candidate, has_quotes, names, chosen_columns(path.name, names, columns)))
        except ColumnError as error:
            if problem is None or len(names) > problem[0]:
                problem = len(names), error
    if not found and problem is not None:
        raise problem[1]
    return max(found, key=lambda table: len(table.names))


def _header(path: Path, start: bytes, separator: str, has_quotes: bool) -> tuple[str, ...]:
    line = start.split(b"\n", 1)[0].rstrip(b"\r")
    try:
        text = (start if has_quotes else line).decode("utf-8", errors="replace")
        if not has_quotes:
            return tuple(name.strip() for name in text.split(separator))
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        return tuple(name.strip() for name in next(rows, []))
    except csv.Error:
        raise FileError(f"The header of '{path.name}' cannot be read; check its quotation marks.") from None


def read_cut(path: Path, encoding: str, table: TextTable, tally: ReadingTally, running: Task) -> Iterator[RawLines]:
    """Return the lines of a table in which a quotation mark is a letter like any other."""
    places = {part: table.names.index(name) for part, name in table.columns.named().items()}
    is_header = True
    for block in line_blocks(path, encoding, tally, running):
        lines = cut_lines(block, table.separator.encode())
        wanted = np.arange(len(lines.number))
        if len(wanted) and is_header:
            header, is_header = bytes(block.text[lines.starts[0] : lines.ends[0]]), False
        if len(wanted):
            wanted = np.flatnonzero(~lines.are(header))  # where files were put together it is there again
        kept = _sorted_out(lines, wanted, lines.fields == len(table.names), tally)
        columns = {part: lines.field(place, kept) for part, place in places.items()}
        yield RawLines(lines.number[kept], columns, is_text=True, time_format=table.columns.time_format)


def read_quoted(path: Path, encoding: str, table: TextTable, tally: ReadingTally, running: Task) -> Iterator[RawLines]:
    """Return the records of a table whose fields may stand in quotation marks; a record may have several lines."""
    narrow: list[int] = []
    marks = _Marks(ahead(chunks(path, encoding, running)))
    record, last = 1, None
    try:
        for batch in _batches(io.BufferedReader(ByteStream(iter(marks)), 1 << 20), table, narrow):
            number = _numbers(record, batch.num_rows, np.array(narrow, np.int64))
            end = int(number[-1]) if len(number) else record
            kept = np.flatnonzero(~_all_null(batch))
            kept = kept[1:] if record == 1 else kept  # without the header
            columns = {
                part: batch.column(table.names.index(name)).take(pa.array(kept))
                for part, name in table.columns.named().items()
            }
            _leave_out([row for row in narrow if row <= end], tally)
            narrow[:] = [row for row in narrow if row > end]
            record = end + 1 if len(number) else record
            last = batch.column(batch.num_columns - 1)[-1].as_py() if len(number) else last
            yield RawLines(number[kept], columns, time_format=table.columns.time_format)
    except pa.ArrowInvalid:  # a record longer than two blocks
        raise _never_closed(path) from None
    if marks.count % 2 and last is not None and b"\n" in last:
        raise _never_closed(path)
    _leave_out(narrow, tally)


@dataclass
class _Marks:
    """The chunks of a file, whose quotation marks are counted on the way.

    Arrow speaks of a broken row as text, which one that is none would stop. What is no text becomes :data:`NO_TEXT`.
    """

    items: Iterator[bytes]
    count: int = 0

    def __iter__(self) -> Iterator[bytes]:
        decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        for chunk in self.items:
            self.count += chunk.count(b'"')
            yield _with_signs(decoder.decode(chunk))
        yield _with_signs(decoder.decode(b"", final=True))


def _with_signs(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _NO_LETTERS.sub(NO_TEXT, text).encode()


def _leave_out(narrow: list[int], tally: ReadingTally) -> None:
    tally.lines += len(narrow)
    tally.leave_out("fields", np.array(narrow, np.int64))


def _never_closed(path: Path) -> FileError:
    return FileError(
        f"'{path.name}' cannot be cut into records: a quotation mark is never closed. If quotation marks are letters like any "
        "other in this file, read it with quotes=False."
    )


def _numbers(record: int, rows: int, broken: IntArray) -> IntArray:
    """Return the numbers of whole records, which leave out those of broken ones."""
    numbers = np.arange(record, record + rows + len(broken))
    return numbers[~np.isin(numbers, broken)][:rows]


def _batches(stream: Any, table: TextTable, narrow: list[int]) -> Iterator[pa.RecordBatch]:
    places = [str(place) for place in range(len(table.names))]

    def note(row: Any) -> str:
        narrow.append(row.number)
        return "skip"

    parse = arrow_csv.ParseOptions(
        delimiter=table.separator, newlines_in_values=True, ignore_empty_lines=False, invalid_row_handler=note
    )
    convert = arrow_csv.ConvertOptions(
        column_types=dict.fromkeys(places, pa.binary()),
        null_values=[""],
        strings_can_be_null=True,
        quoted_strings_can_be_null=False,
    )
    read = arrow_csv.ReadOptions(column_names=places, block_size=1 << 22, use_threads=False)
    return iter(arrow_csv.open_csv(stream, read_options=read, parse_options=parse, convert_options=convert))


def _all_null(batch: pa.RecordBatch) -> BoolArray:
    null = pc.is_null(batch.column(0))
    for column in batch.columns[1:]:
        null = pc.and_(null, pc.is_null(column))
    flags: BoolArray = null.to_numpy(zero_copy_only=False)
    return flags
