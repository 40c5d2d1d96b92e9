"""Query masking: each query goes out among k - 1 fake ones of similar frequency, and the database answers all of them.

Retrieval is h(k)-private when H(Q0 | Qp) >= h(k): the entropy of the target Q0, given what the database sees, Qp, is at least
h(k), which does not fall with k. Here h(k) = share * log2 k. Queries are sorted by frequency and cut into blocks. ``kept``:
blocks of k; the others of the block are the fakes, for everybody and for ever. ``fresh``: k - 1 of a block of ``spread`` k are
drawn for each submission. Every member of a block is as likely to be masked by the others, so that what the database knows of
one submission is exactly p(w) over the sum of p in the set.

References
----------
Domingo-Ferrer, J., Solanas, A., Castella-Roca, J. (2009). h(k)-private information retrieval from privacy-uncooperative queryable
databases. Online Information Review 33, 720-744.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.streams import Seed, Streams
from tacita.games.search.community import Community
from tacita.games.search.sights import Sight, check_submissions

__all__ = ["Fakes", "MaskedQueries", "mask_queries"]

Fakes = Literal["kept", "fresh"]
"""kept: a query has the same fakes always. fresh: they are drawn anew for each submission."""


@dataclass(frozen=True, eq=False)
class MaskedQueries:
    """Queries with their fakes.

    Parameters
    ----------
    community
        Whose queries they are.
    members
        (M, k) the set that is submitted for each; the target stands first, which the database does not see.
    likely
        (M, k) how likely each member is the target, for who sees that set alone.
    fakes
        ``kept`` or ``fresh``.
    """

    community: Community
    members: IntArray
    likely: FloatArray
    fakes: Fakes

    @property
    def k(self) -> int:
        """How many queries are submitted for one."""
        return int(self.members.shape[1])

    def entropies(self) -> FloatArray:
        """Return (M,): H(Q0 | Qp = the set) of each submission, in bits."""
        shares = self.likely
        return np.asarray(-(shares * np.log2(np.maximum(shares, 1e-300))).sum(axis=1), np.float64)

    def holds(self, share: float = 0.9) -> float:
        """Return in which share of the submissions H(Q0 | Qp) is at least ``share`` log2 k."""
        return float((self.entropies() >= share * np.log2(self.k) - 1e-12).mean()) if len(self.members) else 1.0

    def told_at_once(self) -> float:
        """Return how often the likeliest member of a set is the target, on average over what could have been the target."""
        return float(self.likely.max(axis=1).mean()) if len(self.members) else 0.0

    def told_by_history(self) -> float:
        """Return how often the target is the member that stands most often under the name at the end, equal ones by chance."""
        names = np.repeat(self.community.owner.astype(np.int64), self.k)
        codes = names * self.community.queries + self.members.ravel()
        _, where, count = np.unique(codes, return_inverse=True, return_counts=True)
        times = count[where].reshape(self.members.shape)
        first = times == times.max(axis=1, keepdims=True)
        return float((first[:, 0] / first.sum(axis=1)).mean()) if len(times) else 0.0

    def sight(self) -> Sight:
        """Return what the database sees: all members of all sets, each under the name of who submitted the set."""
        line = np.repeat(np.arange(len(self.members)), self.k)
        own = np.zeros(self.members.shape, np.bool_)
        own[:, 0] = True
        return Sight(
            self.community, self.community.owner[line], self.members.ravel().astype(np.int32), line, own.ravel()
        )


def mask_queries(
    community: Community, k: int = 3, *, fakes: Fakes = "kept", spread: int = 4, seed: Seed
) -> MaskedQueries:
    """Mask each query with k - 1 fake ones of similar frequency.

    Parameters
    ----------
    community
        Peers and queries; frequencies are those of the community, as a query log gives them.
    k
        How many queries are submitted for one, at least 2.
    fakes
        ``kept`` or ``fresh``.
    spread
        Blocks of ``fresh`` have ``spread`` k queries.
    seed
        Orders queries of equal frequency, and draws fresh fakes.

    Raises
    ------
    DataError
        When there are fewer than k different queries.

    Notes
    -----
    What is left of the rarest queries belongs to the block before; of that one fakes are drawn anew always. Complexity:
    O(M k + queries log queries).

    Examples
    --------
    >>> from tacita.games.search.community import community_of_sample
    >>> masked = mask_queries(community_of_sample(50, 1000, seed=1), 4, seed=1)
    >>> masked.members.shape[1], bool((masked.entropies() <= 2 + 1e-12).all())
    (4, True)
    """
    if isinstance(k, bool) or not isinstance(k, int) or k < 2:
        raise ParameterError("'k' must be a whole number, at least 2.")
    if fakes not in get_args(Fakes):
        raise ParameterError(f"'fakes' must be one of {', '.join(get_args(Fakes))}, got {fakes!r}.")
    if isinstance(spread, bool) or not isinstance(spread, int) or spread < 1:
        raise ParameterError("'spread' must be a whole number, at least 1.")
    check_submissions(community, k, "k")
    if community.queries < k:
        raise DataError(f"To mask queries among {k}, there must be {k} different ones, got {community.queries}.")
    rng = Streams(seed).within("peer_search", "masking").stream(fakes)
    times = np.bincount(community.query, minlength=community.queries)
    order = np.lexsort((rng.random(community.queries), -times))
    place = np.empty(community.queries, np.int64)
    place[order] = np.arange(community.queries)
    block = k if fakes == "kept" else min(k * spread, community.queries)
    blocks = max(community.queries // block, 1)
    number = np.minimum(place[community.query] // block, blocks - 1)
    begin = number * block
    width = np.where(number == blocks - 1, community.queries - begin, block)
    own = place[community.query] - begin
    others = np.where((width == k)[:, None], _kept(np.minimum(own, k - 1), k), _fresh(own, width, k, rng))
    members = order[begin[:, None] + np.concatenate([own[:, None], others], axis=1)]
    frequency = times[members].astype(np.float64)
    return MaskedQueries(community, members, frequency / frequency.sum(axis=1, keepdims=True), fakes)


def _kept(own: IntArray, k: int) -> IntArray:
    """Return (M, k - 1): the others of a block of k."""
    offset = np.arange(k - 1)
    return np.asarray(offset + (offset >= own[:, None]), np.int64)


def _fresh(own: IntArray, width: IntArray, k: int, rng: np.random.Generator) -> IntArray:
    """Return (M, k - 1): different places of the block besides the own one, drawn anew each time (Floyd's algorithm)."""
    found = np.full((len(own), k - 1), -1, np.int64)
    for turn in range(k - 1):  # k is small; each turn draws for all lines
        limit = width - 1 - (k - 1) + turn + 1  # places of the others: 0 to limit - 1
        drawn = np.minimum((rng.random(len(own)) * limit).astype(np.int64), limit - 1)
        taken = (found[:, :turn] == drawn[:, None]).any(axis=1)
        found[:, turn] = np.where(taken, limit - 1, drawn)
    return found + (found >= own[:, None])
