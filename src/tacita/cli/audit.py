"""``tacita audit``: what can be computed from a protected table, from whatever tool."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from tacita.cli import output
from tacita.cli.files import Decimal, Encoding, Separator
from tacita.core.errors import DataError

__all__ = ["audit"]


def audit(
    file: Annotated[
        Path,
        typer.Argument(
            help="The protected table: .csv (one row a cell), .json, .jj of tau-ARGUS, or a directory that was published.",
            show_default=False,
        ),
    ],
    by: Annotated[
        list[str] | None,
        typer.Option("--by", "-b", help="For CSV: a column that classifies; default: all but value, status."),
    ] = None,
    tree: Annotated[
        list[str] | None,
        typer.Option("--tree", help="Hierarchy of a dimension, as name=file (.hrc or .csv); may be repeated."),
    ] = None,
    span: Annotated[
        float,
        typer.Option("--span", help="Intervals narrower than this percent of their middle count as unsafe.", min=0),
    ] = 0.0,
    integer: Annotated[
        bool, typer.Option("--integer", help="The attacker knows that the cells are whole numbers.")
    ] = False,
    most: Annotated[int, typer.Option("--top", help="How many cells to show.", min=0)] = 20,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    as_json: output.Json = False,
) -> None:
    """Compute what an attacker learns from a protected table; exit code 1 when a cell is not safe.

    A directory that 'tacita table' wrote is audited as published, by its public/table.json. Other CSV files need the
    hierarchies of their dimensions (--tree).

    A file that has the true values and the unsafe cells with their protection levels is audited against these levels. A
    published file is audited alone: hidden cells whose value follows from the sums are found, and narrow intervals.
    """
    from tacita.cli.table import dimensions_of
    from tacita.tables.files.read_write import read_table

    with output.progress_bars(as_json):
        names = by or ([text.partition("=")[0] for text in tree] if tree else None)
        dimensions = dimensions_of(names, tree) if names else None
        file = _of_directory(file)
        found = read_table(file, dimensions, separator=separator, decimal=decimal, encoding=encoding)
        if found.hidden is None:
            raise DataError("The file does not say which cells are hidden; it needs a column 'status' or empty values.")
        known = not bool(np.isnan(found.table.values[found.hidden]).any())
        rows, plain = (_with_levels if known and found.unsafe is not None else _alone)(found, span, integer)
    is_safe = bool(plain["safe"])
    if as_json:
        output.print_json(plain)
    else:
        word = "safe" if is_safe else "NOT safe"
        output.table(f"{file.name}: {word}", ("cell", "what"), rows[:most])
        for line in plain["facts"]:
            output.say(line)
    if not is_safe:
        raise typer.Exit(1)


def _of_directory(file: Path) -> Path:
    """The public table of a directory that was published."""
    if not file.is_dir():
        return file
    return next((place for place in (file / "public" / "table.json", file / "table.json") if place.is_file()), file)


def _with_levels(found: Any, _span: float, integer: bool) -> tuple[list[tuple[str, str]], dict[str, Any]]:
    from tacita.tables.audit import audit as audit_levels
    from tacita.tables.protector import make_problem

    problem = make_problem(found.table, found.unsafe, cost="unity")
    certificate = audit_levels(problem, found.hidden | found.unsafe.cells, integer=integer)
    rows = [
        (
            found.table.title(leak.cell),
            f"{leak.side} level reached to {100 * leak.share:.0f} % "
            + ("by anybody" if leak.seat is None else "from the seat of a contributor who is alone in a cell"),
        )
        for leak in certificate.leaks
    ]
    facts = [
        f"{int(found.unsafe.cells.sum())} unsafe cells, {len(certificate.hidden)} hidden, {certificate.seats} seats."
    ]
    return rows, {**certificate.to_plain(), "facts": facts}


def _alone(found: Any, span: float, integer: bool) -> tuple[list[tuple[str, str]], dict[str, Any]]:
    from tacita.tables.audit_published import audit_published

    result = audit_published(found.table, found.hidden, span=span, integer=integer)
    rows = [
        (found.table.title(int(cell)), "follows from the sums" if exact else "lies in a narrow interval")
        for cell, exact, narrow in zip(result.hidden, result.is_disclosed, result.is_narrow, strict=True)
        if narrow
    ]
    plain = {
        "safe": result.is_safe,
        "hidden": len(result.hidden),
        "disclosed": int(result.is_disclosed.sum()),
        "narrow": int(result.is_narrow.sum()),
        "intervals": [
            {
                "cell": found.table.title(int(cell)),
                "low": float(low) if np.isfinite(low) else None,
                "high": float(high) if np.isfinite(high) else None,
            }
            for cell, low, high in zip(result.hidden, result.low, result.high, strict=True)
        ],
        "facts": [
            f"{len(result.hidden)} hidden cells: {int(result.is_disclosed.sum())} follow exactly from the sums, "
            f"{int((result.is_narrow & ~result.is_disclosed).sum())} more lie in a narrow interval."
        ],
    }
    return rows, plain
