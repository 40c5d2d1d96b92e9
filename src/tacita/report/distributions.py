"""Charts of single columns: the release over the original in common bins, or the release alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from tacita.core.errors import DataError
from tacita.data.microdata import Microdata
from tacita.report.bins import CategoryShares, Histogram, Picture, picture
from tacita.report.style import INK, ORIGINAL, PANEL, RELEASE, RELEASE_FILL, axis_labels, styled
from tacita.report.words import plain_text

__all__ = ["density_overlay", "draw"]


def density_overlay(original: Microdata | None, masked: Microdata, column: str) -> Any:
    """Draw one column of a release, over the original where it is given.

    Numbers (and years of dates) are shown as shares in common bins, categories as bars. The axis leaves out the lowest
    and the highest percent of the values. Without ``original`` the picture may be published: it reads the release
    alone, leaves out at least ten records on each side and draws nothing that stands for fewer than ten.

    Parameters
    ----------
    original
        The data before masking, or None for the publishable picture.
    masked
        The data after masking.
    column
        Name of the column.

    Raises
    ------
    DataError
        When the column has no values, or too few to be published.
    """
    found = picture(original, masked, column)
    if found is None:
        raise DataError(f"Column '{column}' has no values to draw, or too few to be published.")
    return draw(found, title=column)


def draw(found: Picture, *, title: str | None = None) -> Any:
    """Draw a picture; a title brings the legend with it, for a picture that stands alone."""
    width, height = PANEL
    if isinstance(found, Histogram):
        layers = _histogram_layers(found)
    else:
        layers = _tally_layers(found)
        height = min(height, 34 + 26 * len(found.labels))  # two categories need no bars as thick as a thumb
    chart = alt.layer(*layers).properties(width=width, height=height, autosize={"type": "fit", "contains": "padding"})
    if title is not None:
        legend = "release" if found.original is None else "grey: original, blue: release"
        words = alt.TitleParams(plain_text(title), subtitle=f"{legend}; percent of the values", limit=width)
        chart = chart.properties(height=height + 44, title=words)
    return styled(chart)


# --- numbers --------------------------------------------------------------------------------------------------------------


def _histogram_layers(found: Histogram) -> list[Any]:
    edges = [float(edge) for edge in found.edges]
    long_labels = max(abs(edges[0]), abs(edges[-1])) >= 100_000
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[edges[0], edges[-1]], nice=False, zero=False),
        axis=alt.Axis(title=None, grid=False, tickCount=3 if long_labels else 5, **axis_labels()),
    )
    y = alt.Y(
        "y:Q", scale=alt.Scale(zero=True), axis=alt.Axis(title=None, domain=False, tickCount=4, **axis_labels("%"))
    )
    shares = found.masked if found.original is None else found.original
    steps = [{"x": edge, "y": float(share)} for edge, share in zip(edges, [*shares, shares[-1]], strict=True)]
    fill = RELEASE_FILL if found.original is None else ORIGINAL
    area = alt.Chart(alt.Data(values=steps)).mark_area(interpolate="step-after", color=fill, opacity=1).encode(x=x, y=y)
    line = alt.Chart(alt.Data(values=_outline(edges, [float(s) for s in found.masked])))
    return [area, line.mark_line(color=RELEASE, strokeWidth=1.6, strokeJoin="miter").encode(x=x, y=y, order="i:Q")]


def _outline(edges: Sequence[float], shares: Sequence[float]) -> list[dict[str, float]]:
    """Return the corners of the bars' outline, from the ground up and back to it."""
    corners = [(edges[0], 0.0)]
    for left, right, share in zip(edges[:-1], edges[1:], shares, strict=True):
        corners += [(left, share), (right, share)]
    corners.append((edges[-1], 0.0))
    return [{"i": i, "x": x, "y": y} for i, (x, y) in enumerate(corners)]


# --- categories -----------------------------------------------------------------------------------------------------------


def _tally_layers(found: CategoryShares) -> list[Any]:
    y = alt.Y(
        "label:N",
        sort=list(found.labels),
        axis=alt.Axis(title=None, domain=False, ticks=False, labelLimit=120, labelColor=INK, labelOverlap=False),
    )
    x = alt.X("share:Q", scale=alt.Scale(zero=True), axis=alt.Axis(title=None, tickCount=4, **axis_labels("%")))

    def bars(shares: Sequence[float], color: str, band: float) -> Any:
        values = [{"label": label, "share": float(s)} for label, s in zip(found.labels, shares, strict=True)]
        return alt.Chart(alt.Data(values=values)).mark_bar(color=color, height={"band": band}).encode(x=x, y=y)

    if found.original is None:
        return [bars(list(found.masked), RELEASE_FILL, 0.75)]
    # The narrow bar of the release lies in the broad one of the original: equal lengths are seen at once.
    return [bars(list(found.original), ORIGINAL, 0.8), bars(list(found.masked), RELEASE, 0.3)]
