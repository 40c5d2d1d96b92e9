"""Auditing of rows: tables of what is confidential may not, put together, be about one or two people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.constraints import Interval
from tacita.core.traits import RestrictionTraits
from tacita.query.audit.row_auditor import RowAuditor, RowSets
from tacita.query.models.fit import ModelRules
from tacita.query.noise.set_numbers import MemberHash, member_hashes
from tacita.query.requests.quantiles import Quantiles
from tacita.query.requests.regress import Regress
from tacita.query.requests.statistic import Statistic
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny
from tacita.query.universe.boxes import Box, Boxes, maximal_boxes

if TYPE_CHECKING:
    from tacita.query.catalogue.version import Version
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
    O(s) for s rows where they were answered before, or where all variables asked for so far have cells of enough people; else
    as the auditor of sums, within :data:`~tacita.query.audit.row_auditor.MOST_NUMBERS`.

    Notes
    -----
    Confidential is what the schema calls so; all other variables count as known. Something is told where a variable that is
    neither key nor stratum takes part; a file without any role has nothing to audit. A regression with a constant tells
    the sum of its response in every class of every predictor, since its residuals add up to zero there, so the classes of
    a model are rows as well. A condition of the universe on something
    confidential is part of what is told, not of who is asked about: the sets are those of the other conditions.
    Tables of known variables alone tell nothing that is not known, and pass. Decisions depend on the sets asked for,
    so a refusal tells nothing.

    The memory is bounded, see :class:`~tacita.query.audit.row_auditor.RowAuditor`: data of more than 2**16 records are audited by
    the cells of all variables that were named, without linear algebra, and what does not fit is refused since the audit is full.

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
    faces = ("subset_sums", "universe_difference")
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

    def auditor(self, question: Question) -> RowAuditor[tuple[RowWords, ...]]:
        """Return the memory of the data version."""
        version = question.version

        def made() -> RowAuditor[tuple[RowWords, ...]]:
            return RowAuditor(
                len(version),
                limit=self.limit,
                key=version.key.derive("audit", "rows"),
                least_in_cells=version.records.least_in_cells,
                members=partial(_members, version),
            )

        return question.history.memory(self, version.id, made)

    def judge(self, question: Question) -> Ruling:
        asked = self._sets(question)
        if len(asked.hashes) > self.cells:
            return deny(f"a table of {len(asked.hashes)} rows is too large to be audited at once")
        if any(count < self.limit for *_, count in asked.hashes):
            return deny(f"a row is about fewer than {self.limit} people")
        found = self.auditor(question).judge(asked)
        return ALLOW if found.is_allowed else deny(found.reason)

    def record(self, question: Question) -> None:
        self.auditor(question).record(self._sets(question))

    def _sets(self, question: Question) -> RowSets[tuple[RowWords, ...]]:
        """The sets of people that an intruder knows to be in the rows of the answer; for a model, in its classes."""
        return question.worked_out(self, lambda: _sets_of(question))


@dataclass(frozen=True)
class RowWords:
    """Rows of a table by what is known: the cells of some variables in a universe, those of at least so many people."""

    by: tuple[str, ...]
    boxes: Boxes
    least: int = 1


def _sets_of(question: Question) -> RowSets[tuple[RowWords, ...]]:
    words = tuple(_words(question))
    hashes: list[MemberHash] = []
    for row in words:
        found = question.version.records.counted(row.by, row.boxes)
        there = np.flatnonzero(found.counts >= row.least)
        hashes += member_hashes(found.sums[there], found.counts[there])
    variables = frozenset(name for row in words for name in (*row.by, *row.boxes.variables))
    return RowSets(words, variables, tuple(hashes))


def _members(version: Version, words: Sequence[RowWords]) -> Iterator[IntArray]:
    """The people of each row that is not empty."""
    for row in words:
        rows, cells = version.records.find(row.by, row.boxes)
        order = np.argsort(cells, kind="stable")
        ends = np.flatnonzero(np.diff(cells[order])) + 1
        for part in np.split(rows[order], ends):
            if len(part) >= row.least:
                yield part.astype(np.int64)


def _words(question: Question) -> Iterator[RowWords]:
    request, pieces = question.request, list(_known_pieces(question))
    if not isinstance(request, Regress):
        by = _known(question, getattr(request, "by", ()))
        yield from (RowWords(by, boxes) for boxes in pieces)
        return
    least = (question.policy.part("models") or ModelRules()).sparse.count
    yield from (RowWords((), boxes) for boxes in pieces)
    for names in [(effect.variable,) for effect in request.predictors] + list(request.interactions):
        if not any(question.version.catalogue[name].is_numeric for name in names):
            # Classes of fewer records are absorbed, and nothing is told about them alone.
            yield from (RowWords(_known(question, names), boxes, max(least, 1)) for boxes in pieces)


def _known(question: Question, names: Sequence[str]) -> tuple[str, ...]:
    """Those of some variables that an intruder knows."""
    return tuple(name for name in names if not question.version.column(name).has_role("confidential"))


def _known_pieces(question: Question) -> Iterator[Boxes]:
    """Who is in the universe by the variables that are known.

    Where all conditions are on known variables the universe is one set. Otherwise pieces with the same condition on what is
    confidential stand together for the people that their known conditions describe: the intruder does not know who of them
    is meant, and is told how many. Where such conditions differ, all pieces together are a set as well.
    """
    boxes = question.boxes
    known = set(_known(question, boxes.variables))
    places = [v for v, name in enumerate(boxes.variables) if name in known]
    groups: dict[tuple[int, ...], set[Box]] = {}
    for box in boxes.boxes:
        told = tuple(mask for v, mask in enumerate(box) if v not in places)
        groups.setdefault(told, set()).add(tuple(box[v] for v in places))
    listed = list(groups.values())
    if len(listed) > 1:
        listed.append(set().union(*listed))
    names, shape = tuple(boxes.variables[v] for v in places), [boxes.shape[v] for v in places]
    for pieces in listed:
        yield maximal_boxes(names, shape, sorted(pieces))
