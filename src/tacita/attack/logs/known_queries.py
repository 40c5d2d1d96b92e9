"""Known queries: a neighbour who knows a few of somebody's queries finds his profile, and reads the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.attack.logs.further_queries import Knows, claims_of_profiles, rows_of_profiles
from tacita.attack.logs.log_target import LogTarget
from tacita.attack.logs.profile_reader import ProfileReader
from tacita.attack.logs.released_profiles import (
    FoundProfiles,
    ReleasedProfiles,
    find_profiles,
    matching_seconds,
    texts_asked,
)
from tacita.attack.logs.topic_likeness import likeness_of_topics, topic_seconds
from tacita.core.traits import AttackTraits

__all__ = ["KnownQueries"]


@dataclass(frozen=True, kw_only=True)
class KnownQueries(ProfileReader):
    """Find the profile with the few queries that are known of somebody, and say of a further query in it that he asked it.

    The known texts are held against every profile; one that stands in few profiles counts more. Where there is a directory, the
    topics of the known texts are too, so that a profile without these texts may be found. Out of the profile that fits best
    the rarest other text is said to be the victim's, and the rarest of a sensitive category.

    Returns
    -------
    Claims
        Of ``profile``, ``identity``, ``further_query`` and, where there is a directory, ``further_sensitive_query`` (a text that
        the victim asked) and ``further_sensitive_topic`` (a category that he asked about).

    Complexity
    ----------
    O(sum over known texts, and known topics, of the profiles that have it).

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
        knows="a few queries of each victim",
        breaks="pseudonyms, and profiles with lines that one user alone asked",
        held_by="a choice of publishable queries without users, with differential privacy",
    )

    knows: ClassVar[Knows] = "queries"

    def declined(self, target: LogTarget) -> str:
        return "" if len(target.released) else "Nothing was released."

    def cost(self, target: LogTarget) -> float:
        return matching_seconds(target.known, target.released) + topic_seconds(target)

    def find(self, target: LogTarget, profiles: ReleasedProfiles, rng: Generator) -> FoundProfiles:
        """Return the profile that fits what is known of each victim best."""
        known = texts_asked(target.known, target.released)
        return find_profiles(known, profiles, rng, likeness=likeness_of_topics(target, profiles))

    def run(self, target: LogTarget, rng: Generator) -> tuple[Claims, ...]:
        profiles = ReleasedProfiles.of_texts(target.released)
        found = self.find(target, profiles, rng)
        rows = rows_of_profiles(found, profiles)
        # In a profile that is his for sure, and his alone by what is known of the method, every line is his.
        sure = found.is_sure & (target.k == 1)
        return (
            *claims_of_profiles(target, found),
            *self.read(
                target,
                profiles,
                rows,
                is_sure=sure,
                rng=rng,
                knows=self.knows,
            ),
        )
