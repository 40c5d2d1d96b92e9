"""``tacita describe``: what is in a file, and a draft of its schema."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacita.cli import output
from tacita.cli.files import Decimal, Encoding, SchemaFile, Separator, TableName, read_input
from tacita.data.disk.outputs import check_not_input

__all__ = ["describe"]


def describe(
    file: Annotated[Path, typer.Argument(help="The data file.", show_default=False)],
    schema: SchemaFile = None,
    table: TableName = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    draft: Annotated[
        Path | None,
        typer.Option(
            "--draft", "--draft-schema", "-o", help="Write the proposed schema to this TOML file, to be edited."
        ),
    ] = None,
    as_json: output.Json = False,
) -> None:
    """Show each column's scale, distinct values, missing values and smallest category, and propose roles."""
    from tacita.data.describe import describe as describe_data
    from tacita.data.schema_file import read_declarations

    if draft is not None:
        check_not_input(draft, [file, schema])
    with output.progress_bars(as_json):
        data = read_input(file, schema, table, separator, decimal, encoding)
        said = {} if schema is None else read_declarations(schema)
        found = describe_data(data, declared_scales=[name for name, facts in said.items() if "scale" in facts])
    if draft is not None:
        from tacita.data.atomic import atomic_file

        with atomic_file(draft) as temporary:
            temporary.write_text(found.draft_toml(), encoding="utf-8", newline="\n")
    if as_json:
        output.print_json({**found.as_plain(), "draft_schema": found.draft_toml()})
        return
    rows = [
        (
            c.name,
            c.proposed_scale,
            c.proposed_role,
            f"{c.distinct:,}",
            f"{c.missing:,}",
            "–" if c.smallest is None else f"{c.smallest:,}",
            c.why,
        )
        for c in found.columns
    ]
    heads = ("column", "scale", "proposed role", "distinct", "missing", "smallest", "why")
    title = (
        f"{file.name}: {found.records:,} records, {len(found.columns)} columns, {found.duplicates:,} duplicate records"
    )
    output.table(title, heads, rows, right=("distinct", "missing", "smallest"))
    if draft is not None:
        output.say(f"\nDraft schema written to {draft}; look it over before you use it.")
    else:
        output.say("\nProposals only. 'tacita describe FILE --draft schema.toml' writes them as a schema to edit.")
