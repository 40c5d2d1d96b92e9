"""What a report says about the measures: rows of the table, the score and the points of the risk-utility map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from tacita.compare.parts import CountedPart, points_that_add_up
from tacita.compare.scorecard import Scorecard
from tacita.core.errors import TacitaError
from tacita.data.measure import Measure
from tacita.data.pairing import Pair
from tacita.report.words import GAP, coarse, figure, fixed, names_in_words, quantity

__all__ = [
    "Form",
    "MapAxes",
    "MapPoint",
    "MeasureRow",
    "RiskCounts",
    "ScoreRow",
    "ShownScore",
    "axis_title",
    "map_axes",
    "map_point",
    "map_points",
    "measure_rows",
    "risk_counts",
    "rounded_points",
    "score_of",
    "synthetic_words",
]

Form = Literal["internal", "external"]
"""Which of the two reports: the full one that stays inside, or the one that may be published."""


_BEYOND = 1e300
"""A part beyond this stands for one that has no bound."""

# --- the table ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MeasureRow:
    """One measure as it is shown; in the external form ``value`` is rounded already."""

    name: str
    title: str
    kind: str
    value: float
    shown: str
    unit: str
    upper: float | None
    better: str
    what: str
    note: str = ""


def measure_rows(card: Scorecard, form: Form = "internal") -> list[MeasureRow]:
    """Return the measures of a card; losses first, then risks."""
    rows = []
    for name, (measure, result) in card.results.items():
        unit = measure.traits.unit
        value, shown = _shown(result.value, unit, form)
        notes = [result.note, _parts_in_words(measure, result.parts)] if form == "internal" else []
        rows.append(
            MeasureRow(
                name=name,
                title=measure.title,
                kind=measure.kind,
                value=value,
                shown=shown,
                unit=unit,
                upper=measure.traits.upper,
                better=measure.traits.better,
                what=measure.summary(),
                note="; ".join(note for note in notes if note),
            )
        )
    return sorted(rows, key=lambda row: row.kind != "loss")


def _shown(value: float, unit: str, form: Form) -> tuple[float, str]:
    return coarse(value, unit) if form == "external" else (value, quantity(value, unit))


def _parts_in_words(measure: Measure, parts: Mapping[str, float]) -> str:
    """Write the parts, each with its own unit: a percentage and a count of records may stand side by side."""
    words = [f"{name}: {_part(value, measure.unit_of_part(name))}" for name, value in parts.items()]
    return f"of which {names_in_words(words, limit=8)}" if words else ""


def _part(value: float, unit: str) -> str:
    return "without bound" if abs(value) > _BEYOND else figure(value, unit)


def synthetic_words(card: Scorecard, form: Form) -> str:
    """Say that records are synthetic, what they tell by chance or more, and how far tables are; empty for other files."""
    if not card.is_synthetic:
        return ""
    words = ["No record is a person's: every one was drawn."]
    if "citizen_match" in card:
        result = card.measured("citizen_match")
        if form == "internal":
            found, lucky = (quantity(result.parts[name], "%") for name in ("right", "by chance"))
            words.append(
                f"{found} of the records have by coincidence or by copying the keys of a real person and a confidential value "
                f"of that person; where keys are the same, {lucky} of the values would be right by chance."
            )
        else:
            shown = coarse(result.value, "%")[1]
            words.append(f"Records that tell of a real person rightly, beyond chance: {shown}.")
    if "table_pmse" in card:
        shown = _shown(card["table_pmse"], "", form)[1]
        words.append(
            f"Tables of one and two columns differ from the original by at most {shown} times what chance would do."
        )
    return " ".join(words)


# --- the score ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ScoreRow:
    """One part of the score in words: its measure, what bounds it, value, weight and what it brings."""

    measure: str
    title: str
    range: str
    value: str
    weight: str
    points: str


@dataclass(frozen=True)
class ShownScore:
    """The score and what it is made of; in the internal form the points add up to the score as shown."""

    shown: str
    formula: str
    rows: tuple[ScoreRow, ...]


def score_of(card: Scorecard, form: Form) -> ShownScore | None:
    """Return the score of a card; None where a part of it was not computed."""
    if card.score is None:
        return None
    parts = card.score_parts()
    measures = {name: measure for name, (measure, _) in card.results.items()}
    if form == "internal":
        points = [fixed(value, 2) for value in points_that_add_up(parts)]
        shown = fixed(card.score, 2)
    else:  # rounded like percentages, but without the unit
        points = [coarse(part.points, "%")[1].removesuffix(f"{GAP}%") for part in parts]
        shown = coarse(card.score, "%")[1].removesuffix(f"{GAP}%")
    rows = tuple(
        ScoreRow(
            p.measure,
            measures[p.measure].title,
            _range(p),
            _shown(p.value, measures[p.measure].traits.unit, form)[1],
            f"{p.weight:g}",
            brought,
        )
        for p, brought in zip(parts, points, strict=True)
    )
    return ShownScore(shown, card.scoring.formula(), rows)


def _range(part: CountedPart) -> str:
    if part.is_bounded:
        return "bounded"
    return "unbounded" if part.counted == part.value else "unbounded, capped or transformed"


# --- the map --------------------------------------------------------------------------------------------------------------


PointRole = Literal["original", "release", "candidate"]


class MapPoint(NamedTuple):
    """A file on the risk-utility map; a plain ``(label, risk, loss)`` is a candidate."""

    label: str
    risk: float
    loss: float
    role: PointRole = "candidate"


@dataclass(frozen=True)
class MapAxes:
    """Which measures span the map: one loss, and the mean of one or more risks."""

    loss: str
    risks: tuple[str, ...]
    loss_unit: str
    risk_unit: str
    risk_upper: float | None

    @property
    def loss_title(self) -> str:
        """What the horizontal axis measures."""
        return axis_title("information loss", self.loss, self.loss_unit)

    @property
    def risk_title(self) -> str:
        """What the vertical axis measures."""
        names = " and ".join(self.risks)
        return axis_title("disclosure risk", f"mean of {names}" if len(self.risks) > 1 else names, self.risk_unit)


def map_axes(card: Scorecard) -> MapAxes | None:
    """Choose the axes that the score is made of, or the first loss and the first risk; None where one kind is missing."""
    losses = [row for row in measure_rows(card) if row.kind == "loss"]
    risks = [row for row in measure_rows(card) if row.kind == "risk"]
    if not losses or not risks:
        return None
    scored = card.scoring.measures
    loss = next((row for row in losses if row.name in scored), losses[0])
    chosen = [row for row in risks if row.name in scored] or risks[:1]
    names = tuple(row.name for row in chosen)
    return MapAxes(
        loss=loss.name, risks=names, loss_unit=loss.unit, risk_unit=chosen[0].unit, risk_upper=chosen[0].upper
    )


def axis_title(what: str, name: str, unit: str) -> str:
    """Write what an axis or a column of figures measures, with its unit."""
    return f"{what} ({name}{f', {unit}' if unit else ''})"


def map_point(card: Scorecard, label: str, axes: MapAxes, role: PointRole = "candidate") -> MapPoint:
    """Return the place of a measured file on the map."""
    return MapPoint(label, float(np.mean([card[name] for name in axes.risks])), card[axes.loss], role)


def map_points(card: Scorecard, axes: MapAxes, candidates: Mapping[str, Scorecard] | None = None) -> list[MapPoint]:
    """Return the original file, earlier candidates that have the same measures, and the release.

    The original is measured against itself: what an intruder would find if it were published unmasked.
    """
    needed = {axes.loss, *axes.risks}
    points = [map_point(other, label, axes) for label, other in (candidates or {}).items() if needed <= set(other)]
    points.append(map_point(card, "release", axes, "release"))
    unmasked = _risk_unmasked(card, axes)
    if unmasked is not None:
        points.insert(0, MapPoint("unmasked file", unmasked, 0.0, "original"))
    return points


def rounded_points(points: Sequence[MapPoint], axes: MapAxes) -> list[MapPoint]:
    """Return the points that may be published, in round numbers; what else was tried is nobody's business."""
    return [
        point._replace(risk=coarse(point.risk, axes.risk_unit)[0], loss=coarse(point.loss, axes.loss_unit)[0])
        for point in points
        if point.role != "candidate"
    ]


