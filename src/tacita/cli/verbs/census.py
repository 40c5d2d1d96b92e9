"""``tacita census``: try every way to protect the tables of a census, and show them side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacita.cli import output
from tacita.cli.files import Decimal, Encoding, SchemaFile, Separator, check_there, read_input
from tacita.cli.tabular.keyed import DataVersion, KeyUses, Revision, uses_beside
from tacita.core.errors import ParameterError

__all__ = ["census"]

Tables = Annotated[
    list[str] | None,
    typer.Option("--table", "-t", help="Columns of a table that will be published, as a,b,c; may be repeated."),
]
KeyFile = Annotated[
    Path | None, typer.Option("--key", help="File with the secret key; 'tacita key new FILE' draws one.")
]
Identity = Annotated[
    str | None,
    typer.Option(help="Column that says who a record is. Default: the first identifier that is different for each."),
]
Geography = Annotated[
    str | None, typer.Option(help="Column of places, for swapping. Default: the one with the deepest hierarchy.")
]
WayNames = Annotated[list[str] | None, typer.Option("--way", help="A way by name; may be repeated. Default: all.")]
Sheet = Annotated[str | None, typer.Option("--sheet", help="Table of a DuckDB file, or sheet of an Excel file.")]


def census(
    file: Annotated[Path, typer.Argument(help="A file of records, one a person.", show_default=False)],
    table: Tables = None,
    key: KeyFile = None,
    identity: Identity = None,
    geography: Geography = None,
    way: WayNames = None,
    k: Annotated[int, typer.Option("--k", help="Smallest count but 0 that may be shown.")] = 3,
    noise: Annotated[int, typer.Option("--d", help="D: the most noise of a count by cell keys.")] = 3,
    variance: Annotated[float, typer.Option("--v", help="V: the variance of that noise.")] = 2.0,
    rate: Annotated[float, typer.Option(help="Percentage of the households of each place that are swapped.")] = 5.0,
    sweeps: Annotated[int, typer.Option(help="Work of SAFE.", min=1)] = 400,
    time_limit: Annotated[float, typer.Option(help="Seconds for suppression and for rounding.", min=0)] = 60.0,
    seed: Annotated[int | None, typer.Option(help="Makes the figures repeatable.", min=0)] = None,
    key_uses: KeyUses = None,
    data_version: DataVersion = None,
    revision: Revision = False,
    schema: SchemaFile = None,
    sheet: Sheet = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    as_json: output.Json = False,
) -> None:
    """Try every way to protect the tables of a census, and show deviation, hidden cells, sums, attacks and time.

    Nothing is written, and a key that was used with other data is refused unless --revision is said. What is shown is for the
    owner's eyes: it says how far counts are from the truth.
    """
    output.settings.as_json = as_json
    check_there(file)
    if not table:
        raise ParameterError("'--table' must name the columns of at least one table, such as --table municipality,sex.")
    if key is None:
        raise ParameterError("'--key' must be a file with the secret key; draw one with 'tacita key new FILE'.")
    named = [[name.strip() for name in text.split(",") if name.strip()] for text in table]
    with output.progress_bars(as_json):
        from tacita.compare.census.compare_census import compare_census
        from tacita.tables.perturbation.keyed_table import checked_key

        data = read_input(file, schema, sheet, separator, decimal, encoding)
        uses_beside(key, key_uses, data_version, revision).check(checked_key(key), data)
        found = compare_census(
            data,
            named,
            key=key,
            identity=identity,
            geography=geography,
            seed=seed,
            ways=way,
            k=k,
            D=noise,
            V=variance,
            rate=rate,
            sweeps=sweeps,
            time_limit=time_limit,
        )
    if as_json:
        output.print_json(found.to_plain())
        return
    for line in (found.title, *found.lines):
        typer.echo(line)
    for remark in found.remarks:
        output.say(f"- {remark}")
