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
    from tacita.games.search.play import SearchRules

__all__ = ["search_sim"]

_KIND = "simulation of searches"
_PEERS, _QUERIES = 1000, 50_000


Log = Annotated[
    Path | None,
    typer.Argument(
        help="A query log of your own, as for 'tacita logs'; without one a log is made.", show_default=False
    ),
]
Peers = Annotated[int | None, typer.Option(help="N. Default: all users of the log, 1000 of a made one.", min=2)]
Queries = Annotated[int | None, typer.Option(help="M, the first so many. Default: all, 50000 of a made log.", min=1)]
ProtocolName = Annotated[str, typer.Option(help="coprivate (section 4), random, crowds or none.")]
Attempts = Annotated[int, typer.Option(help="Peers who may ignore a query before its owner submits it.", min=1)]
FreeRiders = Annotated[float, typer.Option(help="Share of peers who never help.", min=0, max=1)]
Kind = Annotated[str, typer.Option(help="Who can ask whom: complete, ring, random or scale_free.")]
Degree = Annotated[int, typer.Option(help="Neighbours of a peer, where not everybody is one.", min=1)]
SearchedFor = Annotated[str, typer.Option(help="What is searched for: the 'text' of a query, or its 'topic'.")]
Compare = Annotated[bool, typer.Option("--compare", help="Also the other ways, and what changes the protocol.")]
Coalition = Annotated[int, typer.Option(help="Peers who collude.", min=1)]
Keywords = Annotated[int, typer.Option("-k", "--k", help="Keywords of a masked query.", min=2)]
Rate = Annotated[float, typer.Option(help="Cover queries for a true one.", min=0, max=1000)]
SimulationSeed = Annotated[int, typer.Option(help="Repeats everything.", min=0)]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Directory for the page and the JSON; it stays inside.")
]
Replace = Annotated[bool, typer.Option("--overwrite", help="Replace an earlier result in the directory.")]


def search_sim(
    log: Log = None,
    peers: Peers = None,
    queries: Queries = None,
    protocol: ProtocolName = "coprivate",
    attempts: Attempts = 3,
    free_riders: FreeRiders = 0.0,
    topology: Kind = "complete",
    degree: Degree = 10,
    by: SearchedFor = "text",
    compare: Compare = False,
    coalition: Coalition = 5,
    k: Keywords = 3,
    rate: Rate = 1.0,
    seed: SimulationSeed = 1,
    page: Output = None,
    overwrite: Replace = False,
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
    from tacita.games.search.comparison import compare_search

    output.settings.as_json = as_json
    rules = _rules(protocol, attempts, free_riders, topology, degree)
    _check(log, by, directory, page, overwrite)
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


def _rules(protocol: str, attempts: int, free_riders: float, topology: str, degree: int) -> SearchRules:
    """Return the rules, and draw a small graph by them, so that what does not fit is said before a log is read."""
    import numpy as np

    from tacita.games.search.play import SearchRules
    from tacita.games.search.topology import draw_topology

    kinds: Any = {"protocol": protocol, "topology": topology}
    rules = SearchRules(attempts=attempts, free_riders=free_riders, degree=degree, **kinds)
    draw_topology(rules.topology, 2, degree=degree, rng=np.random.default_rng(0))
    return rules


def _check(log: Path | None, by: str, directory: str | None, page: Path | None, overwrite: bool) -> None:
    """Say what is wrong before the work begins."""
    from tacita.data.disk.outputs import check_directory

    if by not in ("text", "topic"):
        raise ParameterError(f"'--by' must be 'text' or 'topic', got '{by}'.")
    if by == "topic" and log is not None and directory is None:
        raise ParameterError("The topics of a log of your own come from a topic directory: give '--directory'.")
    if log is not None:
        check_there(log)
    if page is not None:
        sources = [path for path in (log, Path(directory) if directory else None) if path is not None]
        check_directory(page, _KIND, overwrite=overwrite, inputs=sources)


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
    from tacita.games.search.topics import level_topics

    if log is None:
        return community_of_sample(peers or _PEERS, queries or _QUERIES, seed=seed, level=levels)
    read = log_of(log, columns_of(*columns), encoding, separator)
    topics = None if directory is None else level_topics(topics_of(read, directory, levels, 1, "query"), levels)
    return community_of_log(read, peers=peers, queries=queries, topic_of_text=topics, seed=seed)


def _show(found: SearchComparison) -> None:
    from tacita.report.games import search_page

    for title, heads, rows in (
        ("Utilities of section 4", search_page.ENTROPY_HEADS, search_page.utility_rows(found)),
        ("What attackers learn", search_page.LEARNED_HEADS, search_page.learned_rows(found)),
    ):
        output.table(title, heads, rows, right=heads[1:])
    for sentence in (*search_page.search_sentences(found), *found.community.notes):
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
