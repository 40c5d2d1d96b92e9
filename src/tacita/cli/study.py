"""``tacita study``: run an experiment of a paper again and see our numbers beside its own."""

from __future__ import annotations

from typing import Annotated

import typer

from tacita.cli import output

__all__ = ["study"]


def study(
    name: Annotated[str | None, typer.Argument(help="The study to run; without it all studies are listed.")] = None,
    replicates: Annotated[
        int | None, typer.Option(help="Repetitions with fresh data; by default as many as in the paper.", min=1)
    ] = None,
    seed: Annotated[int, typer.Option(help="Makes the study repeatable.", min=0)] = 1,
    as_json: output.Json = False,
) -> None:
    """Run an experiment of a paper and print its findings beside the paper's."""
    from tacita.study import find_study, studies

    output.settings.as_json = as_json
    if name is None:
        listed = [(s.name, s.replicates, s.summary, s.reference) for s in studies()]
        if as_json:
            heads = ("name", "replicates", "summary", "reference")
            output.print_json([dict(zip(heads, row, strict=True)) for row in listed])
            return
        output.table("Studies", ("name", "summary", "paper"), [(n, summary, paper) for n, _, summary, paper in listed])
        output.say("\n'tacita study NAME' runs one of them.")
        return
    chosen = find_study(name)
    with output.progress_bars(as_json):
        result = chosen.run(replicates=replicates, seed=seed)
    if as_json:
        output.print_json({"study": chosen.name, "reference": chosen.reference, **result.as_plain()})
        return
    promised = {True: "yes", False: "NO", None: ""}
    rows = [(f.quantity, f.setting, f.shown(), f.paper, f.required, promised[f.met]) for f in result.findings]
    columns = ("quantity", "setting", "ours", "paper", "required", "met")
    output.table(chosen.reference, columns, rows, right=("ours",))
    for note in result.notes:
        output.say(note)
