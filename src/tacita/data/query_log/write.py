"""Writing query logs: whole or not at all, block by block, and the same log gives the same bytes."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, get_args

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv
from pyarrow import parquet

from tacita.core.arrays import IntArray
from tacita.core.errors import DataError, FileError, ParameterError, did_you_mean
from tacita.core.progress import task
from tacita.data.atomic import atomic_file
from tacita.data.formats.formulas import Formulas, check_formulas, neutral
from tacita.data.formats.full_disk import full_disk
from tacita.data.query_log.files.delimited import NO_QUERY
from tacita.data.query_log.log_columns import AOL_HEADER
from tacita.data.query_log.log_reading import LogForm
from tacita.data.query_log.query_log import Codes, QueryLog

__all__ = ["write_log"]

_ENDINGS: dict[str, LogForm] = {
    ".txt": "aol",
    ".tsv": "aol",
    ".csv": "csv",
    ".parquet": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
_AT_ONCE = 1 << 24
"""Bytes of text that are made at once."""
_MOST_LINES = 1 << 17
_NOT_IN_AOL = "[\t\n\r\0]"
_ROW_GROUP = 1 << 20


@dataclass(frozen=True)
class _Texts:
    """What stands in a file for each user, query and address."""

    users: pa.StringArray
    texts: pa.StringArray
    urls: pa.StringArray


def write_log(
    log: QueryLog,
    path: str | Path,
    *,
    form: LogForm | None = None,
    formulas: Formulas = "keep",
    overwrite: bool = False,
) -> Path:
    """Write a log; the ending of the name says the form.

    The form of AOL (.txt, .tsv), CSV (.csv) and lines of JSON (.jsonl, .ndjson), packed by gzip where ``.gz`` follows, and
    Parquet (.parquet). :func:`tacita.data.query_log.read.read_log` reads the same log back.

    Parameters
    ----------
    log
        What to write. Users and texts that none of its lines has are not in the file.
    path
        Where to. The file appears under its name when it is complete.
    form
        ``aol``, ``csv``, ``parquet`` or ``jsonl``, where the ending does not say it.
    formulas
        What a CSV file does about texts that a spreadsheet would run: ``keep`` them, ``warn`` of them, or ``neutralise`` them
        by an apostrophe before them. Many searches begin with ``+``, ``-`` or ``@``.
    overwrite
        Whether a file that is there may be replaced.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    FileError
        When the file exists, its ending is unknown, or the directory cannot be written to.
    DataError
        When the form of AOL cannot hold a text: it has no way to write a tab or a line end inside one.

    Warns
    -----
    TacitaWarning
        With ``formulas="warn"``, when a spreadsheet would run texts.

    Notes
    -----
    The form of AOL has all five columns always; a column that is empty throughout is read back as None. Its sign for no query
    is ``-``, so a search for a hyphen becomes a line without a query. Times have fractions of seconds only where one of the log
    has any. Nothing else is lost, and nothing of what the lines do not have is written.
    """
    path = Path(path)
    kind = _form_of(path, form)
    if formulas != "keep" and kind != "csv":
        raise ParameterError(
            f"write_log: 'formulas' has no meaning for '{path.name}'; only CSV files are opened by spreadsheets."
        )
    if path.exists() and not overwrite:
        raise FileError(
            f"'{path.name}' exists already; choose another name, or allow overwriting it with overwrite=True."
        )
    log = log.compact()
    texts = _texts(log, kind, formulas)
    packed = path.name.lower().endswith(".gz")
    try:
        with (
            atomic_file(path) as temporary,
            task("Writing log", len(log)) as running,
            _opened(temporary, packed=packed) as file,
            _writer(kind, log, file) as put,
        ):
            for start, end in _blocks(log, texts):
                put(_table(log, texts, start, end))
                running.advance(end - start)
    except FileError:
        raise
    except (OSError, pa.ArrowException) as error:
        reason = full_disk(error, path.parent) or getattr(error, "strerror", None) or "unknown reason"
        raise FileError(f"'{path.name}' cannot be written: {reason}. Nothing was changed.") from error
    return path


def _form_of(path: Path, form: LogForm | None) -> LogForm:
    known = tuple(dict.fromkeys(_ENDINGS.values()))
    if form is not None:
        if form not in known:
            where = "read, not written" if form in get_args(LogForm) else f"got {form!r}"
            raise ParameterError(
                f"write_log: 'form' must be one of {', '.join(known)}, {where}.{did_you_mean(form, known)}"
            )
        return form
    name = path.name.lower()
    ending = "." + name.removesuffix(".gz").rpartition(".")[2]
    if ending not in _ENDINGS or (name.endswith(".gz") and ending == ".parquet"):
        raise FileError(
            f"The name of a log to write must end in one of {', '.join(_ENDINGS)}, or .gz behind those of text, got "
            f"'{path.name}'.{did_you_mean(ending, _ENDINGS)}"
        )
    return _ENDINGS[ending]


@contextmanager
def _opened(path: Path, *, packed: bool) -> Iterator[BinaryIO]:
    with path.open("wb") as file:
        if not packed:
            yield file
            return
        # Without name and time in its header, the same log gives the same bytes.
        with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0) as zipped:
            yield zipped  # type: ignore[misc]


# --- texts, each once -----------------------------------------------------------------------------------------------------------


def _texts(log: QueryLog, kind: LogForm, formulas: Formulas) -> _Texts:
    """Return what stands in the file for each text, so that the lines need only be put together."""
    urls = pa.array([], pa.string()) if log.urls is None else log.urls
    if kind == "aol":
        for part, texts in (("user", log.users), ("query", log.texts), ("url", urls)):
            count = pc.sum(pc.match_substring_regex(texts, _NOT_IN_AOL)).as_py() or 0
            if count:
                raise DataError(
                    f"The form of AOL cannot hold a tab, a line end or a zero byte in a '{part}', and {count:,} different ones "
                    "have one. Write .csv, .parquet or .jsonl."
                )
    if kind == "csv":
        check_formulas(pa.table({"user": log.users}), formulas)
        check_formulas(pa.table({"query": log.texts}), formulas)
        check_formulas(pa.table({"url": urls}), formulas)
        if formulas == "neutralise":
            return _Texts(neutral(log.users), neutral(log.texts), neutral(urls))
    if kind == "jsonl":
        return _Texts(_json_text(log.users), _json_text(log.texts), _json_text(urls))
    return _Texts(log.users, log.texts, urls)


def _json_text(texts: pa.StringArray) -> pa.StringArray:
    for plain, escaped in (("\\", "\\\\"), ('"', '\\"')):
        texts = pc.replace_substring(texts, plain, escaped)
    if pc.any(pc.match_substring_regex(texts, "[\\x00-\\x1f]")).as_py():
        for code in range(32):
            texts = pc.replace_substring(texts, chr(code), f"\\u{code:04x}")
    mark = pa.scalar('"')
    return pc.binary_join_element_wise(mark, texts, mark, pa.scalar(""))


# --- lines ----------------------------------------------------------------------------------------------------------------------


def _blocks(log: QueryLog, texts: _Texts) -> Iterator[tuple[int, int]]:
    """Cut the lines into blocks with so much text that the memory holds it."""
    size = _sizes(texts.users, log.user) + _sizes(texts.texts, log.query)
    if log.url is not None:
        size += _sizes(texts.urls, log.url)
    ends: IntArray = np.cumsum(size)
    start = 0
    while start < len(log):
        before = int(ends[start - 1]) if start else 0
        end = int(np.searchsorted(ends, before + _AT_ONCE, side="right"))
        end = min(max(end, start + 1), start + _MOST_LINES, len(log))
        yield start, end
        start = end


def _sizes(texts: pa.StringArray, codes: Codes) -> IntArray:
    sizes: IntArray = np.append(pc.binary_length(texts).to_numpy(zero_copy_only=False), 0).astype(np.int64)
    return sizes[codes]


def _table(log: QueryLog, texts: _Texts, start: int, end: int) -> pa.Table:
    """Return some of the lines as a table."""
    part = log.take(slice(start, end))  # type: ignore[arg-type]
    columns: dict[str, Any] = {"user": _taken(texts.users, part.user), "query": _taken(texts.texts, part.query)}
    if part.time is not None:
        columns["time"] = pa.array(part.time)
    if part.rank is not None:
        columns["rank"] = pa.array(part.rank, mask=part.rank < 0)
    if part.url is not None:
        columns["url"] = _taken(texts.urls, part.url)
    return pa.table(columns)


def _taken(texts: pa.StringArray, codes: Codes) -> pa.StringArray:
    return texts.take(pa.array(codes, mask=codes < 0))


# --- forms ----------------------------------------------------------------------------------------------------------------------


def _writer(kind: LogForm, log: QueryLog, file: BinaryIO) -> AbstractContextManager[Callable[[pa.Table], None]]:
    """Return what puts a block of lines into the file."""
    unit = "s"
    if log.time is not None:
        whole = log.time.astype("datetime64[s]").astype("datetime64[us]")
        unit = "s" if ((whole == log.time) | np.isnat(log.time)).all() else "us"
    if kind == "parquet":
        return _parquet(log, file)
    if kind == "csv":
        header = _table(log, _Texts(log.users, log.texts, pa.array([], pa.string())), 0, 0).column_names
        file.write((",".join(header) + "\n").encode())
        return nullcontext(lambda table: _put_csv(file, table, unit))
    if kind == "aol":
        file.write(("\t".join(AOL_HEADER) + "\n").encode())
        return nullcontext(lambda table: _put(file, _aol_lines(table, unit)))
    return nullcontext(lambda table: _put(file, _json_lines(table, unit)))


@contextmanager
def _parquet(log: QueryLog, file: BinaryIO) -> Iterator[Callable[[pa.Table], None]]:
    empty = _table(
        log, _Texts(log.users, log.texts, log.urls if log.urls is not None else pa.array([], pa.string())), 0, 0
    )
    with parquet.ParquetWriter(
        file,
        empty.schema,
        version="2.6",
        data_page_version="1.0",
        compression="zstd",
        compression_level=3,
        write_page_checksum=True,
    ) as writer:
        yield lambda table: writer.write_table(table, row_group_size=_ROW_GROUP)


def _put_csv(file: BinaryIO, table: pa.Table, unit: str) -> None:
    if "time" in table.column_names:
        place = table.column_names.index("time")
        table = table.set_column(place, "time", table.column(place).cast(pa.timestamp(unit)))
    arrow_csv.write_csv(table, file, arrow_csv.WriteOptions(include_header=False, quoting_style="needed"))


def _aol_lines(table: pa.Table, unit: str) -> pa.Array:
    empty = pa.scalar("")
    named = {name: table.column(name).combine_chunks() for name in table.column_names}
    fields = [named["user"], named["query"].fill_null(NO_QUERY)]
    fields.append(_time_text(named["time"], unit).fill_null("") if "time" in named else empty)
    fields.append(named["rank"].cast(pa.string()).fill_null("") if "rank" in named else empty)
    fields.append(named["url"].fill_null("") if "url" in named else empty)
    return pc.binary_join_element_wise(*fields, pa.scalar("\t"))


def _json_lines(table: pa.Table, unit: str) -> pa.Array:
    pieces: list[Any] = []
    for name in table.column_names:
        values = table.column(name).combine_chunks()
        if name == "time":
            values = pc.binary_join_element_wise(
                pa.scalar('"'), _time_text(values, unit), pa.scalar('"'), pa.scalar("")
            )
        elif name == "rank":
            values = values.cast(pa.string())
        pieces += [pa.scalar(f'{", " if pieces else "{"}"{name}": '), values.fill_null("null")]
    return pc.binary_join_element_wise(*pieces, pa.scalar("}"), pa.scalar(""))


def _time_text(times: pa.Array, unit: str) -> pa.StringArray:
    return times.cast(pa.timestamp(unit)).cast(pa.string())


def _put(file: BinaryIO, lines: pa.StringArray) -> None:
    ended = pc.binary_join_element_wise(lines, pa.scalar("\n"), pa.scalar(""))
    size = int(pc.sum(pc.binary_length(ended)).as_py() or 0)
    if size:
        file.write(memoryview(ended.buffers()[2])[:size])
