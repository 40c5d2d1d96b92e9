"""Drop q: within every stratum a universe loses q records, chosen by a secret key and the set of its members alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import IntArray, WordArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.keyed import Key
from tacita.core.parameterised import Parameterised
from tacita.core.parameters import Interval
from tacita.query.subsample.member_choice import PartSums, UniverseView, first_hits, smallest_numbers, stratum_of
from tacita.query.subsample.stratum_rows import StratumRows
from tacita.query.universe.members import sums_by_cell

__all__ = ["LEAST", "DropFixed", "DropQ", "drop_q", "dropped_rows"]

LEAST = 3
"""Fewest records that a part of a universe may show; of a part that would show one or two nothing is kept."""

_RARE = 256
_FEW = 16
"""A part of fewer than a 256th of its stratum, or of fewer than 16 members, is written out and not drawn from."""


def drop_q(
    members: IntArray,
    strata: IntArray | None,
    ids: WordArray,
    key: Key,
    *,
    k: int,
    smallest: int = 2,
    least: int = LEAST,
) -> IntArray:
    """Return the rows of a universe that are kept, after q were dropped within each of its strata.

    The part of the universe in stratum s has n_s members, the stratum N_s records. With h1 and h2 the sums of the members'
    two keyed hashes,

        u = HMAC(key, h1 || h2 || n_s || s),    q uniform on {``smallest``, ..., k} by u,

    and u starts a keyed stream of places in the list of the stratum's records, which stand there by their ids. The first q
    different members that the stream hits are dropped. So the choice hangs on the set of members alone: neither on the words
    that described it, nor on the order of rows, nor on what the universe has in other strata.

    Parameters
    ----------
    members
        Row numbers of the universe, in any order; twice the same is the same as once.
    strata
        (n,): stratum of every record of the data version. It is a partition that stays as it is for the whole life of the
        version. None: all are one stratum, which the padding attack beats.
    ids
        (n,) uint64: what identifies each record of the data version, no two the same.
    key
        Secret key, derived for the data set and its version.
    k
        Most records that a part loses.
    smallest
        Fewest records that a part loses; equal to ``k`` for the rules Drop 1 and Drop 2.
    least
        Fewest records that a part may show; with fewer left, all are dropped.

    Returns
    -------
    IntArray
        Rows that are kept, increasing. It may be empty.

    Raises
    ------
    ParameterError
        When ``smallest`` is below 0 or above ``k``.
    DataError
        When a row number is outside the data, or the arrays have different lengths.

    Complexity
    ----------
    O(n log n) for n records of the version, to list them; :func:`dropped_rows` has the list, and needs O(q N_s / n_s) a
    stratum.

    Notes
    -----
    *Why it is uniform.* Places are uniform on the stratum, so those that hit a member are uniform on the members, and the first
    q different ones of a uniform stream are a uniform set of q. A part that is a very small share of its stratum would wait long
    for a hit: where ``256 n_s < N_s`` or ``n_s < 16``, the q members with
    the smallest AES(key, id || u) are taken, which is uniform as well. Which of the two it is hangs on n_s and N_s alone.

    *A part of few members.* Left alone, it would be open to differencing, the very thing that the rule is against. So it
    loses q as any other, and all when fewer than ``least`` = 3 would stay: parts of up to 4 always vanish, parts above k + 2
    never. The paper does not say what happens there. A fixed limit on n_s instead would tell for certain, right at the
    limit, whether somebody is a member; here the limit moves with the secret q. And what is seen is a function of what the
    plain rule (``least`` = 1) would show, so it tells no more; the one or two records that the plain rule would lay open
    are hidden. An empty part says no more than n_s <= k + 2.

    k, ``smallest`` and ``least`` are fixed for the life of a version. The order in which members are hit does not depend on
    them, so after a change the new subsample contains the old one or is contained in it, and the difference of the two answers
    is a few true records.

    A part is a set of records, not of persons or households: where one of them has several records, a universe must not
    split them, which is for the rules on universes.

    References
    ----------
    Lucero, J. et al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue, section 3.1.2.

    Examples
    --------
    >>> key = Key(b"0123456789abcdef").derive("survey", "2024")
    >>> ids = np.arange(100, 200, dtype=np.uint64)
    >>> members = np.arange(40)
    >>> kept = drop_q(members, None, ids, key, k=5)
    >>> 35 <= len(kept) <= 38, np.array_equal(kept, drop_q(members[::-1], None, ids, key, k=5))
    (True, True)
    """
    members = _as_set(np.asarray(members, dtype=np.int64))
    if len(ids) and strata is not None and len(strata) != len(ids):
        raise DataError(
            "drop_q: 'strata' and 'ids' must have one entry for each record; give both for the same data version."
        )
    if len(members) and (members[0] < 0 or members[-1] >= len(ids)):
        raise DataError("drop_q: row numbers must be those of the data version; a member lies outside.")
    listed = StratumRows.of(strata, ids)
    within = (
        np.zeros(len(members), dtype=np.int64) if strata is None else np.searchsorted(listed.codes, strata[members])
    )
    part = PartSums(
        np.bincount(within, minlength=len(listed.codes)),
        sums_by_cell(within, key.record_keys(ids[members]), len(listed.codes)),
    )
    inside = np.zeros(len(ids), dtype=np.bool_)
    inside[members] = True
    view = UniverseView(part, lambda rows: inside[rows], lambda: members)
    dropped = dropped_rows(view, listed, ids, key, k=k, smallest=smallest, least=least)
    inside[dropped] = False
    return members[inside[members]]


def dropped_rows(
    view: UniverseView, listed: StratumRows, ids: WordArray, key: Key, *, k: int, smallest: int = 2, least: int = LEAST
) -> IntArray:
    """Return the rows that a universe loses, increasing; see :func:`drop_q`.

    Parameters
    ----------
    view
        The universe.
    listed
        The records of the version by stratum.
    ids, key, k, smallest, least
        As in :func:`drop_q`.

    Raises
    ------
    ParameterError
        When ``smallest`` is below 0 or above ``k``.

    Complexity
    ----------
    One HMAC a stratum, and O(q N_s / n_s) draws in each, at most 256 q; O(n) where a part is a smaller share of its stratum.
    """
    if not 0 <= smallest <= k:
        raise ParameterError(f"drop_q: 'smallest' must be in [0, k], got {smallest} with k={k}.")
    counts, sums = view.parts.counts, view.parts.sums
    drops = np.zeros(len(counts), dtype=np.int64)
    words = np.zeros(len(counts), dtype=np.uint64)
    for s in np.flatnonzero(counts).tolist():
        u = key.digest("drop q", int(sums[s, 0]), int(sums[s, 1]), int(counts[s]), int(listed.codes[s]))
        drops[s] = smallest + int.from_bytes(u[:16], "big") % (k - smallest + 1)
        words[s] = int.from_bytes(u[16:24], "big")
    drops = np.where(counts - drops < least, counts, drops)
    is_drawn = (_RARE * counts >= listed.sizes) & (counts >= _FEW) & (drops < counts)
    order_key = key.derive("drop q order")
    found = [first_hits(view, listed, order_key, words, np.flatnonzero(is_drawn & (drops > 0)), drops)]
    few = np.flatnonzero(~is_drawn & (drops > 0))
    if len(few):
        members = view.members()
        within = stratum_of(members, listed)
        chosen = np.isin(within, few)
        members, within = members[chosen], within[chosen]
        found.append(
            members[smallest_numbers(members, within, ids, order_key, words, counts, np.where(is_drawn, 0, drops))]
        )
    return np.sort(np.concatenate(found))


@dataclass(frozen=True, kw_only=True)
class DropQ(Parameterised):
    """Every part of a universe loses q records, q uniform on {2, ..., k}, before anything is computed.

    Two universes that differ in one record lose different records, so the difference of their tables is mostly nonsense:
    it shows the one record with probability (5), at most 1 / (k - 1). See :func:`drop_q` for how the choice is made.

    Protects against the difference of two universes that differ in one record or, for an insider, in two, and against padding
    with a large universe of other strata. Does not protect against averaging over many ways to write a set as a union or
    difference of others (weakest there: count decompositions), nor against an attacker who knows the number of members to
    within one: the number that is left tells him which with probability 1 / (k - 1).

    Parameters
    ----------
    k
        Most records that a part loses.
    least
        Fewest records that a part may show; with fewer left all are dropped. 1 is the paper's rule.
    stratified
        Whether records are dropped within every stratum. Without, the padding attack wins; it is there to show that.

    References
    ----------
    Lucero, J. et al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue, sections 3.1.2 and 4.

    Examples
    --------
    >>> DropQ(k=5).k
    5
    """

    k: Annotated[int, Interval(2, 1000)] = 5
    least: Annotated[int, Interval(1)] = LEAST
    stratified: bool = True

    @property
    def smallest(self) -> int:
        """Fewest records that a part loses."""
        return 2

    def apply(self, members: IntArray, strata: IntArray | None, ids: WordArray, key: Key) -> IntArray:
        """Return the rows that are kept; see :func:`drop_q`."""
        within = strata if self.stratified else None
        return drop_q(members, within, ids, key, k=self.k, least=self.least)

    def dropped(self, view: UniverseView, listed: StratumRows, ids: WordArray, key: Key) -> IntArray:
        """Return the rows that are dropped; see :func:`dropped_rows`."""
        return dropped_rows(view, listed, ids, key, k=self.k, least=self.least)


@dataclass(frozen=True, kw_only=True)
class DropFixed(Parameterised):
    """Every universe loses the same number of records: the rules Drop 1 and Drop 2, which are known to be weak.

    Both universes of a difference lose equally many, so the total of the difference is 1 always, and where most records
    lie in few cells the drops cancel.

    Protects against hardly anything; it is there for attackers, and for comparison with :class:`DropQ`.

    Parameters
    ----------
    q
        Records that are dropped.
    stratified
        Whether they are dropped within every stratum; the rules of the paper do not.

    References
    ----------
    Lucero, J. et al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue, section 3.1.2.

    Examples
    --------
    >>> key, ids = Key(b"0123456789abcdef"), np.arange(100, dtype=np.uint64)
    >>> len(DropFixed(q=2).apply(np.arange(50), None, ids, key))
    48
    """

    q: Annotated[int, Interval(1, 2)] = 2
    stratified: bool = False

    @property
    def k(self) -> int:
        """Most records that a part loses."""
        return self.q

    @property
    def smallest(self) -> int:
        """Fewest records that a part loses."""
        return self.q

    def apply(self, members: IntArray, strata: IntArray | None, ids: WordArray, key: Key) -> IntArray:
        """Return the rows that are kept; see :func:`drop_q`."""
        within = strata if self.stratified else None
        return drop_q(members, within, ids, key, k=self.q, smallest=self.q, least=1)

    def dropped(self, view: UniverseView, listed: StratumRows, ids: WordArray, key: Key) -> IntArray:
        """Return the rows that are dropped; see :func:`dropped_rows`."""
        return dropped_rows(view, listed, ids, key, k=self.q, smallest=self.q, least=1)


def _as_set(members: IntArray) -> IntArray:
    """Return row numbers increasing and each once."""
    return members if bool(np.all(members[1:] > members[:-1])) else np.unique(members)
