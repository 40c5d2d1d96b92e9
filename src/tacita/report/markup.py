"""Markup by construction: text is escaped unless it is :class:`Html`, so a forgotten escape cannot happen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from tacita.report.words import plain_text

__all__ = ["Html", "html_table", "join", "page", "tag"]


LONGEST = 2000
"""Letters of one text on a page: room for our own sentences, none for a cell of a megabyte."""


class Html(str):
    """Markup that is safe to stand on a page."""

    __slots__ = ()


Content = str | Html


def tag(name: str, *children: Content, **attributes: str) -> Html:
    """Return an element; text among the children and all attributes are escaped.

    Examples
    --------
    >>> tag("p", "a < b", tag("b", "&"), class_="x")
    '<p class="x">a &lt; b<b>&amp;</b></p>'
    """
    # class_ and aria_label are Python's spelling of class and aria-label.
    words = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(plain_text(value, LONGEST), quote=True)}"'
        for key, value in attributes.items()
    )
    return Html(f"<{name}{words}>{join(children)}</{name}>")


def join(parts: Iterable[Content], between: str = "") -> Html:
    """Return the parts one after another, text escaped."""
    return Html(between.join(part if isinstance(part, Html) else escape(plain_text(part, LONGEST)) for part in parts))


def html_table(
    caption: str,
    head: Sequence[str],
    rows: Iterable[Sequence[Content] | Html],
    *,
    numbers: Sequence[int] = (),
    class_: str = "",
) -> Html:
    """Return a table; the first cell of a row is its heading, columns in ``numbers`` are set flush right.

    A row is its cells, or a ready ``tr`` element.
    """

    def kind(position: int) -> dict[str, str]:
        return {"class_": "number"} if position in numbers else {}

    def row(cells: Sequence[Content] | Html) -> Html:
        if isinstance(cells, Html):
            return cells
        first = tag("th", cells[0], scope="row", **kind(0))
        return tag("tr", first, *(tag("td", cell, **kind(i)) for i, cell in enumerate(cells[1:], 1)))

    heading = tag("tr", *(tag("th", word, scope="col", **kind(i)) for i, word in enumerate(head)))
    made = tag(
        "table",
        tag("caption", caption),
        tag("thead", heading),
        Html("<tbody>\n" + join((row(cells) for cells in rows), "\n") + "\n</tbody>"),
    )
    # A wide table scrolls in its own frame, not the page with it.
    return tag("div", made, class_=f"frame {class_}".strip())


def page(title: str, css: str, *body: Content) -> str:
    """Return a whole page that needs nothing but itself."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{tag('title', title)}\n<style>\n{css}</style>\n</head>\n<body>\n{join(body, chr(10))}\n</body>\n</html>\n"
    )
