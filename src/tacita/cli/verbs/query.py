"""``tacita query``: put a statistical question to a database, under a policy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacita.cli import output
from tacita.cli.files import Decimal, SchemaFile, TableName, read_input
from tacita.core.errors import ParameterError
from tacita.core.metadata import read_text

if TYPE_CHECKING:
    from tacita.query.answer import Answer
    from tacita.query.database import Explanation

__all__ = ["EXIT", "query"]

EXIT = {"answered": 0, "refused": 3, "review": 4}
"""Exit status by what became of the question."""


Policy = Annotated[
    str,
    typer.Option("--policy", "-p", help="A preset (mas, tables, audited, camouflage, dp, internal) or a policy file."),
]
KeyFile = Annotated[
    Path | None, typer.Option("--key", help="The file with the secret key; without it every run draws other noise.")
]
JournalFile = Annotated[
    Path | None, typer.Option("--journal", help="The journal that the question is entered into; needs --key.")
]
CatalogueFile = Annotated[
    Path | None, typer.Option("--catalogue", help="A catalogue file; by default one is drafted from the data.")
]
By = Annotated[list[str] | None, typer.Option("--by", help="A variable of a table; may be repeated.")]
Where = Annotated[
    list[str] | None,
    typer.Option("--where", help="A condition such as sex=f or region=north,south; may be repeated, all must hold."),
]
TableOf = Annotated[str, typer.Option("--statistic", help="count, weighted_count, percent, mean or total.")]
RecordId = Annotated[str | None, typer.Option("--record-id", help="The column that identifies each record.")]


def query(
    source: Annotated[
        str, typer.Argument(help="A data file, a DuckDB file or postgresql://user@host/database.", show_default=False)
    ],
    request: Annotated[
        Path | None, typer.Argument(help="A JSON file with the request; or use --by and --where.", show_default=False)
    ] = None,
    policy: Policy = "mas",
    key: KeyFile = None,
    journal: JournalFile = None,
    catalogue: CatalogueFile = None,
    by: By = None,
    where: Where = None,
    response: Annotated[str | None, typer.Option("--response", help="The variable of means and totals.")] = None,
    statistic: TableOf = "count",
    user: Annotated[str, typer.Option("--user", help="Who asks; the journal keeps a pseudonym.")] = "",
    record_id: RecordId = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="For the steward: what every rule would say; nothing is answered.")
    ] = False,
    show_catalogue: Annotated[
        bool, typer.Option("--show-catalogue", help="Print what may be asked for, as a catalogue file, and stop.")
    ] = False,
    schema: SchemaFile = None,
    table: TableName = None,
    decimal: Decimal = None,
    as_json: output.Json = False,
) -> None:
    """Ask a database a statistical question: a table, a regression, correlations, quantiles, one number.

    The question is judged by the policy, computed, protected, entered into the journal, and then answered. Exit
    status 0: answered; 3: refused, with the name of the rule; 4: a person has to look at it.
    """
    from tacita.query.opening import open_database

    asked = None if show_catalogue else _request(request, by, where, response, statistic)
    with output.progress_bars(as_json):
        data = source if decimal is None else read_input(Path(source), schema, table, None, decimal, None)
        form = {"schema": schema, "table": table} if decimal is None else {}
        more = {"catalogue": catalogue, "record_id": record_id, **form}
        db = open_database(data, policy=policy, key=key, journal=journal, **more)  # type: ignore[arg-type]
        if asked is None:
            typer.echo(db.catalogue.to_toml(), nl=False)
            return
        found = db.explain(asked, user=user) if explain else db.ask(asked, user=user)
    if as_json:
        output.print_json(found.to_plain())
    elif explain:
        _show_explanation(found)  # type: ignore[arg-type]
    else:
        _show_answer(found)  # type: ignore[arg-type]
    if EXIT[found.status]:
        raise typer.Exit(EXIT[found.status])


def _request(
    file: Path | None, by: list[str] | None, where: list[str] | None, response: str | None, statistic: str
) -> str | dict[str, Any]:
    if file is not None:
        if by or where or response:
            raise ParameterError("Give either a request file or --by, --where and --response, not both.")
        return read_text(file, "The request")
    if not by:
        raise ParameterError(
            "Give a request file, or at least one --by; 'tacita query SOURCE --show-catalogue' lists the variables."
        )
    asked: dict[str, Any] = {"kind": "tabulate", "by": by, "statistic": statistic}
    if response is not None:
        asked["response"] = response
    if where:
        asked["where"] = dict(map(_condition, where))
        if len(asked["where"]) < len(where):
            raise ParameterError(
                "--where names a variable twice; put its classes into one condition, as region=north,south."
            )
    return asked


def _condition(text: str) -> tuple[str, list[str]]:
    name, sign, classes = text.partition("=")
    if not sign or not name or not classes:
        raise ParameterError(f"--where must look like sex=f or region=north,south, got {text[:60]!r}.")
    return name, classes.split(",")


def _show_answer(answer: Answer) -> None:
    if answer.status != "answered":
        word = "Refused" if answer.status == "refused" else "Left to a person"
        output.say(f"{word}: {', '.join(answer.reasons)}.")
        if answer.hint:
            output.say(answer.hint)
        return
    if answer.table is not None:
        rows = answer.table.to_rows()
        numbers = [name for name in rows if name not in answer.table.by]
        listed = [[_shown(value) for value in row] for row in zip(*rows.values(), strict=True)]
        output.table(answer.table.statistic, tuple(rows), listed, right=numbers)
    else:
        output.print_json({k: v for k, v in answer.to_plain().items() if k not in ("request", "id", "status", "notes")})
    for note in answer.notes:
        output.say(note)


def _shown(value: Any) -> str:
    if value is None:
        return "–"
    return output.number(value) if isinstance(value, float) else str(value)


def _show_explanation(found: Explanation) -> None:
    rows = [(o.rule, o.ruling.decision, o.ruling.detail) for o in found.outcomes]
    count = "" if found.records is None else f", {found.records:,} records"
    output.table(f"Would be {found.status}{count}", ("rule", "decision", "why"), rows)
    output.say("Keep this inside: reasons tell the thresholds of the policy.")
