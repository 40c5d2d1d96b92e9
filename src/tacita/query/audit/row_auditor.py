"""The auditor of rows: which sets of people, named by what is known of them, may be told about, within bounded memory and time.

Three ways to know that nobody is singled out, the cheapest first: the sets were answered before; all that was asked is made of
cells that have enough people each; or a linear solver says so.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from tacita.core.arrays import IntArray
from tacita.core.keyed import Key
from tacita.query.audit.decision import Decision
from tacita.query.audit.members import check_limit, check_records
from tacita.query.audit.sum_auditor import SumAuditor
from tacita.query.noise.set_numbers import MemberHash

__all__ = ["MOST_EXACT", "MOST_NUMBERS", "RowAuditor", "RowSets"]

RULE = "row_audit"

MOST_EXACT = 1 << 16
"""Records of the largest data that are audited by linear algebra; in larger ones a few tables would use up all room for it."""

MOST_NUMBERS = 1 << 22
"""Numbers of the linear algebra, answered sets times atoms: 32 MB for each of two primes, about a second for a table."""

_MOST_WAITING = 1 << 12
"""Answered sets that are kept for a linear solver that was not needed yet."""

_MOST_KNOWN = 1 << 17
"""Answered sets that are known by their sums, some 30 MB; those beyond are judged again."""

W = TypeVar("W", bound=Hashable)


@dataclass(frozen=True, eq=False)
class RowSets(Generic[W]):
    """The sets of people that one answer tells about.

    Parameters
    ----------
    words
        What the sets are described by; from it the members can be found again.
    variables
        The variables of that description: every set is a union of cells of their table.
    hashes
        What each set is known by, one for each that is not empty.
    """

    words: W
    variables: frozenset[str]
    hashes: tuple[MemberHash, ...] = field(repr=False)


class RowAuditor(Generic[W]):
    """Judge sets of people by what could be told about few of them, together with all sets that were answered.

    - A set that was answered before is free.
    - Let U be all variables that a description has named so far. While every cell of their table that has people has at least
      ``limit``, so has every combination of answered sets, since each is constant on cells. Nothing has to be remembered for
      that but U.
    - A question that would add a variable after which a cell is smaller is judged by :class:`SumAuditor`, exactly, if the data
      have at most :data:`MOST_EXACT` records and the algebra stays within :data:`MOST_NUMBERS`. Otherwise it is refused: the
      audit is full.

    Protects against everybody who combines answers about sets linearly. Does not protect what is told about ``limit`` people and
    more.

    Parameters
    ----------
    n_records
        Records of the data version.
    limit
        Fewest people that a combination may be about.
    key
        Secret that the solver's primes come from.
    least_in_cells
        Gives for some variables the number of people in the smallest cell of their table that has any.
    members
        Gives the members of the sets of a description, those that are not empty.

    Complexity
    ----------
    O(s) for s sets in the first two cases, after one pass over the records for each new U. By algebra O(s n + s r m) for rank r
    and m atoms, with r m at most :data:`MOST_NUMBERS`. Memory: 2**17 hashes of sets, 2**12 descriptions, and two tables of
    :data:`MOST_NUMBERS` numbers, whatever is asked.

    Notes
    -----
    Decisions depend on which sets are asked for and on how many people are in cells, never on what is told about them. Whether
    the audit is full depends on the same.

    In data above :data:`MOST_EXACT` records, the variables that are asked for first decide which ones fit beside them. That is
    the price of answering without end: the algebra of a million people would be full after some tables, and then refuse all.
    """

    def __init__(
        self,
        n_records: int,
        *,
        limit: int,
        key: Key,
        least_in_cells: Callable[[frozenset[str]], int],
        members: Callable[[W], Iterable[IntArray]],
    ) -> None:
        self.n_records, self.limit = check_records("RowAuditor", n_records), check_limit("RowAuditor", limit)
        self._key, self._least_in_cells, self._members = key, least_in_cells, members
        self._known: set[MemberHash] = set()
        self._variables: frozenset[str] | None = frozenset()
        self._unsafe: list[frozenset[str]] = []
        self._waiting: list[W] = []
        self._held = 0
        self._exact: SumAuditor | None = (
            SumAuditor(n_records, limit=limit, key=key) if n_records <= MOST_EXACT else None
        )

    @property
    def is_full(self) -> bool:
        """Whether no set is allowed any more that was not answered before."""
        return self._variables is None and self._exact is None

    @property
    def is_by_cells(self) -> bool:
        """Whether all that was answered is made of cells that have enough people each."""
        return self._variables is not None

    def judge(self, asked: RowSets[W]) -> Decision:
        """Judge the sets of one answer together; nothing is changed that a later judgement could show.

        Returns
        -------
        Decision
            ``allow``, ``deny`` or ``free``.
        """
        if all(found in self._known for found in asked.hashes):
            return Decision("free", RULE, "The sets were answered before.")
        if self._variables is not None and self._is_safe(self._variables | asked.variables):
            return Decision("allow", RULE)
        if any(found[2] < self.limit for found in asked.hashes):
            return Decision("deny", RULE, f"A set has fewer than {self.limit} people.")
        exact = self._caught_up()
        if exact is None:
            return Decision("deny", RULE, "The audit is full.")
        return exact.judge_together(list(self._members(asked.words)), most_numbers=MOST_NUMBERS)

    def record(self, asked: RowSets[W]) -> None:
        """Remember that the sets of one answer were answered, also where this auditor would have refused them."""
        if len(self._known) < _MOST_KNOWN:
            self._known.update(asked.hashes)
        if self._variables is not None and self._is_safe(self._variables | asked.variables):
            self._variables |= asked.variables
            self._wait(asked.words, len(asked.hashes))
            return
        exact, self._variables = self._caught_up(), None
        self._exact = exact
        if exact is not None:
            exact.replay(self._members(asked.words))
            if exact.numbers > MOST_NUMBERS:
                self._exact = None

    def _is_safe(self, variables: frozenset[str]) -> bool:
        """Whether every cell of a table that has people has enough."""
        if variables == self._variables:
            return True
        if any(unsafe <= variables for unsafe in self._unsafe):  # more variables make no cell larger
            return False
        is_safe = self._least_in_cells(variables) >= self.limit
        if not is_safe:
            self._unsafe = [known for known in self._unsafe if not variables <= known] + [variables]
        return is_safe

    def _wait(self, words: W, sets: int) -> None:
        """Keep a description for the solver, or let the solver go where it could not hold all that was answered."""
        if self._exact is None:
            return
        self._held += sets
        self._waiting.append(words)
        if self._held > _MOST_WAITING:
            self._exact, self._waiting = None, []

    def _caught_up(self) -> SumAuditor | None:
        """The solver, after it has learned what was answered without it; None where it has no room."""
        if self._exact is not None and self._waiting:
            self._exact.replay(members for words in self._waiting for members in self._members(words))
            self._waiting = []
            if self._exact.numbers > MOST_NUMBERS:
                self._exact = None
        return self._exact
