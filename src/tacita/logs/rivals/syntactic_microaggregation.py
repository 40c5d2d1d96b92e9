"""Groups by spelling: users whose queries have terms in common are put together, whatever the terms mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.parameters import Interval
from tacita.core.streams import Streams
from tacita.logs.microaggregation.grouped_profiles import GroupedProfiles
from tacita.logs.microaggregation.interests import Interests
from tacita.logs.microaggregation.plain_log import PlainLog
from tacita.logs.terms import terms_of
from tacita.numeric.microaggregation.mdav.mdav import mdav_partition

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["SyntacticMicroaggregation", "hashed_terms"]


def hashed_terms(counts: sparse.csr_array, columns: int, rng: np.random.Generator) -> FloatArray:
    """Return users as points of length 1 or less: weighted terms added up in few columns, each with a sign drawn at random.

    The weight of a term is ``log(1 + times) log(users / users who have it)``, and 0 where one user alone has it; inner products
    are kept on average. O(entries + users columns).
    """
    from scipy import sparse  # loads when used

    users, terms = counts.shape
    having = np.bincount(counts.indices, minlength=terms)
    weighted = counts.astype(np.float64)
    rare = np.where(having > 1, np.log(users / np.maximum(having, 1)), 0.0)
    weighted.data = np.log1p(weighted.data) * rare[weighted.indices]
    length = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
    weighted.data = weighted.data / np.repeat(np.where(length > 0, length, 1.0), np.diff(weighted.indptr))
    signs = rng.integers(0, 2, terms) * 2.0 - 1.0
    hashed = sparse.coo_array((signs, (np.arange(terms), rng.integers(0, columns, terms))), shape=(terms, columns))
    return np.asarray((weighted @ sparse.csr_array(hashed)).toarray(), np.float64)


@dataclass(frozen=True, kw_only=True)
class SyntacticMicroaggregation(GroupedProfiles):
    """Replace groups of at least k users who write the same terms by one profile each.

    A user is the vector of his terms, rare ones with more weight, made shorter by hashing; MDAV puts users into groups of k to
    2 k - 1 whose vectors are near. Profiles are made as in semantic microaggregation.

    Protects as semantic microaggregation does. Words of two meanings bring users together who have nothing in common, and words
    of one meaning in two languages do not.

    Parameters
    ----------
    hashed_to
        How many numbers a user is told by.

    Complexity
    ----------
    O(u^2 h / k) time at worst for u users and h numbers, O(n + u h) memory for n lines.

    Notes
    -----
    The authors compare queries by edit distances, and whole logs of users as trees of queries, clicks and times, which takes
    days for large logs. Here two users are near when they share rare terms; the partition is MDAV as theirs is. Which column and
    sign a term has is drawn anew for every seed. More numbers tell users better apart and take longer.

    References
    ----------
    Navarro-Arribas, G. and Torra, V. (2009), Tree-based microaggregation for the anonymization of search logs, WI-IAT 2009.

    Navarro-Arribas, G., Torra, V., Erola, A. and Castella-Roca, J. (2012), User k-anonymity for privacy preserving data mining of
    query logs, Information Processing and Management 48(3).

    Examples
    --------
    >>> SyntacticMicroaggregation(k=3, hashed_to=16).hashed_to
    16
    """

    name = "syntactic_microaggregation"
    hashed_to: Annotated[int, Interval(1, 1024)] = 64

    def groups(self, plain: PlainLog, interests: Interests, streams: Streams) -> IntArray:
        """Put users with common terms together."""
        del interests
        counts = plain.log.asked[plain.asking] @ terms_of(plain.plain).counts
        points = hashed_terms(counts, self.hashed_to, streams.stream("terms"))
        return mdav_partition(points, self.k).astype(np.int64)
