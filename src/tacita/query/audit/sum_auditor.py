"""The auditor of sums: refuses a query whose answer, with all answers before, would determine something about few records.

Over *atoms*, sets of records that no answered query separates, every answered sum is a 0/1 vector. What a linear solver
can find is the row space of these vectors. The auditor refuses a query after which few records could be solved for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np

from tacita.core.arrays import BoolArray, IntArray
from tacita.core.errors import ParameterError
from tacita.core.keyed import Key, KeyLike
from tacita.numeric.modular.primes import unlucky_chance
from tacita.numeric.modular.small_sets import Found, small_relation, small_sum
from tacita.query.audit.decision import Decision
from tacita.query.audit.members import MembersLike, check_limit, check_records, members_mask
from tacita.query.audit.prints import Prints

__all__ = ["Combinations", "SumAuditor"]

Combinations: TypeAlias = Literal["any", "sums"]
"""What must stay undetermined: every combination of few records, or sums of few records only."""

RULE = "sum_audit"


class SumAuditor:
    """Judge sums over sets of records by what they would determine together with all that were answered.

    Let V be the space of all vectors v over the records such that the combination v . x of the values x follows from the
    answers: the row space of the answered sets. A query q is

    - ``free`` if it lies in V: its answer is known already;
    - ``deny`` if V + q has a non-zero vector that is zero outside a set of fewer than ``limit`` records (``combinations="any"``),
      or the sum of a non-empty set of fewer than ``limit`` records (``combinations="sums"``);
    - ``allow`` otherwise.

    Sums of all records but few need no rule of their own: with the total answered their difference is in V. Where the
    total is published elsewhere, record it first.

    **Protects against** everybody who solves linear equations in the answers, alone or together: with ``"any"``, also
    against a coalition of up to ``limit - 2`` respondents who know their own values, because what they could find out
    about one more record is a combination of ``limit - 1`` records. With ``"sums"`` the difference of two records may
    become known, which tells either of them the value of the other. ``limit=2`` is the exact audit of Chin and
    Ozsoyoglu. **Does not protect against** bounds on the values (a sum of numbers that cannot be negative bounds each
    of them), against other statistics of the same variable, nor against what the attacker knows of records outside
    the coalition.

    One auditor belongs to one variable of one data version, for all users together. A mean of a set whose size is
    known is a sum, so means and sums of a variable share one auditor; counts have another.

    Parameters
    ----------
    n_records
        Records of the data set.
    limit
        Fewest records about which a combination may become known, at least 2.
    combinations
        ``any`` or ``sums``.
    key
        Secret that the primes and random vectors come from; without one it is drawn.
    most_work
        Bound of the search for small sets in one judgement. Where it is not enough the query is refused.

    Raises
    ------
    ParameterError
        When a parameter is outside of what it may be.

    Complexity
    ----------
    With m atoms and rank r, :meth:`judge` takes O(n + m log m) time for ``limit`` 2 and 3. Above that the search
    among the s atoms of fewer than ``limit`` records takes O(s^2) sets for ``sums`` and ``limit`` 4 and 5, O(s^3) for
    6 and 7, and O(s^(limit - 2)) products for ``any``. :meth:`record` takes O(n + r (m - r)) time; memory is two
    tables of r by m - r numbers.

    Notes
    -----
    *Why atoms are enough.* Vectors of V are constant on atoms, so what is zero outside a small set is zero on every
    atom that is not wholly inside it. Only unions of whole atoms of fewer than ``limit`` records can be determined.

    *Why the search is complete.* v lies in V if and only if it is orthogonal to the null space of V. Atom a is known
    by its row of a basis of the null space: a combination of atoms is in V if the same combination of their rows is
    zero. One atom is determined if its row is zero, two are in a relation if their rows are proportional, their sum
    is determined if the rows cancel, and so on for larger sets. ``small_sets.py`` looks through all of them, on
    random projections of the rows.

    *Chance of error.* All is computed modulo two independent secret primes of 50 bits. A set counts as determined if
    either prime says so, and a query as free only if both do. A determined set is missed only if both primes are
    unlucky for the matrix of answered sums: for rank 4 000 a chance below 10^-21 for the whole history
    (:attr:`miss_chance`), since queries and refusals tell nothing about the primes. A query is wrongly taken for free
    with at most that chance for the matrix with it. A query is wrongly refused, which is harmless, with a chance
    below k 2^-48 for each set of k atoms that could be small. Refusals depend on the sets asked and on the key, and
    never on values: no value is ever handed over.

    *Above the search.* When ``most_work`` does not suffice, a query that is not free is refused, though it might be
    harmless. What is allowed is proven for every limit.

    References
    ----------
    Chin, F. Y. and Ozsoyoglu, G. (1982), Auditing and inference control in statistical databases, IEEE Transactions on
    Software Engineering SE-8, 574-582.

    Examples
    --------
    >>> auditor = SumAuditor(10, limit=3, key=b"a key for the example")
    >>> auditor.judge(range(10)).outcome
    'allow'
    >>> auditor.record(range(10))
    True
    >>> [auditor.judge(range(start, 10)).outcome for start in (0, 1, 2, 3)]
    ['free', 'deny', 'deny', 'allow']
    """

    __slots__ = ("_atoms", "_prints", "_sizes", "combinations", "limit", "most_work", "n_records")

    def __init__(
        self,
        n_records: int,
        *,
        limit: int = 3,
        combinations: Combinations = "any",
        key: KeyLike | None = None,
        most_work: int = 2**22,
    ) -> None:
        self.n_records = check_records("SumAuditor", n_records)
        self.limit = check_limit("SumAuditor", limit)
        if combinations not in get_args(Combinations):
            raise ParameterError(f"SumAuditor: 'combinations' must be 'any' or 'sums', got {combinations!r}.")
        if most_work < 1:
            raise ParameterError(f"SumAuditor: 'most_work' must be at least 1, got {most_work}.")
        self.combinations: Combinations = combinations
        self.most_work = int(most_work)
        secret = (Key.draw() if key is None else Key.of(key)).derive("sum auditor")
        needed = 1 if combinations == "sums" else max(2, limit - 1)
        self._prints = tuple(Prints(secret.derive(name), needed) for name in ("first", "second"))
        self._atoms: IntArray = np.zeros(n_records, dtype=np.int64)
        self._sizes: IntArray = np.array([n_records], dtype=np.int64)

    def __repr__(self) -> str:
        return f"SumAuditor(limit={self.limit}, combinations={self.combinations!r}, rank={self.rank})"

    @property
    def rank(self) -> int:
        """Number of independent sums that were answered."""
        return max(prints.rank for prints in self._prints)

    @property
    def atoms(self) -> int:
        """Number of atoms: sets of records that no answered query separates."""
        return len(self._sizes)

    @property
    def numbers(self) -> int:
        """Sums times atoms: the numbers that a table of the row space has at most."""
        return self.rank * self.atoms

    @property
    def miss_chance(self) -> float:
        """Upper bound of the chance that both primes are unlucky for the sums that were answered."""
        return unlucky_chance(self.rank) ** 2

    def judge(self, members: MembersLike) -> Decision:
        """Judge the sum over some records; nothing is changed.

        Parameters
        ----------
        members
            Row numbers, each once, or booleans for all records.

        Returns
        -------
        Decision
            ``allow``, ``deny`` or ``free``.

        Raises
        ------
        DataError
            When the members are not records of the data set.
        """
        parents, columns, sizes = self._separated(members_mask(members, self.n_records))
        views = [(prints, *prints.after(parents, columns)) for prints in self._prints]
        if not any(is_new for *_, is_new in views):
            return Decision("free", RULE, "The sum follows from sums that were answered.")
        return self._searched([(vectors, prints.prime) for prints, vectors, _ in views], sizes)

    def judge_together(self, sets: Sequence[MembersLike], *, most_numbers: int | None = None) -> Decision:
        """Judge the sums over several sets as one answer, such as the cells of a table; nothing is changed.

        Parameters
        ----------
        sets
            As in :meth:`judge`, one after the other.
        most_numbers
            Where recording them would bring :attr:`numbers` above it, they are refused unless they are free.

        Returns
        -------
        Decision
            ``free`` if all of them are, ``deny`` if after all of them few records would be determined.

        Notes
        -----
        What is determined after some of the sets is determined after all, so one search at the end is enough. Null vectors for
        as many sets are drawn at once. O(s n + s r m) time for s sets, and no copy of the tables.
        """
        atoms, sizes = self._atoms, self._sizes
        trials = [prints.trial(len(sets)) for prints in self._prints]
        try:
            for members in sets:
                mask = members_mask(members, self.n_records)
                parents, columns, after = self._separated(mask)
                for trial in trials:
                    trial.add(parents, columns)
                self._atoms = self._renamed(mask, parents, len(after), is_new=self._atoms is atoms)
                self._sizes = after
            found, rank = self._sizes, self.rank + max(trial.added for trial in trials)
        finally:
            self._atoms, self._sizes = atoms, sizes
        if not any(trial.added for trial in trials):
            return Decision("free", RULE, "The sums follow from sums that were answered.")
        if most_numbers is not None and rank * len(found) > most_numbers:
            return Decision("deny", RULE, "The audit is full.")
        views = [(t.vectors[: p.needed], p.prime) for p, t in zip(self._prints, trials, strict=True)]
        return self._searched(views, found)

    def record(self, members: MembersLike) -> bool:
        """Record that the sum over some records was answered; return whether it added anything.

        Whatever was answered is to be recorded, also what this auditor would have denied: an auditor that does not
        know an answer judges wrongly. After a breach every query is denied that is not free.

        Parameters
        ----------
        members
            As in :meth:`judge`.
        """
        return self._record(members, is_last=True)

    def replay(self, answered: Iterable[MembersLike]) -> None:
        """Record the sums of a journal, in its order; much faster than one by one where judgements come only afterwards.

        Parameters
        ----------
        answered
            Member sets that were answered.
        """
        try:
            for members in answered:
                self._record(members, is_last=False)
        finally:
            for prints in self._prints:
                prints.refresh()

    def _record(self, members: MembersLike, *, is_last: bool) -> bool:
        mask = members_mask(members, self.n_records)
        parents, columns, sizes = self._separated(mask)
        added = [prints.add(parents, columns, is_last=is_last) for prints in self._prints]
        self._atoms = self._renamed(mask, parents, len(sizes), is_new=False)
        self._sizes = sizes
        return any(added)

    def _renamed(self, mask: BoolArray, parents: IntArray, atoms: int, *, is_new: bool) -> IntArray:
        """The atom of each record after a set; written into what is there, or into a copy."""
        names = np.arange(len(self._sizes), dtype=np.int64)
        names[parents] = np.arange(len(self._sizes), atoms)
        found = self._atoms.copy() if is_new else self._atoms
        found[mask] = names[found[mask]]
        return found

    def _separated(self, mask: BoolArray) -> tuple[IntArray, IntArray, IntArray]:
        """Return the atoms that a set separates, the atoms inside it afterwards, and the sizes of all atoms afterwards.

        The part of an atom inside the set becomes a new atom behind all others; the part outside keeps the number.
        """
        inside = np.bincount(self._atoms[mask], minlength=len(self._sizes))
        parents = np.flatnonzero((inside > 0) & (inside < self._sizes))
        whole = np.flatnonzero((inside > 0) & (inside == self._sizes))
        columns = np.concatenate([whole, len(self._sizes) + np.arange(len(parents))])
        sizes = np.concatenate([self._sizes, inside[parents]])
        sizes[parents] -= inside[parents]
        return parents, columns, sizes

    def _searched(self, views: Sequence[tuple[IntArray, int]], sizes: IntArray) -> Decision:
        """Decide by what each prime sees of the atoms after all sums."""
        small = sizes < self.limit
        for vectors, prime in views:
            found = self._search(vectors[:, small], sizes[small], prime)
            if found == "some":
                return Decision("deny", RULE, f"Fewer than {self.limit} records would be determined.")
            if found == "unknown":
                return Decision(
                    "deny", RULE, f"That fewer than {self.limit} records stay safe would take too long to prove."
                )
        return Decision("allow", RULE)

    def _search(self, vectors: IntArray, sizes: IntArray, prime: int) -> Found:
        room = self.limit - 1
        if self.combinations == "sums":
            return small_sum(vectors[0], sizes, room=room, prime=prime, most_work=self.most_work)
        return small_relation(vectors, sizes, room=room, prime=prime, most_work=self.most_work)
