"""Parameters of a method: annotated fields of a frozen dataclass, checked when it is built.

The annotation is the only place where a parameter's type and limits are written. From it come the check on
construction, the sentence of the error, the form in a recipe file, the JSON schema, the command line and the page in
the reference.
"""

from __future__ import annotations

import math
import numbers
import types
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

from tacita.core.errors import ParameterError
from tacita.core.selectors import Selector

__all__ = [
    "ColumnName",
    "Columns",
    "Constraint",
    "Interval",
    "Length",
    "as_plain",
    "coerce",
    "json_schema",
    "requirement",
]


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


@dataclass(frozen=True)
class _ColumnMark:
    """Marks a parameter that names columns, so that forms can offer a list of them."""

    many: bool


Columns: TypeAlias = Annotated[Sequence[str] | Selector, _ColumnMark(many=True)]
"""Several columns: a list of names, one name, or a rule such as ``numeric keys``."""

ColumnName: TypeAlias = Annotated[str, _ColumnMark(many=False)]
"""One column by its name."""

_MISFIT = object()


def coerce(value: Any, annotation: Any, *, owner: str, name: str) -> Any:
    """Return ``value`` in the form that ``annotation`` asks for, or raise the one error sentence.

    Lists become tuples, whole numbers become floats where a float is asked for, numpy scalars become Python's.
    """
    fitted = _fit(value, annotation)
    if fitted is _MISFIT:
        finite = "finite and " if isinstance(value, float) and math.isinf(value) else ""
        raise ParameterError(f"{owner}: '{name}' must be {finite}{requirement(annotation)}, got {_echo(value)}.")
    return fitted


def _fit(value: Any, annotation: Any) -> Any:
    origin = get_origin(annotation)
    if origin is Annotated:
        return _fit_annotated(value, annotation)
    if origin in (Union, types.UnionType):
        return _fit_union(value, get_args(annotation))
    if origin is Literal:
        return next((arg for arg in get_args(annotation) if type(arg) is type(value) and arg == value), _MISFIT)
    if origin is tuple:
        return _fit_tuple(value, get_args(annotation))
    if origin is Sequence:  # kept as a tuple
        return _fit_tuple(value, (*get_args(annotation), Ellipsis))
    if origin in (dict, Mapping) or annotation is dict:
        return dict(value) if isinstance(value, Mapping) else _MISFIT
    return _fit_scalar(value, annotation)


def _fit_annotated(value: Any, annotation: Any) -> Any:
    inner, *marks = get_args(annotation)
    if any(isinstance(mark, _ColumnMark) and mark.many for mark in marks) and isinstance(value, str):
        value = Selector(value) if Selector.understands(value) else (value,)
    fitted = _fit(value, inner)
    if fitted is _MISFIT or fitted is None:
        return fitted
    conditions = [mark for mark in marks if isinstance(mark, Constraint)]
    return fitted if all(condition.holds(fitted) for condition in conditions) else _MISFIT


def _fit_union(value: Any, options: tuple[Any, ...]) -> Any:
    # An exact fit first, so that an integer stays an integer in `int | float`.
    for option in options:
        if isinstance(option, type) and type(value) is option:
            return value
    for option in options:
        fitted = _fit(value, option)
        if fitted is not _MISFIT:
            return fitted
    return _MISFIT


def _fit_tuple(value: Any, items: tuple[Any, ...]) -> Any:
    if isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "__iter__"):
        return _MISFIT
    values = list(value)
    kinds = [items[0]] * len(values) if len(items) == 2 and items[1] is Ellipsis else list(items)
    if len(kinds) != len(values):
        return _MISFIT
    fitted = tuple(_fit(v, kind) for v, kind in zip(values, kinds, strict=True))
    return _MISFIT if any(f is _MISFIT for f in fitted) else fitted


