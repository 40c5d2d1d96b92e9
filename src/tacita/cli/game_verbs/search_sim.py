"""``tacita games search-sim``: peers who submit each other's queries, beside other ways to search anonymously."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacita.cli import output
from tacita.cli.files import check_there, make_parents
from tacita.cli.query_logs.options import (
    Depth,
    DirectoryOption,
    LogEncoding,
    LogSeparator,
    QueryColumn,
    TimeColumn,
    TimeFormat,
    UserColumn,
)
from tacita.core.errors import ParameterError

if TYPE_CHECKING:
    from tacita.games.search.community import Community
    from tacita.games.search.comparison import SearchComparison

__all__ = ["search_sim"]

_KIND = "simulation of searches"
_PEERS, _QUERIES = 1000, 50_000


def search_sim(
    log: Annotated[
        Path | None,
        typer.Argument(
            help="A query log of your own, as for 'tacita logs'; without one a log is made.", show_default=False
        ),
    ] = None,
    peers: Annotated[
        int | None, typer.Option(help=f"N. Default: all users of the log, {_PEERS} of a made one.", min=2)
    ] = None,
    queries: Annotated[
        int | None, typer.Option(help=f"M, the first so many. Default: all, {_QUERIES} of a made log.", min=1)
    ] = None,
    protocol: Annotated[str, typer.Option(help="coprivate (section 4), random, crowds or none.")] = "coprivate",
    attempts: Annotated[int, typer.Option(help="Peers who ignore a query before its owner submits it.", min=1)] = 3,
    free_riders: Annotated[float, typer.Option(help="Share of peers who never help.", min=0, max=1)] = 0.0,
    topology: Annotated[str, typer.Option(help="complete, ring, random or scale_free.")] = "complete",
    degree: Annotated[int, typer.Option(help="Neighbours of a peer, where not everybody is one.", min=1)] = 10,
    by: Annotated[str, typer.Option(help="What is searched for: the 'text', or its 'topic'.")] = "text",
    compare: Annotated[
        bool, typer.Option("--compare", help="Also the other ways, and what changes the protocol.")
    ] = False,
    coalition: Annotated[int, typer.Option(help="Peers who collude.", min=1)] = 5,
    k: Annotated[int, typer.Option("-k", "--k", help="Keywords of a masked query.", min=2)] = 3,
    rate: Annotated[float, typer.Option(help="Cover queries for a true one.", min=0, max=1000)] = 1.0,
    seed: Annotated[int, typer.Option(help="Repeats everything.", min=0)] = 1,
    page: Annotated[
        Path | None, typer.Option("--output", "-o", help="Directory for the page and the JSON; it stays inside.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an earlier result in the directory.")] = False,
    directory: DirectoryOption = None,
    levels: Depth = 2,
    user: UserColumn = None,
    query: QueryColumn = None,
    time_column: TimeColumn = None,
    time_format: TimeFormat = None,
    encoding: LogEncoding = "utf-8",
    separator: LogSeparator = None,
    as_json: output.Json = False,
) -> None:
    """Let peers submit each other's queries where both gain by it (coprivacy), and measure what that hides from whom."""
    from tacita.data.disk.outputs import check_directory
    from tacita.games.search.comparison import compare_search
    from tacita.games.search.play import SearchRules

    output.settings.as_json = as_json
    rules = SearchRules(
        protocol=protocol,  # type: ignore[arg-type]
        attempts=attempts,
        free_riders=free_riders,
        topology=topology,  # type: ignore[arg-type]
        degree=degree,
    )
    if by not in ("text", "topic"):
        raise ParameterError(f"'--by' must be 'text' or 'topic', got '{by}'.")
    if by == "topic" and log is not None and directory is None:
        raise ParameterError("The topics of a log of your own come from a topic directory: give '--directory'.")
    if log is not None:
        check_there(log)
    if page is not None:
        check_directory(page, _KIND, overwrite=overwrite, inputs=[] if log is None else [log])
    columns = (user, query, time_column, None, None, time_format)
    with output.progress_bars(as_json):
        community = _community(log, peers, queries, directory, levels, columns, encoding, separator, seed)
        community = community.by_topic() if by == "topic" else community
        found = compare_search(community, rules, compare=compare, coalition=coalition, k=k, rate=rate, seed=seed)
        if page is not None:
            _write(found, page, overwrite)
    if as_json:
        output.print_json(found.as_plain())
        return
    _show(found)
    if page is not None:
        output.say(f"Page: {page / 'internal' / 'search.html'}")


def _community(
    log: Path | None,
    peers: int | None,
    queries: int | None,
    directory: str | None,
    levels: int,
    columns: tuple[str | None, ...],
    encoding: str,
    separator: str | None,
    seed: int,
) -> Community:
    """Read the log, or make one; topics are the true ones of a made log, or those that a directory names."""
    from tacita.cli.query_logs.pointed_at_logs import columns_of, log_of, topics_of
    from tacita.games.search.community import community_of_log, community_of_sample
    from tacita.games.search.topics import main_topics

    if log is None:
        return community_of_sample(peers or _PEERS, queries or _QUERIES, seed=seed, level=levels)
    read = log_of(log, columns_of(*columns), encoding, separator)
    topics = None if directory is None else main_topics(topics_of(read, directory, levels, 1, "query"), levels)
    return community_of_log(read, peers=peers, queries=queries, topic_of_text=topics, seed=seed)


def _show(found: SearchComparison) -> None:
    from tacita.report.games.search_page import SEARCH_HEADS, search_rows, search_sentences

    output.table("Anonymous search", SEARCH_HEADS, search_rows(found), right=SEARCH_HEADS[1:])
    for sentence in (*search_sentences(found), *found.community.notes):
        output.say(sentence)


def _write(found: SearchComparison, directory: Path, overwrite: bool) -> None:
    """Write the page, everything as JSON, and the numbers of each picture; whole or not at all."""
    from tacita.data.atomic import atomic_directory
    from tacita.data.disk.documents import put_documents
    from tacita.report.games.search_figures import data_of_pictures
    from tacita.report.games.search_page import search_page

    texts = {"search.html": search_page(found), "search.json": _json(found.as_plain())}
    texts |= {f"{name}.json": _json(rows) for name, rows in data_of_pictures(found).items()}
    make_parents(directory)
    with atomic_directory(directory, overwrite, kind=_KIND, private=["internal"]) as made:
        (made / "internal").mkdir(mode=0o700)
        put_documents(made, {f"internal/{name}": text.encode("utf-8") for name, text in texts.items()})


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
