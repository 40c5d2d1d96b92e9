"""``tacita trace``: whose fingerprinted copy a leaked file was made from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacita.cli import output
from tacita.cli.files import Decimal, Encoding, Separator, TableName, check_there, read_input
from tacita.core.errors import ParameterError

if TYPE_CHECKING:
    from tacita.release.recipients.tracing import LeakTrace

__all__ = ["NOBODY", "trace"]

NOBODY = 3
"""Exit status where nobody can be named."""
_SHOWN = 10


def trace(
    leaked: Annotated[Path, typer.Argument(help="The leaked file.", show_default=False)],
    copies: Annotated[
        Path, typer.Option("--release", "-r", help="Directory that 'tacita fingerprint' made.", show_default=False)
    ],
    key: Annotated[Path | None, typer.Option("--key", help="File with the key, where it is not in internal/.")] = None,
    rename: Annotated[
        list[str] | None,
        typer.Option("--rename", help="A column that has another name there: leaked=released; may be repeated."),
    ] = None,
    false_accusation: Annotated[
        float, typer.Option("--false-accusation", help="Greatest chance that anybody innocent is named.")
    ] = 1e-4,
    report: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write a page about it to this file (HTML).")
    ] = None,
    table: TableName = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    as_json: output.Json = False,
) -> None:
    """Name the recipients whose copies a leaked file was made from, with the chance of an error.

    The file may have lost rows and columns, be sorted anew, rounded, or mixed from several copies.
    Exit status: 0 somebody is named, 3 nobody can be.
    """
    from tacita.core.keyed import Key
    from tacita.data.disk.outputs import check_not_input
    from tacita.release.recipients.stored import read_copies
    from tacita.release.recipients.tracing import trace_leak

    output.settings.as_json = as_json
    check_there(leaked)
    if report is not None:
        check_not_input(report, [leaked, key])
    with output.progress_bars(as_json):
        known = read_copies(copies, None if key is None else Key.read(key))
        file = read_input(leaked, None, table, separator, decimal, encoding)
        found = trace_leak(known, file, false_accusation=false_accusation, renamed=_renamed(rename or []))
    if report is not None:
        _write_page(report, found)
    _tell(found, report)
    raise typer.Exit(0 if found.named else NOBODY)


def _renamed(given: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in given:
        theirs, sign, ours = entry.partition("=")
        if not (sign and theirs and ours) or ours in found.values():
            raise ParameterError(f"'--rename' must be leaked=released, each column once, got '{entry}'.")
        found[theirs] = ours
    return found


def _write_page(path: Path, found: LeakTrace) -> None:
    from tacita.data.atomic import atomic_file
    from tacita.report.recipients.trace_page import trace_page

    with atomic_file(path, private=True) as temporary:
        temporary.write_text(trace_page(found), encoding="utf-8")


def _tell(found: LeakTrace, report: Path | None) -> None:
    from tacita.release.recipients.tracing import chance_in_words

    if output.settings.as_json:
        output.print_json(found.to_plain())
        return
    rows = [
        [s.name, f"{s.score:.1f}", chance_in_words(s.chance), "named" if s.name in found.named else ""]
        for s in found.suspects[:_SHOWN]
    ]
    heads = ["recipient", "score", "chance if all are innocent", ""]
    output.table("Recipients with the highest scores", heads, rows, right=heads[1:3])
    output.say(
        f"\n{found.found} of {found.records} records were found in the release ({_BY[found.by]}); "
        f"{len(found.columns)} marked columns, {found.symbols} symbols. Named from a score of {found.threshold:.1f}."
    )
    output.say(found.words())
    if report is not None:
        output.say(f"Page written to {report}; it is internal.")


_BY = {"order": "in their order", "nearest": "by their nearest record"}
