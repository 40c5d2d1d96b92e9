"""One measure over many methods: a line for the whole file and one for its outliers, a section for each family.

The form is that of the figures in Mateo-Sanz, Sebe and Domingo-Ferrer (2004): black is the whole file, grey the outliers,
and the labels along the abscissa are the family's letter and its parameter.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from tacita.report.style import INK, axis_labels, styled
from tacita.report.words import plain_text

__all__ = ["FamilySection", "family_chart"]

_WHOLE, _OUTLIERS = "#16191c", "#8d959c"
_NAMES = ("whole file", "outliers")
_STEP, _HEIGHT = 13, 250
"""Pixels between two methods, so that upright labels do not touch, and the height of the plot."""
_LEGEND = 170
_BETWEEN = 3
"""Places from the last method of a family to the first of the next; a short name fits over three methods then."""


@dataclass(frozen=True)
class FamilySection:
    """One family of methods in a figure.

    Parameters
    ----------
    name
        What stands above the section.
    labels
        What stands below each method, such as J10.
    whole, outliers
        The measure for the whole file and for its outliers, one value for each method.
    """

    name: str
    labels: tuple[str, ...]
    whole: tuple[float, ...]
    outliers: tuple[float, ...]


def family_chart(
    sections: Sequence[FamilySection], *, title: str, axis: str, upper: float | None = None, log: bool = False
) -> Any:
    """Draw one measure over all methods.

    Parameters
    ----------
    sections
        The families, from left to right.
    title
        What the figure shows.
    axis
        What the ordinate measures, with its unit.
    upper
        Largest possible value, where there is one; the axis then shows the whole scale.
    log
        Draw the ordinate in powers of ten: for a measure without bound, whose smaller values would all lie on the floor.

    Returns
    -------
    altair.LayerChart
        Shows itself in a notebook; ``.save("figure.svg")`` writes it.
    """
    points, names, values, ticks = _layout(sections)
    end = max(ticks) + 1
    width = _STEP * (end + 1)
    y = _ordinate([point["value"] for point in points], axis, upper, log)
    x = alt.X(
        "place:Q",
        scale=alt.Scale(domain=[-1, end], nice=False, zero=False),
        axis=alt.Axis(
            title=None,
            values=ticks,
            grid=False,
            labelAngle=-90,
            labelFontSize=9,
            labelBaseline="middle",
            labelOverlap=False,
            labelExpr=f"{json.dumps(values)}[datum.value]",
        ),
    )
    colour = alt.Color(
        "who:N",
        scale=alt.Scale(domain=list(_NAMES), range=[_WHOLE, _OUTLIERS]),
        legend=alt.Legend(
            title=None,
            orient="none",
            legendX=width - _LEGEND,
            legendY=-44,
            direction="horizontal",
            symbolType="stroke",
            symbolStrokeWidth=3,
            symbolSize=260,
        ),
    )
    base = alt.Chart(alt.Data(values=points)).encode(x=x, y=y, color=colour)
    # Grey below black: where both agree the file's line is seen, and the hollow marks still say that grey is there.
    grey = base.transform_filter(f"datum.who == '{_NAMES[1]}'")
    black = base.transform_filter(f"datum.who == '{_NAMES[0]}'")
    layers = [
        _dividers(names, end, x),
        grey.mark_line(strokeWidth=2).encode(detail="family:N"),
        black.mark_line(strokeWidth=1.6).encode(detail="family:N"),
        grey.mark_point(filled=False, fill="white", size=22, strokeWidth=1.4, opacity=1),
        black.mark_point(filled=True, size=16, opacity=1),
        _headings(names, x),
        _title(title),
    ]
    return styled(alt.layer(*layers)).properties(width=width, height=_HEIGHT)


def _ordinate(values: Sequence[float], title: str, upper: float | None, log: bool) -> Any:
    """Return the vertical axis: from zero, or between two of 1, 2, 5, 10, 20, ... when it shows powers of ten."""
    if not log:
        top = upper if upper is not None else max(values, default=1.0) * 1.04 or 1.0
        scale = alt.Scale(domain=[0, top], nice=upper is None)
        return alt.Y("value:Q", scale=scale, axis=alt.Axis(title=title, tickCount=6, **axis_labels()))
    low, high = min(value for value in values if value > 0), max(values)
    steps = [digit * 10.0**power for power in range(-12, 16) for digit in (1, 2, 5)]
    first = max(i for i, step in enumerate(steps) if step <= low)
    last = min(i for i, step in enumerate(steps) if step >= high)
    shown = steps[first : max(last, first + 1) + 1]
    scale = alt.Scale(type="log", domain=[shown[0], shown[-1]], nice=False, clamp=True)
    return alt.Y("value:Q", scale=scale, axis=alt.Axis(title=title, values=shown, **axis_labels()))


def _layout(
    sections: Sequence[FamilySection],
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[str], list[int]]:
    """Give every method its place: the points, the headings, a label for every place, and the places that have one."""
    points: list[dict[str, Any]] = []
    heads: list[dict[str, Any]] = []
    labels: list[str] = []
    ticks: list[int] = []
    for section in sections:
        first = len(labels)
        for i in range(len(section.labels)):
            ticks.append(first + i)
            for who, line in zip(_NAMES, (section.whole, section.outliers), strict=True):
                points.append({"place": first + i, "value": line[i], "who": who, "family": section.name})
        last = first + len(section.labels) - 1
        heads.append({"name": plain_text(section.name), "place": (first + last) / 2, "edge": last + _BETWEEN / 2})
        labels.extend([*section.labels, *[""] * (_BETWEEN - 1)])
    return points, heads, labels, ticks


def _dividers(names: Sequence[dict[str, Any]], end: int, x: Any) -> Any:
    """Draw a thin line between two families; all layers have the same abscissa, or the labels of one would win."""
    edges = [{"place": entry["edge"]} for entry in names if entry["edge"] < end]
    return alt.Chart(alt.Data(values=edges)).mark_rule(color="#c9ced2", strokeWidth=1).encode(x=x)


def _headings(names: Sequence[dict[str, Any]], x: Any) -> Any:
    """Write the name of each family above its section."""
    text = alt.Chart(alt.Data(values=list(names))).mark_text(
        fontSize=11, fontWeight="bold", color=INK, baseline="bottom"
    )
    return text.encode(x=x, y=alt.value(-5), text="name:N")


def _title(text: str) -> Any:
    """Write the title in the line of the legend; a title of Vega would stand above it and cost another line."""
    mark = alt.Chart(alt.Data(values=[{}])).mark_text(
        text=plain_text(text), align="left", baseline="middle", fontSize=13, fontWeight="bold", color=INK
    )
    return mark.encode(x=alt.value(0), y=alt.value(-36))
