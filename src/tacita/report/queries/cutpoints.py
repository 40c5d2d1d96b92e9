"""The chart by which a steward chooses cutpoints: what each method makes of a variable, as records in each bin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError
from tacita.query.cutpoints import BinCounts, Cutpoints, Fineness, compare_cutpoints, too_fine
from tacita.report.style import CANDIDATE, INK, RELEASE, RELEASE_FILL, axis_labels, styled
from tacita.report.words import count, plain_text, significant

__all__ = ["cutpoints_chart"]

_WIDTH, _HEIGHT = 640, 120
_MOST_BARS = 300
"""More bins than this are drawn several to a bar, which then shows their mean."""
_LEGEND = "records in each bin; pale: open bins, drawn as wide as their neighbours"


def cutpoints_chart(
    values: FloatArray,
    methods: Mapping[str, Cutpoints] | Sequence[Cutpoints],
    *,
    title: str = "",
    p: float = 5.0,
) -> Any:
    """Draw what several methods of cutting make of one variable, one panel a method on a common axis.

    A bar spans its bin and is as high as the records in it. The outer bins are open: they are drawn pale and as wide as their
    neighbours, so the picture never shows the smallest or the largest value. Above each panel stand the number of bins, their
    counts and how many are too fine. The picture is for the steward; it holds counts of records before any protection.

    Parameters
    ----------
    values
        The values of all records; missing ones are left out.
    methods
        Methods by any names, or a list of them.
    title
        What stands above the picture, such as the name of the variable.
    p
        Percent within which a bin must not tell a value.

    Returns
    -------
    altair.Chart
        Shows itself in a notebook; ``.save("cutpoints.svg")`` writes it.

    Raises
    ------
    ParameterError
        When there are no methods.
    DataError
        When a method cannot cut the variable.

    Complexity
    ----------
    O(n log n) for each method; the size of the chart depends on bins alone.

    Examples
    --------
    >>> from tacita.query.cutpoints import FixedWidth, MinimumWidth
    >>> chart = cutpoints_chart(np.arange(100.0), [FixedWidth(minimum=10), MinimumWidth(minimum=10)])
    >>> len(chart.to_dict()["vconcat"])
    2
    """
    found = compare_cutpoints(values, methods)
    if not found:
        raise ParameterError("cutpoints_chart: 'methods' must name at least one method, got none.")
    domain = _domain(found)
    panels = [
        _panel(entry, too_fine(values, entry.bins, p=p), domain, last=place == len(found) - 1)
        for place, entry in enumerate(found)
    ]
    chart = alt.vconcat(*panels, spacing=18)
    return styled(
        chart.properties(title=alt.TitleParams(plain_text(title) or "Cutpoints", subtitle=_LEGEND, offset=14))
    )


def _drawn_edges(entry: BinCounts) -> FloatArray:
    """Return where the bars begin and end: open bins are as wide as their neighbours."""
    cuts = np.array(entry.bins.cuts)
    if not len(cuts):
        return np.array([np.nan, np.nan])
    first, last = (cuts[1] - cuts[0], cuts[-1] - cuts[-2]) if len(cuts) > 1 else (np.nan, np.nan)
    return np.concatenate(([cuts[0] - first], cuts, [cuts[-1] + last]))


def _domain(found: Sequence[BinCounts]) -> tuple[float, float]:
    """Return a range that shows all cutpoints; a method with one or none has no width of its own to add."""
    drawn = np.concatenate([_drawn_edges(entry) for entry in found])
    if not np.isfinite(drawn).any():
        return 0.0, 1.0
    low, high = float(np.nanmin(drawn)), float(np.nanmax(drawn))
    if low == high:
        half = max(abs(low) * 0.1, 1.0)
        return low - half, high + half
    room = 0.06 * (high - low) if any(entry.bins.n_bins <= 2 for entry in found) else 0.0
    return low - room, high + room


def _bars(entry: BinCounts, domain: tuple[float, float]) -> list[dict[str, Any]]:
    edges = _drawn_edges(entry)
    edges[0] = edges[0] if np.isfinite(edges[0]) else domain[0]
    edges[-1] = edges[-1] if np.isfinite(edges[-1]) else domain[1]
    n_bins = entry.bins.n_bins
    together = -(-n_bins // _MOST_BARS)
    begins = np.arange(0, n_bins, together)
    ends = np.minimum(begins + together, n_bins)
    means = np.add.reduceat(entry.counts, begins) / (ends - begins)
    return [
        {
            "from": float(edges[begin]),
            "to": float(edges[end]),
            "records": float(mean),
            "shown": count(round(mean)),
            "bin": entry.bins.label(int(begin), int(end) - 1),
            "kind": "open" if begin == 0 or end == n_bins else "closed",
        }
        for begin, end, mean in zip(begins.tolist(), ends.tolist(), means.tolist(), strict=True)
    ]


def _panel(entry: BinCounts, fine: Fineness, domain: tuple[float, float], *, last: bool) -> Any:
    bars = _bars(entry, domain)
    x = alt.X(
        "from:Q",
        scale=alt.Scale(domain=list(domain), nice=False, zero=False),
        axis=alt.Axis(title=None, grid=False, tickCount=8, labels=last, **axis_labels()),
    )
    y = alt.Y(
        "records:Q",
        scale=alt.Scale(zero=True),
        axis=alt.Axis(title=None, domain=False, tickCount=3, **axis_labels()),
    )
    color = alt.Color(
        "kind:N", scale=alt.Scale(domain=["closed", "open"], range=[CANDIDATE, RELEASE_FILL]), legend=None
    )
    tooltip = [alt.Tooltip("bin:N"), alt.Tooltip("shown:N", title="records")]
    base = alt.Chart(alt.Data(values=bars))
    marks = base.mark_rect(stroke="white", strokeWidth=0.6 if len(bars) <= 80 else 0).encode(
        x=x, x2="to:Q", y=y, y2=alt.Y2Datum(0), color=color, tooltip=tooltip
    )
    layers = [marks]
    cuts = [bar["to"] for bar in bars[:-1]]
    if len(cuts) <= _MOST_BARS:  # where the cutpoints stand, also under bars too low to be seen
        ticks = alt.Chart(alt.Data(values=[{"from": cut} for cut in cuts])).mark_tick(
            color=RELEASE, orient="vertical", height=6, thickness=1, y=_HEIGHT + 3
        )
        layers.append(ticks.encode(x=alt.X("from:Q")))
    words = alt.TitleParams(
        plain_text(entry.name), subtitle=_summary(entry, fine), color=INK, limit=_WIDTH, frame="group"
    )
    return alt.layer(*layers).properties(width=_WIDTH, height=_HEIGHT, title=words)


def _summary(entry: BinCounts, fine: Fineness) -> str:
    """Say in a line what the method makes: bins, records, widths, fineness."""
    n_bins, least, most = entry.bins.n_bins, int(entry.counts.min()), int(entry.counts.max())
    said = [f"{count(n_bins)} bin{'s' if n_bins > 1 else ''}"]
    said.append(f"{count(least)} to {count(most)}" if least < most else count(least))
    said[-1] += " records each" if n_bins > 1 else " records"
    inner = entry.widths[1:-1]
    if len(inner):
        low, high = float(inner.min()), float(inner.max())
        same = np.isclose(low, high)
        said.append(f"{significant(low)} wide" if same else f"{significant(low)} to {significant(high)} wide")
    together = -(-n_bins // _MOST_BARS)
    if together > 1:
        said.append(f"{together} bins to a bar, mean records")
    if fine:
        said.append(f"{count(len(fine.bins))} too fine")
    return ", ".join(said)
