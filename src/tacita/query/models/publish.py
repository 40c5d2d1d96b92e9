"""From a fit to what may leave: few significant figures, and every further number computed from these."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.constraints import Interval
from tacita.core.parameterised import Parameterised
from tacita.query.models.design import DesignColumn
from tacita.query.models.model_result import Coefficient, Distribution, FittedModel, InternalFit, ModelTable, TableLine
from tacita.query.models.significant import to_decimals, to_significant
from tacita.query.models.terms import ModelSpec

__all__ = ["PublishedFigures", "published"]


@dataclass(frozen=True, kw_only=True)
class PublishedFigures(Parameterised):
    """How many figures published numbers keep.

    Parameters
    ----------
    figures
        Significant figures of coefficients, standard errors, sums of squares and deviances.
    statistic_figures
        Significant figures of t, z, F and chi-square.
    decimals
        Decimals of probabilities and of R^2.
    by_records
        Whether small sets get fewer figures: at most floor(log10(2 n)), and 2 at least.

    Notes
    -----
    Two fits that differ by one of n records are off by about n 10^-figures of a response when they are differenced. Measured on
    skewed turnover, by an intruder who knows all predictors, 4 figures bring 0 % of the records within 5 % of the truth at
    n = 5000, 15 % at 500, 53 % at 100 and 80 % at 20. So figures alone protect large sets only; small ones need
    ``by_records``, or the limit on close universes.

    Examples
    --------
    >>> PublishedFigures().figures, PublishedFigures(by_records=True).for_records(600)
    (4, 3)
    """

    owner = "published"
    figures: Annotated[int, Interval(1, 12)] = 4
    statistic_figures: Annotated[int, Interval(1, 12)] = 3
    decimals: Annotated[int, Interval(1, 6)] = 3
    by_records: bool = False

    def for_records(self, n: int) -> int:
        """Return the significant figures of a fit to so many records."""
        return min(self.figures, max(2, len(str(2 * n)) - 1)) if self.by_records else self.figures


def published(
    spec: ModelSpec,
    fit: InternalFit,
    figures: PublishedFigures | None = None,
    *,
    count: Callable[[int], int] | None = None,
) -> FittedModel:
    """Return the public side of a fit.

    Coefficients, standard errors and amounts are rounded. Statistics, probabilities and R^2 are computed from the rounded
    numbers and from the published number of records, so they tell nothing that these do not.

    Parameters
    ----------
    spec
        The model.
    fit
        Its fit, which passed the rules.
    figures
        How many figures to keep.
    count
        Gives the number of records to publish for the true one (a policy may round it or add noise). Without it no number
        is published, and probabilities are those of the normal and chi-square distributions.

    Returns
    -------
    FittedModel
        Nothing of a single record.

    Notes
    -----
    A statistic computed from the exact numbers would be a third number with its own figures for every coefficient: t times the
    error gives the coefficient again, and intervals of both together are narrower. Beyond the paper, which publishes
    without restriction.
    """
    figures = PublishedFigures() if figures is None else figures
    n = None if count is None else count(fit.design.data.size)
    kept = figures.for_records(fit.design.data.size)
    freedom = _freedom(fit, n)
    labels = [("(intercept)", ()), *((c.label, _effects(c)) for c in fit.design.columns)]
    coefficients = []
    for (label, effects), estimate, error in zip(labels, fit.coefficients, fit.errors, strict=True):
        shown = to_significant(float(estimate), kept)
        spread = to_significant(float(error), kept)
        statistic = to_significant(shown / spread, figures.statistic_figures) if spread > 0 else np.nan
        p_value = to_decimals(_two_sided(statistic, fit.distribution, freedom), figures.decimals)
        coefficients.append(Coefficient(label, effects, shown, spread, statistic, p_value))
    table, r_squared = _table(fit, figures, freedom, None if n is None else max(n - len(labels), 1))
    return FittedModel(
        response=spec.response,
        family=spec.family,
        method=_method(spec, fit),
        coefficients=tuple(coefficients),
        n=n,
        r_squared=r_squared,
        table=table,
        references=tuple((name, _classes(fit, name)[c.reference]) for name, c in fit.design.categories.items()),
        absorbed=tuple(
            (name, tuple(_classes(fit, name)[code] for code in c.absorbed))
            for name, c in fit.design.categories.items()
            if c.absorbed
        ),
        distribution=fit.distribution,
    )


def _freedom(fit: InternalFit, n: int | None) -> float:
    """Return the degrees of freedom for probabilities: from the published number, or of the survey's design."""
    if fit.design.data.follows_design:
        return max(fit.freedom, 1.0)
    return np.inf if n is None else float(max(n - len(fit.coefficients), 1))


def _two_sided(statistic: float, distribution: Distribution, freedom: float) -> float:
    from scipy.special import ndtr, stdtr

    far = -abs(statistic)
    return float(2 * (ndtr(far) if distribution == "z" or np.isinf(freedom) else stdtr(freedom, far)))


def _upper(statistic: float, terms: int, distribution: Distribution, freedom: float) -> float:
    """Return the probability above an F statistic, or above chi-square divided by its degrees of freedom."""
    from scipy.special import chdtrc, fdtrc

    if distribution == "z" or np.isinf(freedom):
        return float(chdtrc(terms, statistic * terms))
    return float(fdtrc(terms, freedom, statistic))


def _table(fit: InternalFit, figures: PublishedFigures, freedom: float, left: int | None) -> tuple[ModelTable, float]:
    """Return the table and R^2, both from rounded amounts."""
    kept = figures.for_records(fit.design.data.size)
    residual, total = (to_significant(amount, kept) for amount in (fit.residual, fit.total))
    lines = []
    for label, terms, amount in fit.lines:
        shown = to_significant(amount, kept)
        statistic = shown / terms
        if fit.kind == "anova":
            spread = residual / fit.freedom if left is None else residual / left
            statistic = statistic / spread if spread > 0 else np.nan
        elif fit.kind == "deviance":
            statistic = shown
        statistic = to_significant(statistic, figures.statistic_figures)
        above = _upper(statistic / (terms if fit.kind == "deviance" else 1), terms, fit.distribution, freedom)
        lines.append(TableLine(label, terms, shown, statistic, to_decimals(above, figures.decimals)))
    if fit.kind != "wald":
        lines.append(TableLine("(residual)", left, residual, np.nan, np.nan))
        whole = None if left is None else left + len(fit.coefficients) - 1
        lines.append(TableLine("(total)", whole, total, np.nan, np.nan))
    r_squared = to_decimals(max(1 - residual / total, 0.0), figures.decimals) if total > 0 else 0.0
    return ModelTable(fit.kind, tuple(lines)), r_squared


def _effects(column: DesignColumn) -> tuple[tuple[str, str, str | None], ...]:
    return tuple((term.variable, term.transform, name) for term, name in column.effects)


def _classes(fit: InternalFit, name: str) -> tuple[str, ...]:
    return fit.design.data.named(name).classes


def _method(spec: ModelSpec, fit: InternalFit) -> str:
    if spec.robust:
        return "robust"
    how = "maximum likelihood" if spec.family == "logistic" else "least squares"
    return f"weighted {how}" if fit.design.data.weights is not None else how
