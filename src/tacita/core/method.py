"""The common shape of masks and measures: a frozen dataclass whose fields are its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, Self, get_type_hints

from tacita.core import registry
from tacita.core.docstrings import complete_docstring, doc_summary, parameter_helps
from tacita.core.errors import ParameterError, TacitaError, did_you_mean
from tacita.core.parameters import as_plain, coerce, json_schema, requirement
from tacita.core.traits import MethodTraits
from tacita.core.vocabulary import Kind

__all__ = ["REQUIRED", "Method", "Parameter"]


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
    def requirement(self) -> str:
        """What a value must be, in words."""
        return requirement(self.annotation)

    def as_plain(self) -> dict[str, Any]:
        """Return the parameter ready for JSON."""
        shown: dict[str, Any] = {
            "name": self.name,
            "help": self.help,
            "must_be": self.requirement,
            "required": self.required,
            **json_schema(self.annotation),
        }
        if not self.required:
            shown["default"] = as_plain(self.default)
        return shown


@dataclass(frozen=True, kw_only=True)
class Method:
    """Base of every registered method.

    A subclass that sets ``name`` is registered under its ``kind``. Parameters are the dataclass fields; they are
    brought into form and checked on construction, then :meth:`check` may look at them together. What its docstring lacks,
    a subclass takes from its bases.
    """

    kind: ClassVar[Kind]
    name: ClassVar[str]
    traits: ClassVar[MethodTraits]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        complete_docstring(cls)
        _check_traits(cls)
        if "name" in vars(cls):
            registry.register(cls)

    def __post_init__(self) -> None:
        for parameter in self.parameters():
            value = getattr(self, parameter.name)
            fitted = coerce(value, parameter.annotation, owner=type(self).__name__, name=parameter.name)
            object.__setattr__(self, parameter.name, fitted)
        self.check()

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
    def summary(cls) -> str:
        """Return the first sentence of the docstring."""
        return doc_summary(cls)

    @classmethod
    def from_plain(cls, values: Mapping[str, Any]) -> Self:
        """Build the method from a table of a recipe file; unknown names are errors."""
        names = [parameter.name for parameter in cls.parameters()]
        for given in values:
            if given not in names:
                raise ParameterError(
                    f"{cls.__name__}: there is no parameter '{given}'.{did_you_mean(given, names)} "
                    f"It has: {', '.join(names)}."
                )
        missing = [p.name for p in cls.parameters() if p.required and p.name not in values]
        if missing:
            raise ParameterError(f"{cls.__name__}: '{missing[0]}' must be given.")
        return cls(**values)

    def to_plain(self) -> dict[str, Any]:
        """Return all parameters that differ from their defaults, ready for TOML and JSON."""
        return {
            p.name: as_plain(getattr(self, p.name))
            for p in self.parameters()
            if p.required or getattr(self, p.name) != p.default
        }

    @classmethod
    def describe(cls) -> dict[str, Any]:
        """Return everything about the method that a user or a form needs, ready for JSON."""
        return {
            "kind": cls.kind,
            "name": cls.name,
            "class": cls.__name__,
            "summary": cls.summary(),
            "parameters": [parameter.as_plain() for parameter in cls.parameters()],
            "traits": cls.traits.as_plain(),
        }


def _check_traits(cls: type[Method]) -> None:
    """See to it that a mask claims what masks claim, and a measure what measures do."""
    claims, known = vars(cls).get("traits"), getattr(super(cls, cls), "traits", None)
    if claims is not None and known is not None and not isinstance(claims, type(known)):
        raise TacitaError(
            f"{cls.__name__}: 'traits' must be {type(known).__name__} of tacita.core.traits, got {type(claims).__name__}."
        )


def _default(field: Any) -> Any:
    if field.default is not MISSING:
        return field.default
    if field.default_factory is not MISSING:
        return field.default_factory()
    return REQUIRED
