"""``tacita study``: run an experiment of a paper again and see our numbers beside its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacita.cli import output

if TYPE_CHECKING:
    from tacita.study import Study, StudyResult

__all__ = ["study"]


def study(
    name: Annotated[str | None, typer.Argument(help="The study to run; without it all studies are listed.")] = None,
    data: Annotated[
        list[str] | None,
        typer.Argument(
            help="Data for a study that takes some: files, or census and eia for the reference data, or sample for a "
            "built-in one; for the study of census tables a number of persons, and one of regions. Default: the reference "
            "data where they are found, otherwise the sample."
        ),
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option("--column", "-c", help="A column of the data to use; may be repeated. Default: all numeric ones."),
    ] = None,
    replicates: Annotated[
        int | None, typer.Option(help="Repetitions with fresh random numbers; by default as the study says.", min=1)
    ] = None,
    seed: Annotated[int, typer.Option(help="Makes the study repeatable.", min=0)] = 1,
    directory: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Directory for figures and pages. Default: NAME-study, for studies that draw."
        ),
    ] = None,
    as_json: output.Json = False,
) -> None:
    """Run an experiment of a paper and print its findings beside the paper's."""
    from tacita.study import find_study

    output.settings.as_json = as_json
    if name is None:
        _list_studies(as_json)
        return
    chosen = find_study(name)
    place = chosen.directory if directory is None else directory
    with output.progress_bars(as_json):
        result = chosen.run(
            replicates=replicates, seed=seed, data=tuple(data or ()), columns=tuple(columns or ()), output=place
        )
    if as_json:
        output.print_json({"study": chosen.name, "reference": chosen.reference, **result.as_plain()})
        return
    _show(chosen, result)
    if result.files:
        output.say(f"{len(result.files)} files written to {result.files[-1].parent}; open {result.files[-1]}.")


def _list_studies(as_json: bool) -> None:
    from tacita.study import studies

    listed = [(s.name, s.replicates, s.summary, s.reference) for s in studies()]
    if as_json:
        heads = ("name", "replicates", "summary", "reference")
        output.print_json([dict(zip(heads, row, strict=True)) for row in listed])
        return
    output.table("Studies", ("name", "summary", "paper"), [(n, summary, paper) for n, _, summary, paper in listed])
    output.say("\n'tacita study NAME' runs one of them.")


def _show(chosen: Study, result: StudyResult) -> None:
    """Print findings, further tables and notes."""
    promised = {True: "yes", False: "NO", None: ""}
    rows = [(f.quantity, f.setting, f.shown(), f.paper, f.required, promised[f.met]) for f in result.findings]
    columns = ("quantity", "setting", "ours", "paper", "required", "met")
    output.table(chosen.reference, columns, rows, right=("ours",))
    for table in result.tables:
        if table.rows:
            output.say("")
            output.table(table.title, table.heads, table.rows, right=table.numbers)
    for note in result.notes:
        output.say(note)
