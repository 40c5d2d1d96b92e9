"""The parts of a score: which measure, with which weight, and what it brings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tacita.core.errors import ParameterError
from tacita.core.parameters import Columns
from tacita.data.measure import Measure, find_measure
from tacita.data.scenario import Scenario
from tacita.data.schema import Schema

__all__ = ["CountedPart", "Part", "find_measure", "points_that_add_up"]

Transform = Literal["x", "x/(1+x)"]
_TRANSFORMS: tuple[Transform, ...] = ("x", "x/(1+x)")


@dataclass(frozen=True, kw_only=True)
class Part:
    """One measure in a score.

    Parameters
    ----------
    measure
        Its registered name.
    weight
        What it is multiplied by; positive where a lower value is better, negative where a higher one is.
    cap
        For a measure without a largest value: what lies above counts as this.
    transform
        For a measure without a largest value: ``x/(1+x)`` brings it between 0 and 1 before it is weighted.
    parameters
        Parameters of the measure that differ from its defaults.
    """

    measure: str
    weight: float
    cap: float | None = None
    transform: Transform = "x"
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        kind, owner = find_measure(self.measure), f"Score: part '{self.measure}'"
        try:
            kind.from_plain(self.parameters)  # raises for an unknown name or a value out of its limits
        except OverflowError:
            raise ParameterError(f"{owner}: a parameter is too large a number.") from None
        weight = _number(self.weight, f"{owner}: 'weight'")
        if weight == 0 or (weight < 0) != (kind.traits.better == "higher"):
            sign = "negative, because a higher value is better" if kind.traits.better == "higher" else "positive"
            raise ParameterError(f"{owner}: 'weight' must be {sign}, got {weight:g}.")
        if self.transform not in _TRANSFORMS:
            raise ParameterError(
                f"{owner}: 'transform' must be one of {', '.join(_TRANSFORMS)}, got {self.transform!r}."
            )
        if self.cap is not None and _number(self.cap, f"{owner}: 'cap'") <= 0:
            raise ParameterError(f"{owner}: 'cap' must be above 0, got {self.cap:g}.")
        if kind.traits.upper is not None and (self.cap is not None or self.transform != "x"):
            raise ParameterError(
                f"{owner}: the measure never exceeds {kind.traits.upper:g}, so it needs neither 'cap' nor 'transform'."
            )
        object.__setattr__(self, "weight", weight)

    @property
    def is_bounded(self) -> bool:
        """Whether the measure has a largest value."""
        return find_measure(self.measure).traits.upper is not None

    def build(self, scenario: Scenario, schema: Schema, columns: Columns | None = None) -> Measure:
        """Return the measure with the parameters of this part; ``columns`` and scenario where the part names none."""
        return find_measure(self.measure).under(scenario, schema, columns, self.parameters)

    def counted(self, value: float) -> float:
        """Return what counts of a value: the value itself, capped or transformed where that was asked for."""
        capped = value if self.cap is None else min(value, float(self.cap))
        return capped / (1 + abs(capped)) if self.transform == "x/(1+x)" else capped

    def words(self) -> str:
        """Return the part as it stands in a formula, such as ``0.5 min(il, 200)``."""
        shown = self.measure if self.cap is None else f"min({self.measure}, {self.cap:g})"
        return f"{self.weight:.3g} {shown if self.transform == 'x' else f'{shown}/(1+{shown})'}"


@dataclass(frozen=True)
class CountedPart:
    """What one measure brings to a score.

    Parameters
    ----------
    measure, kind
        Its name, and whether it is a loss or a risk.
    is_bounded
        Whether the measure has a largest value; a part without one can drown the others.
    value
        The measure.
    counted
        The same after cap and transform.
    weight
        What it is multiplied by.
    points
        ``weight * counted``; the score is the sum of the points.
    """

    measure: str
    kind: str
    is_bounded: bool
    value: float
    counted: float
    weight: float
    points: float

    def as_plain(self) -> dict[str, Any]:
        """Return the part ready for JSON."""
        return {
            "measure": self.measure,
            "kind": self.kind,
            "bounded": self.is_bounded,
            "value": self.value,
            "counted": self.counted,
            "weight": self.weight,
            "points": self.points,
        }


def points_that_add_up(parts: Iterable[CountedPart], decimals: int = 2) -> list[float]:
    """Round the points of parts so that they add up to the rounded score, as a reader will check.

    The largest remainders are rounded up; no part moves by a whole unit of the last place.

    Examples
    --------
    >>> thirds = [CountedPart(name, "risk", True, 1.0, 1.0, 1 / 3, 1 / 3) for name in ("dld", "rid", "sdid")]
    >>> points_that_add_up(thirds)
    [0.34, 0.33, 0.33]
    """
    scaled = [part.points * 10**decimals for part in parts]
    floors = [math.floor(value) for value in scaled]
    spare = round(sum(scaled)) - sum(floors)
    order = sorted(range(len(scaled)), key=lambda i: floors[i] - scaled[i])
    for i in order[:spare]:
        floors[i] += 1
    return [value / 10**decimals for value in floors]


def _number(value: Any, owner: str) -> float:
    try:
        if not isinstance(value, bool) and isinstance(value, (int, float)) and math.isfinite(value):
            return float(value)
    except OverflowError:  # a whole number beyond what a float can hold
        raise ParameterError(f"{owner} must be a finite number, got a whole number that is too large.") from None
    raise ParameterError(f"{owner} must be a finite number, got {value!r}.")
