"""Draws the three ways of data through the house: files, tables, comparisons. Boxes are things, arrows are rooms."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from html import escape
from pathlib import Path

from tacita.report.style import FONT, INK, ORIGINAL, ORIGINAL_EDGE, RELEASE, RELEASE_FILL

__all__ = ["FLOWS", "Arrow", "Box", "draw"]

ROOT = Path(__file__).resolve().parent.parent
_WIDE, _HIGH, _GAP, _STEP, _EDGE = 148, 58, 104, 112, 14
_FILLS = {"secret": (ORIGINAL, ORIGINAL_EDGE), "public": (RELEASE_FILL, RELEASE), "plain": ("#ffffff", INK)}


@dataclass(frozen=True)
class Box:
    """A thing that exists: its name, what it is, where it stands (column, row), and who may see it."""

    name: str
    text: str
    column: float
    row: float
    who: str = "plain"


@dataclass(frozen=True)
class Arrow:
    """The work between two things, by the room or file that does it."""

    start: str
    end: str
    room: str = ""


FLOWS: dict[str, tuple[tuple[Box, ...], tuple[Arrow, ...]]] = {
    "way-of-a-file": (
        (
            Box("file", "records and schema", 0, 0, "secret"),
            Box("Microdata", "columns with roles", 1, 0, "secret"),
            Box("Release", "masked, shuffled", 2, 0),
            Box("Verdict", "passed, failed, not judged", 3, 0),
            Box("public/", "data, schema, report", 4, 0, "public"),
            Box("Recipe", "masks in order", 1, 1, "secret"),
            Box("Limits", "what may be at risk", 3, 1, "secret"),
            Box("internal/", "seed, link, full report", 4, 1, "secret"),
        ),
        (
            Arrow("file", "Microdata", "data/read"),
            Arrow("Microdata", "Release", "mask/"),
            Arrow("Release", "Verdict", "compare/verdict"),
            Arrow("Verdict", "public/", "report/publish"),
            Arrow("Recipe", "Release", "release/recipe"),
            Arrow("Limits", "Verdict", "data/limits"),
            Arrow("Verdict", "internal/", ""),
        ),
    ),
    "way-of-a-table": (
        (
            Box("records", "in memory or on disk", 0, 0, "secret"),
            Box("Table", "cells and their sums", 1, 0, "secret"),
            Box("Unsafe", "cells and levels", 2, 0, "secret"),
            Box("Protected", "hidden or changed cells", 3, 0),
            Box("publication", "table and report", 4, 0, "public"),
            Box("Rules", "p %, dominance, counts", 1, 1, "secret"),
            Box("Seats", "who knows what", 2, 1, "secret"),
            Box("Certificate", "an interval for each cell", 3, 1),
        ),
        (
            Arrow("records", "Table", "tables/model"),
            Arrow("Table", "Unsafe", "tables/rules"),
            Arrow("Unsafe", "Protected", "suppression, ..."),
            Arrow("Protected", "publication", "publish_table"),
            Arrow("Rules", "Unsafe"),
            Arrow("Seats", "Certificate", "tables/auditor"),
            Arrow("Protected", "Certificate"),
            Arrow("Certificate", "publication"),
        ),
    ),
    "way-of-a-comparison": (
        (
            Box("original", "records", 0, 0, "secret"),
            Box("masked", "records", 0, 1, "public"),
            Box("Pair", "which belongs to which", 1, 0.5, "secret"),
            Box("losses", "what an analyst misses", 2, 0),
            Box("risks", "what an intruder finds", 2, 1),
            Box("Scorecard", "each measure by name", 3, 0.5),
            Box("frontier", "worth choosing from", 4, 0.5),
            Box("candidates", "recipes and seeds", 4, 1.7),
        ),
        (
            Arrow("original", "Pair", "data/pairing"),
            Arrow("masked", "Pair", ""),
            Arrow("Pair", "losses", "loss/"),
            Arrow("Pair", "risks", "risk/"),
            Arrow("losses", "Scorecard", "compare/"),
            Arrow("risks", "Scorecard", ""),
            Arrow("Scorecard", "frontier", "compare/search"),
            Arrow("frontier", "candidates", ""),
            Arrow("candidates", "masked", "mask/"),
        ),
    ),
}
"""The pictures of the page on architecture. Grey stays inside, blue may leave, white is neither."""


def draw(boxes: tuple[Box, ...], arrows: tuple[Arrow, ...]) -> str:
    """Return the picture as SVG: boxes at their places, an arrow from side to side or from edge to edge."""
    places = {box.name: box for box in boxes}
    width = 2 * _EDGE + max(b.column for b in boxes) * (_WIDE + _GAP) + _WIDE
    height = 2 * _EDGE + max(b.row for b in boxes) * _STEP + _HIGH
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="{FONT}">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        f'<path d="M0,0 L8,4 L0,8 z" fill="{INK}"/></marker></defs>',
        f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>',
    ]
    parts += [_arrow(places[arrow.start], places[arrow.end], arrow.room) for arrow in arrows]
    parts += [_box(box) for box in boxes]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _corner(box: Box) -> tuple[float, float]:
    return _EDGE + box.column * (_WIDE + _GAP), _EDGE + box.row * _STEP


def _box(box: Box) -> str:
    x, y = _corner(box)
    fill, edge = _FILLS[box.who]
    middle = x + _WIDE / 2
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{_WIDE}" height="{_HIGH}" rx="6" fill="{fill}" stroke="{edge}"/>'
        f'<text x="{middle:g}" y="{y + 25:g}" text-anchor="middle" font-size="14" font-weight="bold" '
        f'fill="{INK}">{escape(box.name)}</text>'
        f'<text x="{middle:g}" y="{y + 44:g}" text-anchor="middle" font-size="11" fill="{INK}">{escape(box.text)}</text>'
    )


def _arrow(start: Box, end: Box, room: str) -> str:
    (ax, ay), (bx, by) = _corner(start), _corner(end)
    if start.column == end.column:  # straight up or down
        x = ax + _WIDE / 2
        line = (x, ay + _HIGH, x, by) if by > ay else (x, ay, x, by + _HIGH)
    elif end.column < start.column:  # back to the beginning, along the lower edge
        return _way_back(start, end, room)
    else:
        line = (ax + _WIDE, ay + _HIGH / 2, bx, by + _HIGH / 2)
    x1, y1, x2, y2 = line
    drawn = f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{INK}" marker-end="url(#tip)"/>'
    return drawn + _label((x1 + x2) / 2, (y1 + y2) / 2 - 6, room)


def _way_back(start: Box, end: Box, room: str) -> str:
    (ax, ay), (bx, by) = _corner(start), _corner(end)
    y, x = ay + _HIGH / 2, bx + _WIDE / 2
    path = f"M{ax:g},{y:g} L{x:g},{y:g} L{x:g},{by + _HIGH:g}"
    drawn = f'<path d="{path}" fill="none" stroke="{INK}" marker-end="url(#tip)"/>'
    return drawn + _label((ax + x) / 2, y - 6, room)


def _label(x: float, y: float, room: str) -> str:
    if not room:
        return ""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="middle" font-size="11" font-style="italic" stroke="#ffffff" '
        f'stroke-width="3" paint-order="stroke" fill="{INK}">{escape(room)}</text>'
    )


def main() -> int:
    """Draw all three."""
    parser = argparse.ArgumentParser(description="Draw the three ways of data through the house.")
    parser.add_argument("--directory", type=Path, default=ROOT / "docs" / "images")
    directory = parser.parse_args().directory
    for name, (boxes, arrows) in FLOWS.items():
        (directory / f"{name}.svg").write_text(draw(boxes, arrows), encoding="utf-8")
        sys.stdout.write(f"{directory / name}.svg\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
