"""``tacita assess``: the risk report of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tacita.cli import output
from tacita.cli.files import Decimal, Encoding, SchemaFile, Separator, TableName, read_input
from tacita.cli.scenarios import KnowsSample
from tacita.compare.assessment import Assessment
from tacita.core.errors import ColumnError, ParameterError
from tacita.core.vocabulary import MissingKeys
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema

__all__ = ["assess"]

Keys = Annotated[
    list[str] | None,
    typer.Option("--key", "-k", help="A column that an intruder may know; may be repeated. Default: all keys."),
]
RecordsFile = Annotated[
    Path | None,
    typer.Option(
        "--records", help="Write fk, Fk, rk, household risk and SUDA scores of each record to this Parquet file."
    ),
]
OutOfCore = Annotated[
    bool, typer.Option("--out-of-core", help="Count a large Parquet or CSV file without reading it into memory.")
]


def assess(
    file: Annotated[Path, typer.Argument(help="The data file.", show_default=False)],
    schema: SchemaFile = None,
    key: Keys = None,
    weight: Annotated[str | None, typer.Option("--weight", help="The column of sampling weights.")] = None,
    household: Annotated[str | None, typer.Option("--household", help="The column of household numbers.")] = None,
    missing: Annotated[MissingKeys, typer.Option("--missing", help="What a missing key matches.")] = "wildcard",
    top: Annotated[int, typer.Option("--top", help="How many of the riskiest combinations to show.")] = 10,
    records: RecordsFile = None,
    knows_sample: KnowsSample = False,
    out_of_core: OutOfCore = False,
    memory: Annotated[str, typer.Option("--memory", help="Memory that --out-of-core may use.")] = "4GB",
    table: TableName = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    as_json: output.Json = False,
) -> None:
    """Report the risk of a file: rare combinations of keys, expected re-identifications, what makes records unique.

    The riskiest combinations are shown with their values: keep the output inside.
    """
    from tacita.compare.assess import assess as assess_data
    from tacita.compare.assess import assess_counts

    with output.progress_bars(as_json):
        if out_of_core:
            from tacita.data.keys.key_counts import count_keys_of_file

            if household is not None or table is not None or records is not None:
                raise ParameterError(
                    "--out-of-core takes neither --household nor --table or --records: leave them out."
                )
            form = {"separator": separator, "decimal": decimal, "encoding": encoding}
            counts = count_keys_of_file(file, key, schema=schema, weight=weight, memory=memory, **form)
            found = assess_counts(counts, missing=missing, knows_sample=knows_sample, top=top)
        else:
            data = read_input(file, schema, table, separator, decimal, encoding)
            _check_keys(data, key)
            found = assess_data(
                data,
                tuple(key) if key else None,
                weight=weight,
                household=household,
                missing=missing,
                knows_sample=knows_sample,
                top=top,
            )
            if records is not None:
                _write_records(data, found, records, weight, household, [file, schema], knows_sample=knows_sample)
    if as_json:
        output.print_json(found.as_plain())
        return
    if records is not None:
        output.say(f"The risk of each record is in '{records}': keep it inside.")
    known = _declared_columns(schema) if out_of_core else data.schema
    show_assessment(found, file.name, known)


def _write_records(
    data: Microdata,
    found: Assessment,
    path: Path,
    weight: str | None,
    household: str | None,
    inputs: list[Path | None],
    *,
    knows_sample: bool,
) -> None:
    from tacita.compare.assess import with_roles
    from tacita.compare.record_risks import frequencies
    from tacita.data.disk.outputs import check_not_input

    check_not_input(path, inputs)
    seen = with_roles(data, weight=weight, household=household)
    frequencies(seen, found.keys, missing=found.missing, knows_sample=knows_sample).write(path)


def _declared_columns(schema: Path | None) -> Schema:
    """Return the value labels that a schema file declares, for a file that is not read."""
    from tacita.data.schema_file import read_declarations

    said = {} if schema is None else read_declarations(schema)
    labels = {name: facts["labels"] for name, facts in said.items() if "labels" in facts}
    return Schema(tuple(Column(name=name, scale="nominal", labels=pairs) for name, pairs in labels.items()))


def show_assessment(found: Assessment, title: str, schema: Schema | None = None) -> None:
    """Print an assessment: facts, riskiest combinations with the value labels of a schema, contributions of the keys."""
    facts = [(row["what"], _shown(row["value"]), row["unit"], _percent(row["percent"])) for row in found.facts()]
    output.table(
        f"{title}, keys: {', '.join(found.keys)}", ("what", "value", "unit", "share"), facts, right=("value", "share")
    )
    if found.riskiest:
        rows = [
            (
                output.number(one.risk),
                f"{one.frequency:,.0f}",
                output.number(one.population),
                *(_named(schema, name, value) for name, value in zip(found.keys, one.values, strict=True)),
            )
            for one in found.riskiest
        ]
        heads = ("risk %", "records", "population", *found.keys)
        typer.echo()
        output.table("Riskiest combinations", heads, rows, right=heads[:3])
    typer.echo()
    shares = sorted(found.contributions.items(), key=lambda item: -item[1])
    output.table(
        "SUDA contributions",
        ("key", "percent of the SUDA score"),
        [(name, output.number(share)) for name, share in shares],
        right=("percent of the SUDA score",),
    )
    for note in found.notes:
        output.say(note)
    output.say("This report shows values of rare records: keep it inside.")


def _named(schema: Schema | None, name: str, value: Any) -> str:
    """Show a value of a key by its label where it has one."""
    if value is None:
        return "–"
    column = schema[name] if schema is not None and name in schema else Column(name=name, scale="nominal")
    return column.shown(value)


def _shown(value: float) -> str:
    """Show a count with all its digits, any other number with a few."""
    return f"{value:,.0f}" if value == round(value) else output.number(value)


def _percent(value: float | None) -> str:
    return "" if value is None else f"{output.number(value, 3)} %"


def _check_keys(data: Microdata, key: list[str] | None) -> None:
    if not key and not data.schema.keys:
        raise ColumnError(
            "No column has the role 'key'. Name the keys with --key, or give a schema with --schema; "
            "'tacita describe FILE --draft schema.toml' drafts one."
        )
