"""The pictures of delta-coprivacy, one for each condition, and the page that holds them with what was found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tacita.study.base import StudyFinding, StudyTable
from tacita.study.games.free_games import WAYS, FreeRow
from tacita.study.pages import write_study

if TYPE_CHECKING:
    from tacita.report.study_page import PageFigure
    from tacita.study.games.delta_coprivacy import Curve, CurvePoint

__all__ = ["delta_figures", "write_delta_coprivacy"]

_TITLE = "When is help in the helper's own interest? Delta-coprivacy over random games"


def write_delta_coprivacy(
    directory: Path,
    curves: Sequence[Curve],
    points: Sequence[CurvePoint],
    rows: Sequence[FreeRow],
    findings: Sequence[StudyFinding],
    tables: Sequence[StudyTable],
    notes: Sequence[str],
) -> tuple[Path, ...]:
    """Write the figures and the page."""
    figures = delta_figures(curves, points, rows)
    name = "delta-coprivacy"
    return write_study(directory, name, _TITLE, figures=figures, findings=findings, tables=tables, notes=notes)


def delta_figures(curves: Sequence[Curve], points: Sequence[CurvePoint], rows: Sequence[FreeRow]) -> list[PageFigure]:
    """Draw each curve with its points, and the games with free utilities."""
    from tacita.report.games.delta_figures import free_chart, probability_chart
    from tacita.report.study_page import PageFigure

    figures = []
    for curve in curves:
        own = [point for point in points if point.curve == curve.name]
        said = "; ".join(
            f"{name}: from {ends[0].exact:.2f} at {ends[0].x:g} to {ends[-1].exact:.2f} at {ends[-1].x:g}"
            for name, _, _ in curve.series
            if (ends := [point for point in own if point.series == name])
        )
        chart = probability_chart(
            [(p.series, p.x, p.exact, p.share, p.low, p.high) for p in own],
            curve.title,
            is_logarithmic=curve.field == "peers",
        )
        figures.append(PageFigure(curve.name, curve.caption, f"Probability of coprivacy. {said}.", chart))
    told = [(row.peers, row.way, row.found.share, row.found.low, row.found.high) for row in rows]
    said = "; ".join(f"N = {peers}, {way}: {share:.2f}" for peers, way, share, _, _ in told)
    figures.append(
        PageFigure(
            "free",
            "Utilities drawn anew for every profile: the weaker the concept, the more often there is help.",
            f"Probability of coprivacy. {said}.",
            free_chart(told, WAYS),
        )
    )
    return figures
