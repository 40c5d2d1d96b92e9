"""What all file formats share: what a reader is asked and gives, and the sentences of their errors."""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa

from tacita.core.arrays import IntArray
from tacita.core.errors import FileError, ParameterError, SchemaError, did_you_mean

__all__ = [
    "FileContent",
    "ReadRequest",
    "WriteRequest",
    "check_column_names",
    "check_package",
    "choose_table",
    "damaged",
    "memory_bytes",
    "optional_package",
    "plain_types",
]

Facts = Mapping[str, Mapping[str, Any]]
"""For some columns what is known of them, in the words of :class:`tacita.data.schema.Column`'s fields."""


@dataclass(frozen=True, kw_only=True)
class ReadRequest:
    """What the caller of :func:`tacita.data.read.read` said beyond the path; ``None`` means: find out."""

    declared: Facts = field(default_factory=dict)
    table: str | None = None
    sheet: str | None = None
    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    memory: str | None = None
    seconds: float | None = None
    texts: tuple[str, ...] = ()
    """Columns that are declared to be text, for readers that see nothing else of a schema."""


@dataclass(frozen=True, kw_only=True)
class WriteRequest:
    """What the caller of :func:`tacita.data.write.write` said beyond the data and the path."""

    separator: str = ","
    decimal: str = "."
    table: str | None = None
    formulas: Literal["keep", "warn", "neutralise"] = "keep"
    rows: IntArray | None = None


@dataclass(frozen=True, kw_only=True)
class FileContent:
    """What a reader found.

    Parameters
    ----------
    table
        The values, missing codes of numeric kind still among them.
    facts
        What the file itself says of its columns (labels, missing codes, measure).
    user_missing
        Missing codes that the type of their column cannot hold, such as ``"refused"`` in a column of numbers.
    """

    table: pa.Table
    facts: Facts = field(default_factory=dict)
    user_missing: Mapping[str, pa.Array] = field(default_factory=dict)


# --- checks and errors --------------------------------------------------------------------------------------------------


def damaged(path: Path, kind: str) -> FileError:
    """Return the error for a file that the library of its format gives up on.

    The library's own words are left out: they speak of its internals and may quote what stands in the file.
    """
    return FileError(
        f"'{path.name}' must be a whole {kind} file, but it is truncated, damaged or of another format. "
        "Fetch or export it again, or correct the ending of its name."
    )


def check_column_names(names: list[str]) -> None:
    """Raise when a column has no name or shares it with another; all problems are listed at once.

    Columns are told by their places: in a file without a header line the names are data.
    """
    problems = [
        f"Column {place} has no name in the header; give every column a name."
        for place, name in enumerate(names, 1)
        if not name
    ]
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names, 1):
        places.setdefault(name, []).append(place)
    problems += [
        f"Columns {', '.join(map(str, alike[:-1][:9]))} and {alike[-1]} have the same name in the header; every column needs "
        "its own. If the first line is a record, put a line with names before it."
        for name, alike in places.items()
        if name and len(alike) > 1
    ]
    if problems:
        raise SchemaError(problems, details={"names": [name for name, alike in places.items() if len(alike) > 1]})


def choose_table(path: Path, what: str, wanted: str | None, found: list[str], option: str) -> str:
    """Return which table or sheet is meant; with several to choose from, one must be named."""
    if wanted is not None:
        if wanted in found:
            return wanted
        raise FileError(
            f"'{path.name}' has no {what} '{wanted}'; it has {', '.join(found) or 'none'}.{did_you_mean(wanted, found)}"
        )
    if len(found) == 1:
        return found[0]
    if not found:
        raise FileError(f"'{path.name}' has no {what}; there is nothing to read.")
    raise FileError(f"'{path.name}' has {len(found)} {what}s; name one of them with {option}=: {', '.join(found)}.")


def optional_package(module: str, kind: str) -> Any:
    """Import a package of the extra ``formats``, or say how to get it."""
    check_package(module, kind)
    return importlib.import_module(module)


def check_package(module: str, kind: str) -> None:
    """Say how to get a package of the extra ``formats`` when it is not there."""
    if importlib.util.find_spec(module) is None:
        raise FileError(
            f"{kind} files need the package '{module}', which is not installed; run: pip install tacita[formats]"
        )


def memory_bytes(memory: str) -> int:
    """Return an amount of memory such as ``"4GB"`` or ``"512MiB"`` in bytes.

    Examples
    --------
    >>> memory_bytes("1.5GB"), memory_bytes("1 KiB")
    (1500000000, 1024)
    """
    found = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?) ?([KMGT])(i?)B", str(memory))
    if found is None:
        raise ParameterError(f"'memory' must be a number with KB, MB, GB or TB, got '{memory}'.")
    step = 1024 if found[3] else 1000
    return int(float(found[1]) * step ** ("KMGT".index(found[2]) + 1))


# --- types ----------------------------------------------------------------------------------------------------------------


def plain_types(table: pa.Table) -> pa.Table:
    """Return the table with view and extension types as ordinary ones and without metadata of other libraries."""
    table = table.replace_schema_metadata(None)
    for position, column in enumerate(table.schema):
        plain = column.type
        if isinstance(plain, pa.BaseExtensionType):
            plain = plain.storage_type
        elif pa.types.is_string_view(plain):
            plain = pa.large_string()
        elif pa.types.is_binary_view(plain):
            plain = pa.large_binary()
        values = table.column(position)
        changed = pa.field(column.name, plain)
        if plain != column.type or column.metadata or not column.nullable:
            table = table.set_column(position, changed, values.cast(plain) if plain != column.type else values)
    return table
