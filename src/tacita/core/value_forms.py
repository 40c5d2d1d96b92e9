"""Forms of values: one object for each kind of annotation, which checks a value, speaks, and gives its JSON schema.

:func:`value_form` builds the form of an annotation once. A form that is made of others, such as a list of numbers, asks
these, so a new kind of annotation is one class here and one line in :func:`value_form`.
"""

from __future__ import annotations

import functools
import math
import numbers
import re
import types
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, Literal, Union, get_args, get_origin

from tacita.core.constraints import Constraint
from tacita.core.errors import TacitaError
from tacita.core.selectors import Selector

__all__ = [
    "MISFIT",
    "Anything",
    "ColumnByName",
    "ColumnSelection",
    "Either",
    "FixedList",
    "Instance",
    "Limited",
    "ListOf",
    "NamedValues",
    "Nothing",
    "OneOf",
    "RealNumber",
    "Text",
    "TrueOrFalse",
    "ValueForm",
    "WholeNumber",
    "value_form",
]


class _Misfit:
    """Stands for a value that has not the form."""

    def __repr__(self) -> str:
        return "(misfit)"


MISFIT: Final = _Misfit()


class ValueForm(ABC):
    """What a parameter's annotation asks of a value."""

    @abstractmethod
    def fit(self, value: Any) -> Any:
        """Return the value in this form, or :data:`MISFIT`."""

    @abstractmethod
    def words(self) -> str:
        """Say what a value must be, as after "must be"."""

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """Return the form in the vocabulary of JSON schema."""

    def is_exact(self, value: Any) -> bool:
        """Whether the value is of this type already, so that an integer stays one where floats are allowed too."""
        del value
        return False


# --- single values --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Anything(ValueForm):
    """Any value."""

    def fit(self, value: Any) -> Any:
        return value

    def words(self) -> str:
        return "anything"

    def schema(self) -> dict[str, Any]:
        return {}


@dataclass(frozen=True)
class Instance(ValueForm):
    """A value of a Python type; the types below know more."""

    kind: type
    said: ClassVar[str] = ""
    json_type: ClassVar[str] = ""

    def fit(self, value: Any) -> Any:
        # Python counts true as 1; a parameter does not.
        return value if isinstance(value, self.kind) and not isinstance(value, bool) else MISFIT

    def words(self) -> str:
        return self.said or self.kind.__name__

    def schema(self) -> dict[str, Any]:
        return {"type": self.json_type} if self.json_type else {}

    def is_exact(self, value: Any) -> bool:
        return type(value) is self.kind


@dataclass(frozen=True)
class Text(Instance):
    """A text."""

    kind: type = str
    said = "a text"
    json_type = "string"


@dataclass(frozen=True)
class TrueOrFalse(Instance):
    """True or false; 0 and 1 are numbers."""

    kind: type = bool
    said = "true or false"
    json_type = "boolean"

    def fit(self, value: Any) -> Any:
        return value if isinstance(value, bool) else MISFIT


@dataclass(frozen=True)
class WholeNumber(Instance):
    """A whole number, also one of numpy's."""

    kind: type = int
    said = "a whole number"
    json_type = "integer"

    def fit(self, value: Any) -> Any:
        return MISFIT if isinstance(value, bool) or not isinstance(value, numbers.Integral) else int(value)


@dataclass(frozen=True)
class RealNumber(Instance):
    """A finite number; whole ones become floats."""

    kind: type = float
    said = "a number"
    json_type = "number"

    def fit(self, value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            return MISFIT
        try:
            number = float(value)
        except OverflowError:
            return MISFIT
        return number if math.isfinite(number) else MISFIT


@dataclass(frozen=True)
class Nothing(ValueForm):
    """None."""

    def fit(self, value: Any) -> Any:
        return None if value is None else MISFIT

    def words(self) -> str:
        return "nothing"

    def schema(self) -> dict[str, Any]:
        return {"type": "null"}


@dataclass(frozen=True)
class OneOf(ValueForm):
    """One of some values."""

    values: tuple[Any, ...]

    def fit(self, value: Any) -> Any:
        return next((known for known in self.values if type(known) is type(value) and known == value), MISFIT)

    def words(self) -> str:
        shown = ", ".join(repr(value) for value in self.values)
        return shown if len(self.values) == 1 else f"one of {shown}"

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.values)}


# --- made of others -------------------------------------------------------------------------------------------------------


_BRACKETS = re.compile(r"[\[(][^\])]*[\])]")


def _entries(value: Any) -> list[Any] | None:
    """Return the entries of a list; None where the value is none. A text is no list of letters."""
    if isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "__iter__"):
        return None
    return list(value)


def _all_fit(forms: Sequence[ValueForm], values: Sequence[Any]) -> Any:
    fitted = tuple(form.fit(value) for form, value in zip(forms, values, strict=True))
    return MISFIT if any(entry is MISFIT for entry in fitted) else fitted


@dataclass(frozen=True)
class ListOf(ValueForm):
    """A list of any length, kept as a tuple."""

    entry: ValueForm

    def fit(self, value: Any) -> Any:
        values = _entries(value)
        return MISFIT if values is None else _all_fit([self.entry] * len(values), values)

    def words(self) -> str:
        return "a list" if isinstance(self.entry, Anything) else f"a list, each entry {self.entry.words()}"

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self.entry.schema()}