def _fit_scalar(value: Any, kind: Any) -> Any:
    if kind is None or kind is type(None):
        return None if value is None else _MISFIT
    if kind is Any:
        return value
    if kind is bool:
        return value if isinstance(value, bool) else _MISFIT
    if isinstance(value, bool):
        return _MISFIT
    if kind is int:
        return int(value) if isinstance(value, numbers.Integral) else _MISFIT
    if kind is float:
        return _fit_float(value)
    return value if isinstance(value, kind) else _MISFIT


def _fit_float(value: Any) -> Any:
    try:
        number = float(value) if isinstance(value, numbers.Real) else math.nan
    except OverflowError:
        return _MISFIT
    return number if math.isfinite(number) else _MISFIT


def requirement(annotation: Any) -> str:
    """Say in words what a value must be: ``a number in [0, 100]``.

    Examples
    --------
    >>> requirement(Annotated[int, Interval(2)])
    'a whole number, at least 2'
    """
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        if any(isinstance(mark, _ColumnMark) and mark.many for mark in args[1:]):
            return "a list of column names or a rule such as 'numeric keys'"
        conditions = [mark.words() for mark in args[1:] if isinstance(mark, Constraint)]
        # "must be in [0, 100]" reads better than "must be a number in [0, 100]"; whole numbers need the word.
        plain = args[0] is float and conditions
        words = [] if plain else [requirement(args[0])]
        return ", ".join([*words, *conditions])
    if origin in (Union, types.UnionType):
        return " or ".join(requirement(arg) for arg in args)
    if origin is Literal:
        return "one of " + ", ".join(repr(arg) for arg in args)
    if origin is tuple:
        return "a list, each entry " + requirement(args[0])
    if origin in (dict, Mapping) or annotation is dict:
        return "a table of names and values"
    named = _TYPE_WORDS.get(annotation)
    return named if named is not None else str(getattr(annotation, "__name__", annotation))


_TYPE_WORDS: dict[Any, str] = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    type(None): "nothing",
}


def json_schema(annotation: Any) -> dict[str, Any]:
    """Return the JSON schema of an annotation."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        if any(isinstance(mark, _ColumnMark) for mark in args[1:]):
            many = any(isinstance(mark, _ColumnMark) and mark.many for mark in args[1:])
            base = {"type": ["array", "string"], "items": {"type": "string"}} if many else {"type": "string"}
            return {**base, "format": "columns" if many else "column"}
        found = json_schema(args[0])
        for mark in args[1:]:
            if isinstance(mark, Constraint):
                found.update(mark.schema())
        return found
    if origin in (Union, types.UnionType):
        return {"anyOf": [json_schema(arg) for arg in args]}
    if origin is Literal:
        return {"enum": list(args)}
    if origin is tuple:
        return {"type": "array", "items": json_schema(args[0])}
    if origin in (dict, Mapping) or annotation is dict:
        return {"type": "object"}
    kinds = {int: "integer", float: "number", str: "string", bool: "boolean", type(None): "null"}
    return {"type": kinds[annotation]} if annotation in kinds else {}


def as_plain(value: Any) -> Any:
    """Return a parameter's value in the form it has in TOML and JSON."""
    if isinstance(value, Selector):
        return value.text
    if isinstance(value, tuple):
        return [as_plain(entry) for entry in value]
    if isinstance(value, Mapping):
        return {key: as_plain(entry) for key, entry in value.items()}
    return value


def _echo(value: Any) -> str:
    """Show what was got: parameters may be echoed, but never a whole array or frame."""
    if value is None:
        return "nothing"
    if isinstance(value, int) and abs(value) >= 10**30:
        return "a huge number"
    if isinstance(value, (bool, numbers.Number)):
        return str(value)
    if isinstance(value, str):
        return repr(value) if len(value) <= 60 else f"a text of {len(value)} characters"
    if (
        isinstance(value, (list, tuple))
        and len(value) <= 8
        and all(isinstance(v, (str, numbers.Number)) for v in value)
    ):
        return repr(list(value))
    return f"a {type(value).__name__}"
