"""The common shape of requests: a kind, a universe, and a JSON form that is read within limits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeAlias

from tacita.core.docstrings import doc_summary
from tacita.core.errors import ParameterError, TacitaError, did_you_mean
from tacita.core.metadata import MetadataLimits, parse_json
from tacita.core.parameterised import Parameterised
from tacita.core.value_forms import MISFIT, ValueForm
from tacita.query.universe.universe import Universe

__all__ = ["KINDS_OF_REQUEST", "REQUEST_LIMITS", "QueryRequest", "UniverseForm", "Where", "request_from_plain"]

REQUEST_LIMITS = MetadataLimits(size=1 << 20, keys=50_000, depth=12)
"""How much a request from outside may ask to be parsed."""

KINDS_OF_REQUEST: dict[str, type[QueryRequest]] = {}
"""Every kind of request by its name; a subclass with a ``kind`` enters by itself."""


@dataclass(frozen=True)
class UniverseForm(ValueForm):
    """A universe, its conditions, or nothing for everybody."""

    def fit(self, value: Any) -> Any:
        if value is not None and not isinstance(value, (Universe, Mapping)):
            return MISFIT
        return Universe.of(value)

    def words(self) -> str:
        return 'a universe, such as {"sex": ["f"]}'

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [*Universe.json_schema()["anyOf"], {"type": "null"}]}


Where: TypeAlias = Annotated[Universe, UniverseForm()]


@dataclass(frozen=True, kw_only=True)
class QueryRequest(Parameterised):
    """A statistical question.

    Parameters
    ----------
    where
        Who the question is about; everybody by default.
    """

    kind: ClassVar[str]

    where: Where = Universe()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "kind" in vars(cls):
            KINDS_OF_REQUEST[cls.kind] = cls

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables that the question names outside its universe, each once."""
        return ()

    @classmethod
    def summary(cls) -> str:
        """Return the first sentence of the docstring."""
        return doc_summary(cls)

    def to_plain(self) -> dict[str, Any]:
        """Return the JSON form; what has its default is left out."""
        plain = {"kind": self.kind, **super().to_plain()}
        if "where" in plain:
            plain["where"] = self.where.to_plain()
        return plain

    def to_json(self) -> str:
        """Return the request as JSON: sorted, on one line."""
        return json.dumps(self.to_plain(), sort_keys=True, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """Return the JSON schema of this kind of request."""
        shown: dict[str, dict[str, Any]] = {}
        for parameter in cls.parameters():
            facts = {k: v for k, v in parameter.as_plain().items() if k not in ("name", "required", "must_be", "help")}
            if isinstance(facts.get("default"), Universe):
                facts["default"] = {}
            shown[parameter.name] = {**facts, "description": parameter.words}
        required = ["kind", *(p.name for p in cls.parameters() if p.required)]
        properties = {"kind": {"const": cls.kind}, **shown}
        return {
            "type": "object",
            "description": cls.summary(),
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }


def request_from_plain(given: Any) -> QueryRequest:
    """Build a request from its JSON form, given as text, bytes or as what was parsed from it.

    Raises
    ------
    ParameterError
        When it is no request; the message names the parameter that is wrong.

    Examples
    --------
    >>> import tacita.query.requests
    >>> request_from_plain('{"kind": "tabulate", "by": ["sex"]}').by
    ('sex',)
    """
    import tacita.query.requests  # noqa: F401  every kind enters the list

    if isinstance(given, (str, bytes)):
        try:
            text = given.decode("utf-8") if isinstance(given, bytes) else given
        except UnicodeDecodeError:
            raise ParameterError("A request must be UTF-8 text.") from None
        given = parse_json(text, "The request", limits=REQUEST_LIMITS, error=ParameterError)
        json.loads(text, object_pairs_hook=_each_once)
    if not isinstance(given, Mapping) or not isinstance(given.get("kind"), str):
        raise ParameterError(f"A request must be an object with 'kind', one of {', '.join(sorted(KINDS_OF_REQUEST))}.")
    kind = given["kind"]
    if kind not in KINDS_OF_REQUEST:
        near = did_you_mean(kind[:60], KINDS_OF_REQUEST)
        raise ParameterError(f"'kind' must be one of {', '.join(sorted(KINDS_OF_REQUEST))}, got {kind[:60]!r}.{near}")
    if not all(isinstance(name, str) and len(name) <= 60 for name in given):
        raise ParameterError(
            f"A request of kind '{kind}' has no parameter with such a long name, or with no name at all."
        )
    try:
        made = KINDS_OF_REQUEST[kind].from_plain({name: value for name, value in given.items() if name != "kind"})
        made.to_json().encode("utf-8")  # half of a pair of code units is no text that a journal could keep
    except TacitaError:
        raise
    except (TypeError, ValueError, RecursionError):
        raise ParameterError(f"The request of kind '{kind}' cannot be understood.") from None
    return made


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse an object that names something twice: which of the two counts is not the same for every reader."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ParameterError("The request has an object that names something twice; each name may stand once.")
    return found
