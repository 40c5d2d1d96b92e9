"""The risk-utility frontier: which files no other file beats in both loss and risk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tacita.compare.parts import find_measure
from tacita.compare.score import Score
from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import MeasureError, ParameterError

__all__ = ["Axis", "choose_axes", "non_dominated"]


def non_dominated(x: FloatArray, y: FloatArray) -> BoolArray:
    """Return which points no other point beats: none is as low in both and lower in one. O(n log n).

    Equal points do not beat each other, so all of them stay.

    Examples
    --------
    >>> non_dominated(np.array([1.0, 2.0, 2.0, 3.0]), np.array([5.0, 3.0, 4.0, 3.0])).tolist()
    [True, True, False, False]
    """
    kept = np.zeros(len(x), dtype=bool)
    lowest, here = np.inf, (np.nan, np.nan)
    for i in np.lexsort((y, x)):
        # From left to right a point survives when it lies lower than all before it.
        if y[i] < lowest:
            lowest, here = y[i], (x[i], y[i])
            kept[i] = True
        elif (x[i], y[i]) == here:
            kept[i] = True
    return kept


@dataclass(frozen=True)
class Axis:
    """A side of the map: the weighted mean of one or more measures of one kind.

    Parameters
    ----------
    kind
        ``loss`` or ``risk``.
    weights
        Weights by name of the measure; they add up to 1.
    """

    kind: str
    weights: tuple[tuple[str, float], ...]

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures."""
        return tuple(name for name, _ in self.weights)

    @property
    def unit(self) -> str:
        """The unit, where all measures have the same."""
        units = {find_measure(name).traits.unit for name in self.measures}
        return units.pop() if len(units) == 1 else ""

    @property
    def upper(self) -> float | None:
        """The largest possible value, where all measures have the same."""
        ends = {find_measure(name).traits.upper for name in self.measures}
        return ends.pop() if len(ends) == 1 else None

    @property
    def words(self) -> str:
        """What the axis shows: ``il``, or ``mean of dld and rid``."""
        if len(self.weights) == 1:
            return self.measures[0]
        if len({round(weight, 9) for _, weight in self.weights}) == 1:
            return f"mean of {' and '.join(self.measures)}"
        return " + ".join(f"{weight:.3g} {name}" for name, weight in self.weights)

    def of(self, values: Mapping[str, float]) -> float | None:
        """Return the place on the axis; None where a measure is missing."""
        if any(name not in values for name in self.measures):
            return None
        return sum(weight * values[name] for name, weight in self.weights)


def choose_axes(
    score: Score, loss: str | Sequence[str] | None, risk: str | Sequence[str] | None, measured: Sequence[str]
) -> tuple[Axis, Axis]:
    """Return the two axes: those asked for, or what the score is made of, or the first loss and risk measured."""
    return _axis("loss", loss, score, measured), _axis("risk", risk, score, measured)


def _axis(kind: str, asked: str | Sequence[str] | None, score: Score, measured: Sequence[str]) -> Axis:
    if asked is not None:
        names = [asked] if isinstance(asked, str) else list(asked)
        for name in names:
            method = find_measure(name)
            if method.kind != kind or method.traits.better != "lower":
                raise ParameterError(
                    f"search: '{kind}' must name measures of that kind for which lower is better, got '{name}'."
                )
        if not names:
            raise ParameterError(f"search: '{kind}' names no measure.")
        each = tuple(dict.fromkeys(names))
        return Axis(kind, tuple((name, 1 / len(each)) for name in each))
    parts = {p.measure: p.weight for p in score.parts if find_measure(p.measure).kind == kind and p.weight > 0}
    scored = {name: weight for name, weight in parts.items() if name in measured}
    if not scored:
        usable = [m for m in measured if find_measure(m).kind == kind and find_measure(m).traits.better == "lower"]
        if not usable:
            raise MeasureError(
                f"search: no {kind} is among the measures, and the map needs one; name it in 'measures'."
            )
        scored = {usable[0]: 1.0}
    total = sum(scored.values())
    return Axis(kind, tuple((name, weight / total) for name, weight in scored.items()))
