"""Two releases of one query log: what stands in the profiles of a victim in both is his, and not that of changing others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.attack.logs.further_queries import claims_of_profiles, rows_of_profiles
from tacita.attack.logs.log_target import LogTarget
from tacita.attack.logs.profile_reader import ProfileReader
from tacita.attack.logs.released_profiles import (
    ReleasedProfiles,
    find_profiles,
    matching_seconds,
    rows_less,
    texts_asked,
)
from tacita.attack.logs.topic_likeness import likeness_of_topics, topic_seconds
from tacita.core.traits import AttackTraits

__all__ = ["TwoLogReleases"]


@dataclass(frozen=True, kw_only=True)
class TwoLogReleases(ProfileReader):
    """Find somebody's profile in each of several releases, and say of a query that stands in most of them that he asked it.

    Where groups are formed anew, the others behind his profile change and he does not: the more of his profiles have a text, the
    more likely it is his. Where groups stay and queries are drawn anew, more of them come out with every release.

    Returns
    -------
    Claims
        Of ``profile`` and ``identity`` in the first release, of ``further_query`` and, where there is a directory,
        ``further_sensitive_query`` and ``further_sensitive_topic``.

    Complexity
    ----------
    For each release O(sum over known texts, and known topics, of the profiles that have it), as for known queries.

    Notes
    -----
    Releases may differ by the seed, by k or by the method. Only texts that the first release has are said. Of several texts
    that stand in equally many of his profiles the rarest is said. No claim is sure: two of a group may have met again.

    References
    ----------
    Ganta, S. R., Kasiviswanathan, S. P. and Smith, A. (2008), Composition attacks and auxiliary information in data privacy.

    Examples
    --------
    >>> from tacita.attack.judge.stage_log import stage_log
    >>> from tacita.data.query_log.query_log import QueryLog
    >>> texts, people = [f"query {i}" for i in range(160)], np.arange(160) // 4
    >>> log = QueryLog.from_columns([f"u{i}" for i in people], texts)
    >>> one = QueryLog.from_columns([f"p{i // 4}" for i in people], texts)
    >>> two = QueryLog.from_columns([f"p{i % 10}" for i in people], texts)
    >>> staged = stage_log(log, one, [i // 4 for i in range(40)], earlier=[two])
    >>> import tacita as tc
    >>> found = tc.attack.attack_once(TwoLogReleases(), staged.target, staged.answers, seed=1)
    >>> found.standing, found.success
    ('broken', 1.0)
    """

    name = "two_log_releases"
    title = "Two releases of one query log"
    traits = AttackTraits(
        against="log",
        learns="value",
        knows="a few queries of each victim, and another release of the same log",
        breaks="groups that are formed anew for each release",
        held_by="one release, or releases without lines that one user alone asked",
    )

    def declined(self, target: LogTarget) -> str:
        if not target.earlier:
            return "There is no other release of the same log."
        return "" if len(target.released) else "Nothing was released."

    def cost(self, target: LogTarget) -> float:
        logs = (target.released, *target.earlier)
        return sum(matching_seconds(target.known, log) for log in logs) + len(logs) * topic_seconds(target)

    def run(self, target: LogTarget, rng: Generator) -> tuple[Claims, ...]:
        from scipy import sparse

        profiles = ReleasedProfiles.of_texts(target.released)
        known = texts_asked(target.known, target.released)
        found = find_profiles(known, profiles, rng, likeness=likeness_of_topics(target, profiles))
        rows = rows_of_profiles(found, profiles)
        times = sparse.csr_array((rows != 0).astype(np.int64))
        for log in target.earlier:
            other = ReleasedProfiles.of_texts(log)
            # The other release in the texts of this one.
            in_these = ReleasedProfiles(texts_asked(log, target.released))
            likeness = likeness_of_topics(target, in_these)
            there = find_profiles(texts_asked(target.known, log), other, rng, likeness=likeness)
            times = times + sparse.csr_array((rows_of_profiles(there, in_these) != 0).astype(np.int64))
        times = rows_less(sparse.csr_array(times.multiply(rows != 0)), known)
        times.data = times.data.astype(np.int64)
        most = np.zeros(target.victims, np.int64)
        victim = np.repeat(np.arange(target.victims), np.diff(times.indptr))
        np.maximum.at(most, victim, times.data)
        times.data = np.where(times.data == most[victim], times.data, 0)
        times.eliminate_zeros()
        nobody = np.zeros(target.victims, bool)
        return (
            *claims_of_profiles(target, found),
            *self.read(
                target,
                profiles,
                times,
                is_sure=nobody,
                rng=rng,
                knows="queries",
            ),
        )
