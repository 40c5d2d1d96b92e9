"""Measure an anonymised log: every measure that applies, by name, with the bound that the paper gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from tacita.core import registry
from tacita.core.errors import MeasureError, ParameterError
from tacita.core.progress import task
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog
from tacita.logs.anonymiser import AnonymisedLog
from tacita.logs.log_measure import LogFigure, LogMeasure

__all__ = ["LogCard", "measure_log"]


@dataclass(frozen=True, eq=False)
class LogCard:
    """All measures of one anonymised log, by name.

    Parameters
    ----------
    figures
        What each measure found.
    measures
        The measures themselves, with their parameters.
    absent
        Measures that do not apply, and why.
    bound
        100 / k: the percentage that the paper's formula (5) promises to be left of a user's interests when users of a group have
        nothing in common; None where no profile stands for several users.
    """

    figures: Mapping[str, LogFigure]
    measures: Mapping[str, LogMeasure] = field(repr=False)
    absent: Mapping[str, str] = field(default_factory=dict)
    bound: float | None = None

    def __getitem__(self, name: str) -> float:
        """Return the value of a measure."""
        if name not in self.figures:
            why = self.absent.get(name)
            raise MeasureError(
                f"'{name}' was not measured: {why}"
                if why
                else f"'{name}' is not on this card; it has {', '.join(self.figures)}."
            )
        return self.figures[name].value

    def __contains__(self, name: object) -> bool:
        """Whether a measure is on the card."""
        return name in self.figures

    @property
    def losses(self) -> tuple[str, ...]:
        """Measures of what was lost or kept."""
        return tuple(name for name, one in self.measures.items() if not one.traits.is_risk)

    @property
    def risks(self) -> tuple[str, ...]:
        """Measures of what somebody learns."""
        return tuple(name for name, one in self.measures.items() if one.traits.is_risk)

    def as_plain(self) -> dict[str, Any]:
        """Return the card ready for JSON; it has figures of the original, so it stays inside."""
        return {
            "bound": self.bound,
            "measures": {
                name: {
                    "value": figure.value,
                    "unit": self.measures[name].traits.unit,
                    "better": self.measures[name].traits.better,
                    "parts": dict(figure.parts),
                    "note": figure.note,
                }
                for name, figure in self.figures.items()
            },
            "absent": dict(self.absent),
        }


def measure_log(
    log: QueryLog,
    anonymised: AnonymisedLog,
    topics: Classified | None = None,
    *,
    measures: Sequence[str | LogMeasure] | None = None,
) -> LogCard:
    """Measure what was made of a log.

    Parameters
    ----------
    log
        The original.
    anonymised
        What was made of it; its topics are those of the released texts.
    topics
        What the directory says of the texts of the original.
    measures
        Names of measures, or measures with parameters of their own; by default all.

    Returns
    -------
    LogCard
        A measure that does not apply is named with the reason, where all were asked for.

    Raises
    ------
    MeasureError
        When a measure that was asked for by name does not apply.
    """
    chosen = _chosen(measures)
    figures: dict[str, LogFigure] = {}
    absent: dict[str, str] = {}
    with task("Measuring the log", len(chosen)) as running:
        for measure in chosen:
            try:
                figures[measure.name] = measure.of(log, topics, anonymised)
            except MeasureError as error:
                if measures is not None:
                    raise
                absent[measure.name] = str(error)
            running.advance(note=measure.name)
    smallest = anonymised.smallest
    return LogCard(
        figures=figures,
        measures={measure.name: measure for measure in chosen if measure.name in figures},
        absent=absent,
        bound=100 / smallest if smallest > 1 else None,
    )


def _chosen(measures: Sequence[str | LogMeasure] | None) -> list[LogMeasure]:
    if measures is None:
        return [cast(type[LogMeasure], kind)() for kind in registry.methods("log_measure")]
    found = [
        one if isinstance(one, LogMeasure) else cast(type[LogMeasure], registry.find("log_measure", one))()
        for one in measures
    ]
    names = [one.name for one in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ParameterError(f"measure_log: 'measures' has '{twice}' twice.")
    return found
