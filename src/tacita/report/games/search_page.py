"""The page of anonymous search: who helps whom, what entropies say, and what attackers learn nevertheless."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tacita.games.search.comparison import SearchComparison
from tacita.report.games.search_figures import WAY_WORDS, data_of_pictures, search_lines, share_bars
from tacita.report.study_page import PageFigure, PageTable, study_page

__all__ = [
    "ENTROPY_HEADS",
    "LEARNED_HEADS",
    "learned_rows",
    "search_page",
    "search_pictures",
    "search_sentences",
    "utility_rows",
]

ENTROPY_HEADS = ("way", "H database, peer", "H database, query", "H peers", "helped, %", "load", "messages")
"""Heads of the table of utilities; all but the first are numbers."""
LEARNED_HEADS = (
    "way", "known, %", "right, %", "first, %", "found, %", "found later, %", "one peer, %", "colluding, %",
)  # fmt: skip
"""Heads of the table of what attackers learn; all but the first are numbers."""


def search_page(found: SearchComparison) -> str:
    """Write the page; the same comparison gives the same text.

    Parameters
    ----------
    found
        What :func:`tacita.games.search.comparison.compare_search` found.
    """
    ways = PageTable("Utilities of section 4", ENTROPY_HEADS, utility_rows(found), ENTROPY_HEADS[1:])
    learned = PageTable("What attackers learn", LEARNED_HEADS, learned_rows(found), LEARNED_HEADS[1:])
    tables = [ways, learned, _legend(found), *_relatives(found), *_sweeps(found)]
    notes = [*search_sentences(found), *found.community.notes]
    return study_page(
        "Anonymous search among peers", notes=notes, figures=list(search_pictures(found).values()), tables=tables
    )


def utility_rows(found: SearchComparison) -> list[tuple[str, ...]]:
    """Return the utilities of each way of searching, under ``ENTROPY_HEADS``."""
    return [
        (
            WAY_WORDS[row["way"]],
            _number(row["entropy_database"]),
            _number(row["entropy_database_by_query"]),
            _number(row.get("entropy_peers")),
            _percent(row.get("helped")),
            _number(row.get("largest_load"), 1),
            _number(row.get("messages_per_query"), 2),
        )
        for row in found.ways
    ]


def learned_rows(found: SearchComparison) -> list[tuple[str, ...]]:
    """Return what attackers learn of each way of searching, under ``LEARNED_HEADS``."""
    names = ("recall", "precision", "first_right", "found", "found_later", "peer_knows", "coalition_knows")
    return [(WAY_WORDS[row["way"]], *(_percent(row[name]) for name in names)) for row in found.ways]


def search_sentences(found: SearchComparison) -> list[str]:
    """Say what came out in sentences: what holds of section 4 on these queries, and what does not."""
    community, rules = found.community, found.rules
    said = [
        f"{community.peers:,} peers, {len(community):,} queries, {community.queries:,} of them different; topology "
        f"{rules.topology.replace('_', '-')}, {rules.attempts} attempts, {100 * rules.free_riders:.0f} % free riders."
    ]
    if found.checked:
        said.append(
            f"Of {found.checked['checked']} lines that were looked at again with whole entropies, the rules and the pure Nash "
            f"equilibrium of the request game agree on {found.checked['agree']}."
        )
    rows = {row["way"]: row for row in found.ways}
    if "coprivate" not in rows:
        return said
    own = rows["coprivate"]
    said.append(
        f"Coprivate interactions: {_percent(own['helped'])} % of the queries were submitted by a peer who gained by it, "
        f"{_percent(own['help_given_when_wished'])} % of those whose owners wished it."
    )
    for name, words in (
        ("entropy_database", "Entropy against the database, mean over peers"),
        ("entropy_database_by_query", "Entropy against the database, mean over queries"),
        ("entropy_peers", "Entropy against peers, of what was forwarded twice or more"),
    ):
        said += _against(own, rows, name, words)
    random = rows.get("random")
    beside = "" if random is None else f", with random forwarding {_percent(random['peer_knows'])} %"
    said.append(
        f"The peer who is told most of an owner knows {_percent(own['peer_knows'])} % of her different queries{beside}. The "
        "entropy against peers is no scale of it: each refusal is one more peer told, and makes it larger."
    )
    said.append(
        f"The database nevertheless sees {_percent(own['recall'])} % of each peer's different queries under her own name: what "
        "is new there makes H(Y) larger, so that the rules never forward it. Of the different queries under a name, "
        f"{_percent(own['precision'])} % are its owner's; who is the first to submit a query has it, in "
        f"{_percent(own['first_right'])} % of the cases."
    )
    return said


def _against(own: Mapping[str, Any], rows: Mapping[str, Any], name: str, words: str) -> list[str]:
    told = []
    for rival in ("none", "random"):
        other = rows.get(rival, {}).get(name)
        if other is None or math.isnan(other) or math.isnan(own[name]):
            continue
        holds = "higher than" if own[name] > other else "not higher than"
        told.append(f"{holds} with {'nobody' if rival == 'none' else 'random forwarding'} ({other:.2f})")
    return [f"{words}: {own[name]:.2f} bits, {' and '.join(told)}."] if told else []


def search_pictures(found: SearchComparison) -> dict[str, PageFigure]:
    """Return the pictures of the page, by the names of :func:`data_of_pictures`."""
    made = {}
    for name, rows in data_of_pictures(found).items():
        caption, axes = _CAPTIONS[name]
        if axes is not None:
            chart = search_lines(rows, x=axes[0], y=axes[1])
        else:
            # shares of all queries stand on one scale; what is in several units has one scale each
            chart = share_bars(rows, domain=(0, 125) if name in ("database", "peers") else None)
        made[name] = PageFigure(name, caption, _described(rows), chart)
    return made


_CAPTIONS: Mapping[str, tuple[str, tuple[str, str] | None]] = {
    "entropy-over-time": (
        "Mean entropies over time. Against the database each peer counts once, or as often as she has a query; against peers, "
        "what was forwarded at least twice counts. Random forwarding makes all loads equal: a peer with few queries stands "
        "under many, one with many under few.",
        ("queries", "bits"),
    ),
    "help-over-time": (
        "Coprivate interactions over time: how many owners would lose entropy by submitting, and how many found a peer who gains "
        "by it.",
        ("queries", "%"),
    ),
    "database": (
        "What the database alone learns, in percent. Queries known: of an owner's different queries, those under her name. "
        "Right about: of the different queries under a name, those of its owner. First name: different queries whose first name "
        "is that of somebody who has them. Topics: overlap with the true distribution. Found: owners whose name comes first for "
        "who knows their searches of the first half of the time, and sees all; found later: sees the second half.",
        None,
    ),
    "peers": (
        "What peers learn of an owner's different queries, in percent: the one who is told most, some drawn at random who put "
        "together what they know, and the same together with the database.",
        None,
    ),
    "free-riders": (
        "Entropy against the database by the share of peers who never help, mean over peers. By the rules of section 4, who does "
        "not help has only queries of her own under her name; who helps gains.",
        ("free riders, %", "bits"),
    ),
    "attempts": ("More attempts find more help, with more peers told.", None),
    "topology": (
        "Who can ask fewer peers finds less help, and tells each of them more. In a scale-free graph a few are asked very often.",
        None,
    ),
    "sizes": (
        "The number of peers, each with the queries of her own: more peers to ask share what is told among them.",
        None,
    ),
}
"""Caption of each picture; titles of its axes, or None for bars."""


def _described(rows: list[dict[str, Any]]) -> str:
    """Say the numbers: all bars, or where each line ends."""
    if "share" in rows[0]:
        return "; ".join(f"{row['panel']}, {row['way']}: {row['share']:.3g}" for row in rows)[:1500]
    ends = {(row["panel"], row["line"]): row for row in rows}
    return "; ".join(f"{panel}, {line}: ends at {row['y']:.3g}" for (panel, line), row in ends.items())


# --- tables ---------------------------------------------------------------------------------------------------------------


def _legend(found: SearchComparison) -> PageTable:
    rows = [
        ("H database, peer", "entropy of what stands under a name, mean over peers, in bits"),
        ("H database, query", "the same, mean over queries: of the peer who has the query"),
        ("H peers", "entropy of whom a query was forwarded to, mean over what was forwarded twice or more"),
        ("helped", "queries that somebody else submitted"),
        ("load", "most submissions of a peer, as a multiple of the mean"),
        ("messages", "requests for each query"),
        ("known", "database alone: of an owner's different queries, those under her name"),
        ("right", "database alone: of the different queries under a name, those of its owner"),
        ("first", "database alone: different queries whose first name is that of somebody who has them"),
        ("found", "database alone: owners found by who knows their searches of the first half of the time"),
        ("found later", "the same, where only the second half of what stands under the names is seen"),
        ("one peer", "what the peer knows who is told most of an owner, of her different queries"),
        ("colluding", f"what {found.coalition} peers drawn at random know together"),
    ]
    return PageTable("What the columns are", ("column", "meaning"), rows)


def _relatives(found: SearchComparison) -> list[PageTable]:
    """The relatives that need no peers have figures of their own."""
    heads = (
        "way",
        "submissions for a query",
        "H(target), bits",
        "smallest",
        "told at once, %",
        "told by history, %",
        "AUC",
    )
    rows = [
        (
            WAY_WORDS[row["way"]],
            _number(row["submissions_per_query"]),
            _number(row.get("target_entropy")),
            _number(row.get("least_target_entropy")),
            _percent(row.get("told")),
            _percent(row.get("told_by_history")),
            _number(row.get("auc")),
        )
        for row in found.ways
        if "told" in row
    ]
    return [PageTable("Relatives without peers", heads, rows, heads[1:])] if rows else []


def _sweeps(found: SearchComparison) -> list[PageTable]:
    names = {"free_riders": "Free riders", "attempts": "Attempts", "topology": "Topology", "peers": "Number of peers"}
    heads = ("value", "H, peer", "H, query", "helpers", "free riders", "H peers", "helped, %", "load", "one peer, %")
    tables = []
    for name, rows in found.sweeps.items():
        for protocol in dict.fromkeys(row["protocol"] for row in rows):
            cells = [
                (
                    _value_words(row["value"]),
                    _number(row["entropy_database"]),
                    _number(row["entropy_database_by_query"]),
                    _number(row["helpers"]),
                    _number(row["riders"]),
                    _number(row["entropy_peers"]),
                    _percent(row["helped"]),
                    _number(row["largest_load"], 1),
                    _percent(row["peer_knows"]),
                )
                for row in rows
                if row["protocol"] == protocol
            ]
            tables.append(PageTable(f"{names[name]}: {WAY_WORDS[protocol]}", heads, cells, heads[1:]))
    return tables


def _value_words(value: object) -> str:
    if isinstance(value, float):
        return f"{100 * value:.0f} %"
    return value.replace("_", "-") if isinstance(value, str) else f"{value:,}"


def _percent(share: float | None) -> str:
    return "–" if share is None or math.isnan(share) else f"{100 * share:.1f}"


def _number(value: float | None, digits: int = 2) -> str:
    return "–" if value is None or math.isnan(value) else f"{value:.{digits}f}"
