"""The figures of the outlier study as files, and the page that holds them with the statements."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tacita.core.errors import FileError
from tacita.core.progress import track
from tacita.data.atomic import atomic_file
from tacita.study.base import StudyFinding, StudyTable
from tacita.study.datasets import StudyData
from tacita.study.outlier_claims import Figures

if TYPE_CHECKING:
    from tacita.report.study_page import PageFigure

__all__ = ["write_pages"]

_AXES = {
    "il1": ("IL1", "mean relative change, %", None, True),
    "il1s": ("IL1s", "mean change, standard deviations / √2", None, False),
    "dld": ("DLD", "records linked, %", 100.0, False),
    "rid": ("RID", "originals in the rank interval, %", 100.0, False),
    "sdid": ("SDID", "originals in the interval by standard deviation, %", 100.0, False),
}
"""Name, ordinate, largest possible value, and whether powers of ten are needed."""

_TITLE = "Outlier protection in continuous microdata masking"


def write_pages(
    directory: Path,
    sets: Sequence[StudyData],
    figures: Figures,
    findings: Sequence[StudyFinding],
    tables: Sequence[StudyTable],
    notes: Sequence[str],
) -> tuple[Path, ...]:
    """Write every figure as SVG and PNG, and one HTML page; files of the same names are replaced, others stay."""
    from tacita.report.render import png_bytes, svg_bytes
    from tacita.report.study_page import PageTable, study_page

    # By measure, then by data set: with census and eia these are the numbers of the paper's figures.
    order = [(entry, measure) for measure in _AXES for entry in sets]
    drawn = [_figure(entry, measure, figures, number) for number, (entry, measure) in enumerate(order, 1)]
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
    for figure in track(drawn, "Drawing"):
        for ending, draw in (("svg", svg_bytes), ("png", png_bytes)):
            written.append(_write(directory / f"{figure.name}.{ending}", draw(figure.chart)))
    text = study_page(_TITLE, notes=notes, figures=drawn, tables=shown)
    written.append(_write(directory / "outliers.html", text.encode("utf-8")))
    return tuple(written)


def _figure(entry: StudyData, measure: str, figures: Figures, number: int) -> PageFigure:
    from tacita.report.families import FamilySection, family_chart
    from tacita.report.study_page import PageFigure
    from tacita.study.outliers import FAMILIES

    name, axis, upper, log = _AXES[measure]
    lines = figures[entry.name, measure]
    sections = [
        FamilySection(
            family.name,
            family.labels(),
            tuple(lines[family.letter].whole.tolist()),
            tuple(lines[family.letter].outliers.tolist()),
        )
        for family in FAMILIES
    ]
    chart = family_chart(sections, title=f"{name}, {entry.name}", axis=axis, upper=upper, log=log)
    means = "; ".join(
        f"{family.name} {lines[family.letter].mean:.3g} and {float(lines[family.letter].outliers.mean()):.3g}"
        for family in FAMILIES
    )
    describe = f"{name} on {entry.name} over all methods. Means of the whole file and of the outliers: {means}."
    scale = ", on a scale in powers of ten" if log else ""
    caption = f"Figure {number}. {name} on {entry.name}: {axis}{scale}. Black is the whole file, grey its outliers."
    return PageFigure(f"{entry.name}-{measure}", caption, describe, chart)


def _write(path: Path, content: bytes) -> Path:
    with atomic_file(path) as temporary:
        temporary.write_bytes(content)
    return path
