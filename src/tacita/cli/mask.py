"""``tacita mask``: apply a recipe to a file and write the release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tacita.cli import output
from tacita.cli.cards import show_card
from tacita.cli.files import Decimal, Encoding, SchemaFile, Separator, TableName, read_input
from tacita.cli.settings import setting
from tacita.core.errors import RecipeError

__all__ = ["mask"]

_GUESSABLE_BITS = 64

NeutraliseFormulas = Annotated[
    bool,
    typer.Option(
        "--neutralise-formulas", help="Put an apostrophe before texts of a CSV file that a spreadsheet would run."
    ),
]


def mask(
    file: Annotated[Path, typer.Argument(help="The data file.", show_default=False)],
    output_directory: Annotated[
        Path, typer.Option("--output", "-o", help="Directory of the release.", show_default=False)
    ],
    recipe: Annotated[Path | None, typer.Option("--recipe", "-r", help="Recipe file (TOML).")] = None,
    method: Annotated[str | None, typer.Option("--mask", "-m", help="A single mask instead of a recipe file.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="A parameter of --mask, as name=value; may be repeated.")
    ] = None,
    schema: SchemaFile = None,
    seed: Annotated[
        int | None,
        typer.Option(help="Makes the release repeatable; without it 128 bits are drawn from the system.", min=0),
    ] = None,
    format: Annotated[
        str, typer.Option(help="Format of the released file: csv, tsv, parquet, feather, sav, dta.")
    ] = "csv",
    shuffle: Annotated[bool, typer.Option(help="Put the released rows in random order.")] = True,
    report: Annotated[bool, typer.Option(help="Measure the release and write its reports.")] = True,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an earlier release in the directory.")
    ] = False,
    neutralise_formulas: NeutraliseFormulas = False,
    table: TableName = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    as_json: output.Json = False,
) -> None:
    """Mask a file by a recipe and write the release: public/ may leave, internal/ must stay."""
    from tacita.compare.evaluate import evaluate
    from tacita.report.publish import publish

    steps = _recipe(recipe, method, settings or [])
    with output.progress_bars(as_json):
        data = read_input(file, schema, table, separator, decimal, encoding)
        release = steps.apply(data, seed=seed)
        card = evaluate(data, release) if report else None
        how: dict[str, Any] = {"format": format, "shuffle": shuffle, "overwrite": overwrite}
        how["formulas"] = "neutralise" if neutralise_formulas else "warn"
        if card is not None:
            publish(release, output_directory, card=card, **how)
        else:
            release.write(output_directory, **how)
    if as_json:
        shown: dict[str, Any] = {"directory": str(output_directory), "records": len(release.data)}
        output.print_json({**shown, "scorecard": None if card is None else card.as_plain()})
        return
    if card is not None:
        show_card(card)
    if seed is not None and seed < 2**_GUESSABLE_BITS:
        output.say(
            "\nThe seed was given and is short: whoever guesses it can undo the noise. Leave --seed out for a real release."
        )
    output.say(
        f"\nRelease written to {output_directory}: public/ may leave, internal/ (seed, link, full report) must stay."
    )


def _recipe(file: Path | None, method: str | None, settings: list[str]) -> Any:
    from tacita.core import registry
    from tacita.mask.base import Mask
    from tacita.mask.recipe import Recipe

    if (file is None) == (method is None):
        raise RecipeError("Say what to do by --recipe FILE or by --mask NAME, one of the two.")
    if file is not None:
        if settings:
            raise RecipeError("--set goes with --mask; parameters of a recipe stand in its file.")
        return Recipe.read(file)
    built = registry.find("mask", method or "").from_plain(dict(setting(text) for text in settings))
    return Recipe([built]) if isinstance(built, Mask) else None
