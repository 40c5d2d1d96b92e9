"""What becomes of a fit: a public side of rounded numbers with labels, and an internal one that never leaves."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.query.models.design import Design
from tacita.query.models.significant import plain_number
from tacita.query.plain_form import PlainForm

__all__ = ["Coefficient", "Distribution", "FittedModel", "InternalFit", "ModelTable", "TableLine"]

Distribution: TypeAlias = Literal["t", "z"]
TableKind: TypeAlias = Literal["anova", "deviance", "wald"]


@dataclass(frozen=True, eq=False)
class InternalFit:
    """A fit as it was computed, with everything that belongs to single records; it stays inside.

    Parameters
    ----------
    family
        What was fitted.
    design
        Columns and complete cases; ``design.data`` has the values of the predictors.
    coefficients, covariance
        Of the intercept, which comes first, and of the columns.
    fitted
        Fitted values, or probabilities.
    residuals
        Response less fitted.
    standardised
        Residuals divided by their standard errors.
    leverage
        Diagonal of the hat matrix.
    freedom
        Degrees of freedom of the residuals, or of the design.
    distribution
        Of a coefficient divided by its standard error.
    residual, total
        What the model leaves and what there was: sums of squares, or deviances.
    lines
        Label, degrees of freedom and amount of each term: sequential sums of squares or deviances, or Wald statistics.
    kind
        What the amounts are.
    rows
        Which of the given records were complete; None: all.
    """

    family: Literal["linear", "logistic"]
    design: Design = field(repr=False)
    coefficients: FloatArray = field(repr=False)
    covariance: FloatArray = field(repr=False)
    fitted: FloatArray = field(repr=False)
    residuals: FloatArray = field(repr=False)
    standardised: FloatArray = field(repr=False)
    leverage: FloatArray = field(repr=False)
    freedom: float = field(repr=False)
    distribution: Distribution = field(repr=False)
    residual: float = field(repr=False)
    total: float = field(repr=False)
    lines: tuple[tuple[str, int, float], ...] = field(default=(), repr=False)
    kind: TableKind = "anova"
    rows: BoolArray | None = field(default=None, repr=False)

    @property
    def r_squared(self) -> float:
        """Share of the response's sum of squares, or deviance, that the model explains (0 where there was none)."""
        return 1 - self.residual / self.total if self.total > 0 else 0.0

    @property
    def errors(self) -> FloatArray:
        """Standard errors of the coefficients."""
        return np.sqrt(np.maximum(np.diag(self.covariance), 0.0))


@dataclass(frozen=True)
class Coefficient:
    """One published coefficient.

    Parameters
    ----------
    label
        Its name, such as ``log(size)``, ``sex[f]`` or ``age:sex[f]``; ``(intercept)`` for the constant.
    effects
        The main effects behind it, each as variable, transformation and class; empty for the intercept.
    estimate, error
        The coefficient and its standard error, rounded.
    statistic, p_value
        The estimate divided by its error, and its probability, both computed from the rounded numbers.
    """

    label: str
    effects: tuple[tuple[str, str, str | None], ...]
    estimate: float
    error: float
    statistic: float
    p_value: float

    def to_plain(self) -> dict[str, Any]:
        """Return the JSON form."""
        effects = [{"variable": v, "transform": t or None, "class": c} for v, t, c in self.effects]
        numbers = {name: plain_number(getattr(self, name)) for name in ("estimate", "error", "statistic", "p_value")}
        return {"label": self.label, "effects": effects, **numbers}

    @classmethod
    def from_plain(cls, given: Any) -> Coefficient:
        """Read what :meth:`to_plain` gives.

        Raises
        ------
        ParameterError
            When it is no coefficient.
        """
        numbers = ("estimate", "error", "statistic", "p_value")
        form = PlainForm.of("A coefficient", given, ("label", "effects", *numbers))
        effects = tuple(map(_effect, form.listed("effects")))
        return cls(form.text("label"), effects, *(form.number(name, is_optional=True) for name in numbers))


