"""A rule that the attackers of this folder are measured against: the auditor of sums, on the rows of tables of a
confidential class.

A table by keys and a confidential class tells, for each row of the keys, how many of a known set of people have the
class. These are sums of indicators, whatever noise or dropping blurs them: averaging over many answers finds every
combination in their row space.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from tacita.core import registry
from tacita.core.arrays import IntArray
from tacita.core.constraints import Interval
from tacita.core.traits import RestrictionTraits
from tacita.query.audit.sum_auditor import SumAuditor
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["RowAudit"]


@dataclass(frozen=True, kw_only=True)
class RowAudit(Restriction):
    """Refuse a table whose rows, with all rows answered, would single out fewer than ``limit`` people.

    Rows are the sets of records that the keys of the table make in the universe; the classes that are not keys are
    what is told about them. Tables of keys alone tell nothing that is not known and are not looked at.

    Parameters
    ----------
    limit
        Fewest people that a combination of rows may be about.
    """

    name = "row_audit"
    traits = RestrictionTraits(stage="history", value_free=True)

    limit: Annotated[int, Interval(2, 7)] = 5

    def judge(self, question: Question) -> Ruling:
        schema = question.version.store.schema
        if any(not schema[name].has_role("key") for name in question.boxes.variables):
            return deny("who is asked about is said by what is confidential")
        sets = list(self._sets(question))
        auditor = copy.deepcopy(self._auditor(question))
        for members in sets:
            if not auditor.judge(members).is_allowed:
                return deny(f"fewer than {self.limit} people would be singled out")
            auditor.record(members)
        return ALLOW

    def record(self, question: Question) -> None:
        for members in self._sets(question):
            self._auditor(question).record(members)

    def _auditor(self, question: Question) -> SumAuditor:
        version = question.version
        key = version.key.derive("audit", "rows")
        return question.history.memory(self, version.id, lambda: SumAuditor(len(version), limit=self.limit, key=key))

    def _sets(self, question: Question) -> Iterator[IntArray]:
        version, rows, by = question.version, question.members.rows, getattr(question.request, "by", ())
        keys = [name for name in by if version.store.schema[name].has_role("key")]
        if by and len(keys) == len(by) and getattr(question.request, "response", None) is None:
            return
        cells = version.cells(keys).values[rows] if keys else np.zeros(len(rows), dtype=np.int64)
        order = np.argsort(cells, kind="stable")
        ends = np.flatnonzero(np.diff(cells[order])) + 1
        yield from (np.sort(part) for part in np.split(rows[order], ends) if len(part))


registry.unregister(RowAudit)  # it belongs to these tests
