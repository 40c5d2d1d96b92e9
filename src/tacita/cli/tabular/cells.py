"""Files of cells on the command line: their dimensions, and what they say of unsafe cells."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from tacita.cli import output
from tacita.cli.files import check_there
from tacita.core.errors import DataError, ParameterError
from tacita.tables.files.read_write import TableFile
from tacita.tables.model.dimension import Dimension
from tacita.tables.rules.unsafe import Unsafe

__all__ = [
    "Absent",
    "CellOptions",
    "Form",
    "NotAdditive",
    "Totals",
    "dimensions_in",
    "dimensions_of",
    "own_verdict",
    "pair",
    "read_cells",
]

_SPAN = 30.0
"""Protection level of an unsafe cell without levels in a file of cells, in percent, as in a-priori files."""


Totals = Annotated[
    list[str] | None,
    typer.Option(
        "--total",
        help="For CSV: the code of the total of a column, as name=code; name= for one without total. Repeatable.",
    ),
]
Absent = Annotated[
    str | None,
    typer.Option("--absent", help="For CSV: whether inner cells that are not listed are 'empty' or 'hidden'."),
]
NotAdditive = Annotated[
    bool,
    typer.Option(
        "--not-additive", help="For JJ: audit a file whose values break its relations; levels are not looked at then."
    ),
]


@dataclass(frozen=True)
class Form:
    """How a CSV file is written; found out where nothing is said."""

    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None


@dataclass(frozen=True)
class CellOptions:
    """How a file of cells is to be read."""

    by: list[str] | None = None
    tree: list[str] | None = None
    form: Form = Form()
    total: list[str] | None = None
    absent: str | None = None
    not_additive: bool = False


def read_cells(
    file: Path, options: CellOptions, *, response: list[str] | None = None, blank_is_hidden: bool = False
) -> TableFile:
    """Read a file of cells as the options say; a file that is not there is named before any option."""
    from tacita.tables.files.read_write import read_table

    check_there(file)
    if response and len(response) > 1:
        raise ParameterError("A file of cells takes one --response, the name of what its values are sums of.")
    if options.absent not in (None, "empty", "hidden"):
        raise ParameterError(f"--absent must be 'empty' or 'hidden', got '{options.absent}'.")
    return read_table(
        file,
        dimensions_in(file, options.by, options.tree, options.form.separator, options.form.encoding),
        separator=options.form.separator,
        decimal=options.form.decimal,
        encoding=options.form.encoding,
        response=response[0] if response else "",
        absent_is_empty=options.absent == "empty",
        absent_is_hidden=options.absent == "hidden",
        blank_is_hidden=blank_is_hidden,
        totals=dict(pair(text) for text in options.total) if options.total else None,
        additive=not options.not_additive,
    )


def own_verdict(found: TableFile, file: Path, *, is_needed: bool) -> Unsafe:
    """The unsafe and locked cells of a file of cells, with its levels."""
    lacking = int(np.isnan(found.table.values).sum())
    if lacking:
        raise DataError(
            f"{lacking} cells of '{file.name}' have no value; a table is protected with all its true values."
        )
    unsafe = found.unsafe_by(_SPAN)
    if is_needed and (unsafe is None or not unsafe.count):
        raise ParameterError(
            f"'{file.name}' has no unsafe cells of its own; name at least one rule with --rule, such as --rule unsafe_zero."
        )
    if unsafe is None:
        return Unsafe.none(len(found.table))
    if found.lacks_levels is not None and found.lacks_levels.any():
        output.say(
            f"{int(found.lacks_levels.sum())} unsafe cells have no protection level in the file; {_SPAN:.0f} % of their "
            "value is taken."
        )
    return unsafe


def dimensions_in(
    file: Path, by: list[str] | None, tree: list[str] | None, separator: str | None, encoding: str | None
) -> list[str | Dimension] | None:
    """The dimensions of a file of cells: those of --by, or all that it has, with the trees of those that have one."""
    if not by and not tree:
        return None
    if not by and file.suffix.lower() == ".csv" and file.is_file():
        from tacita.tables.files.csv_form import own_columns

        by = own_columns(file, separator=separator, encoding=encoding)
    return dimensions_of(by or [pair(text)[0] for text in tree or []], tree)


def dimensions_of(by: list[str], tree: list[str] | None) -> list[str | Dimension]:
    """The dimensions, with the hierarchy of a file where one is given."""
    from tacita.data.hierarchy import Hierarchy

    trees = dict(pair(text) for text in tree or [])
    unknown = [name for name in trees if name not in by]
    if unknown:
        raise ParameterError(f"--tree names '{unknown[0]}', which is not among the columns that classify.")
    return [Dimension.from_hierarchy(name, Hierarchy.read(trees[name])) if name in trees else name for name in by]


def pair(text: str) -> tuple[str, str]:
    """Return the two sides of name=value."""
    name, equals, value = text.partition("=")
    if not equals:
        raise ParameterError(f"Expected name=value, got '{text}'.")
    return name, value
