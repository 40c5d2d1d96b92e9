"""Linear and logistic regression."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from tacita.core.constraints import Length
from tacita.core.errors import ParameterError
from tacita.core.value_forms import MISFIT, ValueForm
from tacita.query.requests.request import QueryRequest

__all__ = ["Effect", "EffectForm", "Regress"]

Transformation = Literal["", "square", "sqrt", "log"]


@dataclass(frozen=True, order=True)
class Effect:
    """A predictor: a variable, perhaps transformed.

    Parameters
    ----------
    variable
        Its name.
    transform
        Empty, ``square``, ``sqrt`` or ``log``: the approved list.
    """

    variable: str
    transform: Transformation = ""


@dataclass(frozen=True)
class EffectForm(ValueForm):
    """A name, or a name with a transformation of the approved list."""

    def fit(self, value: Any) -> Any:
        if isinstance(value, Effect):
            return value
        if isinstance(value, str):
            return Effect(value)
        if isinstance(value, Mapping) and set(value) == {"variable", "transform"}:
            name, change = value["variable"], value["transform"]
            if isinstance(name, str) and change in ("", "square", "sqrt", "log"):
                return Effect(name, change)
        return MISFIT

    def words(self) -> str:
        return 'the name of a variable, or {"variable": ..., "transform": "square", "sqrt" or "log"}'

    def schema(self) -> dict[str, Any]:
        changed = {
            "type": "object",
            "properties": {"variable": {"type": "string"}, "transform": {"enum": ["", "square", "sqrt", "log"]}},
            "required": ["variable", "transform"],
            "additionalProperties": False,
        }
        return {"anyOf": [{"type": "string"}, changed]}


Predictor: TypeAlias = Annotated[Effect, EffectForm()]


@dataclass(frozen=True, kw_only=True)
class Regress(QueryRequest):
    """Fit a regression in a universe.

    Parameters
    ----------
    response
        The variable to be explained: numeric, or with two classes for ``logistic``.
    predictors
        Names, or names with a transformation of the approved list: ``{"variable": "income", "transform": "log"}``.
    interactions
        Two or three names each; the policy says which are allowed.
    family
        ``linear`` or ``logistic``.
    robust
        Whether single records are kept from pulling the fit (Huber's estimate; linear only).

    Examples
    --------
    >>> Regress(response="income", predictors=["age", "sex"], interactions=[["age", "sex"]]).to_json()
    '{"interactions":[["age","sex"]],"kind":"regress","predictors":["age","sex"],"response":"income"}'
    """

    kind = "regress"

    response: str
    predictors: Annotated[tuple[Predictor, ...], Length(1)]
    interactions: tuple[tuple[str, ...], ...] = ()
    family: Literal["linear", "logistic"] = "linear"
    robust: bool = False

    def check(self) -> None:
        """Check that robust fits are linear; what else is allowed is the policy's business."""
        if self.robust and self.family != "linear":
            raise ParameterError("Regress: 'robust' is for linear regressions only.")
        if len(self.predictors) > 200 or len(self.interactions) > 200:
            raise ParameterError("Regress: there must be at most 200 predictors and 200 interactions.")

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.response, *(effect.variable for effect in self.predictors))))

    def to_plain(self) -> dict[str, Any]:
        """Return the JSON form."""
        listed = [
            e.variable if not e.transform else {"variable": e.variable, "transform": e.transform}
            for e in self.predictors
        ]
        return {**super().to_plain(), "predictors": listed}
