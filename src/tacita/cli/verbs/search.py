"""``tacita search``: try many recipes on a file and find those worth choosing from."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacita.cli import output
from tacita.cli.files import Decimal, Encoding, SchemaFile, Separator, TableName, make_parents, read_input
from tacita.cli.scenarios import KeyColumns, KnownColumns, KnowsSample, ScenarioFile, scenario_of
from tacita.compare.search.journal import is_journal
from tacita.core.errors import FileError, MeasureError
from tacita.data.atomic import set_aside
from tacita.data.disk.leftovers import tidy
from tacita.data.disk.outputs import check_not_input

if TYPE_CHECKING:
    from tacita.compare.search.constraint import SearchConstraint
    from tacita.compare.search.search_point import SearchPoint
    from tacita.compare.search.search_result import Choice, SearchResult

__all__ = ["search"]

_JOURNAL, _MOST_ROWS = "journal.jsonl", 25
_RESULTS = ("map.html", "search.json", "recipe.toml")


CandidatesFile = Annotated[
    Path | None,
    typer.Option("--candidates", help="Search file (TOML) with grids; by default a grid over eight families."),
]
Output = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        help="Directory for map, points and journal; a new one, or that of an earlier search.",
        show_default=False,
    ),
]
Limits = Annotated[
    list[str] | None,
    typer.Option("--limit", "-l", help='What the best must meet, such as "dld<=5"; may be repeated.'),
]
Goal = Annotated[str | None, typer.Option(help="The measure that must be lowest among those that meet the limits.")]
ColumnNames = Annotated[
    list[str] | None,
    typer.Option("--column", "-c", help="A column to measure, and to mask by default; may be repeated."),
]
Measures = Annotated[list[str] | None, typer.Option("--measure", help="A measure by name; may be repeated.")]
ScoreName = Annotated[str | None, typer.Option(help="A score by name, or its TOML file.")]
LossName = Annotated[str | None, typer.Option(help="The loss of the map; by default that of the score.")]
RiskNames = Annotated[
    list[str] | None, typer.Option(help="A risk of the map; may be repeated; by default those of the score.")
]
Seeds = Annotated[int | None, typer.Option(help="Seeds for each candidate; 3 if not given.", min=1)]
FirstSeed = Annotated[int | None, typer.Option(help="The first seed; 1 if not given.", min=0)]
TimeLimit = Annotated[float | None, typer.Option(help="Seconds after which no further trial is begun.")]
Processes = Annotated[
    int | None, typer.Option(help="Processes that make trials; chosen by the work if not given.", min=1)
]
Restart = Annotated[bool, typer.Option("--restart", help="Forget the trials of an earlier run in --output.")]


def search(
    file: Annotated[Path, typer.Argument(help="The data file.", show_default=False)],
    output_directory: Output,
    candidates: CandidatesFile = None,
    schema: SchemaFile = None,
    limits: Limits = None,
    goal: Goal = None,
    columns: ColumnNames = None,
    scenario: ScenarioFile = None,
    key: KeyColumns = None,
    known: KnownColumns = None,
    knows_sample: KnowsSample = False,
    measures: Measures = None,
    score: ScoreName = None,
    loss: LossName = None,
    risk: RiskNames = None,
    seeds: Seeds = None,
    seed: FirstSeed = None,
    time_limit: TimeLimit = None,
    processes: Processes = None,
    restart: Restart = False,
    table: TableName = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    as_json: output.Json = False,
) -> None:
    """Try many recipes with several seeds, draw the risk-utility map and name the best under limits."""
    from tacita.compare.search.candidates import read_search
    from tacita.compare.search.search import search as search_data

    tried, settings = read_search(candidates) if candidates is not None else ([], {})
    intruder = scenario_of(scenario, key, known, knows_sample=knows_sample)
    options = {
        "columns": columns, "scenario": intruder, "measures": measures, "score": score, "loss": loss, "risk": risk
    }  # fmt: skip
    numbers = {"seeds": seeds, "seed": seed, "time_limit": time_limit}
    asked = _asked({**options, **numbers}, settings)
    wanted = _constraint(limits or settings.get("limits"), goal)
    journal = output_directory / _JOURNAL
    _check_place(output_directory, [file, schema, candidates, _file(score)])
    try:
        with output.progress_bars(as_json):
            data = read_input(file, schema, table, separator, decimal, encoding)
            with _place(output_directory, restart=restart):
                result = search_data(
                    data, tried or None, constraint=wanted, resume=journal, processes=processes, **asked
                )
    except KeyboardInterrupt:
        output.say(f"Interrupted. The same command goes on where it was: {journal} has the finished trials.")
        raise typer.Exit(130) from None
    choice, problem = _best(result)
    written = _write(result, choice, output_directory)
    if as_json:
        best = None if choice is None else choice.as_plain()
        output.print_json({**result.as_plain(), "best": best, "files": written})
    else:
        _show(result, choice, output_directory)
    if problem is not None:
        raise problem


def _constraint(limits: Any, goal: str | None) -> SearchConstraint:
    from tacita.compare.search.constraint import parse_constraint

    named = "loss" if goal is None else parse_constraint(f"lowest {goal}").goal
    return parse_constraint(limits or None, goal=named)


def _asked(options: dict[str, Any], settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of the file, overruled by the options that were given."""
    given = {name: value for name, value in options.items() if value not in (None, [])}
    both = {**{n: v for n, v in settings.items() if n != "limits"}, **given}
    if isinstance(both.get("columns"), list):
        both["columns"] = tuple(both["columns"])
    return both


