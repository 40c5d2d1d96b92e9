"""Shares of deviations as lines: what becomes of counts under one method beside others, as in figures of census tables.

The form is that of Figures 1a and 1b in Giessing and Hoehne (2011): the abscissa is the deviation of a published count from the
true one, the ordinate the share of the cells. What the figure is about is drawn from light to dark, what it is held against in
dashes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from tacita.report.style import axis_labels, styled
from tacita.report.words import plain_text

__all__ = ["DeviationLine", "deviation_chart"]

_LIGHT_TO_DARK = ("#b9d4ea", "#94bcdd", "#6ea2cc", "#4d88b8", "#2f6fa3", "#17578c", "#0b416d", "#06294a")
_AGAINST = ("#c2570c", "#8a3a8f", "#3f7d20")
_SIZE = (520, 300)
_SIGNED = "datum.value == 0 ? '0' : format(datum.value, '+d')"


@dataclass(frozen=True)
class DeviationLine:
    """One line of a figure.

    Parameters
    ----------
    name
        What stands in the legend.
    shares
        Share of the cells for the deviations -r, ..., r.
    against
        Whether the others are held against it: drawn in dashes and another colour.
    """

    name: str
    shares: tuple[float, ...]
    against: bool = False


def deviation_chart(lines: Sequence[DeviationLine], *, title: str, most: int | None = None) -> Any:
    """Draw the shares of deviations.

    Parameters
    ----------
    lines
        The lines, in the order of the legend; each has an odd number of shares with no deviation in the middle.
    title
        What the figure shows.
    most
        The largest deviation that is drawn; without it all are.

    Returns
    -------
    altair.LayerChart
        Shows itself in a notebook; ``.save("figure.svg")`` writes it.
    """
    points = []
    for line in lines:
        reach = len(line.shares) // 2
        for place, share in enumerate(line.shares):
            if most is None or abs(place - reach) <= most:
                points.append({"deviation": place - reach, "share": 100 * share, "line": plain_text(line.name)})
    names = [plain_text(line.name) for line in lines]
    colours, dashes = _strokes(lines)
    scale = alt.Scale(domain=names, range=colours)
    base = alt.Chart(alt.Data(values=points)).encode(
        x=alt.X("deviation:Q", axis=alt.Axis(title="deviation from the true count", tickMinStep=1, labelExpr=_SIGNED)),
        y=alt.Y("share:Q", scale=alt.Scale(zero=True), axis=alt.Axis(title="share of the cells, %", **axis_labels())),
        color=alt.Color("line:N", scale=scale, legend=alt.Legend(title=None, symbolType="stroke", labelLimit=240)),
    )
    strokes = base.mark_line(strokeWidth=1.8).encode(
        strokeDash=alt.StrokeDash("line:N", scale=alt.Scale(domain=names, range=dashes), legend=None)
    )
    dots = base.mark_point(filled=True, size=16, opacity=1)
    width, height = _SIZE
    return styled(alt.layer(strokes, dots, title=plain_text(title))).properties(width=width, height=height)


def _strokes(lines: Sequence[DeviationLine]) -> tuple[list[str], list[list[int]]]:
    """Return colours and dashes: own lines from light to dark, evenly; those they are held against in other colours."""
    own = sum(not line.against for line in lines)
    colours, dashes, one, other = [], [], 0, 0
    for line in lines:
        if line.against:
            colours.append(_AGAINST[other % len(_AGAINST)])
            other += 1
        else:
            colours.append(_LIGHT_TO_DARK[one * (len(_LIGHT_TO_DARK) - 1) // max(own - 1, 1)])
            one += 1
        dashes.append([6, 3] if line.against else [1, 0])
    return colours, dashes
