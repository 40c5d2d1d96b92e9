"""An answered table as a picture: bars for one or two variables, shaded cells for more."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from tacita.query.tables.cell_table import CellTable
from tacita.report.style import INK, ORIGINAL_EDGE, RELEASE, axis_labels, styled
from tacita.report.words import plain_text

__all__ = ["MOST_BARS", "MOST_PANELS", "cells_chart"]

MOST_BARS = 60
"""Classes of the first variable that are drawn."""
MOST_PANELS = 12
"""Panels that are drawn: classes of the second variable as bars, of the third one as shaded cells."""

_BAR_PANELS = 4
_BAR_STEP, _BAR_WIDTH, _LABEL = 20, 420, 190


def cells_chart(
    table: CellTable | Mapping[str, Any], *, title: str = "", labels: Mapping[str, str] | None = None
) -> Any:
    """Draw a table of answers; the picture has the numbers of the table and nothing else.

    One variable is drawn as bars, two as bars side by side where the second has few classes and as shaded cells where it has
    many, three as shaded cells in panels. Lines over bars are one standard error to each side. Cells without a value stay white.

    Parameters
    ----------
    table
        The table of an answer, or its JSON form.
    title
        What stands above the picture.
    labels
        What variables are called, by their names.

    Returns
    -------
    altair.Chart
        Shows itself in a notebook; ``.save("table.svg")`` writes it.

    Notes
    -----
    Of long tables the first :data:`MOST_BARS` classes and :data:`MOST_PANELS` panels are drawn, and the picture says so.

    Examples
    --------
    >>> plain = {"by": ["sex"], "classes": {"sex": ["f", "m"]}, "statistic": "count", "values": [7, 9]}
    >>> cells_chart(plain).to_dict()["hconcat"][0]["layer"][0]["mark"]["type"]
    'bar'
    """
    made = table if isinstance(table, CellTable) else CellTable.from_plain(table)
    named = {name: plain_text((labels or {}).get(name, name)) for name in made.by}
    rows = _rows(made)
    if len(made.by) == 1:
        chart = alt.hconcat(_bars(rows, made, named, first=True, heading=""))
    elif len(made.by) == 2 and made.shape[1] <= _BAR_PANELS:
        chart = alt.hconcat(*_bar_panels(rows, made, named), spacing=14)
    else:
        chart = alt.concat(*_shaded_panels(rows, made, named), columns=2, spacing=24)
    said = _left_out(made)
    above = alt.TitleParams(plain_text(title, 160), subtitle=[said] if said else [], offset=14, limit=760)
    return styled(chart.properties(title=above))


def _rows(table: CellTable) -> list[dict[str, Any]]:
    """One row for each cell that has a value: its classes, its value and its error."""
    errors = [math.nan] * table.values.size if table.errors is None else table.errors.ravel().tolist()
    listed = table.to_rows()
    places = zip(*(listed[name] for name in table.by), strict=True)
    found = []
    for words, value, error in zip(places, table.values.ravel().tolist(), errors, strict=True):
        if not math.isnan(value):
            row = {"row": words[0], "column": words[1] if len(words) > 1 else "", "block": ", ".join(words[2:])}
            found.append(
                {**row, "value": value} | ({} if math.isnan(error) else {"low": value - error, "high": value + error})
            )
    return found


def _drawn(table: CellTable) -> list[str]:
    return [*table.classes[table.by[0]][:MOST_BARS]]


def _shown(words: Sequence[str]) -> dict[str, str]:
    """Labels that a picture can hold, each different from the others."""
    found: dict[str, str] = {}
    for number, word in enumerate(words):
        text = plain_text(word, 60)
        found[word] = text if text not in found.values() else f"{text} ({number + 1})"
    return found


def _axis(words: Sequence[str], title: str | None, *, is_shown: bool = True) -> Any:
    axis = alt.Axis(title=title, domain=False, ticks=False, labelLimit=_LABEL, labelColor=INK, labelOverlap=False)
    return alt.Y("row:N", sort=list(words), scale=alt.Scale(domain=list(words)), axis=axis if is_shown else None)


def _values(rows: Sequence[dict[str, Any]], heads: Mapping[str, str]) -> Any:
    return alt.Data(values=[{**row, "row": heads[row["row"]]} for row in rows if row["row"] in heads])


def _bars(
    rows: Sequence[dict[str, Any]],
    table: CellTable,
    named: Mapping[str, str],
    *,
    first: bool,
    heading: str,
    panels: int = 1,
) -> Any:
    heads = _shown(_drawn(table))
    base = alt.Chart(_values(rows, heads)).encode(y=_axis(list(heads.values()), named[table.by[0]], is_shown=first))
    ends = [row.get(word, row["value"]) for row in _rows(table) for word in ("low", "high")]
    scale = alt.Scale(domain=[min(0.0, *ends), max(0.0, *ends)], nice=True) if ends else alt.Undefined
    x = alt.X("value:Q", scale=scale, axis=alt.Axis(title=_WORDS[table.statistic], tickCount=4, **axis_labels()))
    layers = [base.mark_bar(color=RELEASE, height=12).encode(x=x)]
    if table.errors is not None:
        layers.append(
            base.mark_rule(color=ORIGINAL_EDGE, strokeWidth=2).encode(x=alt.X("low:Q", scale=scale), x2="high:Q")
        )
    made = alt.layer(*layers).properties(width=_BAR_WIDTH // panels, height=alt.Step(_BAR_STEP))
    return made.properties(title=plain_text(heading, 40)) if heading else made


def _bar_panels(rows: Sequence[dict[str, Any]], table: CellTable, named: Mapping[str, str]) -> list[Any]:
    words = table.classes[table.by[1]]
    return [
        _bars(
            [row for row in rows if row["column"] == word],
            table,
            named,
            first=not place,
            heading=word,
            panels=len(words),
        )
        for place, word in enumerate(words)
    ]


def _shaded_panels(rows: Sequence[dict[str, Any]], table: CellTable, named: Mapping[str, str]) -> list[Any]:
    """Draw one panel of shaded cells for each class of the third variable, all on one scale."""
    heads, columns = _shown(_drawn(table)), _shown(table.classes[table.by[1]])
    blocks = list(dict.fromkeys(row["block"] for row in rows))[:MOST_PANELS] or [""]
    top = max((row["value"] for row in rows), default=1.0)
    low = min(0.0, *(row["value"] for row in rows)) if rows else 0.0
    scheme = alt.Scale(range=["#eaf1f8", RELEASE], domain=[low, top])
    x_axis = alt.Axis(
        title=named[table.by[1]],
        labelAngle=-40,
        labelLimit=120,
        labelOverlap=len(columns) > 20,
        ticks=False,
        domain=False,
    )
    panels = []
    for block in blocks:
        values = [{**row, "column": columns[row["column"]]} for row in rows if row["block"] == block]
        x = alt.X("column:N", sort=list(columns.values()), scale=alt.Scale(domain=list(columns.values())), axis=x_axis)
        colour = alt.Color(
            "value:Q", scale=scheme, legend=alt.Legend(title=_WORDS[table.statistic], gradientLength=120)
        )
        chart = alt.Chart(_values(values, heads)).mark_rect(stroke="white")
        made = chart.encode(x=x, y=_axis(list(heads.values()), named[table.by[0]]), color=colour)
        size = made.properties(width=alt.Step(max(12, min(40, 380 // max(len(columns), 1)))), height=alt.Step(18))
        panels.append(size.properties(title=plain_text(block, 60)) if block else size)
    return panels


def _left_out(table: CellTable) -> str:
    """Say what of a long table is not drawn."""
    said = []
    if table.shape[0] > MOST_BARS:
        said.append(f"the first {MOST_BARS} of {table.shape[0]} rows are drawn")
    if math.prod(table.shape[2:]) > MOST_PANELS:
        said.append(f"the first {MOST_PANELS} blocks are drawn")
    return "; ".join(said)


_WORDS = {
    "count": "count",
    "weighted_count": "people (weighted)",
    "percent": "percent",
    "mean": "mean",
    "total": "total",
}