@dataclass(frozen=True)
class TableLine:
    """A line of the analysis of variance or deviance; what does not apply is NaN, and None for degrees of freedom."""

    label: str
    freedom: int | None
    amount: float
    statistic: float
    p_value: float

    def to_plain(self) -> dict[str, Any]:
        """Return the JSON form."""
        numbers = {name: plain_number(getattr(self, name)) for name in ("amount", "statistic", "p_value")}
        return {"label": self.label, "df": self.freedom, **numbers}

    @classmethod
    def from_plain(cls, given: Any) -> TableLine:
        """Read what :meth:`to_plain` gives.

        Raises
        ------
        ParameterError
            When it is no line of a table.
        """
        numbers = ("amount", "statistic", "p_value")
        form = PlainForm.of("A line of a model's table", given, ("label", "df", *numbers))
        shown = (form.number(name, is_optional=True) for name in numbers)
        return cls(form.text("label"), form.whole_or_none("df"), *shown)


@dataclass(frozen=True)
class ModelTable:
    """Analysis of variance (sums of squares, F), of deviance (deviances, chi-square) or Wald tests, one line a term.

    Sums of squares and deviances are sequential: each line is what its term adds to the terms above it.
    """

    kind: TableKind
    lines: tuple[TableLine, ...]

    def to_plain(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"kind": self.kind, "lines": [line.to_plain() for line in self.lines]}

    @classmethod
    def from_plain(cls, given: Any) -> ModelTable:
        """Read what :meth:`to_plain` gives.

        Raises
        ------
        ParameterError
            When it is no table of a model.
        """
        form = PlainForm.of("A model's table", given, ("kind", "lines"))
        return cls(form.choice("kind", get_args(TableKind)), tuple(map(TableLine.from_plain, form.listed("lines"))))


@dataclass(frozen=True)
class FittedModel:
    """A model that may leave: labels and rounded numbers, nothing of a single record.

    Parameters
    ----------
    response, family, method
        What was explained, by which kind of model, and how it was fitted.
    coefficients
        The intercept first.
    n
        The number of records to publish, as the caller's policy has it; None where it is not published.
    r_squared
        Rounded; McFadden's for a logistic model.
    table
        Analysis of variance or deviance, or Wald tests where neither has a meaning (weights, robust fits).
    references
        Reference class of each categorical variable.
    absorbed
        Classes that count as the reference, by variable.
    distribution
        What the statistics are compared with.
    """

    response: str
    family: str
    method: str
    coefficients: tuple[Coefficient, ...]
    n: int | None
    r_squared: float
    table: ModelTable
    references: tuple[tuple[str, str], ...]
    absorbed: tuple[tuple[str, tuple[str, ...]], ...]
    distribution: Distribution

    def to_plain(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "response": self.response,
            "family": self.family,
            "method": self.method,
            "n": self.n,
            "coefficients": [c.to_plain() for c in self.coefficients],
            "distribution": self.distribution,
            "r_squared": plain_number(self.r_squared),
            "table": self.table.to_plain(),
            "references": dict(self.references),
            "absorbed": {name: list(classes) for name, classes in self.absorbed},
        }

    @classmethod
    def from_plain(cls, given: Any) -> FittedModel:
        """Read what :meth:`to_plain` gives: the public side, which is all that there is of a model elsewhere.

        Raises
        ------
        ParameterError
            When it is no model.
        """
        texts = ("response", "family", "method")
        form = PlainForm.of(
            "A model",
            given,
            (*texts, "n", "coefficients", "distribution", "r_squared", "table", "references", "absorbed"),
        )
        references, absorbed = (PlainForm(f"The {w} of a model", form.part(w)) for w in ("references", "absorbed"))
        response, family, method = map(form.text, texts)
        return cls(
            response=response,
            family=family,
            method=method,
            coefficients=tuple(map(Coefficient.from_plain, form.listed("coefficients"))),
            n=form.whole_or_none("n"),
            r_squared=form.number("r_squared", is_optional=True),
            table=ModelTable.from_plain(form.part("table")),
            references=tuple((name, references.text(name)) for name in references.parts),
            absorbed=tuple((name, absorbed.texts(name)) for name in absorbed.parts),
            distribution=form.choice("distribution", get_args(Distribution)),
        )


def _effect(given: Any) -> tuple[str, str, str | None]:
    """One main effect behind a coefficient: variable, transformation (none is an empty text) and class."""
    form = PlainForm.of("An effect of a coefficient", given, ("variable", "transform", "class"))
    transform = "" if form.parts["transform"] is None else form.text("transform")
    return form.text("variable"), transform, None if form.parts["class"] is None else form.text("class")
