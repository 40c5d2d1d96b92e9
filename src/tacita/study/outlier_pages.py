"""The figures of the outlier study as files, and the page that holds them with the statements."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tacita.study.base import StudyFinding, StudyTable
from tacita.study.datasets import StudyData
from tacita.study.outlier_claims import Figures
from tacita.study.pages import write_study

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
    # By measure, then by data set: with census and eia these are the numbers of the paper's figures.
    order = [(entry, measure) for measure in _AXES for entry in sets]
    drawn = [_figure(entry, measure, figures, number) for number, (entry, measure) in enumerate(order, 1)]
    return write_study(directory, "outliers", _TITLE, figures=drawn, findings=findings, tables=tables, notes=notes)


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
