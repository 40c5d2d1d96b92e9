"""Markup by construction: whatever the text, a parser finds our elements and no others."""

from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from tacita.report.markup import LONGEST, Html, html_table, join, page, tag


class Seen(HTMLParser):
    """The elements and the text of a page."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(markup)
        self.close()

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((name, dict(attributes)))

    def handle_data(self, data: str) -> None:
        self.text += data


texts = st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=60).filter(
    lambda t: "\ufffe" not in t and "\uffff" not in t
)


@given(texts, texts)
def test_no_text_becomes_markup(text: str, title: str) -> None:
    seen = Seen(tag("p", text, tag("b", text), title=title, class_="x", aria_label=title))
    assert [name for name, _ in seen.tags] == ["p", "b"]
    assert seen.tags[0][1] == {"title": title, "class": "x", "aria-label": title}
    assert seen.text == text + text


def test_ready_markup_is_not_escaped_again() -> None:
    assert join(["<", Html("<br>"), "&"], "|") == "&lt;|<br>|&amp;"


def test_a_text_of_a_megabyte_is_cut() -> None:
    assert len(tag("p", "x" * 1_000_000)) < LONGEST + 20


def test_a_table_has_headings_and_numbers() -> None:
    seen = Seen(
        html_table("<c>", ["name", "n"], [["a<b", "1"], tag("tr", tag("td", "all"))], numbers=[1], class_="wide")
    )
    kinds = [name for name, _ in seen.tags]
    assert kinds == ["div", "table", "caption", "thead", "tr", "th", "th", "tbody", "tr", "th", "td", "tr", "td"]
    assert seen.tags[0][1] == {"class": "frame wide"}
    assert seen.tags[9][1] == {"scope": "row"}
    assert seen.tags[10][1] == {"class": "number"}
    assert "<c>" in seen.text
    assert "a<b" in seen.text


def test_a_page_needs_nothing_but_itself() -> None:
    made = page("a & b", "p { color: red }\n", tag("p", "here"), "<script>")
    assert made.startswith("<!DOCTYPE html>")
    assert "<title>a &amp; b</title>" in made
    assert {name for name, _ in Seen(made).tags} == {"html", "head", "meta", "title", "style", "body", "p"}
    assert "http" not in made
