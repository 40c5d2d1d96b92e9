"""Confidential universes: who a question is about may not be said by what is confidential about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacita.core.traits import RestrictionTraits
from tacita.query.requests.quantiles import Quantiles
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["ConfidentialUniverse"]


@dataclass(frozen=True, kw_only=True)
class ConfidentialUniverse(Restriction):
    """Refuse a universe, or a table, with a condition on a confidential variable or on the response itself.

    A set of records that is picked by their values tells these values to within a bin. An auditor of sums does not
    see that, and the candidates that camouflage hides a variable among would have to lie in the same bin.

    Protects the guarantees of ``sum_audit`` and of camouflage, which are about sets that are picked by what is known
    anyway. Policies that protect by noise or by dropping records do without it.

    Notes
    -----
    Confidential is what the schema calls so. A variable without that role may still be in a universe, unless it is the
    response. Quantiles are read from the table of the response's bins, so they are refused.

    References
    ----------
    Gopal, R., Garfinkel, R. and Goes, P. (2002), Confidentiality via camouflage: the CVC approach to disclosure
    limitation when answering queries to databases, Operations Research 50, 501-516: the sets of queries are picked by
    known attributes.

    Examples
    --------
    >>> ConfidentialUniverse().traits.value_free
    True
    """

    name = "confidential_universe"
    faces = ("universe_difference", "refusal_reading")
    traits = RestrictionTraits(stage="request", value_free=True)

    def judge(self, question: Question) -> Ruling:
        version, request = question.version, question.request
        picked = [*question.boxes.variables, *getattr(request, "by", ())]
        picked += (
            [request.response] if isinstance(request, Quantiles) else []
        )  # they are read from the table of its bins
        response = getattr(request, "response", None)
        own = None if response is None else version.column(response).name
        named = sorted(
            {n for n in picked if version.column(n).has_role("confidential") or version.column(n).name == own}
        )
        return deny(f"picked by {', '.join(named)}") if named else ALLOW
