"""Conditions on a value beyond its type: limits of a number, length of a list. They stand in annotations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["Constraint", "Interval", "Length"]


class Constraint(ABC):
    """A condition on a value beyond its type."""

    @abstractmethod
    def holds(self, value: Any) -> bool:
        """Whether the value meets the condition."""

    @abstractmethod
    def words(self) -> str:
        """The condition as it stands in an error sentence, such as ``in [0, 100]``."""

    def schema(self) -> dict[str, Any]:
        """The condition in the vocabulary of JSON schema."""
        return {}


@dataclass(frozen=True)
class Interval(Constraint):
    """The value lies between ``low`` and ``high``; ``closed`` says which ends belong to it.

    Examples
    --------
    >>> Interval(0, 100).words()
    'in [0, 100]'
    >>> Interval(2).words()
    'at least 2'
    """

    low: float | None = None
    high: float | None = None
    closed: Literal["both", "left", "right", "neither"] = "both"

    def holds(self, value: Any) -> bool:
        low_in, high_in = self.closed in ("both", "left"), self.closed in ("both", "right")
        above = self.low is None or value > self.low or (low_in and value == self.low)
        below = self.high is None or value < self.high or (high_in and value == self.high)
        return above and below

    def words(self) -> str:
        low_in, high_in = self.closed in ("both", "left"), self.closed in ("both", "right")
        if self.high is None:
            return f"{'at least' if low_in else 'above'} {self.low}"
        if self.low is None:
            return f"{'at most' if high_in else 'below'} {self.high}"
        return f"in {'[' if low_in else '('}{self.low}, {self.high}{']' if high_in else ')'}"

    def schema(self) -> dict[str, Any]:
        low_in, high_in = self.closed in ("both", "left"), self.closed in ("both", "right")
        found: dict[str, Any] = {}
        if self.low is not None:
            found["minimum" if low_in else "exclusiveMinimum"] = self.low
        if self.high is not None:
            found["maximum" if high_in else "exclusiveMaximum"] = self.high
        return found


@dataclass(frozen=True)
class Length(Constraint):
    """A list has at least ``low`` entries."""

    low: int = 1

    def holds(self, value: Any) -> bool:
        return len(value) >= self.low

    def words(self) -> str:
        return f"with at least {self.low} entr{'y' if self.low == 1 else 'ies'}"

    def schema(self) -> dict[str, Any]:
        return {"minItems": self.low}
