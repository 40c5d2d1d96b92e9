"""Constraints: "il1s lowest subject to dld <= 5 and rid <= 40", read by a small grammar and never evaluated.

::

    constraint = [goal ["subject to" | "with" | "where"]] [limit {("and" | ",") limit}]
    goal       = ("lowest" | "highest") name  |  name ("lowest" | "highest")
    limit      = name ("<=" | ">=" | "<" | ">") number ["%"]

A name is a registered measure, in any case, or one of ``score``, ``loss`` and ``risk``.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tacita.compare.parts import find_measure
from tacita.core.errors import ParameterError, UnknownMethodError

__all__ = ["DERIVED", "Condition", "ConstraintLike", "SearchConstraint", "parse_constraint"]

DERIVED = ("score", "loss", "risk")
"""Numbers of a search that are made of measures."""

_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
_LIMIT = re.compile(rf"({_NAME})\s*(<=|>=|<|>|=<|=>)\s*({_NUMBER})\s*%?")
_GOAL = re.compile(rf"(?:(lowest|highest)\s+({_NAME})|({_NAME})\s+(lowest|highest))", re.IGNORECASE)
_LINK = re.compile(r"\s*(?:,|\b(?:and|subject\s+to|with|where)\b)\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Condition:
    """One condition on a measure, such as ``dld <= 5``."""

    name: str
    sign: str
    bound: float

    def holds(self, value: float) -> bool:
        """Whether a value meets the condition."""
        return _COMPARE[self.sign](value, self.bound)

    def excess(self, value: float) -> float:
        """Return how far a value lies beyond the bound; 0 where the condition holds."""
        return 0.0 if self.holds(value) else abs(value - self.bound)

    def __str__(self) -> str:
        return f"{self.name} {self.sign} {self.bound:g}"


@dataclass(frozen=True)
class SearchConstraint:
    """What the best candidate must be.

    Parameters
    ----------
    limits
        Conditions that must hold.
    goal
        The measure that decides among those that meet them; by default the loss of the map.
    lowest
        Whether its lowest or its highest value is wanted.
    """

    limits: tuple[Condition, ...] = ()
    goal: str = "loss"
    lowest: bool = True

    @property
    def measures(self) -> tuple[str, ...]:
        """Every registered measure that is spoken of."""
        named = (self.goal, *(limit.name for limit in self.limits))
        return tuple(dict.fromkeys(name for name in named if name not in DERIVED))

    def __str__(self) -> str:
        wanted = f"{'lowest' if self.lowest else 'highest'} {self.goal}"
        return f"{wanted} subject to {' and '.join(map(str, self.limits))}" if self.limits else wanted


ConstraintLike: TypeAlias = str | Mapping[str, float] | Iterable[str] | SearchConstraint | None


def parse_constraint(given: ConstraintLike, *, goal: str = "loss") -> SearchConstraint:
    """Read a constraint.

    Parameters
    ----------
    given
        A text, several of them, upper limits by name (``{"dld": 5, "rid": 40}``), or None for no limit.
    goal
        What decides where the text names no goal.

    Raises
    ------
    ParameterError
        When the text is not of the grammar.
    UnknownMethodError
        When a name is no measure.

    Examples
    --------
    >>> print(parse_constraint("il1s lowest subject to DLD <= 5 % and rid <= 40"))
    lowest il1s subject to dld <= 5 and rid <= 40
    >>> print(parse_constraint({"dld": 5}))
    lowest loss subject to dld <= 5
    """
    if isinstance(given, SearchConstraint):
        return given
    if given is None:
        return SearchConstraint(goal=goal)
    if isinstance(given, Mapping):
        return SearchConstraint(
            tuple(Condition(_known(name), "<=", _bound(name, value)) for name, value in given.items()), goal
        )
    texts = [given] if isinstance(given, str) else list(given)
    limits: list[Condition] = []
    wanted: tuple[str, bool] | None = None
    for text in texts:
        if not isinstance(text, str):
            raise ParameterError(f"A constraint must be a text or limits by name, got {type(text).__name__}.")
        for part in _parts(text):
            if isinstance(part, Condition):
                limits.append(part)
            elif wanted is not None and wanted != part:
                raise ParameterError("A constraint has one goal; say 'lowest' or 'highest' once.")
            else:
                wanted = part
    return SearchConstraint(tuple(limits), *(wanted or (goal, True)))


def _parts(text: str) -> Iterable[Condition | tuple[str, bool]]:
    """Give the limits and the goal of a text, from left to right; whatever is neither is an error."""
    rest = text.strip()
    if not rest:
        raise ParameterError("A constraint is empty; write one such as 'dld <= 5 and rid <= 40'.")
    is_first = True
    while rest:
        link = _LINK.match(rest)
        if link and not is_first:
            rest = rest[link.end() :]
        elif not is_first:
            raise _misread(text, rest)
        limit, goal = _LIMIT.match(rest), _GOAL.match(rest)
        if limit:
            name, sign, number = limit.groups()
            yield Condition(_known(name), {"=<": "<=", "=>": ">="}.get(sign, sign), _bound(name, float(number)))
        elif goal:
            name = goal.group(2) or goal.group(3)
            yield _known(name), (goal.group(1) or goal.group(4)).lower() == "lowest"
        else:
            raise _misread(text, rest)
        rest = rest[(limit or goal).end() :].strip()  # type: ignore[union-attr]
        is_first = False


def _misread(text: str, rest: str) -> ParameterError:
    place = f"at '{rest[:30]}'" if rest else "at its end"
    return ParameterError(
        f"The constraint '{text[:80]}' cannot be read {place}; write it as 'il1s lowest subject to dld <= 5 and rid <= 40'."
    )


def _known(name: object) -> str:
    """Return the name of a measure as it is registered."""
    word = str(name)
    lower = word.lower()
    if lower in DERIVED:
        return lower
    try:
        return find_measure(word).name
    except UnknownMethodError:
        return find_measure(lower).name


def _bound(name: object, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ParameterError(f"The limit of '{name}' must be a finite number, got {value!r}.")
    return float(value)
