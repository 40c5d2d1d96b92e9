"""Rows as tables: on the screen, and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

__all__ = ["markdown_rows", "print_rows"]


def print_rows(title: str, rows: Sequence[dict[str, Any]]) -> None:
    """Print rows as a table."""
    heads = _heads(rows)
    table = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for head in heads:
        table.add_column(head)
    for row in rows:
        table.add_row(*(_cell(row.get(head, "")) for head in heads))
    Console(width=170, highlight=False, markup=False).print(table, "")


def markdown_rows(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return rows as the lines of a table in Markdown.

    Examples
    --------
    >>> markdown_rows([{"case": "a", "ms": 1.25}])
    ['| case | ms |', '|---|---|', '| a | 1.25 |']
    """
    heads = _heads(rows)
    body = ["| " + " | ".join(_cell(row.get(head, "")) for head in heads) + " |" for row in rows]
    return ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads), *body]


def _heads(rows: Sequence[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(key for row in rows for key in row))


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
