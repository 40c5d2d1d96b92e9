"""Known queries: a neighbour who knows a few of somebody's queries finds his profile, and reads the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.logs.further_queries import claims_of_profiles, claims_of_queries, rows_of_profiles, topic_of_texts
from tacita.attack.logs.log_target import LogTarget
from tacita.attack.logs.released_profiles import (
    FoundProfiles,
    ReleasedProfiles,
    best_of_rows,
    find_profiles,
    matching_seconds,
    texts_asked,
)
from tacita.core.errors import AttackError
from tacita.core.traits import AttackTraits

__all__ = ["KnownQueries"]


@dataclass(frozen=True, kw_only=True)
class KnownQueries(Attacker):
    """Find the profile with the few queries that are known of somebody, and say of a further query in it that he asked it.

    The known texts are held against every profile; one that stands in few profiles counts more. By topics only, the categories
    of the known queries are: each profile gets the cosine between its categories and those of the victim. Out of the profile that
    fits best the rarest other text is said to be the victim's, and the rarest of a sensitive category.

    Parameters
    ----------
    by
        What is known: the ``queries`` as he wrote them, or only their ``topics``.
    sensitive
        Names of the categories that are sensitive.

    Returns
    -------
    Claims
        Of ``profile``, ``identity``, ``further_query`` and, where there is a directory, ``further_sensitive_query`` (a text that
        the victim asked) and ``further_sensitive_topic`` (a category that he asked about).

    Complexity
    ----------
    O(sum over known texts of the profiles that have it); by topics O(v P c) at worst for v victims, P profiles and c categories.

    Notes
    -----
    A query that is known beforehand does not count. What a guess gets right is how often any user asks what is said, or, where
    that is more, what the same attack tells of people whose profiles were taken out. The figure ``promised`` is 1/k: a method
    that puts k users behind a profile promises no more than that.

    References
    ----------
    Frankowski, D., Cosley, D., Sen, S., Terveen, L. and Riedl, J. (2006), You are what you say: privacy risks of public
    mentions; Erola, A., Castella-Roca, J., Navarro-Arribas, G. and Torra, V. (2011), section 2, for the promise.

    Examples
    --------
    >>> from tacita.attack.judge.stage_log import stage_log
    >>> from tacita.data.query_log.query_log import QueryLog
    >>> users = [f"u{i}" for i in range(40) for _ in range(5)]
    >>> log = QueryLog.from_columns(users, [f"query {i}" for i in range(200)])
    >>> staged = stage_log(log, log, range(40))
    >>> import tacita as tc
    >>> tc.attack.attack_once(KnownQueries(), staged.target, staged.answers, seed=1).standing
    'broken'
    """

    name = "known_queries"
    title = "A neighbour who knows three queries"
    traits = AttackTraits(
        against="log",
        learns="value",
        knows="a few queries of each victim, or what they are about",
        breaks="pseudonyms, and profiles with lines that one user alone asked",
        held_by="a choice of publishable queries without users, with differential privacy",
    )

    by: Literal["queries", "topics"] = "queries"
    sensitive: tuple[str, ...] = ("Health",)

    def declined(self, target: LogTarget) -> str:
        if not len(target.released):
            return "Nothing was released."
        if self.by == "topics" and (target.topics is None or target.interests is None):
            return "Nobody knows what the queries are about."
        return ""

    def cost(self, target: LogTarget) -> float:
        return matching_seconds(target.known, target.released) * (1 if self.by == "queries" else 10)

    def run(self, target: LogTarget, rng: Generator) -> tuple[Claims, ...]:
        profiles = ReleasedProfiles.of_texts(target.released)
        known = texts_asked(target.known, target.released)
        by_topics = self.by == "topics"
        found = _find_by_topics(target, profiles, rng) if by_topics else find_profiles(known, profiles, rng)
        rows = rows_of_profiles(found, profiles)
        # In a profile that is his for sure, and his alone by what is known of the method, every line is his.
        sure = found.is_sure & (target.k == 1)
        return (
            *claims_of_profiles(target, found),
            *claims_of_queries(
                target, profiles, rows, is_sure=sure, rng=rng, sensitive=self.sensitive, knows_some=True
            ),
        )


def _find_by_topics(target: LogTarget, profiles: ReleasedProfiles, rng: Generator) -> FoundProfiles:
    """Return the profiles whose categories are nearest to those of the victims, rare categories counting more."""
    from scipy import sparse

    topics = target.topics
    if topics is None:
        raise AttackError("Nobody knows what the queries are about.")
    about = sparse.csr_array(profiles.lines @ topic_of_texts(topics))
    seen = ReleasedProfiles(about)
    victims, others = (_unit(matrix, seen.rarity) for matrix in (target.interests, about))
    score = sparse.csr_array(victims @ sparse.csr_array(others.T))
    score.data = score.data + 1e-9 * rng.random(len(profiles))[score.indices]
    place, _ = best_of_rows(score)
    return FoundProfiles(place, np.zeros(len(place), bool))


def _unit(matrix: Any, weights: Any) -> Any:
    """Return the rows of a sparse matrix weighed and of length one."""
    from scipy import sparse

    weighed = sparse.csr_array(matrix.multiply(weights))
    length = np.sqrt(np.asarray(weighed.multiply(weighed).sum(axis=1)).ravel())
    return sparse.csr_array(weighed.multiply((1 / np.where(length > 0, length, 1.0))[:, None]))
