"""The files of a study: its figures as SVG and PNG, and one page that holds them with what was found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tacita.core.errors import FileError
from tacita.core.progress import track
from tacita.data.atomic import atomic_file
from tacita.study.base import StudyFinding, StudyTable

if TYPE_CHECKING:
    from tacita.report.study_page import PageFigure

__all__ = ["write_study"]


def write_study(
    directory: Path,
    name: str,
    title: str,
    *,
    figures: Sequence[PageFigure],
    findings: Sequence[StudyFinding],
    tables: Sequence[StudyTable],
    notes: Sequence[str],
) -> tuple[Path, ...]:
    """Write every figure as SVG and PNG, and ``name.html``; files of the same names are replaced, others stay.

    Raises
    ------
    FileError
        When the directory cannot be made or written to.
    """
    from tacita.report.render import png_bytes, svg_bytes
    from tacita.report.study_page import PageTable, study_page

    found = PageTable(
        "What was found",
        ("quantity", "setting", "ours", "paper", "required"),
        [(f.quantity, f.setting, f.shown(), f.paper, f.required) for f in findings],
        ("ours",),
    )
    shown = [found, *(PageTable(t.title, t.heads, t.rows, t.numbers) for t in tables)]
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(
            f"The directory '{directory.name}' cannot be made: {error.strerror or 'unknown reason'}; choose another."
        ) from error
    written = []
    for figure in track(figures, "Drawing"):
        for ending, draw in (("svg", svg_bytes), ("png", png_bytes)):
            written.append(_write(directory / f"{figure.name}.{ending}", draw(figure.chart)))
    text = study_page(title, notes=notes, figures=figures, tables=shown)
    written.append(_write(directory / f"{name}.html", text.encode("utf-8")))
    return tuple(written)


def _write(path: Path, content: bytes) -> Path:
    with atomic_file(path) as temporary:
        temporary.write_bytes(content)
    return path
