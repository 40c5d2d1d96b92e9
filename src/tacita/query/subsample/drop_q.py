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

__all__ = ["LEAST", "DropFixed", "DropQ", "drop_q"]

LEAST = 3
"""Fewest records that a part of a universe may show; of a part that would show one or two nothing is kept."""

_BLOCK = 1 << 15
"""Records at a time: their blocks stay in the cache. Sums of 2**15 hashes of 31 bits are exact as floating-point numbers."""
_BITS = 62


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

    The part of the universe in stratum s has n_s members. With h1 and h2 the sums of their two keyed hashes,

        u = HMAC(key, h1 || h2 || n_s || s),    q uniform on {``smallest``, ..., k} by u,

    and the q members with the smallest AES(key, id || u) are dropped. So the choice hangs on the set of members alone:
    neither on the words that described it, nor on the order of rows, nor on what the universe has in other strata.

    Parameters
    ----------
    members
        Row numbers of the universe, in any order; twice the same is the same as once.
    strata
        (n,): stratum of every record of the data version, codes from 0 on. It is a partition that stays as it is for the
        whole life of the version. None: all are one stratum, which the padding attack beats.
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
    O(n) time for n members, and one HMAC a stratum; O(n) memory. It is a pure function: whoever asks often about one set
    keeps the result.

    Notes
    -----
    A part of few members. Left alone, it would be open to differencing, the very thing that the rule is against. So it
    loses q as any other, and all when fewer than ``least`` = 3 would stay: parts of up to 4 always vanish, parts above k + 2
    never. The paper does not say what happens there. A fixed limit on n_s instead would tell for certain, right at the
    limit, whether somebody is a member; here the limit moves with the secret q. And what is seen is a function of what the
    plain rule (``least`` = 1) would show, so it tells no more; the one or two records that the plain rule would lay open
    are hidden. An empty part says no more than n_s <= k + 2.

    k, ``smallest`` and ``least`` are fixed for the life of a version. The order of the members does not depend on them, so
    after a change the new subsample contains the old one or is contained in it, and the difference of the two answers is a
    few true records.

    A part is a set of records, not of persons or households: where one of them has several records, a universe must not
    split them, which is for the rules on universes.

    One pass of AES over id || u serves all strata, so that thousands of them cost little more than one.

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
    if not 0 <= smallest <= k:
        raise ParameterError(f"drop_q: 'smallest' must be in [0, k], got {smallest} with k={k}.")
    members = _as_set(np.asarray(members, dtype=np.int64))
    if len(ids) and strata is not None and len(strata) != len(ids):
        raise DataError(
            "drop_q: 'strata' and 'ids' must have one entry for each record; give both for the same data version."
        )
    if not len(members):
        return members
    if members[0] < 0 or members[-1] >= len(ids):
        raise DataError("drop_q: row numbers must be those of the data version; a member lies outside.")
    codes, part = _parts(members, strata)
    counts = np.bincount(part, minlength=len(codes))
    sums = _sums(members, part, len(codes), ids, key)
    drops = np.zeros(len(codes), dtype=np.int64)
    words = np.zeros(len(codes), dtype=np.uint64)
    for s, (code, count, (h1, h2)) in enumerate(zip(codes.tolist(), counts.tolist(), sums.tolist(), strict=True)):
        if count:
            u = key.digest("drop q", h1, h2, count, code)
            drops[s] = smallest + int.from_bytes(u[:16], "big") % (k - smallest + 1)
            words[s] = int.from_bytes(u[16:24], "big")
    drops = np.where(counts - drops < least, counts, drops)
    dropped = _smallest(members, part, ids, key.derive("drop q order"), words, counts, drops)
    keeps = np.ones(len(members), dtype=np.bool_)
    keeps[dropped] = False
    return members[keeps]


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


def _as_set(members: IntArray) -> IntArray:
    """Return row numbers increasing and each once."""
    return members if bool(np.all(members[1:] > members[:-1])) else np.unique(members)


def _parts(members: IntArray, strata: IntArray | None) -> tuple[IntArray, IntArray]:
    """Return the codes of strata that may occur, and the place of each member's stratum among them."""
    if strata is None:
        return np.zeros(1, dtype=np.int64), np.zeros(len(members), dtype=np.int64)
    part = np.asarray(strata)[members].astype(np.int64, copy=False)
    low, high = int(part.min()), int(part.max())
    if low < 0 or high > len(members) + (1 << 16):  # codes with wide gaps
        codes, part = np.unique(part, return_inverse=True)
        return codes, part
    return np.arange(high + 1, dtype=np.int64), part


def _sums(members: IntArray, part: IntArray, parts: int, ids: WordArray, key: Key) -> IntArray:
    """Return (parts, 2): exact sums of the members' keyed hashes within each part."""
    sums = np.zeros((parts, 2), dtype=np.int64)
    block = min(max(_BLOCK, parts), 1 << 22)  # 2**22 numbers of 31 bits stay below 2**53
    for start in range(0, len(members), block):
        rows, places = members[start : start + block], part[start : start + block]
        hashes = key.record_keys(ids[rows])
        for column in range(2):
            sums[:, column] += np.bincount(places, hashes[:, column], minlength=parts).astype(np.int64)
    return sums


def _smallest(
    members: IntArray,
    part: IntArray,
    ids: WordArray,
    order_key: Key,
    words: WordArray,
    counts: IntArray,
    drops: IntArray,
) -> IntArray:
    """Return which members have the smallest keyed numbers of their part, as many of each part as it loses.

    Keyed numbers are uniform, so all but a handful are ruled out by a limit that some more than q are expected below; where
    it was too low, which is as good as never, all members of the part are looked at.
    """
    expected = drops + 8.0 * np.sqrt(drops) + 16.0
    share = np.where(drops > 0, expected / np.maximum(counts, 1), 0.0)
    limits = np.where(share < 1.0, np.floor(share * 2.0**_BITS), 2.0**_BITS).astype(np.int64)
    places, order = _below(members, part, ids, order_key, words, limits)
    short = np.bincount(part[places], minlength=len(counts)) < drops
    if short.any():
        limits[short] = 1 << _BITS
        places, order = _below(members, part, ids, order_key, words, limits)
    sorts = np.lexsort((order, part[places]))
    places = places[sorts]
    starts = np.cumsum(np.bincount(part[places], minlength=len(counts)))
    rank = np.arange(len(places)) - np.concatenate([[0], starts])[part[places]]
    return np.asarray(places[rank < drops[part[places]]], dtype=np.int64)


def _below(
    members: IntArray, part: IntArray, ids: WordArray, order_key: Key, words: WordArray, limits: IntArray
) -> tuple[IntArray, IntArray]:
    """Return the members whose keyed number is below the limit of their part, and these numbers of 62 bits."""
    places, numbers = [], []
    for start in range(0, len(members), _BLOCK):
        rows, within = members[start : start + _BLOCK], part[start : start + _BLOCK]
        hashes = order_key.record_keys(np.column_stack([ids[rows], words[within]]))
        number = (hashes[:, 0] << 31) | hashes[:, 1]
        found = np.flatnonzero(number < limits[within])
        places.append(found + start)
        numbers.append(number[found])
    return np.concatenate(places), np.concatenate(numbers)
