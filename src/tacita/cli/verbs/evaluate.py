"""``tacita evaluate``: measure a masked file against its original."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tacita.cli import output
from tacita.cli.cards import show_card, show_outlier_cards
from tacita.cli.files import SchemaFile, TableName, read_input, read_masked, release_files
from tacita.cli.scenarios import KeyColumns, KnownColumns, KnowsSample, ScenarioFile, scenario_of
from tacita.cli.verdicts import EXIT, LimitsOption, show_verdict
from tacita.compare.outliers import OutlierCards
from tacita.compare.scorecard import Scorecard
from tacita.compare.verdict import Verdict
from tacita.core.errors import MeasureError
from tacita.data.disk.outputs import check_not_input
from tacita.data.microdata import Microdata
from tacita.data.pairing import Pairing

__all__ = ["evaluate"]

ScoreOption = Annotated[
    str | None,
    typer.Option(
        help="How the score is made: default, categorical, mixed, synthetic, plain, overview, primed, or a TOML file."
    ),
]


RecipeFile = Annotated[
    Path | None,
    typer.Option(
        "--recipe",
        "-r",
        help="Recipe that made the masked file, for attacks that know the method. Default: that of internal/.",
    ),
]
MeasureNames = Annotated[
    list[str] | None, typer.Option("--measure", help="A measure by name; may be repeated. Default: all that apply.")
]
MeasuredColumns = Annotated[
    list[str] | None,
    typer.Option("--column", "-c", help="A column to measure; may be repeated. Default: each measure's own."),
]


def evaluate(
    original: Annotated[Path, typer.Argument(help="The original file.", show_default=False)],
    masked: Annotated[Path, typer.Argument(help="The masked file, or the directory of a release.", show_default=False)],
    schema: SchemaFile = None,
    internal: Annotated[
        Path | None, typer.Option(help="internal/ directory of the release, to pair records by their link.")
    ] = None,
    recipe: RecipeFile = None,
    row_order: Annotated[
        bool, typer.Option("--row-order", help="Pair records by their order in the two files.")
    ] = False,
    measures: MeasureNames = None,
    columns: MeasuredColumns = None,
    scenario: ScenarioFile = None,
    key: KeyColumns = None,
    known: KnownColumns = None,
    knows_sample: KnowsSample = False,
    outliers: Annotated[
        bool, typer.Option("--outliers", help="Show each measure for the 5 % outliers beside the whole file.")
    ] = False,
    score: ScoreOption = None,
    limits: LimitsOption = None,
    report: Annotated[
        Path | None, typer.Option("--report", help="Write the internal HTML report to this file.")
    ] = None,
    table: TableName = None,
    as_json: output.Json = False,
) -> None:
    """Show information loss and disclosure risk of a masked file, and judge it where limits are given.

    Exit status with --limits: 0 passed, 3 failed, 4 not judged.
    """
    from tacita.compare.verdict import judge

    if report is not None:
        check_not_input(report, [original, schema, *release_files(masked)])
    intruder = scenario_of(scenario, key, known, knows_sample=knows_sample)
    with output.progress_bars(as_json):
        before = read_input(original, schema, table)
        after, link = read_masked(masked, before, internal, recipe)
        if link is not None:
            after = after.with_origin(before, link)
        if row_order and link is not None and internal is not None:
            raise MeasureError("Pair records either by --internal or by --row-order, not both.")
        pairing: Pairing = "order" if row_order else "auto"
        asked: dict[str, Any] = {
            "measures": measures or None,
            "columns": tuple(columns) if columns else None,
            "scenario": intruder,
            "pairing": pairing,
            "score": score,
        }
        beside, card = _cards(before, after, asked, outliers=outliers)
        verdict = None if limits is None else judge(card, limits)
    if report is not None:
        _write_report(report, card, verdict)
    if as_json:
        shown = card.as_plain() if beside is None else beside.as_plain()
        output.print_json(shown if verdict is None else {**shown, "verdict": verdict.as_plain()})
    else:
        _tell(card, beside, verdict, is_method_known=bool(after.history), report=report)
    if verdict is not None:
        raise typer.Exit(EXIT[verdict.state])


def _tell(
    card: Scorecard, beside: OutlierCards | None, verdict: Verdict | None, *, is_method_known: bool, report: Path | None
) -> None:
    """Show the card, what would make it tell more, the verdict, and where the report is."""
    if beside is None:
        show_card(card)
    else:
        show_outlier_cards(beside)
    if not is_method_known and "strongest" in card:
        output.say("Give --recipe FILE (or --internal DIR) to run the attacks that know how the file was masked.")
    if card.pairing == "nearest" and not card.is_synthetic:
        output.say("Give --internal DIR (the link of the release) or --row-order to pair records truly.")
    if verdict is not None:
        show_verdict(verdict)
    if report is not None:
        output.say(f"\nInternal report written to {report}.")


def _write_report(path: Path, card: Scorecard, verdict: Verdict | None) -> None:
    from tacita.data.atomic import atomic_file
    from tacita.report.html import scorecard_html

    with atomic_file(path, private=True) as temporary:
        temporary.write_text(scorecard_html(card, form="internal", verdict=verdict), encoding="utf-8")


def _cards(
    before: Microdata, after: Microdata, asked: dict[str, Any], *, outliers: bool
) -> tuple[OutlierCards | None, Scorecard]:
    """Measure the file, and the outliers beside it where they are asked for."""
    from tacita.compare.evaluate import evaluate as evaluate_data
    from tacita.compare.outliers import evaluate_outliers

    if outliers:
        both = evaluate_outliers(before, after, **asked)
        return both, both.whole
    return None, evaluate_data(before, after, **asked)
