"""A page for a study: its figures and tables in one HTML file that needs nothing but itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Any

from tacita._version import __version__
from tacita.report.markup import Content, Html, html_table, page, tag
from tacita.report.render import svg_inline, unchecked

__all__ = ["PageFigure", "PageTable", "study_page"]


@dataclass(frozen=True)
class PageFigure:
    """A chart with a name for its file, a caption, and a description for those who cannot see it."""

    name: str
    caption: str
    describe: str
    chart: Any


@dataclass(frozen=True)
class PageTable:
    """A table as text."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: Sequence[str] = ()


def study_page(title: str, *, notes: Sequence[str], figures: Sequence[PageFigure], tables: Sequence[PageTable]) -> str:
    """Write a page with notes, tables and figures. The same input gives the same text."""
    css = files("tacita.report").joinpath("report.css").read_text(encoding="utf-8")
    with unchecked():
        pictures = [_figure(figure) for figure in figures]
    body = tag(
        "main",
        tag("h1", title),
        *(tag("p", _whole(note)) for note in notes),
        *(_table(entry) for entry in tables[:1]),
        tag("section", tag("h2", "Figures"), *pictures, class_="chapter"),
        *(tag("section", _table(entry), class_="chapter") for entry in tables[1:]),
        tag("footer", tag("p", f"Tacita {__version__}. The same input gives the same page, byte for byte.")),
    )
    return page(title, css, body)


def _figure(figure: PageFigure) -> Html:
    picture = Html(svg_inline(figure.chart, name=figure.name, describe=figure.describe))
    return tag("figure", picture, tag("figcaption", _whole(figure.caption)), class_="wide")


def _table(entry: PageTable) -> Content:
    numbers = [i for i, head in enumerate(entry.heads) if head in entry.numbers]
    rows = [[_whole(cell) for cell in row] for row in entry.rows]
    return html_table(entry.title, entry.heads, rows, numbers=numbers)


def _whole(text: str) -> Html:
    """Return a sentence in full; plain text of the markup is cut after a hundred letters, as names from data must be."""
    return Html(escape("".join(letter if letter.isprintable() else " " for letter in text)))
