"""Charts of measures: the scorecard's bars and the risk-utility map. Distributions are in :mod:`.distributions`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from tacita.compare.scorecard import Scorecard
from tacita.report.distributions import density_overlay
from tacita.report.measures import MapPoint, MeasureRow, measure_rows
from tacita.report.style import CANDIDATE, INK, ORIGINAL, ORIGINAL_EDGE, RELEASE, axis_labels, styled
from tacita.report.words import plain_text

__all__ = ["density_overlay", "label_places", "label_width", "measure_chart", "risk_utility_map", "scorecard_chart"]

_BAR_STEP, _BAR_WIDTH, _LABEL_WIDTH = 26, 270, 250
_MAP_SIZE = (560, 320)
_MOST_LABELS = 12
"""More candidates than this stay without names, which would only cover each other."""


def scorecard_chart(card: Scorecard) -> Any:
    """Draw a scorecard: losses and risks as bars from zero, each kind and unit on a scale of its own.

    Risks that have a largest possible value are drawn on the whole scale up to it, so that a small bar is a small risk.

    Returns
    -------
    altair.Chart
        Shows itself in a notebook; ``.save("card.svg")`` writes it.
    """
    words = f"Scenario: {plain_text(card.scenario_words, 200)}"
    title = alt.Title(words, anchor="start", fontSize=11, fontWeight="normal", orient="bottom", offset=12)
    return measure_chart(measure_rows(card)).properties(title=title)


def measure_chart(rows: Sequence[MeasureRow]) -> Any:
    """Draw rows of the measures' table."""
    if not rows:
        return styled(alt.Chart(alt.Data(values=[{}])).mark_text(text="No measure could be computed.", align="left"))
    panels: dict[tuple[str, str, float | None], list[MeasureRow]] = {}
    for row in rows:
        panels.setdefault((row.kind, row.unit, row.upper), []).append(row)
    sides = []
    for kind in dict.fromkeys(row.kind for row in rows):
        drawn = [_bars(group, first=i == 0) for i, group in enumerate(g for k, g in panels.items() if k[0] == kind)]
        sides.append(alt.vconcat(*drawn, spacing=14))
    return styled(alt.hconcat(*sides, spacing=56))


_KIND_TITLES = {"loss": "Information loss", "risk": "Disclosure risk"}


def _bars(rows: Sequence[MeasureRow], *, first: bool) -> Any:
    """Draw measures of one kind and unit on one axis."""
    upper, unit = rows[0].upper, rows[0].unit
    values = [{"measure": row.title, "value": row.value, "shown": row.shown} for row in rows]
    low = min(0.0, *(row.value for row in rows))
    high = max(row.value for row in rows) * 1.05 or 1.0
    scale = alt.Scale(domain=[low, upper if upper is not None else high], nice=upper is None, zero=True)
    base = alt.Chart(alt.Data(values=values)).encode(
        y=alt.Y(
            "measure:N",
            sort=None,
            axis=alt.Axis(
                title=None, domain=False, ticks=False, labelFontSize=12, labelColor=INK, labelLimit=_LABEL_WIDTH
            ),
        ),
        x=alt.X(
            "value:Q", scale=scale, axis=alt.Axis(title=None if unit else "no unit", tickCount=5, **axis_labels(unit))
        ),
    )
    bars = base.mark_bar(color=RELEASE, height=14)
    labels = base.mark_text(align="left", dx=5).encode(text="shown:N")
    panel = (bars + labels).properties(width=_BAR_WIDTH, height=alt.Step(_BAR_STEP))
    return panel.properties(title=_KIND_TITLES.get(rows[0].kind, rows[0].kind)) if first else panel


# --- names beside points --------------------------------------------------------------------------------------------------

_LETTER, _LINE, _MARK = 6.1, 14.0, 8.0
"""Mean width of a letter, height of a line and half the width of a mark, in pixels at the size of the labels."""
_AROUND = ((1, -0.2), (-1, -0.2), (1, -1), (-1, -1), (1, 1), (-1, 1), (0, -1.2), (0, 1.3))


