"""Files of other programs, read in a child process with limits, so that a hostile file costs an error message.

The libraries behind SPSS, Stata, SAS and Excel files are large, and some of them are written in C: a damaged file can end
the process that reads it, and a small one can ask for any amount of memory or time. So a child process reads the file. It
gets the path and nothing else, may write to one pipe only, and ends when it needs too much. What comes back is plain: JSON
and Arrow's stream form, looked through before it is used. No Python object crosses the pipe.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa

from tacita.core.errors import FileError, ParameterError, SchemaError
from tacita.data.formats.base import FileContent, ReadRequest, check_package, damaged, memory_bytes
from tacita.data.formats.foreign_child import READERS
from tacita.data.formats.values import is_declared_text, type_table

__all__ = ["ChildLimits", "Foreign", "receive"]

_KINDS = {
    "sav": "SPSS",
    "por": "SPSS portable",
    "dta": "Stata",
    "sas7bdat": "SAS",
    "xpt": "SAS transport",
    "xlsx": "Excel (.xlsx)",
}
_COMPRESSED = (".zsav", ".xlsx")
_BASE_MEMORY = 512 << 20
_BASE_SECONDS = 5.0
_MOST_HEADER = 256 << 20
_ERRORS = {"FileError": FileError, "ParameterError": ParameterError}
_KEPT = (
    "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH", "PYTHONHOME", "VIRTUAL_ENV", "TZ",
)  # fmt: skip
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}


@dataclass(frozen=True)
class ChildLimits:
    """What the child process may use.

    Parameters
    ----------
    memory
        Bytes beyond what Python and its libraries need.
    seconds
        Processor seconds. The wall clock may run six times as long, and ten seconds more.

    Notes
    -----
    What is not said by the caller comes from the environment (``TACITA_READ_MEMORY``, ``TACITA_READ_SECONDS``), and else
    from the size of the file: 512 MB and 100 times its size (1000 times for .zsav and .xlsx, which are compressed), at most
    three quarters of the machine's memory; and 5 seconds and one for every 100 kB (10 kB).
    """

    memory: int
    seconds: float

    @property
    def wall(self) -> float:
        """Seconds on the wall clock."""
        return 6 * self.seconds + 10

    @classmethod
    def of(cls, path: Path, memory: str | None = None, seconds: float | None = None) -> ChildLimits:
        """Return the limits for a file."""
        size = path.stat().st_size
        factor = 10 if path.suffix.lower() in _COMPRESSED else 1
        memory = memory or os.environ.get("TACITA_READ_MEMORY") or None
        if seconds is None and os.environ.get("TACITA_READ_SECONDS"):
            seconds = _seconds(os.environ["TACITA_READ_SECONDS"], "TACITA_READ_SECONDS")
        if seconds is not None and not 0 < _seconds(seconds, "seconds") < 1e9:
            raise ParameterError(f"read: 'seconds' must be a number larger than 0, got {seconds!r}.")
        return cls(
            memory_bytes(memory) if memory else min(_BASE_MEMORY + 100 * factor * size, _three_quarters()),
            float(seconds) if seconds is not None else _BASE_SECONDS + factor * size / 100_000,
        )


def _seconds(given: object, name: str) -> float:
    try:
        return float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ParameterError(f"read: '{name}' must be a number of seconds, got {given!r}.") from None


def _three_quarters() -> int:
    try:
        return max(_BASE_MEMORY, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 3 // 4)
    except (ValueError, OSError, AttributeError):
        return 16 << 30


# --- reading ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Foreign:
    """The reader of one foreign format.

    Parameters
    ----------
    name
        Its name in :mod:`tacita.data.formats.foreign_child`.
    """

    name: str

    def __call__(self, path: Path, request: ReadRequest) -> FileContent:
        """Read a file in a child process."""
        kind = _KINDS[self.name]
        check_package(READERS[self.name], kind.split(" (")[0])
        limits = ChildLimits.of(path, request.memory, request.seconds)
        asked = plain_request(self.name, path, request, limits)
        content = _ask_child(asked, limits, lambda stream, ended: receive(stream, ended, path, kind, limits))
        if self.name != "xlsx":
            return content
        return _typed(content, request)


def plain_request(name: str, path: Path, request: ReadRequest, limits: ChildLimits) -> dict[str, Any]:
    """Return what the child is told, ready for JSON."""
    return {
        "reader": name,
        "file": str(path.absolute()),
        "encoding": request.encoding,
        "sheet": request.sheet,
        "texts": [name for name, facts in request.declared.items() if is_declared_text(facts)],
        "memory": limits.memory,
        "seconds": limits.seconds,
        # Where Python's own path is, without the current directory, which may hold anything.
        "path": [entry for entry in sys.path if entry],
    }


def _typed(content: FileContent, request: ReadRequest) -> FileContent:
    """Type the columns that came as text by the rules of CSV files."""
    table = content.table
    names = [field.name for field in table.schema if pa.types.is_string(field.type)]
    typed, codes = type_table(table.select(names), request.declared, ".")
    made = dict(zip(typed.column_names, typed.columns, strict=True))
    columns = [made.get(name, table.column(name)) for name in table.column_names]
    return FileContent(table=pa.table(columns, names=table.column_names), user_missing=codes)


def _ask_child(
    asked: Mapping[str, Any], limits: ChildLimits, take: Callable[[BinaryIO, Callable[[], int]], FileContent]
) -> FileContent:
    if not sys.executable:
        raise FileError("Files of other programs are read by a second Python, but this one does not know where it is.")
    process = subprocess.Popen(
        [sys.executable, "-I", str(Path(__file__).with_name("foreign_child.py"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={name: os.environ[name] for name in _KEPT if name in os.environ} | _ONE_THREAD,
        start_new_session=True,
    )
    clock = threading.Timer(limits.wall, process.kill)
    clock.daemon = True
    clock.start()
    try:
        with contextlib.suppress(BrokenPipeError):  # it has ended; the reason follows
            assert process.stdin is not None  # noqa: S101 - for the type checker: it was asked for
            process.stdin.write(json.dumps(asked).encode())
            process.stdin.close()
        return take(process.stdout, process.wait)  # type: ignore[arg-type]
    finally:
        clock.cancel()
        process.kill()
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]
        process.wait()


# --- what comes back ----------------------------------------------------------------------------------------------------


def receive(stream: BinaryIO, ended: Callable[[], int], path: Path, kind: str, limits: ChildLimits) -> FileContent:
    """Take what a child sends: a header in JSON, then the table and the codes beside it as streams of Arrow.

    Parameters
    ----------
    stream
        Where it comes from.
    ended
        Waits for the child and returns how it ended, negative for a signal.
    path, kind
        The file, and what it is, for messages.
    limits
        What the child was allowed.

    Raises
    ------
    FileError
        When the file is damaged or asks for more than the limits.
    """
    try:
        size = int.from_bytes(stream.read(8), "little")
        raw = stream.read(size) if 0 < size <= _MOST_HEADER else b""
        header = json.loads(raw) if len(raw) == size > 0 else None
        if header is not None and header["outcome"] == "read":
            table, codes = _stream(stream), _stream(stream)
            return FileContent(
                table=table,
                facts={name: _facts(facts) for name, facts in header["facts"].items()},
                user_missing={name: codes.column(name).combine_chunks() for name in codes.column_names},
            )
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        header = None
    raise _error(header, ended(), path, kind, limits)


def _stream(stream: BinaryIO) -> pa.Table:
    table = pa.ipc.open_stream(pa.PythonFile(stream, "r")).read_all()
    table.validate(full=True)  # a library that a file has upset may send anything
    return table


def _facts(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Lists of JSON become the tuples of a schema again."""
    facts = dict(plain)
    if "labels" in facts:
        facts["labels"] = tuple((value, text) for value, text in facts["labels"])
    if "missing" in facts:
        facts["missing"] = tuple(tuple(code) if isinstance(code, list) else code for code in facts["missing"])
    return facts


def _error(header: Mapping[str, Any] | None, status: int, path: Path, kind: str, limits: ChildLimits) -> Exception:
    outcome = None if header is None else header.get("outcome")
    if outcome == "schema":
        return SchemaError([str(problem) for problem in header["problems"]])  # type: ignore[index]
    if outcome in _ERRORS:
        return _ERRORS[outcome](str(header["message"]))  # type: ignore[index]
    if outcome == "memory":
        return FileError(
            f"Reading '{path.name}' needs more than {limits.memory >> 20:,} MB of memory, so it is damaged or very large. "
            "Check where it comes from; if it is right, give more memory= (or TACITA_READ_MEMORY)."
        )
    if status in (-getattr(signal, "SIGXCPU", 24), -getattr(signal, "SIGKILL", 9)):
        return FileError(
            f"Reading '{path.name}' was stopped after {limits.seconds:,.0f} seconds, so it is damaged or very large. "
            "Check where it comes from; if it is right, give more seconds= (or TACITA_READ_SECONDS)."
        )
    return damaged(path, kind)
