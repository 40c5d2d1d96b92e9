"""Parameters of a method: annotated fields of a frozen dataclass, checked when it is built.

The annotation is the only place where a parameter's type and limits are written. From it come the check on
construction, the sentence of the error, the form in a recipe file, the JSON schema, the command line and the page in
the reference. :mod:`tacita.core.value_forms` has one object for each kind of annotation, which does all of it.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeAlias

from tacita.core.constraints import Constraint, Interval, Length
from tacita.core.errors import ParameterError
from tacita.core.selectors import Selector
from tacita.core.value_forms import MISFIT, ColumnByName, ColumnSelection, value_form

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

Columns: TypeAlias = Annotated[Sequence[str] | Selector, ColumnSelection()]
"""Several columns: a list of names, one name, or a rule such as ``numeric keys``."""

ColumnName: TypeAlias = Annotated[str, ColumnByName()]
"""One column by its name."""


def coerce(value: Any, annotation: Any, *, owner: str, name: str) -> Any:
    """Return ``value`` in the form that ``annotation`` asks for, or raise the one error sentence.

    Lists become tuples, whole numbers become floats where a float is asked for, numpy scalars become Python's.
    """
    fitted = value_form(annotation).fit(value)
    if fitted is MISFIT:
        finite = "finite and " if isinstance(value, float) and math.isinf(value) else ""
        raise ParameterError(f"{owner}: '{name}' must be {finite}{requirement(annotation)}, got {_echo(value)}.")
    return fitted


def requirement(annotation: Any) -> str:
    """Say in words what a value must be: ``a number in [0, 100]``.

    Examples
    --------
    >>> requirement(Annotated[int, Interval(2)])
    'a whole number, at least 2'
    """
    return value_form(annotation).words()


def json_schema(annotation: Any) -> dict[str, Any]:
    """Return the JSON schema of an annotation."""
    return value_form(annotation).schema()


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
