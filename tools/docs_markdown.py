"""From docstrings to Markdown: sections of the numpy form, tables, code."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from tacita.core.docstrings import doc_entries, doc_parts

__all__ = ["Docstring", "code", "entries_table", "prose", "table"]

_ROLE = re.compile(r":(?:class|func|meth|data|mod|attr):`~?([^`]+)`")
_DIRECTIVE = re.compile(r"^\.\. code-block:: (?P<kind>\w+)\n\n(?P<text>(?:[ \t]+[^\n]*(?:\n|\Z)|\n)+)", re.MULTILINE)


class Docstring:
    """A docstring taken apart.

    Parameters
    ----------
    thing
        A class, function or module; or the text itself.
    """

    def __init__(self, thing: Any) -> None:
        parts = doc_parts(thing if isinstance(thing, str) else (inspect.getdoc(thing) or ""))
        self.summary, self.body, self.sections = parts.summary, parts.body, parts.sections

    def markdown(self, *, level: int, without: Iterable[str] = ()) -> list[str]:
        """Return body and sections as lines of Markdown, headings at ``level``."""
        lines = [prose(self.body), ""] if self.body else []
        for title, text in self.sections.items():
            if title in without:
                continue
            lines += [f"{'#' * level} {title}", "", self._section(title, text), ""]
        return lines

    @staticmethod
    def _section(title: str, text: str) -> str:
        if title in ("Parameters", "Raises", "Returns", "Attributes", "Yields"):
            return entries_table(text) or prose(text)
        return prose(text)


def entries_table(text: str) -> str:
    """Return entries of the numpy form (a name, below it an indented text) as a table or, if long, as paragraphs."""
    found = doc_entries(text)
    if any("====" in words or "\n\n" in words for _, words in found):
        return "\n\n".join(f"**`{name}`**\n\n{prose(words)}" for name, words in found)
    rows = [(code(name), prose(words)) for name, words in found]
    return table(("name", "meaning"), rows) if rows else ""


def prose(text: str) -> str:
    """Return text of a docstring as Markdown: code marks, doctests, code blocks and plain tables."""
    # A text that is clean already must not be cleaned again: that would take the indent of a code block away.
    text = _DIRECTIVE.sub(
        lambda m: f"```{m['kind']}\n{textwrap.dedent(m['text']).strip()}\n```\n", textwrap.dedent(text).strip()
    )
    blocks, inside = [], False
    for paragraph in re.split(r"\n{2,}", text):
        inside ^= paragraph.count("```") % 2 == 1
        if inside or "```" in paragraph:
            blocks.append(paragraph)
        elif paragraph.lstrip().startswith(">>>"):
            blocks.append(f"```pycon\n{textwrap.dedent(paragraph)}\n```")
        elif re.match(r"=+ =+", paragraph):
            blocks.append(_rst_table(paragraph))
        else:
            blocks.append(_marks(" ".join(paragraph.split())))
    return "\n\n".join(blocks)


def _rst_table(text: str) -> str:
    """Return a simple table of reStructuredText as one of Markdown."""
    ruler, *rest = text.splitlines()
    cuts = [(m.start(), m.end()) for m in re.finditer(r"=+", ruler)]
    rows: list[list[str]] = []
    for line in rest:
        if set(line.strip()) <= {"=", " "}:
            continue
        cells = [line[a : (b if n < len(cuts) - 1 else None)].strip() for n, (a, b) in enumerate(cuts)]
        if rows and not cells[0]:  # a further line of the row above
            rows[-1] = [f"{old} {new}".strip() for old, new in zip(rows[-1], cells, strict=True)]
        else:
            rows.append(cells)
    return table(rows[0], rows[1:])


def _marks(text: str) -> str:
    return _ROLE.sub(r"`\1`", text).replace("``", "`")


def code(text: str) -> str:
    """Return text as inline code."""
    return f"`{text}`" if text else ""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(str(text).split()).replace("|", "\\|")