def label_places(
    points: Sequence[tuple[float, float]], texts: Sequence[str], size: tuple[float, float]
) -> list[tuple[float, float] | None]:
    """Find a place for the name of each point that covers neither another name nor a point.

    Parameters
    ----------
    points
        Places of the points in pixels from the upper left corner.
    texts
        Their names; an empty one is not placed. Who comes first has the choice.
    size
        Width and height of the picture.

    Returns
    -------
    list
        Left end and middle line of each name; None where there is no room.

    Examples
    --------
    >>> label_places([(50, 50), (52, 50)], ["a", "b"], (200, 100))
    [(63.0, 47.4), (32.9, 47.4)]
    """
    taken = [(x - _MARK, y - _MARK, x + _MARK, y + _MARK) for x, y in points]
    found: list[tuple[float, float] | None] = []
    for (x, y), text in zip(points, texts, strict=True):
        wide = label_width(text)
        tried = (
            (x + dx * far - (wide if dx < 0 else wide / 2 if dx == 0 else 0.0), y + dy * far)
            for far in (13.0, 24.0, 38.0)
            for dx, dy in _AROUND
        )
        place = next((place for place in tried if text and _is_free(place, wide, taken, size)), None)
        if place is not None:
            taken.append((place[0], place[1] - _LINE / 2, place[0] + wide, place[1] + _LINE / 2))
        found.append(None if place is None else (round(place[0], 1), round(place[1], 1)))
    return found


def label_width(text: str) -> float:
    """Return about how wide a name is drawn, in pixels."""
    return _LETTER * len(text)


def _is_free(
    place: tuple[float, float], wide: float, taken: Sequence[tuple[float, ...]], size: tuple[float, float]
) -> bool:
    left, top, right, low = place[0], place[1] - _LINE / 2, place[0] + wide, place[1] + _LINE / 2
    if left < 0 or top < 0 or right > size[0] or low > size[1]:
        return False
    return not any(a < right and left < c and b < low and top < d for a, b, c, d in taken)


# --- the map --------------------------------------------------------------------------------------------------------------

_ROLES: dict[str, dict[str, Any]] = {
    "original": {"filled": True, "shape": "square", "size": 110, "color": ORIGINAL, "stroke": ORIGINAL_EDGE},
    "candidate": {"filled": False, "shape": "circle", "size": 60, "color": CANDIDATE, "strokeWidth": 1.5},
    "release": {"filled": True, "shape": "circle", "size": 130, "color": RELEASE},
}
"""Marks by role, in the order of drawing: the release lies on top. Shapes differ, not only colours."""


def risk_utility_map(
    points: Sequence[MapPoint | tuple[str, float, float]],
    *,
    loss_title: str = "information loss",
    risk_title: str = "disclosure risk",
    risk_upper: float | None = None,
) -> Any:
    """Draw files by their disclosure risk and information loss; the lower left corner is best.

    Parameters
    ----------
    points
        ``(label, risk, loss)``, or a :class:`MapPoint` that also says what the file is: the original, the release or a
        candidate.
    loss_title, risk_title
        What the axes measure.
    risk_upper
        Largest possible risk; without it the axis ends above the largest risk found.
    """
    every = [MapPoint(*point) for point in points]
    named = sum(point.role == "candidate" for point in every) <= _MOST_LABELS
    most_loss = max((p.loss for p in every), default=0.0)
    most_risk = max((p.risk for p in every), default=0.0)
    x_scale = alt.Scale(domain=[0, most_loss * 1.25 or 1.0], nice=True)
    y_scale = alt.Scale(domain=[0, risk_upper or most_risk * 1.1 or 1.0], nice=risk_upper is None)
    lower = " – lower is better"
    base = alt.Chart().encode(
        x=alt.X("loss:Q", scale=x_scale, axis=alt.Axis(title=loss_title + lower, tickCount=6, **axis_labels())),
        y=alt.Y("risk:Q", scale=y_scale, axis=alt.Axis(title=risk_title + lower, tickCount=6, **axis_labels())),
    )
    layers = []
    for role, mark in _ROLES.items():
        values = [{"label": plain_text(p.label), "risk": p.risk, "loss": p.loss} for p in every if p.role == role]
        if values:
            part = base.properties(data=alt.Data(values=values))
            layers.append(part.mark_point(opacity=1, **mark))
            if role != "candidate" or named:
                weight = "bold" if role == "release" else "normal"
                layers.append(part.mark_text(align="left", dx=10, fontWeight=weight, limit=180).encode(text="label:N"))
    width, height = _MAP_SIZE
    return styled(alt.layer(*(layers or [base.properties(data=alt.Data(values=[])).mark_point()]))).properties(
        width=width, height=height
    )
