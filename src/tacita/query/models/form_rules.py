"""Rules on the form of a model alone: they look at no record, so their refusals tell nothing about the data.

The rules are those of the paper, section 3.2; each is a function of the model, the kinds of its variables and the
limits, which returns None or what is broken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Literal, TypeAlias

from tacita.core.constraints import Interval
from tacita.core.parameterised import Parameterised
from tacita.query.models.terms import TRANSFORMS, ModelSpec
from tacita.query.models.violation import ModelViolation

__all__ = [
    "FORM_RULES",
    "FormLimits",
    "ModelForm",
    "VariableKind",
    "approved_transforms",
    "broken_form_rules",
    "enough_predictors",
    "interactions_with_lower_terms",
    "no_fully_interacted_dummies",
    "no_repeated_terms",
    "predictor_limit",
    "response_is_no_predictor",
    "robust_is_linear",
]

VariableKind: TypeAlias = Literal["numeric", "categorical"]
Kinds: TypeAlias = Mapping[str, VariableKind]


@dataclass(frozen=True, kw_only=True)
class FormLimits(Parameterised):
    """Limits on the form of a model.

    Parameters
    ----------
    predictors
        Most main effects; interactions do not count.
    order
        Most main effects in one interaction.
    transforms
        The approved transformations, a part of square, sqrt, log.

    Notes
    -----
    A variable and its square are two predictors: each is a column that the analyst chose.

    References
    ----------
    Lucero, J. et al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue, section 3.2.

    Examples
    --------
    >>> FormLimits().predictors
    20
    """

    owner = "form_rules"
    predictors: Annotated[int, Interval(1)] = 20
    order: Annotated[int, Interval(1, 3)] = 3
    transforms: tuple[Literal["square", "sqrt", "log"], ...] = TRANSFORMS


@dataclass(frozen=True)
class ModelForm:
    """What rules on the form look at: the model, the kinds of its variables, the limits."""

    spec: ModelSpec
    kinds: Kinds
    limits: FormLimits


FormRule: TypeAlias = Callable[[ModelForm], "ModelViolation | None"]


def enough_predictors(form: ModelForm) -> ModelViolation | None:
    """Ask for one predictor at least: a model without any is a mean, which the rules of tables are for."""
    return None if form.spec.terms else ModelViolation("no_predictors", "the model has no main effect")


def predictor_limit(form: ModelForm) -> ModelViolation | None:
    """Ask for at most so many main effects; interactions do not count."""
    count = len(form.spec.terms)
    if count <= form.limits.predictors:
        return None
    return ModelViolation("predictor_limit", f"{count} main effects, at most {form.limits.predictors}")


def response_is_no_predictor(form: ModelForm) -> ModelViolation | None:
    """Ask that the response is not explained by itself, transformed or not."""
    if form.spec.response in form.spec.variables:
        return ModelViolation("response_as_predictor", f"'{form.spec.response}' stands on both sides")
    return None


def no_repeated_terms(form: ModelForm) -> ModelViolation | None:
    """Ask that no main effect and no interaction stands twice; a variable may stand again under a transformation."""
    labels = [term.label for term in form.spec.terms]
    parts = len(form.spec.terms) + len(form.spec.interactions)
    if len(set(labels)) < len(labels) or len(form.spec.parts()) < parts:
        return ModelViolation("repeated_term", "a main effect or an interaction stands twice")
    return None


def approved_transforms(form: ModelForm) -> ModelViolation | None:
    """Ask that transformations are from the list and stand on numerical variables alone.

    A list keeps out what overemphasises one record, such as 1 / (abs(x - x0) + eps), (1) of Bleninger et al.
    """
    for term in form.spec.terms:
        if term.transform and term.transform not in form.limits.transforms:
            return ModelViolation("transform_not_approved", f"'{term.transform[:60]}' is not on the list")
        if term.transform and form.kinds.get(term.variable) != "numeric":
            return ModelViolation("transform_of_category", f"'{term.variable}' is not numerical")
    return None


def interactions_with_lower_terms(form: ModelForm) -> ModelViolation | None:
    """Ask that an interaction of two has both main effects, one of three all main effects and all three pairs.

    Its variables must differ: the product of x with x^2 would be a transformation that nobody approved.
    """
    parts = form.spec.parts()
    for names in form.spec.interactions:
        if not 2 <= len(names) <= form.limits.order:
            return ModelViolation("interaction_order", f"an interaction of {len(names)}, at most {form.limits.order}")
        terms = form.spec.resolved(names)
        if terms is None:
            return ModelViolation("interaction_without_main_effects", "a main effect of an interaction is lacking")
        if len({term.variable for term in terms}) < len(terms):
            return ModelViolation("interaction_with_itself", "an interaction has one variable twice")
        labels = [term.label for term in terms]
        if len(labels) == 3 and not all(frozenset(pair) in parts for pair in combinations(labels, 2)):
            return ModelViolation("interaction_without_pairs", "an interaction of two below one of three is lacking")
    return None


def no_fully_interacted_dummies(form: ModelForm) -> ModelViolation | None:
    """Refuse a model of categories alone that has the interaction of all of them: its fit is the table of means.

    Whether the records make a model saturated that its form does not is looked at in ``sparse_rules.py``.
    """
    labels = frozenset(term.label for term in form.spec.terms)
    only_dummies = bool(form.spec.terms) and all(form.kinds.get(name) == "categorical" for name in form.spec.variables)
    if only_dummies and len(labels) > 1 and labels in form.spec.parts():
        return ModelViolation("fully_interacted", "only dummy variables, with the interaction of all")
    return None


def robust_is_linear(form: ModelForm) -> ModelViolation | None:
    """Ask for robust fits of linear models only."""
    if form.spec.robust and form.spec.family != "linear":
        return ModelViolation("robust_not_linear", "a robust fit of a logistic model is not offered")
    return None


FORM_RULES: tuple[FormRule, ...] = (
    enough_predictors,
    predictor_limit,
    response_is_no_predictor,
    no_repeated_terms,
    approved_transforms,
    interactions_with_lower_terms,
    no_fully_interacted_dummies,
    robust_is_linear,
)
"""All rules on the form, in the order in which they are asked."""


def broken_form_rules(spec: ModelSpec, kinds: Kinds, limits: FormLimits | None = None) -> tuple[ModelViolation, ...]:
    """Return every rule on the form that a model breaks, in the order of :data:`FORM_RULES`.

    Parameters
    ----------
    spec
        The model.
    kinds
        Whether each predictor is numeric or categorical.
    limits
        The limits; those of the paper when left out.

    Returns
    -------
    tuple of ModelViolation
        Empty where the form is allowed.

    Examples
    --------
    >>> spec = ModelSpec.of("wage", ["sex", "region"], [("sex", "region")])
    >>> broken_form_rules(spec, {"sex": "categorical", "region": "categorical"})
    (ModelViolation(rule='fully_interacted'),)
    """
    form = ModelForm(spec, kinds, FormLimits() if limits is None else limits)
    found = (rule(form) for rule in FORM_RULES)
    return tuple(violation for violation in found if violation is not None)
