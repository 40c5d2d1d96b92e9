"""Auditing of rows: tables of what is confidential may not, put together, be about one or two people."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from tacita.core.arrays import BoolArray, IntArray
from tacita.core.constraints import Interval
from tacita.core.traits import RestrictionTraits
from tacita.query.audit.sum_auditor import SumAuditor
from tacita.query.models.fit import ModelRules
from tacita.query.requests.quantiles import Quantiles
from tacita.query.requests.regress import Regress
from tacita.query.requests.statistic import Statistic
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["RowAudit"]


@dataclass(frozen=True, kw_only=True)
class RowAudit(Restriction):
    """Refuse a table of something confidential whose rows, with all rows answered, would single out few people.

    An intruder who knows the keys of everybody knows who is in each row of a table: in the set of records that the
    known variables of table and universe make. What the table tells about a row (how many of it have a confidential
    class, or their total) is a sum over that set. Noise and dropping blur each sum, but averaging over many answers
    finds every combination of the sets that were asked for. So these sets are audited as sums are: no combination of
    them may be about fewer than ``limit`` people.

    Protects a person whose keys are known, alone in a cell or found by any number of differences, against all users
    together. Does not protect groups of ``limit`` and more, nor what regressions and correlations tell, which have
    rules of their own.

    Parameters
    ----------
    limit
        Fewest people that a combination of rows may be about.
    cells
        Most rows of a table that are judged at once.

    Complexity
    ----------
    O(n + r (m - r)) for each row, for n records and r independent rows over m atoms, as the auditor of sums.

    Notes
    -----
    Confidential is what the schema calls so; all other variables count as known. Something is told where a variable that is
    neither key nor stratum takes part; a file without any role has nothing to audit. A regression with a constant tells
    the sum of its response in every class of every predictor, since its residuals add up to zero there, so the classes of
    a model are rows as well. A condition of the universe on something
    confidential is part of what is told, not of who is asked about: the sets are those of the other conditions.
    Tables of known variables alone tell nothing that is not known, and pass. Decisions depend on the sets asked for,
    so a refusal tells nothing.

    References
    ----------
    Chin, F. Y. and Ozsoyoglu, G. (1982), Auditing and inference control in statistical databases, IEEE Transactions on Software
    Engineering SE-8, 574-582: the audit of sums, here of the rows of tables.

    Examples
    --------
    >>> RowAudit(limit=5).traits.value_free
    True
    """

    name = "row_audit"
    traits = RestrictionTraits(stage="history", value_free=True)

    limit: Annotated[int, Interval(2, 7)] = 3
    cells: Annotated[int, Interval(1)] = 500

    def applies(self, question: Question) -> bool:
        return isinstance(question.request, (Tabulate, Quantiles, Statistic, Regress)) and self._tells(question)

    def _tells(self, question: Question) -> bool:
        """Whether something is told that an intruder does not know: anything but keys and strata, where the schema has roles."""
        schema = question.version.store.schema
        if not schema.keys and not schema.confidential:
            return False
        named = [*question.request.variables, *question.boxes.variables]
        return any(not {"key", "stratum"} & set(question.version.column(name).roles) for name in named)

    def auditor(self, question: Question) -> SumAuditor:
        """Return the memory of the data version."""
        version = question.version
        key = version.key.derive("audit", "rows")
        return question.history.memory(self, version.id, lambda: SumAuditor(len(version), limit=self.limit, key=key))

    def judge(self, question: Question) -> Ruling:
        sets = list(self._sets(question))
        if len(sets) > self.cells:
            return deny(f"a table of {len(sets)} rows is too large to be audited at once")
        if any(len(members) < self.limit for members in sets):
            return deny(f"a row is about fewer than {self.limit} people")
        known = self.auditor(question)
        if all(known.judge(members).outcome == "free" for members in sets):
            return ALLOW
        tried = copy.deepcopy(known)  # the rows of one table are judged together, and nothing is remembered
        for members in sets:
            if not tried.judge(members).is_allowed:
                return deny(f"fewer than {self.limit} people would be singled out")
            tried.record(members)
        return ALLOW

    def record(self, question: Question) -> None:
        auditor = self.auditor(question)
        for members in self._sets(question):
            auditor.record(members)

    def _sets(self, question: Question) -> Iterator[IntArray]:
        """The sets of people that an intruder knows to be in the rows of the answer; for a model, in its classes."""
        request, pieces = question.request, list(_known_pieces(question))
        if not isinstance(request, Regress):
            yield from _rows(question, pieces, getattr(request, "by", ()))
            return
        least = (question.policy.part("models") or ModelRules()).sparse.count
        yield from _rows(question, pieces, ())
        for names in [(effect.variable,) for effect in request.predictors] + list(request.interactions):
            if not any(question.version.catalogue[name].is_numeric for name in names):
                # Classes of fewer records are absorbed, and nothing is told about them alone.
                yield from (part for part in _rows(question, pieces, names) if len(part) >= least)


def _rows(question: Question, pieces: Sequence[BoolArray], by: Sequence[str]) -> Iterator[IntArray]:
    """The people of each piece in each cell of the variables that are known."""
    version = question.version
    known = [name for name in by if not _is_confidential(question, name)]
    cells = version.cells(known).values if known else np.zeros(len(version), dtype=np.int64)
    for inside in pieces:
        rows = np.flatnonzero(inside)
        order = np.argsort(cells[rows], kind="stable")
        ends = np.flatnonzero(np.diff(cells[rows][order])) + 1
        yield from (np.sort(part) for part in np.split(rows[order], ends) if len(part))


def _is_confidential(question: Question, name: str) -> bool:
    return question.version.column(name).has_role("confidential")


def _known_pieces(question: Question) -> Iterator[BoolArray]:
    """Who is in the universe by the variables that are known.

    Where all conditions are on known variables the universe is one set. Otherwise pieces with the same condition on what is
    confidential stand together for the people that their known conditions describe: the intruder does not know who of them
    is meant, and is told how many. Where such conditions differ, all pieces together are a set as well.
    """
    version, boxes = question.version, question.boxes
    hidden = [_is_confidential(question, name) for name in boxes.variables]
    groups: dict[tuple[int, ...], BoolArray] = {}
    for box in boxes.boxes:
        inside = np.ones(len(version), dtype=np.bool_)
        for name, mask, size, is_hidden in zip(boxes.variables, box, boxes.shape, hidden, strict=True):
            if not is_hidden:
                inside &= np.array([bool(mask >> number & 1) for number in range(size)])[version.codes(name)]
        told = tuple(mask for mask, is_hidden in zip(box, hidden, strict=True) if is_hidden)
        groups[told] = inside | groups[told] if told in groups else inside
    yield from groups.values()
    if len(groups) > 1:
        yield np.logical_or.reduce(list(groups.values()))
