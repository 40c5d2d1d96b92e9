"""The form of a model: a response, main effects that may be transformed, interactions by name. No formula is ever evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast, get_args

from tacita.core.errors import ParameterError, did_you_mean

__all__ = ["TRANSFORMS", "Family", "ModelSpec", "Term", "Transform"]

Transform: TypeAlias = Literal["square", "sqrt", "log"]
Family: TypeAlias = Literal["linear", "logistic"]

TRANSFORMS: tuple[Transform, ...] = get_args(Transform)
"""The approved list of the paper, section 3.2: square, square root, natural logarithm."""


@dataclass(frozen=True, order=True)
class Term:
    """A main effect: a variable, perhaps transformed.

    Parameters
    ----------
    variable
        Name of the variable.
    transform
        Name of a transformation, or the empty text for none. Which ones are allowed is a rule's to say
        (``form_rules.py``), so that a request for another one is refused by its name and stands in the journal.

    Examples
    --------
    >>> Term("income", "log").label, Term("age").label
    ('log(income)', 'age')
    """

    variable: str
    transform: str = ""

    @property
    def label(self) -> str:
        """The name under which coefficients and interactions speak of it."""
        return f"{self.transform}({self.variable})" if self.transform else self.variable

    def to_plain(self) -> str | dict[str, str]:
        """Return the JSON form: a name, or a table with the transformation."""
        return {"variable": self.variable, "transform": self.transform} if self.transform else self.variable

    @classmethod
    def from_plain(cls, value: object) -> Term:
        """Build it from a name or from ``{"variable": ..., "transform": ...}``.

        Raises
        ------
        ParameterError
            When it is neither.
        """
        if isinstance(value, Term):
            return value
        if isinstance(value, str) and value:
            return cls(value)
        if isinstance(value, Mapping) and set(value) <= {"variable", "transform"}:
            variable, transform = value.get("variable"), value.get("transform") or ""
            if isinstance(variable, str) and variable and isinstance(transform, str):
                return cls(variable, transform)
        raise ParameterError(
            "ModelSpec: a predictor must be a name or a table of 'variable' and 'transform'; write it in one of these forms."
        )


@dataclass(frozen=True)
class ModelSpec:
    """A regression as data.

    Parameters
    ----------
    response
        Name of the variable that is explained.
    terms
        The main effects.
    interactions
        Each a tuple of the labels of two or three main effects.
    family
        ``linear`` or ``logistic``.
    robust
        Whether a linear model is fitted by an M-estimator.

    Notes
    -----
    An entry of an interaction is the label of a term (``age``, ``log(income)``). A bare name also stands for the only term
    of its variable, so ``("age", "income")`` means ``age:log(income)`` where the model has income as a logarithm alone.

    Examples
    --------
    >>> spec = ModelSpec.of("wage", ["age", {"variable": "size", "transform": "log"}], [("age", "size")])
    >>> spec.interactions, [t.label for t in spec.resolved(("age", "size"))]
    ((('age', 'size'),), ['age', 'log(size)'])
    >>> ModelSpec.from_plain(spec.to_plain()) == spec
    True
    """

    response: str
    terms: tuple[Term, ...]
    interactions: tuple[tuple[str, ...], ...] = ()
    family: Family = "linear"
    robust: bool = False

    def __post_init__(self) -> None:
        if self.family not in get_args(Family):
            raise ParameterError(
                f"ModelSpec: 'family' must be one of linear, logistic, got '{str(self.family)[:60]}'."
                f"{did_you_mean(str(self.family)[:60], get_args(Family))}"
            )
        if not isinstance(self.response, str) or not self.response:
            raise ParameterError("ModelSpec: 'response' must be the name of a variable; name the one to explain.")

    @classmethod
    def of(
        cls,
        response: str,
        predictors: Sequence[object],
        interactions: Sequence[Sequence[str]] = (),
        *,
        family: str = "linear",
        robust: bool = False,
    ) -> ModelSpec:
        """Build it from the parts of a request: names or small tables, and tuples of names.

        Raises
        ------
        ParameterError
            When a part has another form.
        """
        if isinstance(predictors, str) or isinstance(interactions, str):
            raise ParameterError(
                "ModelSpec: predictors and interactions must be lists, got a text; put it into a list."
            )
        crossed = []
        for names in interactions:
            if isinstance(names, str) or not all(isinstance(name, str) and name for name in names):
                raise ParameterError("ModelSpec: an interaction must be a list of names; write each as such.")
            crossed.append(tuple(names))
        terms = tuple(Term.from_plain(value) for value in predictors)
        return cls(response, terms, tuple(crossed), cast("Family", family), bool(robust))

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables of the main effects, each once, in order."""
        return tuple(dict.fromkeys(term.variable for term in self.terms))

    def resolved(self, names: Sequence[str]) -> tuple[Term, ...] | None:
        """Return the main effects that an interaction names, or None where one is not in the model (or not one alone)."""
        found = []
        for name in names:
            by_label = [term for term in self.terms if term.label == name]
            by_name = [term for term in self.terms if term.variable == name]
            chosen = by_label or (by_name if len(by_name) == 1 else [])
            if not chosen:
                return None
            found.append(chosen[0])
        return tuple(found)

    def parts(self) -> frozenset[frozenset[str]]:
        """Return main effects and interactions as sets of labels: the same for every order of writing.

        Two models of one response are related when few of these differ.
        """
        crossed = (self.resolved(names) for names in self.interactions)
        named = [
            frozenset(t.label for t in terms) if terms is not None else frozenset(names)
            for terms, names in zip(crossed, self.interactions, strict=True)
        ]
        return frozenset([*(frozenset([term.label]) for term in self.terms), *named])

    def to_plain(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "response": self.response,
            "predictors": [term.to_plain() for term in self.terms],
            "interactions": [list(names) for names in self.interactions],
            "family": self.family,
            "robust": self.robust,
        }

    @classmethod
    def from_plain(cls, value: Mapping[str, Any]) -> ModelSpec:
        """Build it from its JSON form.

        Raises
        ------
        ParameterError
            When a name is unknown or a part has another form.
        """
        known = ("response", "predictors", "interactions", "family", "robust")
        for given in value:
            if given not in known:
                raise ParameterError(
                    f"ModelSpec: there is no parameter '{given}'.{did_you_mean(given, known)} It has: {', '.join(known)}."
                )
        return cls.of(
            value.get("response", ""),
            value.get("predictors", ()),
            value.get("interactions", ()),
            family=value.get("family", "linear"),
            robust=value.get("robust", False),
        )
