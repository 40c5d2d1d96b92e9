"""A regression under camouflage: for every coefficient the interval that holds for all candidates of the response."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tacita.query.camouflage.outward import Bounds
from tacita.query.camouflage.regression import coefficient_intervals, residual_variance_interval
from tacita.query.models.analyses import model_data, spec_of
from tacita.query.models.cases import complete_cases
from tacita.query.models.design import Design, design_of
from tacita.query.models.fit import ModelRules
from tacita.query.models.form_rules import broken_form_rules
from tacita.query.models.sparse_rules import absorb_sparse
from tacita.query.models.transforms import transform_domain
from tacita.query.models.violation import ModelViolation
from tacita.query.plain_form import PlainForm
from tacita.query.question import RefusalError
from tacita.query.requests.regress import Regress

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["CoefficientInterval", "IntervalModel", "regression_intervals"]

_DIGITS = 4


@dataclass(frozen=True)
class CoefficientInterval:
    """A coefficient as an interval: no candidate's least-squares coefficient lies outside."""

    label: str
    low: float
    high: float

    def to_plain(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"label": self.label, "low": self.low, "high": self.high}

    @classmethod
    def from_plain(cls, given: Any) -> CoefficientInterval:
        """Read what :meth:`to_plain` gives."""
        form = PlainForm.of("The interval of a coefficient", given, ("label", "low", "high"))
        low, high = form.number("low"), form.number("high")
        if low > high:
            form.misfit("high", "an upper end")
        return cls(form.text("label"), low, high)


@dataclass(frozen=True)
class IntervalModel:
    """A linear model whose coefficients are known as intervals.

    Parameters
    ----------
    response
        What was explained.
    intervals
        The intercept first.
    residual_variance
        The interval of the residual variance.
    references
        Reference class of each categorical variable.
    absorbed
        Classes that count as the reference, by variable.
    """

    response: str
    intervals: tuple[CoefficientInterval, ...]
    residual_variance: tuple[float, float]
    references: tuple[tuple[str, str], ...] = ()
    absorbed: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def to_plain(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "response": self.response,
            "intervals": [interval.to_plain() for interval in self.intervals],
            "residual_variance": list(self.residual_variance),
            "references": dict(self.references),
            "absorbed": {name: list(classes) for name, classes in self.absorbed},
        }

    @classmethod
    def from_plain(cls, given: Any) -> IntervalModel:
        """Read what :meth:`to_plain` gives.

        Raises
        ------
        ParameterError
            When it is no such model.
        """
        names = ("response", "intervals", "residual_variance", "references", "absorbed")
        form = PlainForm.of("A model of intervals", given, names)
        references, absorbed = (PlainForm(f"The {w} of a model", form.part(w)) for w in ("references", "absorbed"))
        low, high = form.numbers("residual_variance", 2).tolist()
        return cls(
            response=form.text("response"),
            intervals=tuple(map(CoefficientInterval.from_plain, form.listed("intervals"))),
            residual_variance=(low, high),
            references=tuple((name, references.text(name)) for name in references.parts),
            absorbed=tuple((name, absorbed.texts(name)) for name in absorbed.parts),
        )


def regression_intervals(question: Question, request: Regress) -> IntervalModel:
    """Return the intervals of a regression's coefficients over all candidates of its response.

    b = (X'X)^-1 X'y is linear in y, so each coefficient is extreme at a vertex; the residual variance is a convex form.

    Parameters
    ----------
    question
        The question with its records, under a policy that camouflages.
    request
        The regression: linear, by variables that are not confidential.

    Raises
    ------
    RefusalError
        When the model is none of these, or has not enough records behind a class.

    Notes
    -----
    Rules on the form and on sparse classes are those of other regressions; they look at predictors, which are known. Limits
    on the fit (R^2, leverage) are not needed: nothing about the response is exact. A predictor that is confidential would be
    known exactly to whoever has the design, so it is refused. Survey weights are not used.

    References
    ----------
    Gopal, R., Garfinkel, R. and Goes, P. (2002), Confidentiality via camouflage, Operations Research 50(3), 501-516.
    """
    version, rules = question.version, question.policy.part("models") or ModelRules()
    spec = spec_of(request)
    if spec.family != "linear" or spec.robust or not version.catalogue[request.response].is_numeric:
        raise RefusalError("not_offered", "under camouflage regressions are linear, of a number")
    hidden = sorted(name for name in spec.variables if version.column(name).has_role("confidential"))
    if hidden:
        raise RefusalError("not_offered", f"confidential predictors under camouflage: {', '.join(hidden)}")
    data = replace(model_data(question, request), weights=None, strata=None, clusters=None)
    _check(broken_form_rules(spec, {p.name: p.kind for p in data.predictors}, rules.form))
    cases, kept = complete_cases(replace(data, predictors=tuple(data.named(name) for name in spec.variables)))
    refused = transform_domain(spec, cases)
    _check(() if refused is None else (refused,))
    categories, sparse = absorb_sparse(spec, cases, rules.sparse)
    _check(() if sparse is None else (sparse,))
    design = design_of(spec, cases, categories)
    if cases.size < rules.result.freedom + design.width + 1:
        raise RefusalError("residual_freedom", "too few records for the parameters")
    members = question.rows if kept is None else question.rows[kept]
    x = np.zeros((len(version), design.width + 1))
    x[members] = np.column_stack([np.ones(cases.size), design.matrix()])
    hull = version.polytope(request.response, question.policy.part("camouflage"))
    found = coefficient_intervals(hull, x, members, digits=_DIGITS)
    spread = residual_variance_interval(hull, x, members, digits=_DIGITS)
    return _model(request.response, design, found, spread)


def _check(broken: tuple[ModelViolation, ...]) -> None:
    if broken:
        raise RefusalError(broken[0].rule, "; ".join(f"{v.rule}: {v.detail}" for v in broken))


def _model(response: str, design: Design, found: list[Bounds], spread: Bounds) -> IntervalModel:
    labels = ["(intercept)", *(column.label for column in design.columns)]
    classes = {name: design.data.named(name).classes for name in design.categories}
    return IntervalModel(
        response=response,
        intervals=tuple(
            CoefficientInterval(label, float(b.low), float(b.high)) for label, b in zip(labels, found, strict=True)
        ),
        residual_variance=(float(spread.low), float(spread.high)),
        references=tuple((name, classes[name][c.reference]) for name, c in design.categories.items()),
        absorbed=tuple(
            (name, tuple(classes[name][code] for code in c.absorbed))
            for name, c in design.categories.items()
            if c.absorbed
        ),
    )
