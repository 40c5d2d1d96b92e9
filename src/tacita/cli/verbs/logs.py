"""``tacita logs``: index a topic directory, anonymise a query log, measure what was made of it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacita.cli import output
from tacita.cli.files import check_there
from tacita.cli.settings import setting
from tacita.cli.verdicts import EXIT, Because, Insist
from tacita.core.errors import ColumnError, FileError, ParameterError, ReleaseError

if TYPE_CHECKING:
    from tacita.compare.logs.judge_log import LogVerdict
    from tacita.compare.logs.measure_log import LogCard
    from tacita.data.directory.classified import Classified
    from tacita.data.directory.topic_index import TopicIndex
    from tacita.data.query_log.query_log import QueryLog
    from tacita.logs.anonymiser import AnonymisedLog, Anonymiser

__all__ = ["logs"]

SAMPLE = "sample"
"""Stands for the small directory that comes with the package."""

logs = typer.Typer(
    name="logs",
    help="Anonymise query logs: who searched what.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

# --- options --------------------------------------------------------------------------------------------------------------

LogFile = Annotated[
    Path,
    typer.Argument(
        help="The log: a file in the form of AOL, a table, Parquet or lines of JSON, or a folder of such files.",
        show_default=False,
    ),
]
DirectoryOption = Annotated[
    str | None,
    typer.Option(
        "--directory",
        "-d",
        help="Topic directory: an index made by 'tacita logs index', a dump of the Open Directory, a table of paths, a folder of "
        "WordNet, or 'sample'.",
        show_default=False,
    ),
]
Depth = Annotated[int, typer.Option("--levels", help="L, the deepest level of the directory that is looked at.", min=1)]
Categories = Annotated[
    int, typer.Option("--categories", help="So many categories of each term, best first; the paper has 1 and 5.", min=1)
]
By = Annotated[
    str, typer.Option("--by", help="What is classified: 'terms', as the paper has it, or the whole 'query'.")
]
ReleaseDirectory = Annotated[
    Path, typer.Argument(help="Directory of a release, with public/ and internal/.", show_default=False)
]
UserColumn = Annotated[str | None, typer.Option("--user", help="Column of the user, where it has another name.")]
QueryColumn = Annotated[str | None, typer.Option("--query", help="Column of the search.")]
TimeColumn = Annotated[str | None, typer.Option("--time", help="Column of the time.")]
RankColumn = Annotated[str | None, typer.Option("--rank", help="Column of the place of the click.")]
UrlColumn = Annotated[str | None, typer.Option("--url", help="Column of the address of the click.")]
TimeFormat = Annotated[
    str | None, typer.Option("--time-format", help="How times are written, such as '%d.%m.%Y %H:%M'.")
]
LogEncoding = Annotated[str, typer.Option("--encoding", help="Encoding of text.")]
LogSeparator = Annotated[str | None, typer.Option("--separator", help="Field separator; found out if not given.")]
Format = Annotated[str, typer.Option(help="tsv (the form of AOL), csv, jsonl, each with .gz if you like, or parquet.")]
Limit = Annotated[
    list[str] | None,
    typer.Option("--limit", "-l", help="What must hold, such as 'profile_linkage <= 20'; may be repeated."),
]


@dataclass(frozen=True)
class _Stages:
    """Seconds of each stage, in their order."""

    seconds: dict[str, float]

    def begin(self) -> float:
        return time.perf_counter()

    def end(self, name: str, begin: float) -> None:
        self.seconds[name] = time.perf_counter() - begin


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
    stages = _Stages({})
    with output.progress_bars(as_json):
        begin = stages.begin()
        found = _directory(directory, language)
        stages.end("reading", begin)
        begin = stages.begin()
        made = TopicIndex.build(found, output_file, overwrite=overwrite)
        stages.end("indexing", begin)
    if as_json:
        facts = {"index": str(output_file), "entries": len(found), "categories": len(found.tree)}
        output.print_json({**facts, "seconds": stages.seconds})
        return
    if found.reading is not None:
        output.say(found.reading.words())
    output.say(f"{made!r} written to {output_file}.")
    _show_stages(stages.seconds)


# --- anonymise ------------------------------------------------------------------------------------------------------------


@logs.command("anonymise")
def anonymise(
    log: LogFile,
    output_directory: Annotated[
        Path,
        typer.Option(
            "--output", "-o", help="Directory of the release, with public/ and internal/.", show_default=False
        ),
    ],
    directory: DirectoryOption = None,
    k: Annotated[int | None, typer.Option("-k", "--k", help="Fewest users that a profile stands for.", min=1)] = None,
    method: Annotated[
        str,
        typer.Option("--method", "-m", help="An anonymiser by name; 'tacita methods --kind anonymiser' lists them."),
    ] = "semantic_microaggregation",
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="A parameter of the method, such as time=week; may be repeated.")
    ] = None,
    levels: Depth = 5,
    categories: Categories = 5,
    by: By = "terms",
    seed: Annotated[int | None, typer.Option(help="Repeats the release. Leave it out for a real one.", min=0)] = None,
    limit: Limit = None,
    insist: Insist = False,
    because: Because = "",
    format: Format = "tsv",
    report: Annotated[bool, typer.Option(help="Write the reports.")] = True,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an earlier release of a log.")] = False,
    neutralise_formulas: Annotated[
        bool,
        typer.Option(
            "--neutralise-formulas",
            help="Put an apostrophe before searches in a CSV file that a spreadsheet would run.",
        ),
    ] = False,
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
    from tacita.release.log_release import FORMATS, KIND
    from tacita.report.logs.publish_log import publish_log

    output.settings.as_json = as_json
    if insist != bool(because.strip()):
        raise ReleaseError("--insist and --because go together: who insists on a failed release must say why.")
    if format not in FORMATS:
        raise ParameterError(f"'--format' must be one of {', '.join(FORMATS)}, got '{format}'.")
    check_there(log)
    asked, chosen = log_limits(limit), _method(method, k, settings or [])
    if chosen.traits.needs_topics and directory is None:
        raise ParameterError(
            f"'{method}' goes by topics: give '--directory', or '--directory sample' for the small one of the package."
        )
    sources = [log, *([Path(directory)] if directory not in (None, SAMPLE) else [])]
    check_directory(output_directory, KIND, overwrite=overwrite, inputs=sources)
    stages = _Stages({})
    with output.progress_bars(as_json):
        begin = stages.begin()
        original = _read(log, _columns(user, query, time_column, rank, url, time_format), encoding, separator)
        stages.end("reading", begin)
        begin = stages.begin()
        topics = None if directory is None else _classified(original, directory, levels, categories, by)
        if directory is not None:
            stages.end("topics", begin)
        begin = stages.begin()
        made = chosen.apply(original, topics, seed=seed)
        stages.end("anonymising", begin)
        begin = stages.begin()
        found = publish_log(
            original, made, output_directory, topics=topics, topics_from=_told(directory, levels, categories, by), limits=asked,
            because=because, format=format, overwrite=overwrite, report=report, inputs=sources,
            formulas="neutralise" if neutralise_formulas else "warn",
        )  # fmt: skip
        stages.end("measuring and writing", begin)
    if as_json:
        output.print_json(
            {
                "directory": None if found.directory is None else str(found.directory),
                "lines": len(made.log),
                "profiles": len(made.log.users),
                "verdict": found.verdict.as_plain(),
                "card": found.card.as_plain(),
                "seconds": {**stages.seconds, **{f"anonymising: {name}": value for name, value in made.stages.items()}},
            }
        )
    else:
        _say_all(original, made, found.card, found.verdict, stages.seconds)
        _say_fate(found.directory, found.verdict, seed)
    raise typer.Exit(EXIT[found.verdict.state])


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
        original = _read(log, _columns(user, query, time_column, rank, url, time_format), encoding, separator)
        made, topics = _released(release, original, directory, levels, categories, by)
        card = measure_log(original, made, topics, measures=measures)
        verdict = judge_log(card, None, asked)
    if as_json:
        output.print_json({"card": card.as_plain(), "verdict": verdict.as_plain()})
    else:
        _show_card(card)
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
        original = _read(log, _columns(user, query, time_column, rank, url, time_format), encoding, separator)
        made, topics = _released(release, original, directory, levels, categories, by)
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


# --- parts ----------------------------------------------------------------------------------------------------------------


def _method(name: str, k: int | None, settings: list[str]) -> Anonymiser:
    from tacita.core import registry

    kind = registry.find("anonymiser", name)
    given: dict[str, Any] = dict(setting(text) for text in settings)
    if k is not None:
        if "k" not in {parameter.name for parameter in kind.parameters()}:
            raise ParameterError(f"'{name}' has no k; 'tacita methods {name}' shows its parameters.")
        given.setdefault("k", k)
    return kind.from_plain(given)  # type: ignore[return-value]


def _columns(*named: str | None) -> Any:
    from tacita.data.query_log.log_columns import LogColumns

    words = ("user", "query", "time", "rank", "url", "time_format")
    given: Mapping[str, Any] = {word: name for word, name in zip(words, named, strict=True) if name is not None}
    return LogColumns(**given) if given else None


def _read(file: Path, columns: Any, encoding: str, separator: str | None) -> QueryLog:
    from tacita.data.query_log.read import read_log

    try:
        return read_log(file, columns=columns, encoding=encoding, separator=separator)
    except ColumnError as error:
        raise ColumnError(
            f"{error} On the command line: --user NAME --query NAME, and --time, --rank, --url."
        ) from None


def _directory(name: str, languages: list[str] | None = None) -> Any:
    if name == SAMPLE:
        from tacita.data import samples

        found = samples.topic_directory()
        return found if not languages else found.in_languages(languages)
    from tacita.data.directory.read_directory import read_directory

    return read_directory(name, languages=languages)


def _index(name: str) -> TopicIndex:
    """Open an index, or make one of a directory in memory."""
    from tacita.data.directory.topic_file import is_index
    from tacita.data.directory.topic_index import TopicIndex

    if name != SAMPLE and is_index(Path(name)):
        return TopicIndex.open(name)
    return TopicIndex.build(_directory(name))


def _classified(log: QueryLog, directory: str, levels: int, categories: int, by: str) -> Classified:
    return _index(directory).classify(log.texts, categories=categories, depth=levels, by=by)  # type: ignore[arg-type]


def _told(directory: str | None, levels: int, categories: int, by: str) -> str:
    if directory is None:
        return ""
    return f"{Path(directory).name}, {levels} levels, {categories} categories of each {'term' if by == 'terms' else 'query'}"


def _released(
    place: Path, original: QueryLog, directory: str | None, levels: int, categories: int, by: str
) -> tuple[AnonymisedLog, Classified | None]:
    from tacita.compare.logs.released_topics import released_topics
    from tacita.data.query_log.read import read_log
    from tacita.logs.anonymiser import AnonymisedLog
    from tacita.release.log_release import FORMATS, read_profiles

    files = [place / "public" / f"log.{ending}" for ending in FORMATS]
    there = [file for file in files if file.is_file()]
    if not there:
        raise FileError(f"'{place.name}' has no released log in public/; give the directory that 'anonymise' wrote.")
    released = read_log(there[0])
    profile = read_profiles(place / "internal", original, released)
    if directory is None:
        return AnonymisedLog(log=released, profile=profile, method="read from its release"), None
    found = _index(directory)
    how: dict[str, Any] = {"categories": categories, "depth": levels, "by": by}
    topics = found.classify(original.texts, **how)
    left = released_topics(released.texts, found.classify(released.texts, **how))
    return AnonymisedLog(log=released, profile=profile, method="read from its release", topics=left), topics


# --- on the screen --------------------------------------------------------------------------------------------------------


def _say_all(
    original: QueryLog, made: AnonymisedLog, card: LogCard, verdict: LogVerdict, seconds: Mapping[str, float]
) -> None:
    if original.reading is not None:
        output.say(original.reading.words())
    output.say(
        f"{len(original):,} lines of {len(original.users):,} users became {len(made.log):,} lines in "
        f"{len(made.log.users):,} profiles."
    )
    for reason, count in made.removed.items():
        output.say(f"  did not leave, {reason}: {count:,} lines")
    for note in made.notes:
        output.say(f"Note: {note}")
    _show_stages({**seconds, **{f"  {name}": value for name, value in made.stages.items()}})
    _show_card(card)
    output.say(f"\nVerdict: {verdict.state.upper()}")
    for reason in verdict.reasons:
        output.say(f"  {reason}")


def _show_stages(seconds: Mapping[str, float]) -> None:
    rows = [(name, f"{value:.2f}") for name, value in seconds.items()]
    output.table("Time of each stage", ("stage", "seconds"), rows, right=("seconds",))


def _show_card(card: LogCard) -> None:
    heads = ("kind", "measure", "value", "unit", "better", "parts")
    rows = [
        (
            "risk" if one.traits.is_risk else "loss",
            one.titled(),
            output.number(card[name]),
            one.traits.unit,
            one.traits.better,
            ", ".join(
                f"{part} {output.number(value, 3)}" for part, value in list(card.figures[name].parts.items())[:6]
            ),
        )
        for name, one in card.measures.items()
    ]
    output.table("Measures", heads, rows, right=("value",))
    for name, why in card.absent.items():
        output.say(f"Not measured: {name}. {why}")
    if card.bound is not None:
        output.say(
            f"1/k, which the paper's formula (5) gives where users of a group share nothing: {card.bound:.1f} %."
        )


_FATES = {
    "passed": "public/ keeps its limits and may leave, after your own review",
    "failed": "public/ FAILED",
    "not judged": "public/ was NOT JUDGED, so nothing here says that it is safe",
}


def _say_fate(directory: Path | None, verdict: LogVerdict, seed: int | None) -> None:
    if directory is None:
        output.say(
            '\nNothing was written. Change the method, or give --insist --because "..." to write it nevertheless.'
        )
        return
    if seed is not None and seed < 2**64:
        output.say(
            "\nThe seed was given and is short: whoever guesses it can undo what was drawn. Leave --seed out for a real release."
        )
    output.say(
        f"\nRelease written to {directory}: {_FATES[verdict.state]}; internal/ (seed, profiles of users, full report) must stay."
    )
