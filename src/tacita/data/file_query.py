"""Asking a file that is never read into memory: DuckDB looks at it on disk, and only answers come back."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from tacita.core.errors import FileError
from tacita.data.columns import infer_schema
from tacita.data.disk.plain_path import plain_file, quoted_text, scratch
from tacita.data.formats.base import damaged, memory_bytes
from tacita.data.formats.csv_form import CsvForm, find_form
from tacita.data.formats.duck import NO_EXTENSIONS, quiet
from tacita.data.microdata import Microdata

__all__ = ["SOURCE", "asking", "check_memory", "form_of", "quoted", "typed"]

SOURCE = "source"
"""The file, as a view that questions are put to."""


def check_memory(memory: str) -> None:
    """Raise an error when this is no amount of memory."""
    memory_bytes(memory)


@contextmanager
def asking(path: Path, form: CsvForm | None, memory: str, what: str, *, in_order: bool = False) -> Iterator[Any]:
    """Open DuckDB with so much memory; what does not fit lies in a private directory, which is gone afterwards.

    The file is the view :data:`SOURCE`: this one file, whatever characters its path has, with the columns that it has
    itself. A directory called ``region=north`` adds no column. Errors name the file, and ``what`` there was too much of;
    never what stands in it.

    Parameters
    ----------
    path
        The file: Parquet, or CSV with its ``form``.
    form
        How a CSV file is written, as :func:`form_of` found it.
    memory
        How much memory DuckDB may use.
    what
        What there may be too much of.
    in_order
        Whether the order of the records matters.
    """
    import duckdb

    with scratch() as folder:
        order = {} if in_order else {"preserve_insertion_order": "false"}
        settings = {"memory_limit": memory, "temp_directory": str(folder / "spill"), **order}
        connection = quiet(duckdb.connect(config={**settings, **NO_EXTENSIONS}))
        try:
            read = _reading(quoted_text(str(plain_file(path, folder))), form)
            connection.execute(f"create temp view {SOURCE} as select * from {read}")
            yield connection
        except duckdb.OutOfMemoryException:
            raise FileError(f"'{path.name}' has too many {what} for {memory}; give more 'memory'.") from None
        except duckdb.Error:  # its own words may quote what stands in the file
            raise FileError(f"'{path.name}' cannot be cut into records and fields, or is damaged.") from None
        finally:
            connection.close()


def quoted(name: str) -> str:
    """Return a name of a column as DuckDB takes it."""
    return '"' + name.replace('"', '""') + '"'


def form_of(path: Path, separator: str | None, encoding: str | None) -> tuple[tuple[str, ...], CsvForm | None]:
    """Return the names of the columns of a file, and how it is written where it is CSV."""
    if not path.is_file():
        raise FileError(f"The file '{path}' cannot be read: it is not there, or it is no file.")
    if path.suffix.lower() == ".parquet":
        import pyarrow.parquet as pq

        try:
            # Opened here: given a path, the library would look for columns in the names of directories.
            with pa.OSFile(os.fsencode(path.absolute()), "rb") as file:
                names = tuple(pq.read_schema(file).names)
        except (pa.ArrowException, OSError):
            raise damaged(path, "Parquet") from None
        return _distinct(path, names), None
    if path.suffix.lower() not in (".csv", ".tsv", ".txt"):
        raise FileError(
            f"Only .parquet, .csv, .tsv and .txt files are counted without reading them into memory, got '{path.name}'."
        )
    form = find_form(path, separator=separator, encoding=encoding)
    if form.encoding not in ("utf-8", "ascii"):
        raise FileError(
            f"'{path.name}' must be UTF-8 to be counted out of core, but it is {form.encoding}; convert it."
        )
    return _distinct(path, form.names), form


def _reading(place: str, form: CsvForm | None) -> str:
    """Return how DuckDB reads a file; ``hive_partitioning`` would make columns of directories called key=value."""
    if form is None:
        return f"read_parquet({place}, hive_partitioning=false)"
    columns = ", ".join(f"{quoted_text(name)}: 'VARCHAR'" for name in form.names)
    quote = '"' if form.has_quotes else ""
    options = (
        f"delim={quoted_text(form.separator)}, quote='{quote}', escape='{quote}', header=true, skip={form.blank_lines}"
    )
    nulls = "nullstr='', allow_quoted_nulls=false, auto_detect=false, max_line_size=10000000"
    literal = "compression='none', hive_partitioning=false"
    return f"read_csv({place}, columns={{{columns}}}, {options}, {nulls}, {literal})"


def _distinct(path: Path, names: tuple[str, ...]) -> tuple[str, ...]:
    if len({name.lower() for name in names}) < len(names):
        raise FileError(f"'{path.name}' has names that differ in upper and lower case only; rename these columns.")
    return names


def typed(table: pa.Table, declared: Mapping[str, Any], form: CsvForm | None, decimal: str | None) -> Microdata:
    """Give the combinations the types that the columns of the whole file would have."""
    from tacita.data.formats.values import find_decimal, type_table  # loads pandas where it is installed

    if form is None:
        return Microdata(table, infer_schema(table, declared))
    sign = decimal or ("." if form.separator == "," else find_decimal(table, declared))
    values, codes = type_table(table, declared, sign)
    return Microdata(values, infer_schema(values, declared), user_missing=codes)
