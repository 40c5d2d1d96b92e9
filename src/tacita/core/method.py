"""The common shape of masks and measures: a frozen dataclass whose fields are its parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tacita.core import registry
from tacita.core.docstrings import doc_summary, plain_words
from tacita.core.errors import TacitaError
from tacita.core.parameterised import REQUIRED, Parameter, Parameterised
from tacita.core.traits import MethodTraits
from tacita.core.vocabulary import Kind

__all__ = ["REQUIRED", "Method", "Parameter"]


@dataclass(frozen=True, kw_only=True)
class Method(Parameterised):
    """Base of every registered method.

    A subclass that sets ``name`` is registered under its ``kind``. Its claims are of the type that its kind has. ``title``
    is what people read in tables; without one the name is written as words. ``faces`` names the attacks of the red team that
    whatever the method protects must be shown, beside those that are run against everything of its kind.
    """

    kind: ClassVar[Kind]
    name: ClassVar[str]
    title: ClassVar[str] = ""
    faces: ClassVar[tuple[str, ...]] = ()
    traits: ClassVar[MethodTraits]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        _check_traits(cls)
        if "name" in vars(cls):
            if "title" not in vars(cls):
                cls.title = cls.name.replace("_", " ").strip().capitalize()
            registry.register(cls)

    @classmethod
    def summary(cls) -> str:
        """Return the first sentence of the docstring, without marks."""
        return plain_words(doc_summary(cls))

    @classmethod
    def titled(cls) -> str:
        """Return the title with the name in brackets, by which the method is called."""
        return f"{cls.title} ({cls.name})"

    @classmethod
    def describe(cls) -> dict[str, Any]:
        """Return everything about the method that a user or a form needs, ready for JSON."""
        return {
            "kind": cls.kind,
            "name": cls.name,
            "title": cls.title,
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