@contextmanager
def _place(directory: Path, *, restart: bool) -> Iterator[None]:
    """Make the directory where there is none and put the old journal away for a restart.

    A search that refuses its input writes no journal; then the old one comes back and what was made here goes again. A
    directory that is made here is for its owner alone.
    """
    journal = directory / _JOURNAL
    made = [place for place in (directory, *directory.parents) if not place.exists()]
    try:
        make_parents(directory)
        directory.mkdir(mode=0o700, exist_ok=True)
        tidy(directory)  # an interrupted run may have put the journal away
        with set_aside(journal) if restart and journal.exists() else nullcontext():
            yield
    except OSError as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"The directory '{directory}' cannot be written: {error.strerror}.") from error
    finally:
        _remove_empty(made)


def _check_place(directory: Path, inputs: Sequence[Path | None]) -> None:
    """Refuse a directory in which files of these names are somebody else's, or inputs of the search."""
    is_ours = is_journal(directory / _JOURNAL)
    if not is_ours and os.path.lexists(directory / _JOURNAL):
        raise FileError(
            f"'{directory / _JOURNAL}' is no journal of a search; choose another directory for the results."
        )
    for name in (*_RESULTS, _JOURNAL):
        check_not_input(directory / name, inputs)
        if name in _RESULTS and not is_ours and os.path.lexists(directory / name):
            raise FileError(
                f"'{directory}' has a file '{name}' but no journal of a search, so the file is not replaced; choose another "
                "directory for the results."
            )


def _file(text: str | None) -> Path | None:
    return None if text is None else Path(text)


def _remove_empty(places: Sequence[Path]) -> None:
    for place in places:
        with suppress(OSError):  # one that holds something stays
            place.rmdir()


def _best(result: SearchResult) -> tuple[Choice | None, MeasureError | None]:
    if not result.points:
        first = result.failed[0].reason if result.failed else "the time limit left none."
        return None, MeasureError(f"No candidate could be placed on the map: {first}")
    try:
        return result.best(), None
    except MeasureError as error:
        return None, error


def _write(result: SearchResult, choice: Choice | None, directory: Path) -> dict[str, str]:
    """Write map, points and the best recipe; return where they are."""
    from tacita.data.atomic import atomic_file

    plain = {**result.as_plain(), "best": None if choice is None else choice.as_plain()}
    contents = {
        "map.html": result.to_html(),
        "search.json": json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False) + "\n",
    }
    if choice is not None:
        contents["recipe.toml"] = choice.recipe.to_toml()
    for name, text in contents.items():
        with atomic_file(directory / name, private=True) as temporary:
            temporary.write_text(text, encoding="utf-8")
    if choice is None:  # the recipe of an earlier run is no longer the best
        (directory / "recipe.toml").unlink(missing_ok=True)
    return {Path(name).stem: str(directory / name) for name in (*contents, _JOURNAL)}


# --- on the screen --------------------------------------------------------------------------------------------------------


def _show(result: SearchResult, choice: Choice | None, directory: Path) -> None:
    names = list(dict.fromkeys((*result.loss.measures, *result.risk.measures, *result.score.measures)))
    heads = ("candidate", "seeds", *names, "score")
    rows = [_row(point, names) for point in result.frontier[:_MOST_ROWS]]
    families = len({point.family for point in result.frontier})
    title = f"Frontier: {len(result.frontier)} of {len(result.points)} candidates, {families} of {len(result.families)} families"
    output.table(title, heads, rows, right=("seeds", *names, "score"))
    if len(result.frontier) > _MOST_ROWS:
        output.say(f"... and {len(result.frontier) - _MOST_ROWS} more; the map has them all.")
    output.say(f"Means over seeds, ± standard deviation. Score = {result.score.formula()}; read it beside its parts.")
    output.say(f"Scenario: {result.scenario}.")
    for note in result.notes:
        output.say(f"Note: {note}")
    for failure in result.failed[:5]:
        output.say(f"Failed: {failure.label}. {failure.reason}")
    if len(result.failed) > 5:
        output.say(f"... and {len(result.failed) - 5} more failures; search.json lists them.")
    if result.left:
        output.say(f"The time limit left {len(result.left)} trials; the same command goes on with them.")
    if choice is not None:
        goal = choice.point.spread(choice.constraint.goal)
        limits = ", ".join(f"{limit.name} {_number(choice.point, limit.name)}" for limit in choice.constraint.limits)
        why = "" if choice.constraint.limits else "; no limits were given, so the score recommends"
        output.say(f"\nBest ({choice.constraint}{why}): {choice.label}")
        shown = "" if goal is None else f"{choice.constraint.goal} {_number(choice.point, choice.constraint.goal)}"
        meets = f"; {100 * choice.share:.0f} % of its seeds meet every limit" if choice.constraint.limits else ""
        output.say(f"  {', '.join(part for part in (shown, limits) if part)}{meets}")
        for note in choice.point.notes:
            output.say(f"  Note: {note}")
    output.say(f"\nMap (open in a browser):  {directory / 'map.html'}")
    if choice is not None:
        output.say(f"Recipe of the best:       {directory / 'recipe.toml'}")
    output.say("All of it shows what was tried and how risky it was: keep it inside.")


def _row(point: SearchPoint, names: list[str]) -> tuple[str, ...]:
    return (point.label, str(len(point.trials)), *(_number(point, name) for name in (*names, "score")))


def _number(point: SearchPoint, name: str) -> str:
    spread = point.spread(name)
    if spread is None:
        return "–"
    return output.number(spread.mean) + (f" ± {output.number(spread.sd, 2)}" if spread.sd else "")
