"""Asking a file that is never read into memory: DuckDB looks at it on disk, and only answers come back."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from tacita.core.errors import FileError
from tacita.data.columns import infer_schema
from tacita.data.formats.base import damaged, memory_bytes
from tacita.data.formats.csv_form import CsvForm, find_form
from tacita.data.formats.duck import quiet
from tacita.data.microdata import Microdata

__all__ = ["asking", "check_memory", "quoted", "source_of", "typed"]


def check_memory(memory: str) -> None:
    """Raise an error when this is no amount of memory."""
    memory_bytes(memory)


@contextmanager
def asking(path: Path, memory: str, what: str, *, in_order: bool = False) -> Iterator[Any]:
    """Open DuckDB with so much memory; what does not fit lies in a temporary directory, which is gone afterwards.

    Errors name the file, and ``what`` there was too much of; never what stands in it.
    """
    import duckdb

    with tempfile.TemporaryDirectory(prefix="tacita-") as folder:
        order = {} if in_order else {"preserve_insertion_order": "false"}
        connection = quiet(duckdb.connect(config={"memory_limit": memory, "temp_directory": folder, **order}))
        try:
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


def source_of(path: Path, separator: str | None, encoding: str | None) -> tuple[str, tuple[str, ...], CsvForm | None]:
    """Return the file as DuckDB reads it, the names of its columns, and the form of a CSV file."""
    if not path.is_file():
        raise FileError(f"The file '{path}' cannot be read: it is not there, or it is no file.")
    place = "'" + str(path).replace("'", "''") + "'"
    if path.suffix.lower() == ".parquet":
        import pyarrow.parquet as pq

        try:
            names = tuple(pq.read_schema(path).names)
        except (pa.ArrowException, OSError):
            raise damaged(path, "Parquet") from None
        return f"read_parquet({place})", _distinct(path, names), None
    if path.suffix.lower() not in (".csv", ".tsv", ".txt"):
        raise FileError(
            f"Only .parquet, .csv, .tsv and .txt files are counted without reading them into memory, got '{path.name}'."
        )
    form = find_form(path, separator=separator, encoding=encoding)
    if form.encoding not in ("utf-8", "ascii"):
        raise FileError(
            f"'{path.name}' must be UTF-8 to be counted out of core, but it is {form.encoding}; convert it."
        )
    columns = ", ".join(f"'{name.replace(chr(39), chr(39) * 2)}': 'VARCHAR'" for name in form.names)
    delimiter = form.separator.replace("'", "''")
    quote = '"' if form.has_quotes else ""
    options = f"delim='{delimiter}', quote='{quote}', escape='{quote}', header=true, skip={form.blank_lines}"
    nulls = "nullstr='', allow_quoted_nulls=false, auto_detect=false, max_line_size=10000000"
    return f"read_csv({place}, columns={{{columns}}}, {options}, {nulls})", _distinct(path, form.names), form


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
