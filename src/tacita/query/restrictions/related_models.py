"""Related models: how many regressions of one response, and how many that are nearly the same, are answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from tacita.core.constraints import Interval
from tacita.core.traits import RestrictionTraits
from tacita.query.models.analyses import spec_of
from tacita.query.models.models_per_response import AskedModel, RelatedLimits, broken_history_rules
from tacita.query.requests.regress import Regress
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["RelatedModels"]


@dataclass(frozen=True, kw_only=True)
class RelatedModels(Restriction):
    """Refuse a regression when too many of its response, or too many that are closely related, were answered.

    Two models are closely related when they differ by few terms in the same universe; a universe is close when it
    differs from that of an answered model by few records. The same model in the same universe is free.

    Protects against differences of two fits, which give the records back that the universes do not share, and against
    solving for values from many models of one response. All users count together.

    Parameters
    ----------
    models
        Most models of one response.
    related
        Most models of one response that differ by few terms.
    terms
        Terms that closely related models differ by at most.
    records
        Fewest records that universes of two models must differ by.

    Complexity
    ----------
    O(n) to mark the records of the universe, and O(n / 8) for each answered model of the same response.

    Notes
    -----
    The paper tells of the limits and not of their sizes; these are choices. Universes are compared as they were asked
    for, before records are dropped from them.

    References
    ----------
    Sparks et al. (2008), Remote access methods for exploratory data analysis and statistical modelling:
    Privacy-Preserving Analytics.

    Examples
    --------
    >>> RelatedModels(models=50).models
    50
    """

    name = "related_models"
    faces = ("fit_difference", "covariance_attack", "split_leverage")
    traits = RestrictionTraits(stage="history", value_free=True)

    models: Annotated[int, Interval(1)] = 200
    related: Annotated[int, Interval(1)] = 20
    terms: Annotated[int, Interval(0)] = 1
    records: Annotated[int, Interval(1)] = 10

    def applies(self, question: Question) -> bool:
        return isinstance(question.request, Regress)

    def _asked(self, question: Question) -> AskedModel:
        members = np.zeros(len(question.version), dtype=np.bool_)
        members[question.members.rows] = True
        request = question.request
        return AskedModel.of(spec_of(request), members)  # type: ignore[arg-type]

    def _known(self, question: Question) -> list[AskedModel]:
        def made() -> list[AskedModel]:
            return []

        return question.history.memory(self, question.version.id, made)

    def judge(self, question: Question) -> Ruling:
        limits = RelatedLimits(models=self.models, related=self.related, terms=self.terms, records=self.records)
        broken = broken_history_rules(self._asked(question), self._known(question), limits)
        return deny("; ".join(f"{v.rule}: {v.detail}" for v in broken)) if broken else ALLOW

    def record(self, question: Question) -> None:
        self._known(question).append(self._asked(question))