def _risk_unmasked(card: Scorecard, axes: MapAxes) -> float | None:
    shared = card.original.select(name for name in card.original.names if name in card.masked.schema)
    every = np.arange(len(shared), dtype=np.int64)
    itself = Pair(original=shared, masked=shared, rows=every, masked_rows=every, how="order")
    measures: list[Measure] = [card.results[name][0] for name in axes.risks]
    try:
        return float(np.mean([measure.of_pair(itself).value for measure in measures]))
    except TacitaError:  # a map without the reference point is better than no report
        return None


# --- records at risk ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RiskCounts:
    """How many records have a high value of a risk: (threshold, records) pairs."""

    name: str
    title: str
    records: int
    counts: tuple[tuple[float, int], ...]


def risk_counts(card: Scorecard, thresholds: Sequence[float] = (0.5, 0.9, 1.0)) -> list[RiskCounts]:
    """Count the riskiest records, for risks that give each record a chance between 0 and 1."""
    found = []
    for name, (measure, result) in card.results.items():
        values = result.per_record if measure.kind == "risk" else None
        if values is None or not len(values) or np.nanmax(values, initial=0.0) > 1 + 1e-9:
            continue
        counts = tuple((limit, int((values >= limit - 1e-9).sum())) for limit in thresholds)
        found.append(RiskCounts(name, measure.title, len(values), counts))
        del values  # before those of the next one are made
    return found
