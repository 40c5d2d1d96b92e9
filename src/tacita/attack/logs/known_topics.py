"""Known topics: somebody who knows what a few queries were about, and no word of them, finds the profile with such interests."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.random import Generator

from tacita.attack.logs.known_queries import KnownQueries
from tacita.attack.logs.log_target import LogTarget
from tacita.attack.logs.released_profiles import FoundProfiles, ReleasedProfiles, find_profiles, matching_seconds
from tacita.attack.logs.topic_likeness import likeness_of_topics, topic_seconds
from tacita.core.errors import AttackError
from tacita.core.traits import AttackTraits

__all__ = ["KnownTopics"]


@dataclass(frozen=True, kw_only=True)
class KnownTopics(KnownQueries):
    """Find the profile with the topics of the few queries of which somebody knows what they were about.

    Each category counts more where few profiles have it, and a profile gets the cosine between its categories and those of the
    victim. What stands in the profile that fits best is said as by somebody who knows the queries.

    Returns
    -------
    Claims
        Of ``profile``, ``identity``, ``query``, ``sensitive_query`` and ``further_sensitive_topic``: a category beside those that
        are known.

    Complexity
    ----------
    O(v P c) at worst for v victims, P profiles and c categories that they have in common.

    Notes
    -----
    The categories of all levels count; of many profiles only those that few have. No claim is sure: others have the same
    interests.

    References
    ----------
    Erola, A., Castella-Roca, J., Navarro-Arribas, G. and Torra, V. (2011), Semantic microaggregation for the anonymization of
    query logs: profiles keep the interests, and this is what that tells.

    Examples
    --------
    >>> import numpy as np
    >>> from tacita.attack.judge.stage_log import stage_log
    >>> from tacita.data.directory.category_tree import CategoryTree
    >>> from tacita.data.directory.classified import Classified
    >>> from tacita.data.query_log.query_log import QueryLog
    >>> log = QueryLog.from_columns([f"u{i // 6}" for i in range(240)], [f"query {i}" for i in range(240)])
    >>> tree, number = CategoryTree.from_paths([(f"Topic {i}",) for i in range(40)]), np.arange(240)
    >>> topics = Classified.from_categories(tree, 240, number, number, number // 6, depth=1)
    >>> staged = stage_log(log, log, range(40), topics=topics, released_topics=topics)
    >>> import tacita as tc
    >>> tc.attack.attack_once(KnownTopics(), staged.target, staged.answers, seed=1).standing
    'broken'
    """

    name = "known_topics"
    title = "A neighbour who knows what somebody looks for"
    traits = AttackTraits(
        against="log",
        learns="value",
        knows="what a few queries of each victim are about",
        breaks="pseudonyms, where interests differ",
        held_by="profiles of groups with common interests",
    )

    knows = "topics"

    def declined(self, target: LogTarget) -> str:
        if target.topics is None or target.interests is None:
            return "Nobody knows what the queries are about."
        return super().declined(target)

    def cost(self, target: LogTarget) -> float:
        return matching_seconds(target.known, target.released) + topic_seconds(target)

    def find(self, target: LogTarget, profiles: ReleasedProfiles, rng: Generator) -> FoundProfiles:
        """Return the profiles whose categories are nearest to those of the victims, rare categories counting more."""
        from scipy import sparse

        likeness = likeness_of_topics(target, profiles)
        if likeness is None:
            raise AttackError(self.declined(target))
        nothing = sparse.csr_array((target.victims, len(target.released.texts)))
        return find_profiles(nothing, profiles, rng, likeness=likeness)
