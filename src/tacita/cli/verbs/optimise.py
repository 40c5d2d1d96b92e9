"""``tacita optimise``: improve a masked file after masking, and show loss and risk before and after."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacita.cli import output
from tacita.cli.files import SchemaFile, TableName, read_input, read_masked, release_files
from tacita.core.errors import MeasureError, ParameterError
from tacita.data.disk.outputs import check_not_input

if TYPE_CHECKING:
    from tacita.compare.optimise.optimised import Optimised
    from tacita.data.microdata import Microdata

__all__ = ["optimise"]

ColumnList = Annotated[
    list[str] | None,
    typer.Option("--column", "-c", help="A column to work on; may be repeated. Default: all numeric ones."),
]
KnownList = Annotated[
    list[str] | None, typer.Option("--known", help="A column that an intruder knows; may be repeated.")
]
Identities = Annotated[list[str] | None, typer.Option("--identity", help='"total = part + part"; may be repeated.')]
Chains = Annotated[list[str] | None, typer.Option("--chain", help='"income >= tax"; may be repeated.')]
BoundTexts = Annotated[
    list[str] | None, typer.Option("--bounds", help='"age=0:120", either end may be empty; may be repeated.')
]
Internal = Annotated[
    Path | None, typer.Option(help="internal/ directory of the release, to measure the risk of true pairs.")
]
RowOrder = Annotated[bool, typer.Option("--row-order", help="Records of both files are in the same order.")]


def optimise(
    original: Annotated[Path, typer.Argument(help="The original file.", show_default=False)],
    masked: Annotated[Path, typer.Argument(help="The masked file, or the directory of a release.", show_default=False)],
    output_file: Annotated[
        Path, typer.Option("--output", "-o", help="File for the optimised data.", show_default=False)
    ],
    method: Annotated[
        str, typer.Option("--method", "-m", help="gradient, hill_climbing, or score (risk included).")
    ] = "gradient",
    columns: ColumnList = None,
    known: KnownList = None,
    target_ratio: Annotated[float, typer.Option(help="IL1' afterwards relative to before.")] = 0.5,
    share: Annotated[
        float | None, typer.Option(help="Share of records that may change.  [default: 0.1, for score 1]")
    ] = None,
    of: Annotated[str, typer.Option(help="Whether --share counts records or values.")] = "records",
    target_e: Annotated[float | None, typer.Option(help="Stop when the error of the moments is there.")] = None,
    step: Annotated[float | None, typer.Option(help="Largest step in standard deviations.")] = None,
    max_steps: Annotated[int | None, typer.Option(help="Most steps.")] = None,
    time_limit: Annotated[float | None, typer.Option(help="Seconds after which the search stops.")] = None,
    seed: Annotated[int | None, typer.Option(help="Makes the result repeatable.", min=0)] = None,
    identities: Identities = None,
    chains: Chains = None,
    bounds: BoundTexts = None,
    schema: SchemaFile = None,
    internal: Internal = None,
    row_order: RowOrder = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the output file.")] = False,
    table: TableName = None,
    as_json: output.Json = False,
) -> None:
    """Improve a masked file: less information lost, risk before and after."""
    from tacita.data.write import write_release_data

    check_not_input(output_file, [original, schema, *release_files(masked)])
    settings: dict[str, Any] = {"columns": tuple(columns)} if columns else {}
    for name, given in (("known", known), ("identities", identities)):
        settings |= {name: tuple(given)} if given else {}
    settings |= {"method": method, "target_ratio": target_ratio, "share": share, "of": of, "target_e": target_e}
    settings |= {"step": step, "max_steps": max_steps, "time_limit": time_limit, "seed": seed}
    settings |= {"chains": [_chain(text) for text in chains or []], "bounds": _bounds(bounds)}
    with output.progress_bars(as_json):
        before, after = _files(original, masked, schema, table, internal, row_order=row_order)
        result = _run(before, after, settings)
        write_release_data(result.data, output_file, overwrite=overwrite)
    if as_json:
        output.print_json({"file": str(output_file), **result.as_plain()})
        return
    _show(result)
    output.say(f"\nOptimised data written to {output_file}.")


def _run(before: Microdata, after: Microdata, settings: dict[str, Any]) -> Optimised:
    from tacita.compare.optimise.optimise import optimise as optimise_data

    return optimise_data(before, after, **settings)


def _files(
    original: Path, masked: Path, schema: Path | None, table: str | None, internal: Path | None, *, row_order: bool
) -> tuple[Microdata, Microdata]:
    import numpy as np

    before = read_input(original, schema, table)
    after, link = read_masked(masked, before, internal)
    if row_order:
        if internal is not None:
            raise MeasureError("Pair records either by --internal or by --row-order, not both.")
        if len(before) != len(after):
            raise MeasureError(f"--row-order needs files of equal length, got {len(before)} and {len(after)} records.")
        link = np.arange(len(after), dtype=np.int64)
    return before, after if link is None else after.with_origin(before, link)


def _chain(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(">="))
    if len(names) < 2 or not all(names):
        raise ParameterError(f"A chain must read 'larger >= smaller', got '{text}'.")
    return names


def _bounds(texts: list[str] | None) -> dict[str, tuple[float | None, float | None]] | None:
    if not texts:
        return None
    found: dict[str, tuple[float | None, float | None]] = {}
    for text in texts:
        name, equals, span = text.rpartition("=")
        low, colon, high = span.partition(":")
        try:
            found[name.strip()] = (float(low) if low.strip() else None, float(high) if high.strip() else None)
        except ValueError:
            colon = ""
        if not (equals and colon):
            raise ParameterError(f"Bounds must read 'column=low:high', got '{text}'.")
    return found


def _show(result: Optimised) -> None:
    rows = [
        (row["measure"], *(output.number(row[key]) for key in ("before", "after", "change")), row["what"])
        for row in result.rows()
    ]
    heads = ("measure", "before", "after", "change", "what it says")
    output.table("Before and after", heads, rows, right=("before", "after", "change"))
    known = ", ".join(result.columns[: result.known])
    output.say(f"The intruder knows the first one, two, ... of: {known}.")
    output.say(
        f"{result.changed_values} values in {result.changed_records} records changed in {result.steps} steps; "
        f"the search ended: {result.stopped}."
    )
    if result.dropped:
        output.say(f"No longer holds: {'; '.join(result.dropped)}.")
    grown = [row["measure"] for row in result.rows() if row["measure"] in _RISKS and row["change"] > 0.5]
    if grown:
        output.say(f"Risk has grown: {', '.join(grown)}. Is the release still safe enough?")


_RISKS = ("dld", "rid", "paired_dld", "paired_rid")
