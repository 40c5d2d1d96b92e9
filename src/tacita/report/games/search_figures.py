"""Pictures of anonymous search: entropies over time, free riders, what each attacker learns, and what changes the protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from tacita.games.search.comparison import SearchComparison
from tacita.report.style import INK, RELEASE, axis_labels, styled

__all__ = ["WAY_WORDS", "data_of_pictures", "search_lines", "share_bars"]

WAY_WORDS = {
    "none": "nobody helps",
    "random": "random forwarding",
    "crowds": "Crowds",
    "coprivate": "coprivate",
    "masked, kept fakes": "masked, kept fakes",
    "masked, fresh fakes": "masked, fresh fakes",
    "cover queries": "cover queries",
}
"""What each way of searching is called on a page."""

_COLOURS = (RELEASE, "#c2570c", "#3f7d20", "#8a3a8f")
_DASHES = ([1, 0], [6, 2], [2, 2], [8, 3, 2, 3])
_SIZE = (250, 190)

Rows = list[dict[str, Any]]

_LEARNED = {
    "recall": "queries known",
    "precision": "right about",
    "first_right": "first name",
    "topic_overlap": "topics",
    "found": "found",
    "found_later": "found later",
}


def data_of_pictures(found: SearchComparison) -> dict[str, Rows]:
    """Return for every picture the numbers that it shows, by its name; what there is nothing of is left out.

    Parameters
    ----------
    found
        What :func:`tacita.games.search.comparison.compare_search` found.
    """
    made = {
        "entropy-over-time": _entropy_over_time(found),
        "help-over-time": _help_over_time(found),
        "database": _database(found),
        "peers": _peers(found),
        "free-riders": _free_riders(found),
        "attempts": _sweep(found, "attempts"),
        "topology": _sweep(found, "topology"),
        "sizes": _sweep(found, "peers"),
    }
    return {name: rows for name, rows in made.items() if rows}


def _entropy_over_time(found: SearchComparison) -> Rows:
    panels = {
        "entropy_database": "database, a peer",
        "entropy_database_by_query": "database, a query",
        "entropy_peers": "peers",
    }
    return [
        {"panel": panel, "line": WAY_WORDS[row["way"]], "x": row["queries"], "y": row[name]}
        for name, panel in panels.items()
        for row in found.over_time
        if row[name] == row[name]  # of nothing forwarded there is none
    ]


def _help_over_time(found: SearchComparison) -> Rows:
    words = {"wished_help": "help was wished", "helped": "help was given"}
    return [
        {"panel": "share of the queries, %", "line": line, "x": row["queries"], "y": 100 * row[name]}
        for name, line in words.items()
        for row in found.over_time
        if row["way"] == "coprivate"
    ]


def _database(found: SearchComparison) -> Rows:
    return [
        {"panel": words, "way": WAY_WORDS[row["way"]], "share": 100 * row[name]}
        for name, words in _LEARNED.items()
        for row in found.ways
        if name in row and row[name] == row[name]
    ]


def _peers(found: SearchComparison) -> Rows:
    panels = {"peer_knows": "one peer", "coalition_knows": f"{found.coalition} peers"}
    panels["coalition_knows_with_database"] = f"{found.coalition} peers, database"
    return [
        {"panel": words, "way": WAY_WORDS[row["way"]], "share": 100 * row[name]}
        for name, words in panels.items()
        for row in found.ways
        if name in row
    ]


def _free_riders(found: SearchComparison) -> Rows:
    lines = {"helpers": "those who help", "riders": "free riders", "entropy_database": "all"}
    rows = found.sweeps.get("free_riders", ())
    made: Rows = [
        {"panel": "coprivate", "line": line, "x": 100 * row["value"], "y": row[name]}
        for name, line in lines.items()
        for row in rows
        if row["protocol"] == "coprivate" and row[name] == row[name]
    ]
    made += [
        {"panel": "random forwarding", "line": line, "x": 100 * row["value"], "y": row[name]}
        for name, line in lines.items()
        for row in rows
        if row["protocol"] == "random" and row[name] == row[name]
    ]
    return made


def _sweep(found: SearchComparison, name: str) -> Rows:
    panels = {"helped": ("queries helped, %", 100.0), "entropy_database": ("entropy, database", 1.0)}
    panels |= {"peer_knows": ("one peer knows, %", 100.0)}
    return [
        {"panel": words, "way": _value_words(row["value"]), "share": factor * row[of]}
        for of, (words, factor) in panels.items()
        for row in found.sweeps.get(name, ())
    ]


def _value_words(value: Any) -> str:
    return value.replace("_", "-") if isinstance(value, str) else f"{value:,}".replace(",", "\u00a0")


def search_lines(rows: Sequence[Mapping[str, Any]], *, x: str, y: str) -> Any:
    """Draw one panel for each ``panel`` of the rows with a line for each ``line``.

    Parameters
    ----------
    rows
        ``panel``, ``line``, ``x`` and ``y``.
    x, y
        What stands below and at the left.
    """
    names = list(dict.fromkeys(str(row["line"]) for row in rows))
    panels = list(dict.fromkeys(str(row["panel"]) for row in rows))
    scale = alt.Scale(domain=names, range=list(_COLOURS[: len(names)]))
    dashes = alt.Scale(domain=names, range=list(_DASHES[: len(names)]))
    made = [
        alt.Chart(alt.Data(values=[dict(row) for row in rows if row["panel"] == panel]), title=panel)
        .mark_line(strokeWidth=1.8, point=alt.OverlayMarkDef(size=18))
        .encode(
            x=alt.X("x:Q", axis=alt.Axis(title=x, tickCount=5, **axis_labels())),
            y=alt.Y("y:Q", scale=alt.Scale(zero=True), axis=alt.Axis(title=y, tickCount=6, **axis_labels())),
            color=alt.Color(
                "line:N", scale=scale, legend=alt.Legend(title=None, orient="top", symbolType="stroke", columns=4)
            ),
            strokeDash=alt.StrokeDash("line:N", scale=dashes, legend=None),
        )
        .properties(width=_SIZE[0], height=_SIZE[1])
        for panel in panels
    ]
    return styled(alt.hconcat(*made, spacing=28).resolve_scale(y="shared"))


def share_bars(rows: Sequence[Mapping[str, Any]], *, domain: tuple[float, float] | None = None) -> Any:
    """Draw one panel for each ``panel`` of the rows with a bar for each ``way``, and its number behind it.

    Parameters
    ----------
    rows
        ``panel``, ``way`` and ``share``.
    domain
        Ends of the abscissa; None for those of each panel.
    """
    panels = list(dict.fromkeys(str(row["panel"]) for row in rows))
    order = list(dict.fromkeys(str(row["way"]) for row in rows))
    width = max(96, (700 - 110) // len(panels) - 24)
    made = []
    for place, panel in enumerate(panels):
        own = [dict(row) for row in rows if row["panel"] == panel]
        top = 1.25 * (max(row["share"] for row in own) or 1.0)
        base = alt.Chart(alt.Data(values=own), title=panel).encode(
            y=alt.Y(
                "way:N",
                sort=order,
                scale=alt.Scale(domain=order),
                axis=alt.Axis(title=None, ticks=False, domain=False, labels=place == 0, labelLimit=150),
            )
        )
        bars = base.mark_bar(color=RELEASE, height=11).encode(
            x=alt.X(
                "share:Q",
                scale=alt.Scale(domain=list(domain) if domain else [0, top], nice=False),
                axis=alt.Axis(title=None, tickCount=3, **axis_labels()),
            )
        )
        texts = base.mark_text(align="left", dx=3, fontSize=10, color=INK).encode(
            x="share:Q", text=alt.Text("share:Q", format=".3~g")
        )
        made.append(alt.layer(bars, texts).properties(width=width, height=alt.Step(18)))
    return styled(alt.hconcat(*made, spacing=14))
