"""A point of the risk-utility map: one candidate with its measures over seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tacita.compare.parts import CountedPart
from tacita.compare.score import Score
from tacita.compare.search.candidates import Candidate
from tacita.compare.search.constraint import SearchConstraint
from tacita.compare.search.frontier import Axis, non_dominated
from tacita.compare.search.trial import Trial
from tacita.core.errors import MeasureError
from tacita.release.recipe import Recipe

__all__ = ["SearchPoint", "Spread", "with_frontier"]


@dataclass(frozen=True)
class Spread:
    """A number over seeds: mean, standard deviation, ends. The deviation of one seed alone is not known (None)."""

    mean: float
    sd: float | None
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float], *, is_exact: bool) -> Spread:
        """Summarise values; ``is_exact`` when another seed could give nothing else."""
        found = np.asarray(values, dtype=np.float64)
        sd = 0.0 if is_exact else float(found.std(ddof=1)) if len(found) > 1 else None
        return cls(float(found.mean()), sd, float(found.min()), float(found.max()))

    def as_plain(self) -> dict[str, float | None]:
        """Return the numbers ready for JSON."""
        return {"mean": self.mean, "sd": self.sd, "low": self.low, "high": self.high}


@dataclass(frozen=True, eq=False)
class SearchPoint:
    """One candidate with its measures over seeds.

    Parameters
    ----------
    candidate
        The recipe and what it is called.
    trials
        What each seed gave.
    score, loss, risk
        How score and axes are made of measures.
    is_on_frontier
        Whether no other candidate beats it in both loss and risk.
    """

    candidate: Candidate
    trials: tuple[Trial, ...]
    score: Score
    loss: Axis
    risk: Axis
    is_on_frontier: bool = False

    @property
    def label(self) -> str:
        """What the candidate is called."""
        return self.candidate.label

    @property
    def family(self) -> str:
        """The names of its masks."""
        return self.candidate.family

    @property
    def recipe(self) -> Recipe:
        """The recipe, ready to be applied."""
        return self.candidate.recipe

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that every seed has."""
        return tuple(n for n in self.trials[0].values if all(n in trial.values for trial in self.trials))

    @property
    def skipped(self) -> dict[str, str]:
        """Measures that were not computed, with the reason."""
        return {name: reason for trial in self.trials for name, reason in trial.skipped.items()}

    @property
    def notes(self) -> tuple[str, ...]:
        """Warnings that came with the masking or the measures."""
        return tuple(dict.fromkeys(note for trial in self.trials for note in trial.notes))

    def values(self, name: str) -> tuple[float, ...] | None:
        """Return a measure, or ``score``, ``loss`` or ``risk``, for each seed; None where it was not computed."""
        found = [self._value(name, trial) for trial in self.trials]
        return None if any(value is None for value in found) else tuple(v for v in found if v is not None)

    def _value(self, name: str, trial: Trial) -> float | None:
        if name == "score":
            try:
                return self.score.of(trial.values)
            except MeasureError:  # a part of it is missing, or it is not finite
                return None
        if name in ("loss", "risk"):
            return (self.loss if name == "loss" else self.risk).of(trial.values)
        return trial.values.get(name)

    def spread(self, name: str) -> Spread | None:
        """Return mean, standard deviation and ends over seeds; None where it was not computed."""
        values = self.values(name)
        if values is None:
            return None
        with np.errstate(over="ignore", invalid="ignore"):
            found = Spread.of(values, is_exact=not self.candidate.is_stochastic)
        return found if np.isfinite([found.mean, found.sd or 0.0]).all() else None

    def __getitem__(self, name: str) -> float:
        """Return the mean over seeds."""
        found = self.spread(name)
        if found is None:
            reason = self.skipped.get(name, "it is not among the measures of the search.")
            raise MeasureError(f"'{name}' was not computed for '{self.label}': {reason}")
        return found.mean

    def score_parts(self) -> tuple[CountedPart, ...]:
        """Return the parts of the score, means over seeds; their points add up to the mean score."""
        each = [self.score.count(trial.values) for trial in self.trials]
        return tuple(self._mean_part(parts) for parts in zip(*each, strict=True))

    @staticmethod
    def _mean_part(parts: Sequence[CountedPart]) -> CountedPart:
        value, counted, points = (
            float(np.mean([getattr(part, word) for part in parts])) for word in ("value", "counted", "points")
        )
        return replace(parts[0], value=value, counted=counted, points=points)

    def share_that_meets(self, constraint: SearchConstraint) -> float:
        """Return the share of seeds that meet every limit."""
        columns = [(limit, self.values(limit.name)) for limit in constraint.limits]
        kept = [all(v is not None and limit.holds(v[i]) for limit, v in columns) for i in range(len(self.trials))]
        return float(np.mean(kept))

    def as_plain(self) -> dict[str, Any]:
        """Return the point ready for JSON."""
        spreads = {name: self.spread(name) for name in ("loss", "risk", "score", *self.measures)}
        plain = {name: None if found is None else found.as_plain() for name, found in spreads.items()}
        return {
            "candidate": self.label,
            "family": self.family,
            "on_frontier": self.is_on_frontier,
            "seeds": [trial.seed for trial in self.trials],
            **{name: plain[name] for name in ("loss", "risk", "score")},
            "score_parts": [] if plain["score"] is None else [part.as_plain() for part in self.score_parts()],
            "measures": {name: plain[name] for name in self.measures},
            "skipped": self.skipped,
            "notes": list(self.notes),
            "recipe": self.candidate.text,
        }


def with_frontier(points: Sequence[SearchPoint]) -> tuple[SearchPoint, ...]:
    """Mark the points that no other beats."""
    loss, risk = (np.array([point[word] for point in points]) for word in ("loss", "risk"))
    kept = non_dominated(loss, risk)
    return tuple(replace(point, is_on_frontier=bool(on)) for point, on in zip(points, kept, strict=True))
