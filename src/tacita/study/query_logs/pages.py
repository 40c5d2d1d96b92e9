"""Figures 2, 3 and 4 of the paper as pictures, and the page that holds them with the table of methods."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacita.core.arrays import FloatArray
from tacita.study.base import StudyFinding, StudyTable
from tacita.study.pages import write_study
from tacita.study.query_logs.material import CATEGORIES, LEVELS
from tacita.study.query_logs.remain import SIZES, WAYS, Remain

if TYPE_CHECKING:
    from tacita.report.study_page import PageFigure

__all__ = ["querylog_figures", "write_querylog"]

_TITLE = "Semantic microaggregation of query logs"


def write_querylog(
    directory: Path,
    shares: FloatArray,
    found: Remain,
    findings: Sequence[StudyFinding],
    tables: Sequence[StudyTable],
    notes: Sequence[str],
) -> tuple[Path, ...]:
    """Write the figures and the page."""
    figures = querylog_figures(shares, found)
    return write_study(directory, "querylog", _TITLE, figures=figures, findings=findings, tables=tables, notes=notes)


def querylog_figures(shares: FloatArray, found: Remain) -> list[PageFigure]:
    """Draw the classified queries by level, what remains by k, levels and categories, and the time."""
    from tacita.report.logs.log_figures import classified_chart, grouped_bars, remain_lines
    from tacita.report.study_page import PageFigure

    names = tuple(f"{categories} categor{'y' if categories == 1 else 'ies'}" for categories in CATEGORIES)
    said = ", ".join(f"level {level}: {share:.0f} %" for level, share in enumerate(shares.tolist(), 1))
    return [
        PageFigure(
            "figure-2",
            "Figure 2. Queries that can be classified up to a level of the directory.",
            f"{said}.",
            classified_chart(shares),
        ),
        PageFigure(
            "figure-3",
            "Figure 3. Semantic remain at level L when L levels are used, with one and with five categories of each term. "
            "The dashed line is 1/k.",
            _range_words("Semantic remain", found.by_level, "%"),
            grouped_bars(found.by_level, names, SIZES, title="semantic remain, %", bounds=[100 / k for k in SIZES]),
        ),
        PageFigure(
            "figure-4",
            "Figure 4. Time to classify, group and aggregate.",
            _range_words("Time", found.seconds, "s"),
            grouped_bars(found.seconds, names, SIZES, title="seconds"),
        ),
        PageFigure(
            "levels",
            "Semantic remain at each level when five levels and five categories are used: the paper's groups, groups at random, "
            "better groups, and what the safe mode costs. The dashed line is 1/k.",
            _range_words("Semantic remain", found.all_levels, "%"),
            remain_lines(found.all_levels, [words for words, _, _ in WAYS], SIZES),
        ),
    ]


def _range_words(what: str, values: Any, unit: str) -> str:
    return f"{what} from {float(values.min()):.3g} to {float(values.max()):.3g} {unit}, over {LEVELS} levels and k = 2 to 5."
