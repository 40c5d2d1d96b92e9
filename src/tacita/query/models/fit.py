"""The way of a regression: form, complete cases, sparse categories, fit, rules on the result, publication."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tacita.core.errors import ParameterError, did_you_mean
from tacita.query.models.cases import ModelData, complete_cases
from tacita.query.models.design import Design, design_of
from tacita.query.models.form_rules import FormLimits, broken_form_rules
from tacita.query.models.linear import fit_linear
from tacita.query.models.logistic import fit_logistic
from tacita.query.models.model_result import FittedModel, InternalFit
from tacita.query.models.publish import PublishedFigures, published
from tacita.query.models.result_rules import ResultLimits, broken_result_rules
from tacita.query.models.robust import fit_robust
from tacita.query.models.sparse_rules import SparseLimits, absorb_sparse, is_saturated, nearly_constant, rarest_class
from tacita.query.models.terms import ModelSpec
from tacita.query.models.transforms import transform_domain
from tacita.query.models.violation import ModelViolation

__all__ = ["ModelOutcome", "ModelRules", "fit_model"]


@dataclass(frozen=True)
class ModelRules:
    """All limits on models.

    Parameters
    ----------
    form, sparse, result
        Limits on the form, on sparse categories, and on the fit.
    figures
        How many figures are published.
    retries
        How often a refused fit is tried again with one more category absorbed.

    Examples
    --------
    >>> ModelRules.from_plain({"sparse": {"count": 5}}).sparse.count
    5
    """

    form: FormLimits = field(default_factory=FormLimits)
    sparse: SparseLimits = field(default_factory=SparseLimits)
    result: ResultLimits = field(default_factory=ResultLimits)
    figures: PublishedFigures = field(default_factory=PublishedFigures)
    retries: int = 3

    def __post_init__(self) -> None:
        if isinstance(self.retries, bool) or not isinstance(self.retries, int) or not 0 <= self.retries <= 100:
            raise ParameterError("ModelRules: 'retries' must be a whole number in [0, 100]; choose a small one.")

    def to_plain(self) -> dict[str, Any]:
        """Return what differs from the defaults, ready for TOML and JSON."""
        parts = {name: getattr(self, name).to_plain() for name in ("form", "sparse", "result", "figures")}
        return {**{name: part for name, part in parts.items() if part}, "retries": self.retries}

    @classmethod
    def from_plain(cls, values: Mapping[str, Any]) -> ModelRules:
        """Build them from tables of names and values, such as those of a policy file.

        Raises
        ------
        ParameterError
            When a name is unknown or a value outside its limits.
        """
        known = ("form", "sparse", "result", "figures", "retries")
        for given in values:
            if given not in known:
                raise ParameterError(
                    f"ModelRules: there is no part '{given}'.{did_you_mean(given, known)} It has: {', '.join(known)}."
                )
        return cls(
            form=FormLimits.from_plain(values.get("form", {})),
            sparse=SparseLimits.from_plain(values.get("sparse", {})),
            result=ResultLimits.from_plain(values.get("result", {})),
            figures=PublishedFigures.from_plain(values.get("figures", {})),
            retries=values.get("retries", cls.retries),
        )


@dataclass(frozen=True, eq=False)
class ModelOutcome:
    """What became of a regression: rules that refuse it, or both sides of its result.

    Parameters
    ----------
    violations
        Empty where there is a model.
    model
        The public side.
    internal
        The side that stays: residuals, fitted values, leverages; the design has the predictors of the complete cases.
    dropped
        Number of records that were left out because a value is missing.
    """

    violations: tuple[ModelViolation, ...]
    model: FittedModel | None = None
    internal: InternalFit | None = field(default=None, repr=False)
    dropped: int = field(default=0, repr=False)

    @property
    def reasons(self) -> tuple[str, ...]:
        """The names of the rules, each once: what the analyst sees."""
        return tuple(dict.fromkeys(violation.rule for violation in self.violations))


def fit_model(
    spec: ModelSpec,
    data: ModelData,
    rules: ModelRules | None = None,
    *,
    count: Callable[[int], int] | None = None,
) -> ModelOutcome:
    """Fit a model where all rules allow it.

    Rules on the form come first and look at no record. Then incomplete records are left out, sparse classes absorbed, and the
    model fitted; where a rule refuses the result, the rarest class is absorbed and the model fitted again, ``retries`` times at
    most. The first refusal is reported when no retry helps.

    Parameters
    ----------
    spec
        The model.
    data
        Arrays of the universe's records.
    rules
        Limits.
    count
        Gives the number of records to publish for the true one; without it none is published.

    Returns
    -------
    ModelOutcome
        Every kind of refusal has the same shape.

    Complexity
    ----------
    That of one fit for each try.

    References
    ----------
    Lucero, J. et al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue, section 3.2.

    Examples
    --------
    >>> import numpy as np
    >>> from tacita.query.models.cases import Predictor
    >>> rng = np.random.default_rng(3)
    >>> x = rng.normal(size=200)
    >>> data = ModelData(1 + 2 * x + rng.normal(size=200), (Predictor("x", x),))
    >>> outcome = fit_model(ModelSpec.of("y", ["x"]), data, count=lambda n: n)
    >>> outcome.reasons, [c.estimate for c in outcome.model.coefficients]
    ((), [1.018, 2.032])
    """
    rules = ModelRules() if rules is None else rules
    kinds = {predictor.name: predictor.kind for predictor in data.predictors}
    broken = broken_form_rules(spec, kinds, rules.form)
    if broken:
        return ModelOutcome(broken)
    used = replace(data, predictors=tuple(data.named(name) for name in spec.variables))
    cases, rows = complete_cases(used)
    dropped = data.size - cases.size
    refused = transform_domain(spec, cases) or nearly_constant(spec, cases, rules.sparse)
    if refused is not None:
        return ModelOutcome((refused,), dropped=dropped)
    first: tuple[ModelViolation, ...] = ()
    absorbed: dict[str, tuple[int, ...]] = {}
    for _ in range(rules.retries + 1):
        found, design = _try(spec, cases, rules, absorbed)
        if isinstance(found, InternalFit):
            model = published(spec, found, rules.figures, count=count)
            return ModelOutcome((), model, replace(found, rows=rows), dropped)
        first = first or found
        rarest = None if design is None else rarest_class(design.categories, cases)
        if rarest is None:
            break
        absorbed[rarest[0]] = (*absorbed.get(rarest[0], ()), rarest[1])
    return ModelOutcome(first, dropped=dropped)


def _try(
    spec: ModelSpec, cases: ModelData, rules: ModelRules, absorbed: Mapping[str, tuple[int, ...]]
) -> tuple[InternalFit | tuple[ModelViolation, ...], Design | None]:
    """Return a fit that passed all rules, or what it breaks; with the design, where there was one."""
    categories, sparse = absorb_sparse(spec, cases, rules.sparse, absorbed=absorbed)
    if sparse is not None:
        return (sparse,), None
    design = design_of(spec, cases, categories)
    if cases.size < rules.result.freedom + design.width + 1:  # before any work on a model that cannot pass
        return (ModelViolation("residual_freedom", "too few records for the parameters"),), design
    saturated = is_saturated(spec, cases, categories, design.width)
    if saturated is not None:
        return (saturated,), design
    how = fit_logistic if spec.family == "logistic" else fit_robust if spec.robust else fit_linear
    fit = how(design)
    if isinstance(fit, ModelViolation):
        return (fit,), design
    broken = broken_result_rules(fit, rules.result)
    return (broken or fit), design
