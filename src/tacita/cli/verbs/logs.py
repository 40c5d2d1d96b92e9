"""``tacita logs``: index a topic directory, anonymise a query log, measure what was made of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacita.cli import output
from tacita.cli.files import check_there
from tacita.cli.query_logs.options import (
    By,
    Categories,
    Depth,
    DirectoryOption,
    FewestUsers,
    Format,
    Limit,
    LogEncoding,
    LogFile,
    LogSeparator,
    Method,
    NeutraliseFormulas,
    Overwrite,
    QueryColumn,
    RankColumn,
    ReleaseDirectory,
    ReleaseOutput,
    Settings,
    TimeColumn,
    TimeFormat,
    UrlColumn,
    UserColumn,
)
from tacita.cli.query_logs.pointed_at_logs import (
    SAMPLE,
    anonymiser_of,
    columns_of,
    directory_of,
    log_of,
    release_of,
    topics_in_words,
    topics_of,
)
from tacita.cli.query_logs.shown_logs import say_fate, say_release, show_log_card, show_stages, stage
from tacita.cli.verdicts import EXIT, Because, Insist
from tacita.core.errors import FileError, ParameterError, ReleaseError

if TYPE_CHECKING:
    from tacita.data.query_log.query_log import QueryLog
    from tacita.logs.anonymiser import AnonymisedLog, Anonymiser
    from tacita.report.logs.publish_log import PublishedLog

__all__ = ["logs"]

logs = typer.Typer(
    name="logs",
    help="Anonymise query logs: who searched what.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

# --- index ----------------------------------------------------------------------------------------------------------------


@logs.command("index")
def index(
    directory: Annotated[
        str,
        typer.Argument(
            help="A dump of the Open Directory, a table of paths, WordNet, or 'sample'.", show_default=False
        ),
    ],
    output_file: Annotated[Path, typer.Option("--output", "-o", help="The file of the index.", show_default=False)],
    language: Annotated[
        list[str] | None, typer.Option("--language", help="Only this language; may be repeated. Default: all.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an index that is there.")] = False,
    as_json: output.Json = False,
) -> None:
    """Make the full-text index of a topic directory, once; 'anonymise' and 'measure' open it at once."""
    from tacita.data.directory.topic_index import TopicIndex

    output.settings.as_json = as_json
    if output_file.exists() and not overwrite:
        raise FileError(f"'{output_file.name}' is there already; choose another name or say --overwrite.")
    seconds: dict[str, float] = {}
    with output.progress_bars(as_json):
        with stage(seconds, "reading"):
            found = directory_of(directory, language)
        with stage(seconds, "indexing"):
            made = TopicIndex.build(found, output_file, overwrite=overwrite)
    if as_json:
        facts = {"index": str(output_file), "entries": len(found), "categories": len(found.tree)}
        output.print_json({**facts, "seconds": seconds})
        return
    if found.reading is not None:
        output.say(found.reading.words())
    output.say(f"{made!r} written to {output_file}.")
    show_stages(seconds)


# --- anonymise ------------------------------------------------------------------------------------------------------------


@logs.command("anonymise")
def anonymise(
    log: LogFile,
    output_directory: ReleaseOutput,
    directory: DirectoryOption = None,
    k: FewestUsers = None,
    method: Method = "semantic_microaggregation",
    settings: Settings = None,
    levels: Depth = 5,
    categories: Categories = 5,
    by: By = "terms",
    seed: Annotated[int | None, typer.Option(help="Repeats the release. Leave it out for a real one.", min=0)] = None,
    limit: Limit = None,
    insist: Insist = False,
    because: Because = "",
    format: Format = "tsv",
    report: Annotated[bool, typer.Option(help="Write the reports.")] = True,
    overwrite: Overwrite = False,
    neutralise_formulas: NeutraliseFormulas = False,
    user: UserColumn = None,
    query: QueryColumn = None,
    time_column: TimeColumn = None,
    rank: RankColumn = None,
    url: UrlColumn = None,
    time_format: TimeFormat = None,
    encoding: LogEncoding = "utf-8",
    separator: LogSeparator = None,
    as_json: output.Json = False,
) -> None:
    """Anonymise a query log, judge what was made of it, and write both sides of a release.

    Exit status: 0 passed, 3 failed (nothing is written unless you insist), 4 not judged.
    """
    from tacita.compare.logs.judge_log import log_limits
    from tacita.data.disk.outputs import check_directory
    from tacita.release.log_release import KIND
    from tacita.report.logs.publish_log import publish_log

    output.settings.as_json = as_json
    _check_release_options(insist, because, format)
    check_there(log)
    asked, chosen = log_limits(limit), anonymiser_of(method, k, settings or [])
    _check_topics(chosen, directory)
    sources = [log, *([Path(directory)] if directory not in (None, SAMPLE) else [])]
    check_directory(output_directory, KIND, overwrite=overwrite, inputs=sources)
    seconds: dict[str, float] = {}
    with output.progress_bars(as_json):
        with stage(seconds, "reading"):
            original = log_of(log, columns_of(user, query, time_column, rank, url, time_format), encoding, separator)
        topics = None
        if directory is not None:
            with stage(seconds, "topics"):
                topics = topics_of(original, directory, levels, categories, by)
        with stage(seconds, "anonymising"):
            made = chosen.apply(original, topics, seed=seed)
        with stage(seconds, "measuring and writing"):
            found = publish_log(
                original, made, output_directory, topics=topics, topics_from=topics_in_words(directory, levels, categories, by),
                limits=asked, because=because, format=format, overwrite=overwrite, report=report, inputs=sources,
                formulas="neutralise" if neutralise_formulas else "warn",
            )  # fmt: skip
    _tell(original, made, found, seconds, seed)
    raise typer.Exit(EXIT[found.verdict.state])


def _tell(
    original: QueryLog, made: AnonymisedLog, found: PublishedLog, seconds: Mapping[str, float], seed: int | None
) -> None:
    if output.settings.as_json:
        output.print_json(_plain(made, found, seconds))
    else:
        say_release(original, made, found.card, found.verdict, seconds)
        say_fate(found.directory, found.verdict, seed)


def _check_release_options(insist: bool, because: str, form: str) -> None:
    from tacita.release.log_release import FORMATS

    if insist != bool(because.strip()):
        raise ReleaseError("--insist and --because go together: who insists on a failed release must say why.")
    if form not in FORMATS:
        raise ParameterError(f"'--format' must be one of {', '.join(FORMATS)}, got '{form}'.")


def _check_topics(chosen: Anonymiser, directory: str | None) -> None:
    if chosen.traits.needs_topics and directory is None:
        raise ParameterError(
            f"'{chosen.name}' goes by topics: give '--directory', or '--directory sample' for the small one of the package."
        )


def _plain(made: AnonymisedLog, found: PublishedLog, seconds: Mapping[str, float]) -> dict[str, Any]:
    return {
        "directory": None if found.directory is None else str(found.directory),
        "lines": len(made.log),
        "profiles": len(made.log.users),
        "verdict": found.verdict.as_plain(),
        "card": found.card.as_plain(),
        "seconds": {**seconds, **{f"anonymising: {name}": value for name, value in made.stages.items()}},
    }


# --- measure --------------------------------------------------------------------------------------------------------------


@logs.command("measure")
def measure(
    log: LogFile,
    release: ReleaseDirectory,
    directory: DirectoryOption = None,
    levels: Depth = 5,
    categories: Categories = 5,
    by: By = "terms",
    measures: Annotated[
        list[str] | None, typer.Option("--measure", help="A measure by name; may be repeated. Default: all that apply.")
    ] = None,
    limit: Limit = None,
    user: UserColumn = None,
    query: QueryColumn = None,
    time_column: TimeColumn = None,
    rank: RankColumn = None,
    url: UrlColumn = None,
    time_format: TimeFormat = None,
    encoding: LogEncoding = "utf-8",
    separator: LogSeparator = None,
    as_json: output.Json = False,
) -> None:
    """Measure a release of a log against the original: what of the interests is left, and who is told by it.

    The link between users and profiles is read from internal/. Nothing is written. With limits the exit status is 0, 3 or 4.
    """
    from tacita.compare.logs.judge_log import judge_log, log_limits
    from tacita.compare.logs.measure_log import measure_log

    output.settings.as_json = as_json
    check_there(log)
    asked = log_limits(limit)
    with output.progress_bars(as_json):
        original = log_of(log, columns_of(user, query, time_column, rank, url, time_format), encoding, separator)
        made, topics = release_of(release, original, directory, levels, categories, by)
        card = measure_log(original, made, topics, measures=measures)
        verdict = judge_log(card, None, asked)
    if as_json:
        output.print_json({"card": card.as_plain(), "verdict": verdict.as_plain()})
    else:
        show_log_card(card)
        for finding in verdict.findings:
            output.say(f"  {finding}")
    held = [finding.holds for finding in verdict.findings]
    if held:
        raise typer.Exit(EXIT["failed" if False in held else "not judged" if None in held else "passed"])


# --- attack ---------------------------------------------------------------------------------------------------------------


@logs.command("attack")
def attack(
    log: LogFile,
    release: ReleaseDirectory,
    directory: DirectoryOption = None,
    levels: Depth = 5,
    categories: Categories = 5,
    by: By = "terms",
    known: Annotated[int, typer.Option(help="Different queries of each victim that a neighbour knows.", min=1)] = 3,
    mates: Annotated[int, typer.Option(help="Users behind a victim's profile who attack together.", min=0)] = 1,
    attacks: Annotated[
        list[str] | None, typer.Option("--attack", "-a", help="An attack by name; repeatable. Default: all that apply.")
    ] = None,
    margin: Annotated[float, typer.Option(help="Points by which an attack may beat guessing.", min=0, max=99)] = 5.0,
    seconds: Annotated[float, typer.Option(help="About how long it may take.", min=1)] = 600.0,
    seed: Annotated[int, typer.Option(help="Repeats everything.", min=0)] = 1,
    page: Annotated[
        Path | None, typer.Option("--output", "-o", help="Directory for the page and the JSON; it stays inside.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an earlier result in the directory.")] = False,
    user: UserColumn = None,
    query: QueryColumn = None,
    time_column: TimeColumn = None,
    rank: RankColumn = None,
    url: UrlColumn = None,
    time_format: TimeFormat = None,
    encoding: LogEncoding = "utf-8",
    separator: LogSeparator = None,
    as_json: output.Json = False,
) -> None:
    """Attack a release of a log: users who look for themselves, neighbours, group mates, strangers.

    Exit status: 0 all are held, 3 one beats guessing by more than the margin, 4 few are told for sure, or nothing could be tried.
    """
    from tacita.cli.attacks.campaigns import EXIT_OF_CAMPAIGN, show_campaign, write_campaign
    from tacita.compare.red_team.attack_log import attack_log
    from tacita.release.log_release import read_made_by

    output.settings.as_json = as_json
    check_there(log)
    with output.progress_bars(as_json):
        original = log_of(log, columns_of(user, query, time_column, rank, url, time_format), encoding, separator)
        made, topics = release_of(release, original, directory, levels, categories, by)
        found = attack_log(
            original, made, method=read_made_by(release / "internal"), topics=topics, known=known, mates=mates,
            attacks=attacks, margin=margin / 100, seconds=seconds, seed=seed,
        )  # fmt: skip
        written = None if page is None else write_campaign(found, page, overwrite=overwrite)
    if as_json:
        output.print_json(found.to_plain())
    else:
        show_campaign(found)
        if written is not None:
            output.say(f"Page: {written}")
    if EXIT_OF_CAMPAIGN[found.state]:
        raise typer.Exit(EXIT_OF_CAMPAIGN[found.state])
