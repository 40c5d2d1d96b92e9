"""The picture of a suppression pattern: the table as a grid, hidden cells dark."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from tacita.report.style import ORIGINAL, RELEASE, RELEASE_FILL, styled
from tacita.report.words import plain_text
from tacita.tables.protect.protected import Protected

__all__ = ["pattern_chart"]

_WORDS = {
    "published": ("published", "#eef1f3"),
    "empty": ("empty", "#ffffff"),
    "changed": ("changed", RELEASE_FILL),
    "secondary": ("hidden to protect others", "#6f9fc8"),
    "unsafe": ("unsafe, hidden", RELEASE),
    "hidden": ("hidden", RELEASE),
}
_MOST = 90
"""More codes than this on one side are drawn without those of the finest level."""
_LABELLED = 70
"""More codes than this stay without labels, which would only cover each other."""
_FEW = 10


def pattern_chart(protected: Protected, *, form: str = "internal") -> Any:
    """Draw the first two dimensions of a table, at the totals of all others.

    Parameters
    ----------
    protected
        The protected table.
    form
        ``internal`` tells unsafe cells from those that protect them; ``external`` shows which cells are hidden and no
        more, because which of them are unsafe, or which values were changed, is a secret too.
    """
    if form == "external":
        protected = protected.as_published()
    table = protected.table
    sides = [_codes(protected, place) for place in range(min(2, len(table.dimensions)))]
    chosen = np.ones(len(table), bool)
    for place, dimension in enumerate(table.dimensions):
        keep = sides[place] if place < 2 else [dimension.total] if dimension.total is not None else dimension.codes[:1]
        chosen &= np.isin(table.codes[:, place], [dimension.places[code] for code in keep])
    if table.parts is not None:
        chosen &= table.parts == 0
    rows = []
    status = protected.status
    for cell in np.flatnonzero(chosen).tolist():
        labels = table.labels(cell)
        word = {"safe": "published"}.get(status[cell], status[cell])
        if form == "external" and word in ("unsafe", "secondary"):
            word = "hidden"
        rows.append(
            {
                "row": _short(labels[0]),
                "column": _short(labels[1]) if len(labels) > 1 else "",
                "state": _WORDS[word][0],
            }
        )
    shown = [(word, colour) for word, colour in _WORDS.values() if any(row["state"] == word for row in rows)]
    return styled(_grid(protected, sides, rows, shown))


def _grid(
    protected: Protected, sides: list[list[str]], rows: list[dict[str, str]], shown: list[tuple[str, str]]
) -> Any:
    names = [dimension.name for dimension in protected.table.dimensions]

    def step(side: list[str], wide: int) -> int:
        return wide if len(side) <= _FEW else 14 if len(side) <= _LABELLED else 8

    def axis(side: list[str], title: str, **more: Any) -> dict[str, Any]:
        labels = len(side) <= _LABELLED
        return {
            "title": plain_text(title, 40),
            "sort": [_short(code) for code in side],
            "axis": alt.Axis(
                labels=labels, ticks=False, domain=False, labelLimit=140, labelOverlap=False, labelFontSize=9, **more
            ),
        }

    base = alt.Chart(alt.Data(values=rows)).mark_rect(stroke=ORIGINAL, strokeWidth=0.5)
    across = sides[1] if len(sides) > 1 else [""]
    upright = {"labelAngle": 0} if len(across) <= _FEW else {"labelAngle": -90}
    return base.encode(
        y=alt.Y("row:N", **axis(sides[0], names[0])),
        x=alt.X("column:N", **axis(across, names[1] if len(names) > 1 else "", orient="top", **upright)),
        color=alt.Color(
            "state:N",
            scale=alt.Scale(domain=[word for word, _ in shown], range=[colour for _, colour in shown]),
            legend=alt.Legend(title=None, orient="top", symbolStrokeColor=ORIGINAL),
        ),
    ).properties(width={"step": step(across, 52)}, height={"step": step(sides[0], 18)})


def _codes(protected: Protected, place: int) -> list[str]:
    """Codes of one side, without the finest level where there are too many."""
    dimension = protected.table.dimensions[place]
    codes = list(dimension.codes)
    if len(codes) > _MOST:
        leaves = set(dimension.leaves)
        coarse = [code for code in codes if code not in leaves]
        codes = coarse if 1 < len(coarse) <= _MOST else codes[:_MOST]
    return codes


def _short(code: str) -> str:
    return plain_text(code, 28)
