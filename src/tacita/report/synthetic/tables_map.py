"""The heat map of tables: how far every table of one and two columns is from the original, as a multiple of chance."""

from __future__ import annotations

from typing import Any, NamedTuple

import altair as alt

from tacita.compare.scorecard import Scorecard
from tacita.loss.table_pmse import TablesMeasured
from tacita.report.style import INK, styled
from tacita.report.words import plain_text, significant

__all__ = ["TableRatios", "heat_map", "spoken_ratios", "table_ratios"]

_STEPS = ((1.0, "#eef4f9"), (3.0, "#a9c8e4"), (10.0, "#4584b6"), (float("inf"), "#0b3a66"))
"""Ends of the classes of ratios and their fills, from light to dark: good, good enough, to be looked at, not to be used."""
_WORDS = ("up to 1: as chance", "1 to 3: good", "3 to 10: usable", "above 10: not as the original")
_WITH_FIGURES, _MOST = 14, 40
"""Up to so many columns a cell has its figure; more than the second are not drawn."""
_LETTERS = 24


class TableRatios(NamedTuple):
    """The columns with the worst tables, in the order of the file, and the ratio of each table of one or two of them."""

    columns: tuple[str, ...]
    ratios: tuple[tuple[float, ...], ...]
    left_out: int


def table_ratios(card: Scorecard) -> TableRatios | None:
    """Return what the heat map shows; None where the card has no such measure."""
    found = card.results.get("table_pmse", (None, None))[1]
    if not isinstance(found, TablesMeasured) or not found.columns:
        return None
    worst = found.matrix.max(axis=1)
    kept = sorted(sorted(range(len(found.columns)), key=lambda j: -worst[j])[:_MOST])
    ratios = tuple(tuple(float(found.matrix[i, j]) for j in kept) for i in kept)
    return TableRatios(tuple(found.columns[j] for j in kept), ratios, len(found.columns) - len(kept))


def heat_map(found: TableRatios) -> Any:
    """Draw the ratios: on the diagonal tables of one column, below it those of two."""
    names = [plain_text(name, _LETTERS) for name in found.columns]
    labels = [f"{place + 1}. {name}" for place, name in enumerate(names)]  # two long names may begin alike
    cells = [
        {
            "row": labels[i],
            "column": labels[j],
            "class": _WORDS[_step(found.ratios[i][j])],
            "shown": significant(found.ratios[i][j], 2),
            "dark": _step(found.ratios[i][j]) > 1,
        }
        for i in range(len(names))
        for j in range(i + 1)
    ]
    side = 46 if len(names) <= _WITH_FIGURES else max(10, 640 // len(names))
    axis = {"title": None, "domain": False, "ticks": False, "labelLimit": 190, "labelColor": INK, "labelOverlap": False}
    base = alt.Chart(alt.Data(values=cells)).encode(
        x=alt.X("column:N", sort=labels, axis=alt.Axis(labelAngle=-45, labelAlign="right", orient="bottom", **axis)),
        y=alt.Y("row:N", sort=labels, axis=alt.Axis(**axis)),
    )
    colours = alt.Scale(domain=list(_WORDS), range=[fill for _, fill in _STEPS])
    legend = alt.Legend(title="Times what chance would do", orient="top", symbolType="square", titleLimit=300)
    drawn = base.mark_rect(stroke="white", strokeWidth=1).encode(fill=alt.Fill("class:N", scale=colours, legend=legend))
    if len(names) <= _WITH_FIGURES:
        ink = alt.condition("datum.dark", alt.value("white"), alt.value(INK))
        drawn = alt.layer(drawn, base.mark_text(fontSize=10).encode(text="shown:N", color=ink))
    return styled(drawn.properties(width=alt.Step(side), height=alt.Step(side if len(names) > _WITH_FIGURES else 26)))


def spoken_ratios(found: TableRatios, most: int = 6) -> str:
    """Say in words which tables are farthest from the original."""
    every = [
        (found.ratios[i][j], " by ".join(dict.fromkeys((found.columns[j], found.columns[i]))))
        for i in range(len(found.columns))
        for j in range(i + 1)
    ]
    worst = sorted(every, key=lambda entry: -entry[0])[:most]
    return "Heat map of tables, worst first: " + "; ".join(f"{name} {significant(value)}" for value, name in worst)


def _step(ratio: float) -> int:
    return next(place for place, (end, _) in enumerate(_STEPS) if ratio <= end)
