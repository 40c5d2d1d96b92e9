"""Reading query logs: the form of AOL, and any other table, Parquet, Arrow or JSON lines with columns that are named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np

from tacita.core.errors import ColumnError, DataError, FileError, ParameterError, did_you_mean
from tacita.core.progress import Task, task
from tacita.data.query_log.files.checked_lines import GrowingLog, RawLines
from tacita.data.query_log.files.column_files import read_column_file
from tacita.data.query_log.files.delimited import NO_QUERY, find_table, is_aol, read_aol, read_cut, read_quoted
from tacita.data.query_log.files.json_lines import find_fields, read_json_lines
from tacita.data.query_log.files.log_bytes import checked_encoding
from tacita.data.query_log.log_columns import LogColumns
from tacita.data.query_log.log_reading import BrokenBy, LogForm, ReadingTally
from tacita.data.query_log.query_log import QueryLog

__all__ = ["LOG_ENDINGS", "read_log"]

LOG_ENDINGS: dict[str, LogForm | None] = {
    ".txt": None,
    ".tsv": None,
    ".csv": None,
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
}
"""What the ending of a name says of the form; None: the first lines say whether it is that of AOL. ``.gz`` may follow."""

_REMEDIES: dict[BrokenBy, str] = {
    "too long": "check that it has line ends",
    "encoding": "give the true encoding with encoding=, such as cp1252",
    "zero byte": "check that it is text; if it has two bytes a letter, give encoding='utf-16-le'",
    "fields": "check its separator, and whether quotation marks are letters (quotes=False) or not",
    "json": "check that every line is an object of JSON",
    "no user": "check which column is the user, with columns=LogColumns(...)",
    "time": "say how times are written, with columns=LogColumns(time_format=...)",
    "rank": "check which column is the rank, with columns=LogColumns(...)",
}


def read_log(
    path: str | Path | Sequence[str | Path],
    *,
    columns: LogColumns | None = None,
    form: LogForm | None = None,
    encoding: str = "utf-8",
    separator: str | None = None,
    quotes: bool | None = None,
) -> QueryLog:
    r"""Read a query log.

    The form of AOL (user, query, time, rank and address between tabs; quotation marks are letters; a header in front, inside
    where parts were put together, or nowhere), other tables as text (.txt, .tsv, .csv), Parquet, Arrow and lines of JSON. Text
    may be packed by gzip. It is read block by block, and every text is kept once.

    Parameters
    ----------
    path
        A file, a folder of parts (its files that end like logs, by name; hidden files and folders in it are passed over), or
        several files. Paths are taken as they are, without patterns.
    columns
        Which column is what; may be left out where they are called ``user``, ``query``, ``time``, ``rank`` and ``url``, or as AOL
        calls them.
    form
        ``aol``, ``csv`` (a table of text with any separator), ``parquet``, ``arrow`` or ``jsonl``; found out when left out.
    encoding
        Of text. Bytes that are none in it break their line.
    separator
        Of a table of text; found out when left out.
    quotes
        Whether fields of a table may stand in quotation marks; by default only where the separator is no tab, because searches
        have quotation marks that nobody closes.

    Returns
    -------
    QueryLog
        With ``reading``: how many lines there were, which ones are left out, and why.

    Raises
    ------
    FileError
        When a file is not there, is damaged, or is packed as no log is.
    ColumnError
        When it lacks columns; a near miss is suggested.
    DataError
        When nothing of it can be read, or more than half of its lines are broken.

    Notes
    -----
    Broken lines are left out and counted. Empty lines and headers count nowhere. A line without a query stays: in the form of
    AOL its query is empty or ``-``. An empty time, rank or address is none. A line is broken when its time or rank is there and
    cannot be read, because a line that is half understood is worse than one that is missing.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "log.txt"
    ...     lines = ["AnonID\tQuery\tQueryTime\tItemRank\tClickURL", "7\ttea\t2006-03-01 07:17:12\t\t", "7\tmilk\tlate\t\t"]
    ...     _ = file.write_text("\n".join(lines))
    ...     log = read_log(file)
    >>> log
    QueryLog of 1 lines, 1 users, 1 different queries
    >>> log.reading.words()
    '1 of 2 lines read. Left out: 1 with a time that cannot be read (line 3).'
    """
    encoding = checked_encoding(encoding)
    _check_options(form, separator, columns)
    files, is_folder = _files(path, form)
    tally, passed, forms = ReadingTally(), list[str](), dict[Path, LogForm]()
    for file in files:
        found = form or _form_of(file, encoding, columns, is_folder=is_folder)
        if found is None:
            passed.append(file.name)
        else:
            forms[file] = found
    if not forms:
        raise DataError(
            "None of the files is a log: they must have the form of AOL, or a header with the columns of one."
        )
    growing, size = GrowingLog(tally), sum(file.stat().st_size for file in forms)
    with task("Reading log", size) as running:
        for file, kind in forms.items():
            tally.file = file.name
            for raw in _raw_lines(file, kind, columns, encoding, separator, quotes, tally, running):
                growing.add(raw, (NO_QUERY,) if kind == "aol" else ())
    _check_some(tally, [file.name for file in forms])
    reading = tally.reading(
        form=tuple(dict.fromkeys(forms.values())), files=tuple(file.name for file in forms), passed_over=tuple(passed)
    )
    return _with_gaps(growing.finish(set(forms.values()) == {"aol"}, reading))


def _raw_lines(
    path: Path,
    kind: LogForm,
    columns: LogColumns | None,
    encoding: str,
    separator: str | None,
    quotes: bool | None,
    tally: ReadingTally,
    running: Task,
) -> Iterator[RawLines]:
    if path.stat().st_size == 0:  # a part of a folder
        return
    try:
        if kind == "aol":
            yield from read_aol(path, encoding, tally, running)
        elif kind == "jsonl":
            yield from read_json_lines(path, encoding, find_fields(path, encoding, columns), tally, running)
        elif kind == "csv":
            table = find_table(path, encoding, columns, separator, quotes)
            read = read_quoted if table.has_quotes else read_cut
            yield from read(path, encoding, table, tally, running)
        else:
            yield from read_column_file(path, kind, columns, running)
    except FileError:
        raise
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError) -> FileError:
    return FileError(f"'{path.name}' cannot be read: {error.strerror or 'unknown reason'}.")


# --- files and forms ------------------------------------------------------------------------------------------------------------


def _check_options(form: LogForm | None, separator: str | None, columns: LogColumns | None) -> None:
    if form is not None and form not in get_args(LogForm):
        near = did_you_mean(str(form), get_args(LogForm))
        raise ParameterError(f"read_log: 'form' must be one of {', '.join(get_args(LogForm))}, got {form!r}.{near}")
    if columns is not None and not isinstance(columns, LogColumns):
        raise ParameterError("read_log: 'columns' must be LogColumns(user=..., query=..., ...).")
    if form == "aol" and columns is not None:
        raise ParameterError("read_log: 'columns' has no meaning for the form of AOL, whose columns are known.")
    is_one = isinstance(separator, str) and len(separator) == 1 and separator.isascii() and separator not in '"\r\n\0'
    if separator is not None and not is_one:
        raise ParameterError(f"read_log: 'separator' must be one character such as , ; | or a tab, got {separator!r}.")


def _files(path: str | Path | Sequence[str | Path], form: LogForm | None) -> tuple[list[Path], bool]:
    """Return the files, and whether they were found in a folder."""
    if not isinstance(path, (str, Path)):
        files = [file for one in path for file in _files(one, form)[0]]
        if not files:
            raise ParameterError("read_log: 'path' must name at least one file.")
        return files, False
    if "\0" in str(path):
        raise FileError("The name of a file must not hold a zero byte.")
    whole = Path(
        path
    ).absolute()  # no library takes one that begins with a slash for an address, an option or somebody's home
    if whole.is_dir():
        try:
            found = sorted(file for file in whole.iterdir() if file.is_file() and not file.name.startswith("."))
        except OSError as error:
            raise FileError(f"The folder '{path}' cannot be read: {error.strerror}.") from error
        found = [file for file in found if form is not None or _ending(file) in LOG_ENDINGS]
        if not found:
            raise FileError(
                f"The folder '{path}' has no file that ends like a log: {', '.join(LOG_ENDINGS)}, .gz behind them."
            )
        return found, True
    try:
        size = whole.stat().st_size
    except OSError as error:
        address = re.match(r"([A-Za-z][\w+.-]+:)/", str(path))
        hint = f" Only files on disk are read; fetch what stands under {address[1]}// first." if address else ""
        hint = hint or (
            " Patterns are not followed; name a folder, or the files." if set("*?[") & set(str(path)) else ""
        )
        raise FileError(f"The file '{path}' cannot be read: {error.strerror}.{hint}") from error
    if not whole.is_file():
        raise FileError(f"'{path}' must be a file or a folder.")
    if size == 0:
        raise FileError(f"'{whole.name}' is empty (0 bytes); even a log without lines needs a header.")
    return [whole], False


def _ending(path: Path) -> str:
    name = path.name.lower().removesuffix(".gz")
    return "." + name.rpartition(".")[2] if "." in name else ""


def _form_of(path: Path, encoding: str, columns: LogColumns | None, *, is_folder: bool) -> LogForm | None:
    """Return the form of a file; None for a file of a folder that is no log."""
    ending = _ending(path)
    if ending not in LOG_ENDINGS:
        raise FileError(
            f"The name of a log must end in one of {', '.join(LOG_ENDINGS)}, .gz behind it or not, got '{path.name}'; or say "
            f"what it is with form=.{did_you_mean(ending, LOG_ENDINGS)}"
        )
    known = LOG_ENDINGS[ending]
    if known is not None:
        return known
    try:
        if columns is None and is_aol(path, encoding):
            return "aol"
        if is_folder:
            find_table(path, encoding, columns, None, None)
    except ColumnError:
        return None
    except FileError:
        raise
    except OSError as error:
        raise _unreadable(path, error) from error
    return "csv"


def _check_some(tally: ReadingTally, files: list[str]) -> None:
    """Raise when most lines are broken: then it is not the lines that are wrong, but how they are read."""
    why = tally.most_broken()
    if why is None or tally.read >= tally.lines - tally.read:
        return
    name = f"'{files[0]}'" if len(files) == 1 else f"The {len(files)} files"
    broken = tally.lines - tally.read
    raise DataError(
        f"{name}: {broken:,} of {tally.lines:,} lines are broken, most of them by their {why} (line "
        f"{tally.first[why][0][1]} is the first); {_REMEDIES[why]}.",
        details={"broken": dict(tally.broken)},
    )


def _with_gaps(log: QueryLog) -> QueryLog:
    """Put the numbers of lines without a query and without a time into the reading."""
    if log.reading is None:
        return log
    times = 0 if log.time is None else int(np.isnat(log.time).sum())
    return replace(log, reading=replace(log.reading, without_query=int((log.query < 0).sum()), without_time=times))
