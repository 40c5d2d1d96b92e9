"""Figures 1a and 1b of the census study as pictures, and the page that holds them with all tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tacita.study.base import StudyFinding, StudyTable
from tacita.study.census_material import BOUNDS, DESIGNS
from tacita.study.census_paper import PAPER_LARGEST
from tacita.study.census_round import CensusRound
from tacita.study.census_tables import LARGER, REACH, class_words, design_shares
from tacita.study.pages import write_study

if TYPE_CHECKING:
    from tacita.report.study_page import PageFigure

__all__ = ["census_figures", "write_census"]

_TITLE = "Eliminating small cells from census tables"
_WIDEST = 12
"""The largest deviation that Figure 1b shows; the few beyond are in its table."""


def write_census(
    directory: Path,
    found: CensusRound,
    findings: Sequence[StudyFinding],
    tables: Sequence[StudyTable],
    notes: Sequence[str],
) -> tuple[Path, ...]:
    """Write both figures and the page."""
    return write_study(
        directory,
        "census",
        _TITLE,
        figures=census_figures(found),
        findings=findings,
        tables=tables,
        notes=notes,
    )


def census_figures(found: CensusRound) -> list[PageFigure]:
    """Draw deviations of SAFE by count, in controlled tables beside noise, and in tables that are not controlled."""
    from tacita.report.deviation_lines import DeviationLine, deviation_chart
    from tacita.report.study_page import PageFigure

    D, first = BOUNDS[-1], LARGER[0]
    around = range(first - REACH, first + REACH + 1)
    controlled = [
        DeviationLine(f"SAFE, count {i}", tuple(found.controlled.within(i, i).deviations(REACH).tolist()))
        for i in LARGER
    ]
    noise = [
        DeviationLine(
            f"noise, {design.replace('_', ' ')}, D = {D}", tuple(design_shares(design, D, first, around)), against=True
        )
        for design in DESIGNS
    ]
    classes = {ends: found.free.within(*ends) for ends in PAPER_LARGEST}
    reach = max([pairs.largest for pairs in classes.values()] or [0])
    free = [
        DeviationLine(
            f"{class_words(*ends)}: {len(pairs):,} cell{'s' * (len(pairs) > 1)}",
            tuple(pairs.deviations(reach).tolist()),
        )
        for ends, pairs in classes.items()
        if len(pairs)
    ]
    stay = found.controlled.within(LARGER[0], LARGER[-1]).deviations(REACH)[REACH]
    return [
        PageFigure(
            "figure-1a",
            "Figure 1a. Deviations of SAFE in controlled tables, counts of 9 to 16, and of noise.",
            f"SAFE leaves {100 * stay:.0f} % of these counts as they are; noise leaves "
            + " and ".join(f"{100 * line.shares[REACH]:.0f} % ({line.name})" for line in noise)
            + ".",
            deviation_chart([*controlled, *noise], title="SAFE in controlled tables, and noise"),
        ),
        PageFigure(
            "figure-1b",
            "Figure 1b. Deviations of SAFE in tables of four variables, which are not controlled, by count.",
            "Mean and largest deviation by class: "
            + "; ".join(f"{class_words(*e)} {p.mean:.1f} and {p.largest}" for e, p in classes.items() if len(p))
            + ".",
            deviation_chart(free, title="SAFE in tables of four variables", most=min(reach, _WIDEST)),
        ),
    ]
