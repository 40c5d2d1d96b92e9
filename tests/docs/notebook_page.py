"""A notebook that was run, as one page: what Jupyter would show, in the colours of its light or its dark theme."""

from __future__ import annotations

from html import escape
from typing import Any

__all__ = ["notebook_page", "outputs_of"]

_CSS = """
body { font: 14px/1.4 system-ui, Arial, sans-serif; margin: 0 auto; max-width: 1080px; padding: 24px; background: %s; color: %s; }
pre { font: 12px/1.4 monospace; white-space: pre-wrap; background: rgba(128, 128, 128, 0.15); padding: 8px; margin: 8px 0; }
.out { margin: 4px 0 16px 16px; }
"""
_THEMES = {"light": ("#ffffff", "#1f1f1f"), "dark": ("#111111", "#e0e0e0")}
_RICHEST = ("text/html", "image/svg+xml", "text/plain")


def outputs_of(cell: Any) -> list[dict[str, str]]:
    """Return the bundles that a cell put out."""
    return [dict(output["data"]) for output in cell.get("outputs", []) if "data" in output]


def notebook_page(notebook: Any, theme: str = "light") -> str:
    """Return the page; of each output the richest form, as Jupyter chooses."""
    parts = []
    for cell in notebook["cells"]:
        parts.append(f'<pre class="{cell["cell_type"]}">{escape(cell["source"])}</pre>')
        for output in cell.get("outputs", []):
            data = output.get("data", {"text/plain": output.get("text", "")})
            kind = next(kind for kind in _RICHEST if kind in data)
            shown = f"<pre>{escape(data[kind])}</pre>" if kind == "text/plain" else data[kind]
            parts.append(f'<div class="out">{shown}</div>')
    style = _CSS % _THEMES[theme]
    return f"<!DOCTYPE html><meta charset=utf-8><title>Notebook</title><style>{style}</style>{''.join(parts)}"
