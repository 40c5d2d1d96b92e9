"""Auditing of sums: no set of answers, whoever got them, may determine the sum of a small set of records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.constraints import Interval
from tacita.core.traits import RestrictionTraits
from tacita.query.audit.sum_auditor import SumAuditor
from tacita.query.requests.correlate import Correlate
from tacita.query.requests.statistic import Statistic
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["SumAudit"]


@dataclass(frozen=True, kw_only=True)
class SumAudit(Restriction):
    """Refuse a sum, mean or total that would, together with everything answered, determine something about few records.

    Each question is a set of records (a table is one set for each of its cells) whose sum becomes known. The auditor
    keeps the space of all combinations that follow from the answers of all users, in exact arithmetic, and refuses
    what would bring a combination of fewer than ``limit`` records into it. What follows from earlier answers is free.

    Protects against everybody who solves linear equations in the answers, trackers among them, and against users who
    put their answers together. Does not protect against bounds on values, nor against statistics other than sums:
    those are refused.

    Parameters
    ----------
    limit
        Fewest records about which a combination may become known.
    combinations
        ``any`` combination, which also stops a respondent from finding out another; or ``sums`` only.
    cells
        Most cells of a table whose sums are judged at once.
    variables
        Whether sums of all variables are audited ``together``, as if they were of one, or each variable ``apart``.
        Where one variable is a sum of others, as an income is of its parts, an auditor for each does not see that a sum
        of the one follows from those of the others.

    Complexity
    ----------
    O(n + m log m) for each set of a question among n records in m atoms, after null vectors were drawn for all of them.
    See :class:`~tacita.query.audit.sum_auditor.SumAuditor`.

    Notes
    -----
    Decisions depend on the sets asked for, never on values, so refusals tell nothing but who has no value of the
    response: records without one are in no set.

    Why auditing together is enough: a combination of sums of several variables that are bound by linear relations has,
    for each of the free variables, a vector in the space of all sets that were asked for; and in that space nothing is
    about few records. Counts are not audited: the classes that a universe can name are taken to be known. Weighted sums
    are other combinations of the same values, and standard errors tell sums of squares; neither is audited, so both are
    refused.

    References
    ----------
    Chin & Ozsoyoglu (1982), Auditing and inference control in statistical databases.

    Examples
    --------
    >>> SumAudit(limit=5).traits.value_free
    True
    """

    name = "sum_audit"
    faces = ("individual_tracker", "general_tracker", "double_tracker", "union_tracker", "subset_sums")
    traits = RestrictionTraits(stage="history", value_free=True)

    limit: Annotated[int, Interval(2, 7)] = 3
    combinations: Literal["any", "sums"] = "any"
    cells: Annotated[int, Interval(1)] = 200
    variables: Literal["together", "apart"] = "together"

    def applies(self, question: Question) -> bool:
        return isinstance(question.request, Correlate) or getattr(question.request, "response", None) is not None

    def auditor(self, question: Question) -> SumAuditor:
        """Return the auditor of the response, or of all of them, in the data version."""
        version = question.version
        asked = str(getattr(question.request, "response", ""))
        response = "" if self.variables == "together" else version.column(asked).name

        def made() -> dict[str, SumAuditor]:
            return {}

        known = question.history.memory(self, version.id, made)
        if response not in known:
            known[response] = SumAuditor(
                len(version),
                limit=self.limit,
                combinations=self.combinations,
                key=version.key.derive("audit", response),
            )
        return known[response]

    def judge(self, question: Question) -> Ruling:
        request = question.request
        if not isinstance(request, (Tabulate, Statistic)) or request.statistic not in ("sum", "mean", "total"):
            return deny("only sums, totals and means can be audited")
        if isinstance(request, Tabulate) and question.policy.standard_errors:
            return deny("standard errors tell sums of squares, which are not audited")
        if isinstance(request, Tabulate) and question.version.weights is not None:
            return deny("weighted sums are not audited; ask for plain ones")
        sets = list(self._sets(question))
        if len(sets) > self.cells:
            return deny(f"a table of {len(sets)} cells is too large to be audited at once")
        found = self.auditor(question).judge_together(sets)  # the cells of one table are one answer
        return ALLOW if found.is_allowed else deny(f"{found.reason} ({len(sets)} sets)")

    def record(self, question: Question) -> None:
        request = question.request
        if isinstance(request, (Tabulate, Statistic)) and request.statistic in ("sum", "mean", "total"):
            auditor = self.auditor(question)
            for members in self._sets(question):
                auditor.record(members)

    def _sets(self, question: Question) -> Iterator[IntArray]:
        """The sets of records whose sums the answer tells; empty ones tell nothing."""
        request, version = question.request, question.version
        rows = question.rows
        rows = rows[~np.isnan(version.values(str(getattr(request, "response", ""))))[rows]]
        if isinstance(request, Statistic):
            yield rows
            return
        cells = version.cells(getattr(request, "by", ())).values[rows]
        order = np.argsort(cells, kind="stable")
        ends = np.flatnonzero(np.diff(cells[order])) + 1
        yield from (np.sort(part) for part in np.split(rows[order], ends) if len(part))