@dataclass(frozen=True)
class FixedList(ValueForm):
    """A list with one form for each place, kept as a tuple."""

    places: tuple[ValueForm, ...]

    def fit(self, value: Any) -> Any:
        values = _entries(value)
        return MISFIT if values is None or len(values) != len(self.places) else _all_fit(self.places, values)

    def words(self) -> str:
        many = f"a list of {len(self.places)} entries"
        if len(set(self.places)) == 1:
            return f"{many}, each {self.places[0].words()}"
        return f"{many}: " + "; ".join(place.words() for place in self.places)

    def schema(self) -> dict[str, Any]:
        count = len(self.places)
        found: dict[str, Any] = {"type": "array", "minItems": count, "maxItems": count}
        if len(set(self.places)) == 1:
            return {**found, "items": self.places[0].schema()}
        return {**found, "prefixItems": [place.schema() for place in self.places]}


@dataclass(frozen=True)
class NamedValues(ValueForm):
    """A table of names and values, kept as a dict. The method checks the values itself: it can say at which name one is wrong."""

    def fit(self, value: Any) -> Any:
        return dict(value) if isinstance(value, Mapping) else MISFIT

    def words(self) -> str:
        return "a table of names and values"

    def schema(self) -> dict[str, Any]:
        return {"type": "object"}


@dataclass(frozen=True)
class Either(ValueForm):
    """One of several forms: the one that the value has already, else the first that it fits."""

    options: tuple[ValueForm, ...]

    def fit(self, value: Any) -> Any:
        for option in sorted(self.options, key=lambda option: not option.is_exact(value)):
            fitted = option.fit(value)
            if fitted is not MISFIT:
                return fitted
        return MISFIT

    def words(self) -> str:
        said = [option.words() for option in self.options]
        # "a whole number, at least 1, or nothing": a comma within an option asks for one before "or", but not "[0, 1]".
        has_comma = any("," in _BRACKETS.sub("", words) for words in said[:-1])
        return (", or " if has_comma else " or ").join(said)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [option.schema() for option in self.options]}


@dataclass(frozen=True)
class Limited(ValueForm):
    """A form with conditions; None passes where the form allows it."""

    form: ValueForm
    conditions: tuple[Constraint, ...]

    def fit(self, value: Any) -> Any:
        fitted = self.form.fit(value)
        if fitted is MISFIT or fitted is None:
            return fitted
        return fitted if all(condition.holds(fitted) for condition in self.conditions) else MISFIT

    def words(self) -> str:
        # "must be in [0, 100]" reads better than "must be a number in [0, 100]"; whole numbers need the word.
        kind = [] if isinstance(self.form, RealNumber) else [self.form.words()]
        return ", ".join([*kind, *(condition.words() for condition in self.conditions)])

    def schema(self) -> dict[str, Any]:
        found = self.form.schema()
        for condition in self.conditions:
            found.update(condition.schema())
        return found


# --- columns --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ColumnByName(Text):
    """One column by its name."""

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "format": "column"}


@dataclass(frozen=True)
class ColumnSelection(ValueForm):
    """Several columns: a list of names, one name, or a rule such as ``numeric keys``."""

    names: ListOf = ListOf(Text())

    def fit(self, value: Any) -> Any:
        if isinstance(value, Selector):
            return value
        if isinstance(value, str):
            return Selector(value) if Selector.understands(value) else (value,)
        return self.names.fit(value)

    def words(self) -> str:
        return "a list of column names or a rule such as 'numeric keys'"

    def schema(self) -> dict[str, Any]:
        return {"type": ["array", "string"], "items": {"type": "string"}, "format": "columns"}


# --- from annotations -----------------------------------------------------------------------------------------------------

_OF_TYPES: dict[Any, ValueForm] = {
    Any: Anything(),
    None: Nothing(),
    type(None): Nothing(),
    bool: TrueOrFalse(),
    int: WholeNumber(),
    float: RealNumber(),
    str: Text(),
    dict: NamedValues(),
    Mapping: NamedValues(),
    tuple: ListOf(Anything()),
    Sequence: ListOf(Anything()),
}


def value_form(annotation: Any) -> ValueForm:
    """Return the form that an annotation asks for; it is built once.

    Examples
    --------
    >>> value_form(tuple[int, ...]).fit([1, 2])
    (1, 2)
    >>> value_form(int | None).words()
    'a whole number or nothing'
    """
    try:
        hash(annotation)
    except TypeError:  # a condition of somebody else's that cannot be kept
        return _built(annotation)
    return _kept(annotation)


def _built(annotation: Any) -> ValueForm:
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _marked(args[0], args[1:])
    if origin in (Union, types.UnionType):
        return Either(tuple(value_form(arg) for arg in args))
    if origin is Literal:
        return OneOf(args)
    if origin is Sequence or (origin is tuple and args[1:] == (Ellipsis,)):
        return ListOf(value_form(args[0]))
    if origin is tuple:
        return FixedList(tuple(value_form(arg) for arg in args))
    if origin in (dict, Mapping):
        return NamedValues()
    if annotation in _OF_TYPES:
        return _OF_TYPES[annotation]
    if isinstance(annotation, type) and origin is None:
        return Instance(annotation)
    raise TacitaError(f"A parameter cannot be annotated by {annotation!r}; add a form to tacita.core.value_forms.")


_kept = functools.cache(_built)


def _marked(inner: Any, marks: tuple[Any, ...]) -> ValueForm:
    """Return the form of an annotation with marks: a mark that is a form itself stands for the type, others limit it."""
    form = next((mark for mark in marks if isinstance(mark, ValueForm)), None) or value_form(inner)
    conditions = tuple(mark for mark in marks if isinstance(mark, Constraint))
    return Limited(form, conditions) if conditions else form
