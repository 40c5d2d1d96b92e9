"""Groups by chance: the profiles of semantic microaggregation for users who were put together at random."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.streams import Streams
from tacita.logs.microaggregation.grouped_profiles import GroupedProfiles
from tacita.logs.microaggregation.interests import Interests
from tacita.logs.microaggregation.plain_log import PlainLog

__all__ = ["RandomGroups", "random_partition"]


def random_partition(n: int, k: int, rng: np.random.Generator) -> IntArray:
    """Return a group for each of n users, all partitions into n // k groups as even as can be alike. O(n).

    Examples
    --------
    >>> np.bincount(random_partition(11, 3, np.random.default_rng(1))).tolist()
    [4, 4, 3]
    """
    labels = np.empty(n, np.int64)
    labels[rng.permutation(n)] = np.arange(n) % max(n // k, 1)
    return labels


@dataclass(frozen=True, kw_only=True)
class RandomGroups(GroupedProfiles):
    """Replace groups of at least k users, drawn at random, by one profile each.

    Everything but the groups is done as in semantic microaggregation, in the same modes: what is lost beyond it is lost because
    users of a group have little in common.

    Protects as semantic microaggregation does. In the mode ``safe`` less leaves, because fewer texts are shared in a group.

    Complexity
    ----------
    O(n log n) time for n lines, O(n) memory.

    Notes
    -----
    Groups are as even as can be: their sizes differ by one at most. With the mode ``paper`` it is the random partition that the
    paper speaks of beside expression (5).

    References
    ----------
    Erola, A., Castella-Roca, J., Navarro-Arribas, G., Torra, V. (2011). Semantic microaggregation for the anonymization of query
    logs using the Open Directory Project. SORT special issue, 41-58: section 4.1.

    Examples
    --------
    >>> RandomGroups(k=3, mode="paper").words().split(",")[0]
    'random_groups(k=3'
    """

    name = "random_groups"

    def groups(self, plain: PlainLog, interests: Interests, streams: Streams) -> IntArray:
        """Draw the groups."""
        del interests
        return random_partition(len(plain.asking), self.k, streams.stream("groups"))
