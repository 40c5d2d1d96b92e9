"""Options that verbs share for reading data files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacita.data.microdata import Microdata

__all__ = ["Decimal", "Encoding", "SchemaFile", "Separator", "TableName", "read_input"]

SchemaFile = Annotated[
    Path | None, typer.Option("--schema", "-s", help="TOML file with roles and scales; what it leaves out is inferred.")
]
TableName = Annotated[str | None, typer.Option("--table", help="Table of a DuckDB file, or sheet of an Excel file.")]
Separator = Annotated[
    str | None, typer.Option("--separator", help="Field separator of a CSV file; detected if not given.")
]
Decimal = Annotated[str | None, typer.Option("--decimal", help="Decimal sign of a CSV file; detected if not given.")]
Encoding = Annotated[str | None, typer.Option("--encoding", help="Encoding of a CSV file; detected if not given.")]


def read_input(
    file: Path,
    schema: Path | None = None,
    table: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
) -> Microdata:
    """Read a data file with the options of the command line."""
    from tacita.data.read import read

    is_excel = file.suffix.lower() == ".xlsx"
    return read(
        file,
        schema=schema,
        table=None if is_excel else table,
        sheet=table if is_excel else None,
        separator=separator,
        decimal=decimal,
        encoding=encoding,
    )
