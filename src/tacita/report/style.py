"""One visual language: the original is grey, the release is blue, everything else is ink on white."""

from __future__ import annotations

from typing import Any

import altair as alt

from tacita.report.notebook.offline import shown_offline

__all__ = ["INK", "ORIGINAL", "PANEL", "RELEASE", "RELEASE_FILL", "axis_labels", "styled"]

ORIGINAL = "#c3c8cd"
"""Fill of everything that shows the original file."""
ORIGINAL_EDGE = "#6b7278"
"""The same where a thin stroke must still be seen on white."""
RELEASE = "#0b4f8a"
"""Strokes and bars of the release. Far from the grey in lightness, so the two differ on paper and to every eye."""
RELEASE_FILL = "#a9c8e4"
"""Fill under a release that is shown alone."""
CANDIDATE = "#5b8fb9"
"""Releases that were tried and not chosen."""
INK = "#22282e"
_FAINT_INK = "#555d64"
_GRID = "#e6e8ea"

# Arial, Helvetica and Liberation Sans have the same widths, so text that is measured with one fits with the others.
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"

PANEL = (310, 200)
"""Width and height of one small panel, in pixels, axes included."""

# Four digits stay together (1950 may be a year); from five on, groups of three stand apart as in the tables.
_LABEL = "abs(datum.value) < 10000 ? replace(datum.label, ',', '') : replace(datum.label, regexp(',', 'g'), '\u00a0')"


def axis_labels(unit: str = "") -> dict[str, Any]:
    """Return the axis settings for numbers as they stand in the tables, with a unit after each where there is one."""
    return {"labelExpr": f"({_LABEL}) + '\u00a0{unit}'" if unit else _LABEL, "labelFlush": False}


def styled(chart: Any) -> Any:
    """Return a chart with our fonts, sizes and colours, which a notebook shows without a network."""
    axis = {
        "labelFontSize": 11,
        "titleFontSize": 11,
        "titleFontWeight": "normal",
        "labelColor": _FAINT_INK,
        "titleColor": _FAINT_INK,
        "gridColor": _GRID,
        "domainColor": "#9aa1a7",
        "tickColor": "#9aa1a7",
        "tickSize": 4,
        "labelOverlap": "greedy",
        "labelPadding": 4,
    }
    made = chart.configure(
        # Labels for screen readers are written once for the whole picture; Vega's own would hold every number in full.
        aria=False,
        font=FONT,
        background="white",
        padding=4,
        view=alt.ViewConfig(stroke=None),
        axis=alt.AxisConfig(**axis),
        title=alt.TitleConfig(
            fontSize=13, fontWeight="bold", color=INK, anchor="start", offset=8, subtitleColor=_FAINT_INK
        ),
        text=alt.MarkConfig(fontSize=11, color=INK),
    )
    return shown_offline(made)
