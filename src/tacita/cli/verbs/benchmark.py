"""``tacita benchmark``: rank masks and recipes on open data, and see what changed since an earlier version."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacita.cli import output
from tacita.cli.files import make_parents
from tacita.cli.scenarios import KeyColumns, KnownColumns, KnowsSample, ScenarioFile, scenario_of
from tacita.compare.search.journal import is_journal
from tacita.core.errors import FileError, ParameterError

if TYPE_CHECKING:
    from tacita.compare.benchmark.benchmark_change import BenchmarkChanges
    from tacita.compare.benchmark.benchmark_result import BenchmarkResult, SetResult

__all__ = ["benchmark"]

_PAGE, _JSON, _JOURNALS = "benchmark.html", "benchmark.json", "journals"
_MOST_ROWS, _MOST_CHANGES = 15, 25

Output = Annotated[
    Path,
    typer.Option("--output", "-o", help="Directory for page, JSON and journals; the same again goes on where it was."),
]
Masks = Annotated[list[str] | None, typer.Option("--mask", "-m", help="A mask by name; may be repeated. Default: all.")]
Recipes = Annotated[
    list[Path] | None, typer.Option("--recipe", "-r", help="A recipe of your own to be ranked too; may be repeated.")
]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", "-s", help="A data set by name; may be repeated. Default: all that are there."),
]
OnlyRecipes = Annotated[
    bool, typer.Option("--only-recipes", help="Try the recipes alone, without the registered masks.")
]
Against = Annotated[
    Path | None, typer.Option("--against", help="JSON of an earlier benchmark; what changed beyond noise is shown.")
]
Size = Annotated[int, typer.Option(help="Records of each set at most.", min=20)]
Seeds = Annotated[int, typer.Option(help="Seeds for each candidate that draws at random.", min=1)]
FirstSeed = Annotated[int, typer.Option(help="The first seed; samples are made by it as well.", min=0)]
ScoreName = Annotated[str | None, typer.Option(help="A score by name, or its TOML file; by default the one that fits.")]
TimeLimit = Annotated[float | None, typer.Option(help="Seconds after which no further trial is begun.")]
Processes = Annotated[
    int | None, typer.Option(help="Processes that make trials; chosen by the work if not given.", min=1)
]
Restart = Annotated[bool, typer.Option("--restart", help="Forget the trials of an earlier run in --output.")]


def benchmark(
    output_directory: Output = Path("benchmark"),
    masks: Masks = None,
    recipes: Recipes = None,
    only_recipes: OnlyRecipes = False,
    sets: Sets = None,
    scenario: ScenarioFile = None,
    key: KeyColumns = None,
    known: KnownColumns = None,
    knows_sample: KnowsSample = False,
    score: ScoreName = None,
    size: Size = 300,
    seeds: Seeds = 2,
    seed: FirstSeed = 1,
    against: Against = None,
    time_limit: TimeLimit = None,
    processes: Processes = None,
    restart: Restart = False,
    as_json: output.Json = False,
) -> None:
    """Rank masks and recipes of your own on open data under one scenario; compare with an earlier version."""
    from tacita.compare.benchmark.benchmark import benchmark as run
    from tacita.compare.benchmark.benchmark_change import compare_benchmarks
    from tacita.compare.benchmark.benchmark_result import BenchmarkResult

    output.settings.as_json = as_json
    if only_recipes and (masks or not recipes):
        raise ParameterError("--only-recipes needs --recipe, and leaves no place for --mask.")
    before = None if against is None else BenchmarkResult.read(against)
    asked: dict[str, Any] = {
        "masks": [] if only_recipes else masks or None,
        "recipes": _recipes(recipes or []),
        "scenario": scenario_of(scenario, key, known, knows_sample=knows_sample),
    }
    try:
        with output.progress_bars(as_json):
            result = run(
                sets or None, score=score, size=size, seeds=seeds, seed=seed, time_limit=time_limit,
                resume=_place(output_directory, restart=restart), processes=processes, **asked,
            )  # fmt: skip
    except KeyboardInterrupt:
        output.say(
            f"Interrupted. The same command goes on where it was: {output_directory / _JOURNALS} has what is done."
        )
        raise typer.Exit(130) from None
    changes = None if before is None else compare_benchmarks(before, result)
    _write(result, changes, output_directory)
    if as_json:
        output.print_json({**result.as_plain(), **({} if changes is None else {"against": changes.as_plain()})})
        return
    _show(result, output_directory)
    if changes is not None:
        _show_changes(changes)


def _recipes(paths: list[Path]) -> Any:
    """Return recipes by the names of their files."""
    from tacita.release.recipe import Recipe

    named = {path.stem: path for path in paths}
    if len(named) < len(paths):
        raise ParameterError(
            "Two recipes have files of the same name; rename one, because entries are named after them."
        )
    return {name: Recipe.read(path) for name, path in named.items()} or None


def _place(directory: Path, *, restart: bool) -> Path:
    """Make the directories where there are none, and return the one for journals; a foreign file is never replaced."""
    journals = directory / _JOURNALS
    try:
        make_parents(directory)
        journals.mkdir(parents=True, exist_ok=True)
        ours = [path for path in sorted(journals.iterdir()) if is_journal(path)]
        for path in ours if restart else ():
            path.unlink()
    except OSError as error:
        raise FileError(f"The directory '{directory}' cannot be written: {error.strerror}.") from error
    for name in (_PAGE, _JSON):
        if (directory / name).exists() and not ours:
            raise FileError(
                f"'{directory}' has a file '{name}' but no journal of a benchmark, so the file is not replaced; choose another "
                "directory for the results."
            )
    return journals


def _write(result: BenchmarkResult, changes: BenchmarkChanges | None, directory: Path) -> None:
    from tacita.data.atomic import atomic_file
    from tacita.report.benchmark.benchmark_page import benchmark_page

    contents = {
        _JSON: json.dumps(result.as_plain(), indent=1, ensure_ascii=False, allow_nan=False) + "\n",
        _PAGE: benchmark_page(result, changes),
    }
    for name, text in contents.items():
        with atomic_file(directory / name) as temporary:
            temporary.write_text(text, encoding="utf-8")


# --- on the screen --------------------------------------------------------------------------------------------------------


def _show(result: BenchmarkResult, directory: Path) -> None:
    for found in result.sets:
        _show_set(found)
    ranking = result.ranking()
    if len(result.sets) > 1 and ranking:
        rows = [(place.family, output.number(place.place, 3), str(len(place.scores))) for place in ranking[:_MOST_ROWS]]
        output.table(
            "Over all sets", ("mask", "mean place, % (0 best)", "sets"), rows, right=("mean place, % (0 best)", "sets")
        )
    for name, reason in result.absent.items():
        output.say(f"Left out: {name}. {reason}")
    output.say(
        "Of each mask only its best parameters stand here. No score does justice to all methods: read its parts."
    )
    output.say(f"\nPage (open in a browser):  {directory / _PAGE}")
    output.say(f"All figures, to compare:   {directory / _JSON}")


def _show_set(found: SetResult) -> None:
    best = found.best()
    heads = ("place", "mask", "score", "of losses", "of risks", "strongest attack, %", "which")
    title = f"{found.name}: {found.records} records, {len(found.entries)} candidates of {len(best)} masks"
    output.table(
        title, heads, [_row(place, found) for place in range(min(_MOST_ROWS, len(best)))], right=(heads[0], *heads[2:6])
    )
    if len(best) > _MOST_ROWS:
        output.say(f"... and {len(best) - _MOST_ROWS} more; the page has them all.")
    if found.untouched is not None:
        output.say(f"The data as they are: score {output.number(found.untouched)}.")
    if found.entries:
        output.say(f"Score = {found.score}. Scenario: {found.scenario}.")
    if found.failed:
        output.say(
            f"{len(found.failed)} candidates failed, such as {next(iter(found.failed))}; the page has the reasons."
        )
    if found.left:
        output.say(f"The time limit left {found.left} trials; the same command goes on with them.")


def _row(place: int, found: SetResult) -> tuple[str, ...]:
    from tacita.compare.parts import find_measure

    entry = found.best()[place]
    points = {kind: sum(p for n, p in entry.parts.items() if find_measure(n).kind == kind) for kind in ("loss", "risk")}
    score, attack = entry.figures["score"], entry.figures.get("strongest")
    return (
        str(place + 1),
        entry.candidate,
        output.number(score.mean) + (f" ± {output.number(score.sd, 2)}" if score.sd else ""),
        output.number(points["loss"], 3),
        output.number(points["risk"], 3),
        "–" if attack is None else output.number(attack.mean, 3),
        entry.attack,
    )


def _show_changes(changes: BenchmarkChanges) -> None:
    heads = ("set", "mask", "figure", "before", "now", "noise", "")
    rows = [
        (
            c.set,
            c.candidate,
            c.figure,
            *(output.number(v) for v in (c.before, c.after, c.noise)),
            "better" if c.is_better else "worse",
        )
        for c in changes.changes[:_MOST_CHANGES]
    ]
    output.say(f"\n{len(changes.changes)} of {changes.compared} figures changed beyond noise.")
    if rows:
        output.table("Changed beyond noise", heads, rows, right=heads[3:6])
    if len(changes.changes) > _MOST_CHANGES:
        output.say(f"... and {len(changes.changes) - _MOST_CHANGES} more; the page has them.")
    if changes.unjudged:
        output.say(
            f"{changes.unjudged} more differ and cannot be judged: one seed has no spread. Give --seeds 2 or more."
        )
    for remark in changes.remarks:
        output.say(remark)
