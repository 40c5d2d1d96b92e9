"""Options that verbs share for reading data files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from tacita.core.arrays import IntArray
from tacita.core.errors import FileError, MeasureError
from tacita.data.microdata import Microdata

__all__ = [
    "Decimal",
    "Encoding",
    "SchemaFile",
    "Separator",
    "TableName",
    "check_there",
    "make_parents",
    "read_input",
    "read_masked",
    "release_files",
]

SchemaFile = Annotated[
    Path | None, typer.Option("--schema", "-s", help="TOML file with roles and scales; what it leaves out is inferred.")
]
TableName = Annotated[str | None, typer.Option("--table", help="Table of a DuckDB file, or sheet of an Excel file.")]
Separator = Annotated[
    str | None, typer.Option("--separator", help="Field separator of a CSV file; detected if not given.")
]
Decimal = Annotated[str | None, typer.Option("--decimal", help="Decimal sign of a CSV file; detected if not given.")]
Encoding = Annotated[str | None, typer.Option("--encoding", help="Encoding of a CSV file; detected if not given.")]


def check_there(file: Path) -> None:
    """Raise when a file is not there; said first, because every other complaint would send the user astray."""
    if not file.exists():
        raise FileError(f"The file '{file}' is not there.")


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


def read_masked(
    path: Path, before: Microdata, internal: Path | None, recipe: Path | None = None
) -> tuple[Microdata, IntArray | None]:
    """Read the masked file, with the link of its release where there is one.

    The recipe that made it, given or kept inside with the release, tells the evaluation what an intruder may know. A file that
    calls itself synthetic has records that come from nobody.
    """
    from tacita.release.recipe import Recipe
    from tacita.release.release import Release

    if path.is_dir():
        found = sorted((path / "public").glob("data.*"))
        if not found:
            raise FileError(f"'{path.name}' is a directory, but not a release: it has no public/data file.")
        internal = internal or ((path / "internal") if (path / "internal").is_dir() else None)
        path = found[0]
    beside = path.parent / "schema.toml"
    after = read_input(path, beside if beside.exists() else None)
    if not beside.exists():
        shared = {name: {"scale": before.schema[name].scale} for name in after.names if name in before.schema}
        after = after.with_schema(before.schema.select(after.names)) if len(shared) == len(after.names) else after
    kept = None if internal is None else internal / "recipe.toml"
    known = recipe or (kept if kept is not None and kept.exists() else None)
    if known is not None:
        after = after.with_history(Recipe.read(known))
    if internal is None:
        return after, np.full(len(after), -1, np.int64) if ".synthetic" in path.stem else None
    link = Release.read_link(internal)
    if len(link) != len(after):
        raise MeasureError(f"The link speaks of {len(link)} released records, but the masked file has {len(after)}.")
    return Release.read_renumbering(internal).undo(after, before), link


def release_files(path: Path) -> list[Path]:
    """Return what :func:`read_masked` reads: the masked file with its schema, or those of a release with its link."""
    if not path.is_dir():
        return [path, path.parent / "schema.toml"]
    return [*sorted((path / "public").glob("*")), *sorted((path / "internal").glob("*.parquet"))]


def make_parents(directory: Path) -> None:
    """Make the directories above an output where they are not there."""
    try:
        directory.absolute().parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"The directory above '{directory}' cannot be made: {error.strerror}.") from error
