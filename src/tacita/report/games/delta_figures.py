"""Pictures of probabilities of coprivacy: closed forms as lines, drawn games as points with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from tacita.report.style import RELEASE, axis_labels, styled

__all__ = ["free_chart", "probability_chart"]

_COLOURS = (RELEASE, "#c2570c", "#3f7d20", "#8a3a8f")
_DASHES = ([1, 0], [6, 2], [2, 2], [8, 3, 2, 3])
_SHAPES = ("circle", "diamond", "square", "triangle-up")


def probability_chart(
    values: Sequence[tuple[str, float, float, float, float, float]], title: str, *, is_logarithmic: bool = False
) -> Any:
    """Draw lines of probabilities with drawn points.

    Parameters
    ----------
    values
        Series, abscissa, closed form, drawn share, and the ends of its interval.
    title
        Of the abscissa.
    is_logarithmic
        Whether the abscissa is logarithmic.
    """
    heads = ("series", "x", "exact", "share", "low", "high")
    names = list(dict.fromkeys(value[0] for value in values))
    base = alt.Chart(alt.Data(values=[dict(zip(heads, value, strict=True)) for value in values]))
    scale = alt.Scale(type="log", nice=False) if is_logarithmic else alt.Scale(zero=False, nice=False, padding=8)
    ticks = {"values": sorted({value[1] for value in values})} if is_logarithmic else {}
    x = alt.X("x:Q", scale=scale, axis=alt.Axis(title=title, grid=False, **ticks, **axis_labels()))
    y = alt.Y(
        "exact:Q", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(title="probability of coprivacy", **axis_labels())
    )
    colour = alt.Color(
        "series:N", sort=names, scale=alt.Scale(domain=names, range=list(_COLOURS[: len(names)])),
        legend=alt.Legend(title=None, orient="top"),
    )  # fmt: skip
    lines = base.mark_line(strokeWidth=1.8).encode(
        x=x, y=y, color=colour,
        strokeDash=alt.StrokeDash("series:N", sort=names, legend=None,
                                  scale=alt.Scale(domain=names, range=list(_DASHES[: len(names)]))),
    )  # fmt: skip
    bars = base.mark_rule(strokeWidth=1.2).encode(x=x, y="low:Q", y2="high:Q", color=colour)
    points = base.mark_point(filled=True, opacity=1, size=34).encode(
        x=x, y="share:Q", color=colour,
        shape=alt.Shape("series:N", sort=names, scale=alt.Scale(domain=names, range=list(_SHAPES[: len(names)])),
                        legend=alt.Legend(title=None, orient="top")),
    )  # fmt: skip
    return styled(alt.layer(lines, bars, points).properties(width=480, height=260))


def free_chart(values: Sequence[tuple[int, str, float, float, float]], ways: Sequence[str]) -> Any:
    """Draw one panel for each number of peers, with a point and its interval for each concept.

    Parameters
    ----------
    values
        Peers, concept, share and the ends of its interval.
    ways
        The concepts in their order.
    """
    heads = ("peers", "way", "share", "low", "high")
    rows = [{**dict(zip(heads, value, strict=True)), "panel": f"N = {value[0]}"} for value in values]
    shown = [way for way in ways if any(row["way"] == way for row in rows)]
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("way:N", sort=shown, axis=alt.Axis(title=None, labelLimit=200), scale=alt.Scale(domain=shown))
    )
    domain = alt.Scale(domain=[0, 1])
    axis = alt.Axis(title="probability of coprivacy", tickCount=5, **axis_labels())
    bars = base.mark_rule(strokeWidth=1.6, color=RELEASE).encode(x=alt.X("low:Q", scale=domain, axis=axis), x2="high:Q")
    points = base.mark_point(filled=True, opacity=1, size=60, color=RELEASE).encode(x=alt.X("share:Q", scale=domain))
    panels = alt.layer(bars, points).properties(width=170, height=120)
    order = list(dict.fromkeys(row["panel"] for row in rows))
    return styled(panels.facet(column=alt.Column("panel:N", title=None, sort=order)))
