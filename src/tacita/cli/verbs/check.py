"""``tacita check``: whether a researcher's results may leave."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacita.cli import output
from tacita.cli.files import Decimal, Encoding, SchemaFile, Separator, TableName, check_there, read_input
from tacita.core.errors import ParameterError

if TYPE_CHECKING:
    from tacita.compare.output_check.output import Output
    from tacita.compare.output_check.output_verdict import OutputCheck

__all__ = ["check"]

EXIT = {"pass": 0, "fail": 3, "review": 4}
"""Exit status, as of every verb that judges; 1 and 2 are errors."""


def check(
    outputs: Annotated[
        list[Path],
        typer.Argument(
            help="Descriptions of outputs (.toml, .json) with their figures (.csv) beside them, or directories of them.",
            show_default=False,
        ),
    ],
    data: Annotated[Path, typer.Option("--data", "-d", help="The data that they were made of.", show_default=False)],
    schema: SchemaFile = None,
    limits: Annotated[
        Path | None,
        typer.Option("--limits", help="TOML file with [output_limits] and the steward's [[exception]] tables."),
    ] = None,
    ledger: Annotated[
        Path | None,
        typer.Option(
            "--ledger", help="Directory of the outputs that left earlier; the new ones are compared with them."
        ),
    ] = None,
    enter: Annotated[
        bool, typer.Option("--enter", help="Enter the outputs that pass into the ledger, because they leave now.")
    ] = False,
    contributor: Annotated[
        str | None,
        typer.Option("--contributor", help="The column that says whose record it is. Default: each its own."),
    ] = None,
    holding: Annotated[
        str | None, typer.Option("--holding", help="The column of groups of contributors. Default: that of the schema.")
    ] = None,
    table: TableName = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    as_json: output.Json = False,
) -> None:
    """Check results of research before they leave: pass, review or fail, with reasons.

    What each output is based on is computed from the data: too few contributors, dominance, empty and full lines, extremes,
    degrees of freedom, and whether the figures are those of the data. Outputs are also compared with each other and with the
    ledger: two that differ by few records fail. The exit status is 0 when all pass, 3 when one fails, and 4 when one needs a
    person's eyes.
    """
    from tacita.compare.output_check.check_output import check_output
    from tacita.compare.output_check.ledger import Ledger

    with output.progress_bars(as_json):
        if enter and ledger is None:
            raise ParameterError("--enter needs --ledger, the directory to enter the outputs into.")
        check_there(data)
        described, undescribed = _read(outputs)
        records = read_input(data, schema, table, separator, decimal, encoding)
        kept = None if ledger is None else Ledger(ledger)
        found = check_output(described, records, limits=limits, ledger=kept, contributor=contributor, holding=holding)
        if enter and kept is not None:
            kept.enter(found)
        found = found.with_undescribed(undescribed)
    if as_json:
        output.print_json(found.to_plain())
    else:
        _tell(found)
    if EXIT[found.state]:
        raise typer.Exit(EXIT[found.state])


def _read(places: list[Path]) -> tuple[list[Output], list[str]]:
    """Read the descriptions; at least one is needed."""
    from tacita.compare.output_check.output_files import read_outputs

    described, undescribed = read_outputs(places)
    if not described and undescribed:
        raise ParameterError(
            f"None of {len(undescribed)} file(s) has a description; write a TOML file with the name of each, such as "
            "kind = 'crosstab' and rows = [...]."
        )
    if not described:
        raise ParameterError("There is no output to check: the directory is empty.")
    return described, undescribed


def _tell(found: OutputCheck) -> None:
    """Print the verdicts, the reasons and the notes."""
    rows = [(one.name, one.title, str(one.figures), one.state) for one in found.verdicts]
    output.table(
        f"{found.state.upper()}: {found.summary}", ("output", "what", "figures", "verdict"), rows, right=("figures",)
    )
    for one in found.verdicts:
        for reason in one.reasons:
            output.say(f"{one.name}, {reason.state}: {reason}")
        if one.note:
            output.say(f"{one.name}, the researcher says: {one.note}")
    if found.earlier:
        output.say(f"Compared with {found.earlier} output(s) that left earlier.")
    for note in found.notes:
        output.say(note)
