"""Privacy budget: a question is answered only while its price fits, and only from what is public."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacita.core.traits import RestrictionTraits
from tacita.query.noise.dp.accountant import Accountant
from tacita.query.noise.dp.privacy import DifferentialPrivacy
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["PrivacyBudget"]


@dataclass(frozen=True, kw_only=True)
class PrivacyBudget(Restriction):
    """Refuse a question that no longer fits the privacy budget, or that depends on anything made from the data.

    Classes, cutpoints and bounds must be public. The budget is that of the policy's ``privacy`` part, for all users
    together. Prices do not depend on the data, so a refusal tells nothing.

    Protects the guarantee of differential privacy; does nothing without the policy's ``privacy``.

    Notes
    -----
    A statistic without a bounded sensitivity (a regression, a median) is refused. What is paid for is what was
    answered: a refusal costs nothing, and tells nothing since it does not depend on the data.

    References
    ----------
    Dwork, C. and Roth, A. (2014), The algorithmic foundations of differential privacy, 3.5 (composition).

    Examples
    --------
    >>> PrivacyBudget().traits.value_free
    True
    """

    name = "privacy_budget"
    faces = ("repeated_question", "equivalent_cells")
    traits = RestrictionTraits(stage="history", value_free=True)

    def applies(self, question: Question) -> bool:
        return question.policy.part("privacy") is not None

    def account(self, question: Question) -> Accountant:
        """Return the account of the data version."""
        privacy: DifferentialPrivacy = question.policy.part("privacy")
        return question.history.memory(self, question.version.id, privacy.account)

    def judge(self, question: Question) -> Ruling:
        privacy: DifferentialPrivacy = question.policy.part("privacy")
        if not privacy.answers(question.request):
            return deny("the statistic has no bounded sensitivity")
        made = privacy.check_public(question)
        if made:
            return deny(f"made from the data: {made}")
        account = self.account(question)
        return ALLOW if account.affords(privacy.cost) else deny(f"the budget has {account.left:g} left")

    def record(self, question: Question) -> None:
        privacy: DifferentialPrivacy = question.policy.part("privacy")
        account = self.account(question)
        if account.affords(privacy.cost):
            account.spend(privacy.cost)
