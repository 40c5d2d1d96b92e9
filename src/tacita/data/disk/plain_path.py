"""Paths as DuckDB takes them: it reads some characters as patterns, addresses or options, so it gets a plain name instead.

``*``, ``?`` and ``[`` are patterns in a file to be read; ``?`` begins options in the name of a database and a backslash is a
slash; ``~``, ``s3://`` and ``:memory:`` mean something else; ``key=value`` is a column. A symbolic link with a plain name in a
private directory has none of that, whatever the true name is.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tacita.core.errors import FileError
from tacita.data.disk.leftovers import remove_leftovers
from tacita.data.disk.workplace import workplace

__all__ = ["is_plain", "plain_database", "plain_file", "quoted_text", "scratch"]

_PLAIN = re.compile(r"[\w/.,:;=@+~ -]*" if os.sep == "/" else r"[\w/\\.,:;=@+~ -]*")


@contextmanager
def scratch() -> Iterator[Path]:
    """Give a private directory in the system's temporary directory; it is gone afterwards.

    What a killed process left there is removed by the next one.
    """
    parent = Path(tempfile.gettempdir()).absolute()
    if not is_plain(parent):
        raise FileError(
            "The temporary directory of this system has a name with special characters, which DuckDB would misread; set "
            "TMPDIR to another one."
        )
    remove_leftovers(parent)
    with ExitStack() as stack:
        try:
            place = stack.enter_context(workplace(parent))
        except OSError as error:
            raise FileError(
                f"The temporary directory cannot be used: {error.strerror or 'unknown reason'}; set TMPDIR to another one."
            ) from error
        yield place


def plain_file(path: Path, folder: Path) -> Path:
    """Return a name in ``folder`` that leads to the file."""
    made = folder / f"file{path.suffix.lower()}"
    try:
        made.symlink_to(path.absolute())
    except (OSError, NotImplementedError) as error:  # a system on which not everybody may make links
        whole = path.absolute()
        if not is_plain(whole):
            raise FileError(
                f"'{path.name}': DuckDB would misread the special characters in this path; rename or copy the file."
            ) from error
        return whole
    return made


def plain_database(path: Path, folder: Path) -> Path:
    """Return a plain name of a database: its own, or else another one for the same file, or a copy of it.

    DuckDB follows symbolic links before it looks at the name. The log that lies beside a database belongs to it.
    """
    whole = Path(os.path.realpath(path))
    if is_plain(whole):
        return whole
    made = folder / "file.duckdb"
    for end in ("", ".wal"):
        source = whole.with_name(whole.name + end)
        if source.exists():
            try:
                os.link(source, f"{made}{end}")
            except (OSError, NotImplementedError):  # on another disk, or not allowed
                shutil.copyfile(source, f"{made}{end}")
    return made


def quoted_text(text: str) -> str:
    """Return a text as SQL takes it."""
    return "'" + text.replace("'", "''") + "'"


def is_plain(path: Path) -> bool:
    """Whether DuckDB takes every character of a path for itself."""
    return _PLAIN.fullmatch(str(path)) is not None
