"""The child process that reads one foreign file within limits; started by :mod:`tacita.data.formats.foreign`.

It reads its orders from standard input, takes the limits on before it opens the file, and sends a header and two streams
of Arrow to standard output. It ends with the file: nothing of it stays.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pyarrow as pa

    from tacita.data.formats.base import FileContent, ReadRequest

__all__ = ["READERS", "send_file"]

READERS = {
    "sav": "pyreadstat",
    "por": "pyreadstat",
    "dta": "pyreadstat",
    "sas7bdat": "pyreadstat",
    "xpt": "pyreadstat",
    "xlsx": "openpyxl",
}
"""The formats, and the package that each of them needs."""


def _reader(name: str) -> Callable[[Path, ReadRequest], FileContent]:
    """Load the reader of a format with its package; where that is not installed, the reader says so."""
    if name == "xlsx":
        with contextlib.suppress(ImportError):
            import openpyxl  # noqa: F401
        from tacita.data.formats.excel import read_excel

        return read_excel
    with contextlib.suppress(ImportError):
        import pyreadstat  # noqa: F401
    from tacita.data.formats import statistical

    return {
        "sav": statistical.read_sav,
        "por": statistical.read_por,
        "dta": statistical.read_dta,
        "sas7bdat": statistical.read_sas,
        "xpt": statistical.read_xpt,
    }[name]


class _Without:
    """Keeps frames of data out: Arrow would load pandas for nothing, which takes longer than reading most files."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """Refuse what is not needed; everything else is somebody else's business."""
        if name in ("pandas", "polars"):
            raise ImportError


def main() -> None:
    """Do what standard input says, once."""
    out = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)  # whatever a library prints
    os.dup2(nowhere, 2)
    asked = json.loads(sys.stdin.buffer.read())
    sys.path[:] = asked["path"]
    sys.meta_path.insert(0, _Without())
    send_file(asked, out)
    out.flush()
    os._exit(0)  # nothing is left to tidy up, and a library that a file has upset could fail at that


def send_file(asked: dict[str, Any], out: BinaryIO) -> None:
    """Read the file and send what was found, or why it could not be."""
    from tacita.core.errors import FileError, ParameterError, SchemaError

    read = _reader(asked["reader"])
    _limit(asked["memory"], asked["seconds"])
    try:
        header, table, codes = _content(read, asked)
    except SchemaError as error:
        header, table, codes = {"outcome": "schema", "problems": list(error.problems)}, None, None
    except (FileError, ParameterError) as error:
        header, table, codes = {"outcome": type(error).__name__, "message": str(error)}, None, None
    except MemoryError:
        header, table, codes = {"outcome": "memory"}, None, None
    except Exception:  # noqa: BLE001 - a damaged file makes the libraries raise almost anything
        header, table, codes = {"outcome": "damaged"}, None, None
    encoded = json.dumps(header).encode()
    out.write(len(encoded).to_bytes(8, "little") + encoded)
    for part in (table, codes):
        if part is not None:
            _send(part, out)


def _content(read: Any, asked: dict[str, Any]) -> tuple[dict[str, Any], pa.Table, pa.Table]:
    from pathlib import Path

    import pyarrow as pa

    from tacita.data.formats.base import ReadRequest

    request = ReadRequest(encoding=asked["encoding"], sheet=asked["sheet"], texts=tuple(asked["texts"]))
    found = read(Path(asked["file"]), request)
    facts = {name: dict(known) for name, known in found.facts.items() if known}
    codes = pa.table(dict(found.user_missing)) if found.user_missing else pa.table({"none": pa.nulls(0)}).select([])
    return {"outcome": "read", "facts": facts}, found.table, codes


def _send(table: pa.Table, out: BinaryIO) -> None:
    import pyarrow as pa

    with pa.ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table, max_chunksize=1 << 16)


def _limit(memory: int, seconds: float) -> None:
    """Take limits on that cannot be put off again: processor time, memory, files; and no dump of memory on disk."""
    try:
        import resource
    except ImportError:  # Windows; the parent still looks at the clock
        return
    whole = max(1, int(seconds + 0.999))
    wanted = {"RLIMIT_CORE": 0, "RLIMIT_FSIZE": 0, "RLIMIT_NOFILE": 64, "RLIMIT_CPU": whole + int(time_used())}
    in_use = _address_space()
    if in_use is not None:
        wanted["RLIMIT_AS"] = in_use + memory
    for name, value in wanted.items():
        if hasattr(resource, name):
            limit = getattr(resource, name)
            _, hard = resource.getrlimit(limit)
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)  # noqa: PLW2901
            resource.setrlimit(limit, (value, value))


def time_used() -> float:
    """Return the processor seconds that starting has taken."""
    spent = os.times()
    return spent.user + spent.system


def _address_space() -> int | None:
    """Return the bytes of address space in use, or None where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - pathlib is not loaded for one line
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return None


if __name__ == "__main__":
    main()
