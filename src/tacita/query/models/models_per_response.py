"""Limits over time: how many models a response may have, and how many that are nearly the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray
from tacita.core.constraints import Interval
from tacita.core.errors import DataError
from tacita.core.parameterised import Parameterised
from tacita.query.models.terms import ModelSpec
from tacita.query.models.violation import ModelViolation

__all__ = [
    "AskedModel",
    "RelatedLimits",
    "broken_history_rules",
    "close_universes",
    "closely_related",
    "models_per_response",
    "records_apart",
    "terms_apart",
]


@dataclass(frozen=True, kw_only=True)
class RelatedLimits(Parameterised):
    """Limits on what one response is asked.

    Parameters
    ----------
    models
        Most different models of one response over one data version; a large number, as in Sparks et al.
    related
        Most models that differ from the new one by at most ``terms`` terms, over the same or nearly the same records.
    terms
        Models that differ by so many main effects and interactions are closely related.
    records
        Two universes that differ in fewer records (and in one at least) are too close for related models.

    Examples
    --------
    >>> RelatedLimits().records
    10
    """

    owner = "models_per_response"
    models: Annotated[int, Interval(1)] = 200
    related: Annotated[int, Interval(1)] = 20
    terms: Annotated[int, Interval(0)] = 1
    records: Annotated[int, Interval(1)] = 10


@dataclass(frozen=True, eq=False)
class AskedModel:
    """A model that was answered, or is asked: its form, and the records that it was fitted to.

    Parameters
    ----------
    spec
        The model.
    members
        The records, one bit each, as :meth:`of` packs them.

    Examples
    --------
    >>> AskedModel.of(ModelSpec.of("wage", ["age"]), np.array([True, False, True])).members.tolist()
    [160]
    """

    spec: ModelSpec
    members: npt.NDArray[np.uint8] = field(repr=False)

    @classmethod
    def of(cls, spec: ModelSpec, members: BoolArray) -> AskedModel:
        """Build it from a flag for each record of the data version (complete cases of the universe)."""
        return cls(spec, np.packbits(members))


def terms_apart(one: ModelSpec, other: ModelSpec) -> int:
    """Return how many main effects and interactions stand in one model only; family and robustness count one each.

    A variable in place of another counts two, so exchanging is further than leaving out.

    Examples
    --------
    >>> terms_apart(ModelSpec.of("y", ["a", "b"]), ModelSpec.of("y", ["b"]))
    1
    """
    return len(one.parts() ^ other.parts()) + (one.family != other.family) + (one.robust != other.robust)


def records_apart(one: npt.NDArray[np.uint8], other: npt.NDArray[np.uint8]) -> int:
    """Return how many records are in one member set only. O(n / 8).

    Raises
    ------
    DataError
        When the sets are of different data versions.

    Examples
    --------
    >>> records_apart(np.array([0b101], dtype=np.uint8), np.array([0b110], dtype=np.uint8))
    2
    """
    if len(one) != len(other):
        raise DataError("records_apart: member sets must be of one data version; compare sets of the same records.")
    return int(np.bitwise_count(one ^ other).sum(dtype=np.int64))


def models_per_response(
    asked: AskedModel, history: Iterable[AskedModel], limits: RelatedLimits
) -> ModelViolation | None:
    """Ask that a response has at most so many different models; the same model over other records counts again."""
    met = {_identity(old) for old in history if old.spec.response == asked.spec.response}
    if _identity(asked) in met or len(met) < limits.models:
        return None
    return ModelViolation("models_per_response", f"{len(met)} models, at most {limits.models}")


def close_universes(asked: AskedModel, history: Iterable[AskedModel], limits: RelatedLimits) -> ModelViolation | None:
    """Ask that no related model was answered for nearly the same records.

    X'X and X'y of two sets that differ by one record differ by that record's products: two exact fits give its response. The
    rule looks at the sets alone, never at a value, so its refusals tell nothing that the asker has not said.
    """
    for old in history:
        if old.spec.response == asked.spec.response and terms_apart(old.spec, asked.spec) <= limits.terms:
            apart = records_apart(old.members, asked.members)
            if 0 < apart < limits.records:
                return ModelViolation("close_universes", f"{apart} records apart, at least {limits.records}")
    return None


def closely_related(asked: AskedModel, history: Iterable[AskedModel], limits: RelatedLimits) -> ModelViolation | None:
    """Ask that few related models were answered for the same or nearly the same records; a repeated question is free."""
    near = {}
    for old in history:
        if old.spec.response != asked.spec.response or terms_apart(old.spec, asked.spec) > limits.terms:
            continue
        if _identity(old) == _identity(asked):
            return None
        if records_apart(old.members, asked.members) < limits.records:
            near[_identity(old)] = True
    if len(near) < limits.related:
        return None
    return ModelViolation("closely_related", f"{len(near)} related models, at most {limits.related}")


def broken_history_rules(
    asked: AskedModel, history: Sequence[AskedModel], limits: RelatedLimits | None = None
) -> tuple[ModelViolation, ...]:
    """Return every rule that an asked model breaks, given all models that were answered, to anybody.

    Parameters
    ----------
    asked
        The new model.
    history
        Models that were answered for this data version.
    limits
        The limits.

    Returns
    -------
    tuple of ModelViolation
        Empty where it may be answered.

    Complexity
    ----------
    O(history n / 8) for related models of the same response; others cost nothing.

    References
    ----------
    Sparks, R. et al. (2008), as told by Lucero, J. et al. (2011), section 5.

    Examples
    --------
    >>> spec, all_of_them = ModelSpec.of("wage", ["age"]), np.ones(100, dtype=bool)
    >>> less_one = all_of_them.copy()
    >>> less_one[0] = False
    >>> broken_history_rules(AskedModel.of(spec, less_one), [AskedModel.of(spec, all_of_them)])
    (ModelViolation(rule='close_universes'),)
    """
    limits = RelatedLimits() if limits is None else limits
    found = (rule(asked, history, limits) for rule in (models_per_response, close_universes, closely_related))
    return tuple(violation for violation in found if violation is not None)


def _identity(asked: AskedModel) -> tuple[object, ...]:
    spec = asked.spec
    return spec.response, spec.family, spec.robust, spec.parts(), asked.members.tobytes()
