"""``tacita mask``: apply a recipe to a file and write the release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacita.cli import output
from tacita.cli.cards import show_card
from tacita.cli.files import Decimal, Encoding, SchemaFile, Separator, TableName, read_input
from tacita.cli.scenarios import KeyColumns, KnownColumns, KnowsSample, ScenarioFile, scenario_of
from tacita.cli.settings import setting
from tacita.cli.verdicts import EXIT, Because, Insist, LimitsOption, show_verdict
from tacita.core.errors import RecipeError, ReleaseError
from tacita.core.metadata import parse_toml, read_text

if TYPE_CHECKING:
    from tacita.compare.scorecard import Scorecard
    from tacita.compare.verdict import Verdict
    from tacita.data.microdata import Microdata
    from tacita.release.recipe import Recipe
    from tacita.release.release import Release

__all__ = ["mask"]

_GUESSABLE_BITS = 64

Settings = Annotated[
    list[str] | None, typer.Option("--set", help="A parameter of --mask, as name=value; may be repeated.")
]
SeedOption = Annotated[
    int | None, typer.Option(help="Makes the release repeatable; without it 128 bits are drawn from the system.", min=0)
]
Copies = Annotated[
    int,
    typer.Option(
        "--copies", help="Files to draw that leave together, such as M synthetic ones; all are judged.", min=1
    ),
]
Format = Annotated[str, typer.Option(help="Format of the released file: csv, tsv, parquet, feather, sav, dta.")]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace an earlier release in the directory, never anything else.")
]
Shuffle = Annotated[bool, typer.Option(help="Put the released rows in random order.")]
Renumber = Annotated[bool, typer.Option(help="Give households and clusters new numbers, at random.")]
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
    settings: Settings = None,
    schema: SchemaFile = None,
    seed: SeedOption = None,
    copies: Copies = 1,
    format: Format = "csv",
    shuffle: Shuffle = True,
    renumber: Renumber = True,
    limits: LimitsOption = None,
    scenario: ScenarioFile = None,
    key: KeyColumns = None,
    known: KnownColumns = None,
    knows_sample: KnowsSample = False,
    insist: Insist = False,
    because: Because = "",
    report: Annotated[bool, typer.Option(help="Measure the release and write its reports.")] = True,
    overwrite: Overwrite = False,
    neutralise_formulas: NeutraliseFormulas = False,
    table: TableName = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    as_json: output.Json = False,
) -> None:
    """Mask a file by a recipe, judge the release by its limits, and write it.

    Exit status: 0 passed, 3 failed (nothing is written unless you insist), 4 not judged.
    """
    from tacita.compare.evaluate import evaluate
    from tacita.compare.verdict import judge
    from tacita.data.disk.outputs import check_directory
    from tacita.data.limits import Limits
    from tacita.release.release import KIND

    if insist != bool(because.strip()):
        raise ReleaseError("--insist and --because go together: who insists on a failed release must say why.")
    inputs = [path for path in (file, schema, recipe) if path is not None]
    check_directory(output_directory, KIND, overwrite=overwrite, inputs=inputs)
    asked, intruder = Limits.of(limits), scenario_of(scenario, key, known, knows_sample=knows_sample)
    steps = _recipe(recipe, method, settings or [])
    with output.progress_bars(as_json):
        data = read_input(file, schema, table, separator, decimal, encoding)
        _look_at_fit(steps, data, schema)
        release = steps.apply(data, seed=seed, copies=copies)
        card = evaluate(data, release, scenario=intruder) if report else None
        verdict = judge(release, release.limits.joined(asked), card=card, scenario=intruder)
        verdict = verdict.insisting(because) if insist else verdict
        is_written = verdict.state != "failed" or insist
        if is_written:
            how: dict[str, Any] = {"format": format, "shuffle": shuffle, "renumber": renumber, "overwrite": overwrite}
            how["formulas"] = "neutralise" if neutralise_formulas else "warn"
            _write(release, output_directory, card, verdict, **how, inputs=inputs)
    where = output_directory if is_written else None
    if as_json:
        _print(where, release, card, verdict)
    else:
        _say_all(where, card, verdict, seed=seed)
    raise typer.Exit(EXIT[verdict.state])


def _say_undeclared(schema: Path | None, data: Microdata) -> None:
    """Say which columns a schema file does not name: nobody gave them a role, and they would leave as they are."""
    from tacita.data.scenario import names_in_a_row

    if schema is None:
        return
    declared = parse_toml(read_text(schema, "The schema file"), "The schema file").get("columns", {})
    new = [name for name in data.names if name not in declared]
    if new:
        output.say(
            f"Warning: the schema does not name {names_in_a_row([repr(name) for name in new], 10)}: no role was given, so "
            "what is there leaves as it is. Name every column of the file in its schema."
        )


def _look_at_fit(recipe: Recipe, data: Microdata, schema: Path | None) -> None:
    """Say at once what of a schema and a recipe does not fit the file; refuse where a step would fail."""
    _say_undeclared(schema, data)
    found = recipe.misfits(data)
    for misfit in found:
        if not misfit.stops:
            output.say(f"Note: {misfit}")
    stops = [misfit for misfit in found if misfit.stops]
    if stops:
        told = "\n".join(f"  {misfit}" for misfit in stops)
        raise RecipeError(
            f"The recipe does not fit this file in {len(stops)} place(s); nothing was masked.\n{told}",
            details={str(misfit): list(misfit.values) for misfit in stops if misfit.values},
        )


def _print(directory: Path | None, release: Release, card: Scorecard | None, verdict: Verdict) -> None:
    """Print what came out for a machine."""
    shown: dict[str, Any] = {"directory": None if directory is None else str(directory), "records": len(release.data)}
    if release.others:
        shown["copies"] = len(release.copies)
    output.print_json({**shown, "verdict": verdict.as_plain(), "scorecard": None if card is None else card.as_plain()})


def _write(release: Release, directory: Path, card: Scorecard | None, verdict: Verdict, **how: Any) -> None:
    """Write the release, with its reports where it was measured."""
    from tacita.report.publish import publish

    if card is None:
        release.write(directory, **how, verdict=verdict.as_plain())
    else:
        publish(release, directory, **how, card=card, verdict=verdict)


_FATES = {
    "passed": "public/ keeps its limits and may leave, after your own review",
    "failed": "public/ FAILED and says so",
    "not judged": "public/ was NOT JUDGED, so nothing here says that it is safe",
}


def _say_all(directory: Path | None, card: Scorecard | None, verdict: Verdict, *, seed: int | None) -> None:
    """Show card and verdict, and say what was written and what its verdict means."""
    if card is not None:
        show_card(card)
    show_verdict(verdict)
    if directory is None:
        output.say('\nNothing was written. Mask more, or give --insist --because "..." to write it nevertheless.')
        return
    if seed is not None and seed < 2**_GUESSABLE_BITS:
        output.say(
            "\nThe seed was given and is short: whoever guesses it can undo the noise. Leave --seed out for a real release."
        )
    output.say(
        f"\nRelease written to {directory}: {_FATES[verdict.state]}; internal/ (seed, link, full report) must stay."
    )


def _recipe(file: Path | None, method: str | None, settings: list[str]) -> Any:
    from tacita.core import registry
    from tacita.mask.base import Mask
    from tacita.release.recipe import Recipe

    if (file is None) == (method is None):
        raise RecipeError("Say what to do by --recipe FILE or by --mask NAME, one of the two.")
    if file is not None:
        if settings:
            raise RecipeError("--set goes with --mask; parameters of a recipe stand in its file.")
        return Recipe.read(file)
    built = registry.find("mask", method or "").from_plain(dict(setting(text) for text in settings))
    return Recipe([built]) if isinstance(built, Mask) else None
