"""Across versions: a question may not differ from one that an earlier version of the data answered by few records."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import IntArray
from tacita.core.constraints import Interval
from tacita.core.errors import DataError, TacitaError
from tacita.core.traits import RestrictionTraits
from tacita.query.audit.differences import differences_across
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny

if TYPE_CHECKING:
    from tacita.query.catalogue.version import Version
    from tacita.query.database import Database
    from tacita.query.question import Question

__all__ = ["AcrossVersions", "AnsweredSet", "answered_sets", "check_same_people", "sets_of"]


@dataclass(frozen=True, eq=False)
class AnsweredSet:
    """A set of records that a question told something about.

    Parameters
    ----------
    request
        The question in canonical form.
    cell
        The cell of its table; -1 for the whole universe.
    ids
        What identifies the records, sorted.
    """

    request: dict[str, Any]
    cell: int
    ids: npt.NDArray[Any]


@dataclass(frozen=True, kw_only=True)
class AcrossVersions(Restriction):
    """Refuse a question whose records differ by fewer than ``limit`` from a set that an earlier version answered.

    Records that come, leave or move between two versions make sets of their own: the new answer less the old one is
    theirs. With Q the records of the question, U those of an answered one, by their ids, it is refused where ``0 < |Q
    less U| + |U less Q| < limit``. The same set may be asked again.

    Protects against subtracting an answer of one version from one of another. Does not protect against sums of several
    such differences, nor against the same question under noise of two versions, which is two draws. A refusal tells
    that few records came, left or moved.

    Parameters
    ----------
    limit
        Fewest records that two sets of two versions may differ by.
    is_by_cell
        Whether every cell of a table counts as a set, not the universe alone. Where counts are exact this is the safe
        choice, but hardly any table of a version that changed a little is answered then.

    Notes
    -----
    The earlier versions are those that the database was opened with (``previous``), one behind the other, and what
    their journals have kept. Without one, everything is allowed.

    Complexity
    ----------
    O(N) once for N members of all earlier sets; then O(n log n) for each earlier set of nearly the same size.

    References
    ----------
    Lucero et al. (2011), section 3.1.2, differencing attack disclosure; here between versions, which the paper leaves
    open.

    Examples
    --------
    >>> AcrossVersions(limit=5).traits.value_free
    False
    """

    name = "across_versions"
    faces = ("version_difference",)
    traits = RestrictionTraits(stage="history")

    limit: Annotated[int, Interval(2)] = 3
    is_by_cell: bool = False

    def applies(self, question: Question) -> bool:
        return question.history.previous is not None

    def judge(self, question: Question) -> Ruling:
        earlier = question.history.memory(self, question.version.id, lambda: self._earlier(question))
        sizes = np.array([len(known) for known in earlier], dtype=np.int64)
        for found in sets_of(question, is_by_cell=self.is_by_cell):
            near = np.flatnonzero(np.abs(sizes - len(found.ids)) < self.limit)
            close = differences_across([earlier[int(i)] for i in near], [found.ids], limit=self.limit)
            if close:
                return deny(f"{len(close)} sets of an earlier version are fewer than {self.limit} records apart")
        return ALLOW

    def _earlier(self, question: Question) -> list[npt.NDArray[Any]]:
        """The sets of all earlier versions, each once."""
        known: dict[bytes, npt.NDArray[Any]] = {}
        db = question.history.previous
        while db is not None:
            for found in answered_sets(db, is_by_cell=self.is_by_cell):
                known.setdefault(hashlib.blake2b(found.ids.tobytes(), digest_size=16).digest(), found.ids)
            db = db.previous
        return list(known.values())


def sets_of(question: Question, *, is_by_cell: bool = False) -> Iterator[AnsweredSet]:
    """Give the records of a question, and those of every cell of its table where cells count.

    Notes
    -----
    What counts is the universe, before records are dropped at random: which ones are dropped is no business of the
    attacker.
    """
    rows, request = question.members.rows, question.canonical
    yield AnsweredSet(request, -1, np.sort(question.version.record_ids[rows]))
    if is_by_cell and isinstance(question.request, Tabulate):
        cells = question.version.cells(question.request.by).values[rows]
        for cell, part in _by_cell(rows, np.asarray(cells, dtype=np.int64)):
            yield AnsweredSet(request, cell, np.sort(question.version.record_ids[part]))


def answered_sets(db: Database, *, is_by_cell: bool = False) -> Iterator[AnsweredSet]:
    """Give the sets of records of every question that the journal of a database says was answered to its data version.

    Parameters
    ----------
    db
        The database; of a journal in memory the last entries are kept.
    is_by_cell
        Whether cells of tables count too.

    Raises
    ------
    DataError
        When a question of the journal cannot be understood any more: what it told cannot be judged by then.
    """
    from tacita.query.question import understand
    from tacita.query.requests.request import request_from_plain

    seen: set[str] = set()
    for entry in db.journal.entries():
        if entry.kind != "request" or entry.status != "answered" or entry.versions.get("data") != db.version.id:
            continue
        try:
            question = understand(request_from_plain(entry.request), db.version, db.policy, db.history, "", 0.0)
        except TacitaError as error:
            raise DataError(
                f"Entry {entry.number} of the journal of the earlier version cannot be understood any more; open that version "
                "with the package and the catalogue that answered it."
            ) from error
        if question.text not in seen:
            seen.add(question.text)
            yield from sets_of(question, is_by_cell=is_by_cell)


def check_same_people(old: Version, new: Version) -> None:
    """Raise an error where records of two versions cannot be told to be the same person.

    Raises
    ------
    DataError
        When a version has no record ids, or the ids are of different kinds.
    """
    for version in (old, new):
        if version.store.record_id is None:
            raise DataError(
                "Both versions must have a column that identifies each record, the same for one person in both; name it "
                "with 'record_id'."
            )
    if old.store.record_ids().ndim != new.store.record_ids().ndim:
        raise DataError(
            "The record ids of both versions must be of one kind, whole numbers or text; convert one of them."
        )


def _by_cell(rows: IntArray, cells: IntArray) -> Iterator[tuple[int, IntArray]]:
    """The records of each cell that has some."""
    order = np.argsort(cells, kind="stable")
    ends = np.flatnonzero(np.diff(cells[order])) + 1
    for part in np.split(order, ends):
        if len(part):
            yield int(cells[part[0]]), rows[part]
