"""The shape of everything with parameters: a frozen dataclass whose annotated fields are checked when it is built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, Self, get_type_hints

from tacita.core.docstrings import complete_docstring, parameter_helps, plain_words
from tacita.core.errors import ParameterError, did_you_mean
from tacita.core.parameters import as_plain, coerce, json_schema, requirement

__all__ = ["REQUIRED", "Parameter", "Parameterised"]


class _Required:
    """Marks a parameter without a default."""

    def __repr__(self) -> str:
        return "(required)"


REQUIRED = _Required()


@dataclass(frozen=True)
class Parameter:
    """One parameter of a method, as forms, help texts and recipes see it."""

    name: str
    annotation: Any
    default: Any
    help: str

    @property
    def required(self) -> bool:
        """Whether the parameter has no default."""
        return self.default is REQUIRED

    @property
    def words(self) -> str:
        """What it means, without the marks of a docstring: for screens and forms."""
        return plain_words(self.help)

    @property
    def requirement(self) -> str:
        """What a value must be, in words."""
        return requirement(self.annotation)

    def as_plain(self) -> dict[str, Any]:
        """Return the parameter ready for JSON."""
        shown: dict[str, Any] = {
            "name": self.name,
            "help": self.words,
            "must_be": self.requirement,
            "required": self.required,
            **json_schema(self.annotation),
        }
        if not self.required:
            shown["default"] = as_plain(self.default)
        return shown


@dataclass(frozen=True, kw_only=True)
class Parameterised:
    """Base of methods, and of the settings of functions that have many.

    Parameters are the dataclass fields; they are brought into form and checked on construction, then :meth:`check` may
    look at them together. What its docstring lacks, a subclass takes from its bases.
    """

    owner: ClassVar[str] = ""
    """Who speaks in an error sentence, where it is not the class: the function whose settings these are."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        complete_docstring(cls)

    def __post_init__(self) -> None:
        for parameter in self.parameters():
            value = getattr(self, parameter.name)
            fitted = coerce(value, parameter.annotation, owner=self.speaker(), name=parameter.name)
            object.__setattr__(self, parameter.name, fitted)
        self.check()

    @classmethod
    def speaker(cls) -> str:
        """Return the name that error sentences begin with."""
        return cls.owner or cls.__name__

    def check(self) -> None:
        """Check parameters against each other; subclasses override it where there is something to check."""

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return the parameters in the order of their fields."""
        cached: tuple[Parameter, ...] | None = vars(cls).get("_parameters")
        if cached is None:
            hints, helps = get_type_hints(cls, include_extras=True), parameter_helps(cls)
            cached = tuple(
                Parameter(f.name, hints[f.name], _default(f), helps.get(f.name, "")) for f in fields(cls) if f.init
            )
            cls._parameters = cached  # type: ignore[attr-defined]
        return cached

    @classmethod
    def from_plain(cls, values: Mapping[str, Any]) -> Self:
        """Build it from a table of names and values, such as one of a recipe file; unknown names are errors."""
        names = [parameter.name for parameter in cls.parameters()]
        for given in values:
            if given not in names:
                raise ParameterError(
                    f"{cls.speaker()}: there is no parameter '{given}'.{did_you_mean(given, names)} "
                    f"It has: {', '.join(names)}."
                )
        missing = [p.name for p in cls.parameters() if p.required and p.name not in values]
        if missing:
            raise ParameterError(f"{cls.speaker()}: '{missing[0]}' must be given.")
        return cls(**values)

    def to_plain(self) -> dict[str, Any]:
        """Return all parameters that differ from their defaults, ready for TOML and JSON."""
        return {
            p.name: as_plain(getattr(self, p.name))
            for p in self.parameters()
            if p.required or getattr(self, p.name) != p.default
        }


def _default(field: Any) -> Any:
    if field.default is not MISSING:
        return field.default
    if field.default_factory is not MISSING:
        return field.default_factory()
    return REQUIRED
