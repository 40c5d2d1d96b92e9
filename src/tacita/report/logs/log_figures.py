"""Pictures of the study of query logs: queries by level, bars by group size and level, and lines of several methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np

from tacita.core.arrays import FloatArray
from tacita.report.style import INK, ORIGINAL, RELEASE, axis_labels, styled

__all__ = ["classified_chart", "grouped_bars", "remain_lines"]

_COLOURS = (RELEASE, "#c2570c", "#3f7d20", "#8a3a8f")
_DASHES = ([1, 0], [2, 2], [6, 2], [8, 3, 2, 3])


def classified_chart(shares: FloatArray) -> Any:
    """Draw the percentage of queries with a category at each level, as Figure 2."""
    values = [{"level": level, "share": share} for level, share in enumerate(shares.tolist(), 1)]
    bars = alt.Chart(alt.Data(values=values)).mark_bar(color=RELEASE, size=22).encode(
        x=alt.X("level:O", axis=alt.Axis(title="level of the directory", labelAngle=0, **axis_labels())),
        y=alt.Y(
            "share:Q", scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(title="classified queries, %", **axis_labels())
        ),
    )  # fmt: skip
    return styled(bars).properties(width=460, height=240)


def grouped_bars(
    values: FloatArray,
    names: Sequence[str],
    sizes: Sequence[int],
    *,
    title: str,
    bounds: Sequence[float] | None = None,
) -> Any:
    """Draw one panel for each size of groups, with a bar for each series at every level, as Figures 3 and 4.

    Parameters
    ----------
    values
        (series, sizes, levels).
    names, sizes
        What the series are called; the sizes of groups.
    title
        What the ordinate is.
    bounds
        A line for each size; None for none.
    """
    rows = [
        {"series": names[s], "k": f"k = {size}", "level": level + 1, "value": float(values[s, j, level])}
        | ({} if bounds is None else {"bound": bounds[j]})
        for s in range(values.shape[0])
        for j, size in enumerate(sizes)
        for level in range(values.shape[2])
    ]
    base = alt.Chart(alt.Data(values=rows))
    bars = base.mark_bar().encode(
        x=alt.X("level:O", axis=alt.Axis(title="levels L", labelAngle=0, **axis_labels())),
        xOffset=alt.XOffset("series:N", sort=list(names)),
        y=alt.Y(
            "value:Q",
            scale=alt.Scale(domainMin=0, domainMax=float(np.max([*values.ravel(), *(bounds or [])])) * 1.05),
            axis=alt.Axis(title=title, **axis_labels()),
        ),
        color=alt.Color(
            "series:N",
            scale=alt.Scale(domain=list(names), range=[ORIGINAL, RELEASE][: len(names)]),
            legend=alt.Legend(title=None, orient="top"),
        ),
    )
    layers = [bars]
    if bounds is not None:
        layers.append(base.mark_rule(color=INK, strokeDash=[4, 3]).encode(y="mean(bound):Q"))
    panels = alt.layer(*layers).properties(width=150, height=220)
    return styled(panels.facet(column=alt.Column("k:N", title=None, sort=[f"k = {size}" for size in sizes])))


def remain_lines(values: FloatArray, names: Sequence[str], sizes: Sequence[int]) -> Any:
    """Draw one panel for each size of groups with a line for each way over the levels; the bound 1/k is dashed.

    Parameters
    ----------
    values
        (ways, sizes, levels), percentages.
    names, sizes
        What the ways are called; the sizes of groups.
    """
    rows = [
        {
            "way": names[w],
            "k": f"k = {size}",
            "level": level + 1,
            "value": float(values[w, j, level]),
            "bound": 100 / size,
        }
        for w in range(values.shape[0])
        for j, size in enumerate(sizes)
        for level in range(values.shape[2])
    ]
    base = alt.Chart(alt.Data(values=rows))
    scale = alt.Scale(domain=list(names), range=list(_COLOURS[: len(names)]))
    lines = base.mark_line(strokeWidth=1.8, point=alt.OverlayMarkDef(size=24)).encode(
        x=alt.X("level:O", axis=alt.Axis(title="level", labelAngle=0, **axis_labels())),
        y=alt.Y(
            "value:Q", scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(title="semantic remain, %", **axis_labels())
        ),
        color=alt.Color("way:N", scale=scale, legend=alt.Legend(title=None, orient="top", symbolType="stroke")),
        strokeDash=alt.StrokeDash(
            "way:N", scale=alt.Scale(domain=list(names), range=list(_DASHES[: len(names)])), legend=None
        ),
    )
    rule = base.mark_rule(color=INK, strokeDash=[4, 3]).encode(y="mean(bound):Q")
    panels = alt.layer(lines, rule).properties(width=150, height=220)
    return styled(panels.facet(column=alt.Column("k:N", title=None, sort=[f"k = {size}" for size in sizes])))
