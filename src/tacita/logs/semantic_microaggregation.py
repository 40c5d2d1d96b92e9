"""Semantic microaggregation: users with common interests are grouped, and a group's users become one profile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.streams import Streams
from tacita.logs.microaggregation.grouped_profiles import GroupedProfiles
from tacita.logs.microaggregation.interests import Interests
from tacita.logs.microaggregation.plain_log import PlainLog
from tacita.numeric.user_groups.improve import improved_groups, interested
from tacita.numeric.user_groups.near_users import near_users
from tacita.numeric.user_groups.partition import LIST, WIDE, similar_groups

__all__ = ["SemanticMicroaggregation"]

_MOVES, _FEW_MOVES, _MANY_MOVES = 2_000_000, 100, 500
"""Exchanges that are tried for better groups: so many, within these limits for each user."""
_SMALL = 10
"""An exchange between groups of more users takes longer: fewer are tried."""


@dataclass(frozen=True, kw_only=True)
class SemanticMicroaggregation(GroupedProfiles):
    """Replace groups of at least k users with common interests by one profile each.

    Every user is described by how often his queries fall into each category of a topic directory, at every level. Two users are
    as similar as these counts have in common: ``sum over levels and categories of min(a, b)``. The most similar users form
    groups, and each gives some of his lines to the profile of his group, in proportion to how many he has.

    Protects against whoever looks for the history of one user, and, in the mode ``safe``, for a query that only one user of the
    group asked, for the days on which one user was there, and for what one user clicked. Does not protect against another
    user of the group, who sees which of his own queries somebody else asked too; nor whoever has two numbers in the log, since
    what he asked under both has two askers; nor against comparing two releases of one log. Numbers tell something too: a text
    that one user asked a hundred times and another one once stands in the profile about as often as the one alone would have
    brought it there. In the mode ``paper`` it protects nobody who asked for his own name: texts leave as they were written.

    Parameters
    ----------
    partition
        How users are grouped. ``paper`` takes the most similar pair and adds whoever is most similar to the group. ``improved``
        begins there, and lets users change groups as long as more of their interests are expected to remain.

    Complexity
    ----------
    Groups of up to 3000 users O(u^2) time and memory for u users; beyond, O(u e) time for e categories a user, and O(u e)
    memory. Better groups take O(k e) time for each of the 100 to 500 exchanges a user that are tried, fewer for k above 10. The
    rest O(n log n) time and O(n) memory for n lines. 100 000 users with five million lines take minutes and 2 GB.

    Notes
    -----
    Misprints of the paper are corrected: groups are formed as long as k users are left, the others (fewer than k) join the group
    that they are most similar to, and a user stops when he has no further query. Equal similarities go by the lowest number of a
    user, equal repetitions by the order of the texts. Up to 3000 users all pairs are compared; beyond, lists of near users take
    the place of the matrix.

    A quota is |Q_i| divided by the size of the group. In the mode ``paper`` a user stops with the query that reaches the quota,
    as printed, and the copies of that query may lead beyond it. In the mode ``safe`` he stops at the quota, rounded up. A
    user with fewer lines than others in his group contributes less than his quota, so profiles are somewhat shorter than the
    average of their users in both modes.

    Texts are compared, and in the mode ``safe`` released, in small letters with single blanks. Users who asked nothing hide
    nobody: no profile stands for them. Ranks of clicks and sessions never leave: what was asked within half an hour was asked by
    one user. What leaves is recounted from the two logs before it is returned.

    References
    ----------
    Erola, A., Castella-Roca, J., Navarro-Arribas, G., Torra, V. (2011). Semantic microaggregation for the anonymization of query
    logs using the Open Directory Project. SORT special issue, 41-58: Algorithms 1 to 5.

    Examples
    --------
    >>> from tacita.data.directory.category_tree import CategoryTree
    >>> from tacita.data.directory.classified import Classified
    >>> from tacita.data.query_log.query_log import QueryLog
    >>> users, asked = ["ann"] * 6 + ["bob"] * 6, ["tea"] * 4 + ["my name", "ajax"] + ["Tea"] * 4 + ["my house", "milan"]
    >>> log = QueryLog.from_columns(users, asked)
    >>> tree = CategoryTree.from_paths([("Home", "Drinks"), ("Sports", "Soccer")])
    >>> about = {"tea": 1, "Tea": 1, "ajax": 3, "milan": 3}
    >>> known = np.flatnonzero([text in about for text in log.texts.to_pylist()])
    >>> of_text = np.array([about[log.texts[int(place)].as_py()] for place in known])
    >>> topics = Classified.from_categories(tree, len(log.texts), known, known, of_text, depth=2)
    >>> made = SemanticMicroaggregation(k=2).apply(log, topics, seed=1)
    >>> made.log.texts.to_pylist(), made.certificate.holds
    (['Sports: Soccer', 'tea'], True)
    """

    name = "semantic_microaggregation"
    faces = (
        *("own_queries", "known_queries", "known_topics", "vanity_search"),
        *("group_mate_queries", "two_log_releases", "time_trace"),
    )
    partition: Literal["improved", "paper"] = "improved"

    def groups(self, plain: PlainLog, interests: Interests, streams: Streams) -> IntArray:
        """Put users of like interests together."""
        users, n = interests.counts[plain.asking], len(plain.asking)
        if self.partition == "paper":
            return similar_groups(users, self.k)
        lists = near_users(users, most=LIST, wide=WIDE)
        labels = similar_groups(users, self.k, lists=lists)
        lines = np.bincount(plain.user, minlength=n)
        known = interested(users, interests.level, lines, self.askers if self.mode == "safe" else 1)
        moves = n * max(_FEW_MOVES, min(_MANY_MOVES, _MOVES // n)) * _SMALL // max(self.k, _SMALL)
        state = streams.stream("groups").integers(2**64, size=1, dtype=np.uint64)
        return improved_groups(known, lists, labels, self.k, moves=moves, state=state)
