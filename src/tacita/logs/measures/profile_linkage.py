"""Who is told again: whether the released profile that looks most like a user is the one that stands for him."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.parameters import Interval
from tacita.core.streams import Streams
from tacita.core.traits import LogMeasureTraits
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import Codes, QueryLog
from tacita.logs.anonymiser import AnonymisedLog
from tacita.logs.log_measure import LogFigure, LogMeasure
from tacita.logs.measures.matched import row_sums, same_tree, text_places, topics_of_users
from tacita.numeric.statistics.shares import interval_of_share

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["ProfileLinkage", "linked"]

_CELLS = 4_000_000
"""Similarities that are held at a time."""


def linked(users: sparse.csr_array, profiles: sparse.csr_array, profile: Codes) -> FloatArray:
    """Return for each user the chance that the most similar profile is his; several that are alike share it.

    Similar is what has a large cosine. Whoever is like none guesses among all. O(u p) time for u users and p profiles that have
    something in common, by blocks of users; never all pairs at once.
    """
    found = np.zeros(users.shape[0])
    if not profiles.shape[0]:
        return found
    own, columns = _unit(users), _unit(profiles).T.tocsc()
    for rows in _blocks(users.shape[0], profiles.shape[0]):
        alike = (own[rows] @ columns).toarray()
        best = alike.max(axis=1)
        first = alike >= (best - 1e-9)[:, None]
        his = profile[rows]
        is_first = (his >= 0) & first[np.arange(len(his)), his]
        found[rows] = is_first / first.sum(axis=1)
    return found


def _blocks(users: int, profiles: int) -> Iterator[slice]:
    step = max(1, _CELLS // profiles)
    for start in range(0, users, step):
        yield slice(start, min(start + step, users))


def _unit(rows: sparse.csr_array) -> sparse.csr_array:
    """Return the rows with length 1; empty rows stay empty."""
    scaled = rows.astype(np.float64)
    length = np.sqrt(row_sums(scaled.multiply(scaled).tocsr()))
    scaled.data = scaled.data / np.repeat(np.where(length > 0, length, 1.0), np.diff(scaled.indptr))
    return scaled


@dataclass(frozen=True, kw_only=True)
class ProfileLinkage(LogMeasure):
    """Share of users whose own searches are most like the profile that stands for them.

    An intruder who knows all searches of a user looks for the released profile that is nearest, in two ways: by the texts that
    both have, and by their topics. He succeeds where the nearest profile is the one that stands for the user; several that are
    equally near he chooses among at random. Similarity is the cosine of the counts: of texts, each weighted by
    ``log(profiles / profiles that have it) + 1``, so that rare ones count more; of the categories of all levels.

    The value is the larger of the two shares. Guessing has ``chance = 100 / number of profiles``.

    Protects nothing itself. A high share does not mean that a user is identified: k users stand behind the profile, and all of
    them are linked to it. It means that the intruder knows which profile to read.

    Parameters
    ----------
    exact
        Whether every user is looked at, however many there are.
    sample
        How many users are looked at when there are more than ``many``; each still meets all profiles.
    many
        Number of users above which a sample of them is looked at; 5000 where it is not given.
    seed
        Seed of the sample; the same seed gives the same number.

    Returns
    -------
    LogFigure
        Percent of all users; those for whom no profile stands are not linked. Parts: ``by texts``, ``by topics`` where both logs
        are classified, ``chance``; of a sample ``95 % interval from`` and ``95 % interval to``. One value for each user: the
        chance in percent that he is linked, by the stronger way; missing outside the sample.

    Complexity
    ----------
    O(u p) time for u users that are looked at and p profiles, 4 million similarities in memory at a time.

    Notes
    -----
    The intruder knows everything that a user searched for: no intruder knows more of that kind. Who knows only three of the
    queries is an attacker of the red team.

    References
    ----------
    Jones, R., Kumar, R., Pang, B. and Tomkins, A. (2007), "I know what you did last summer": query logs and user privacy, CIKM.

    Examples
    --------
    >>> log = QueryLog.from_columns(["ann", "bob", "eve", "joe"], ["tea", "tea", "goal", "foul"])
    >>> left = QueryLog.from_columns(["one", "two"], ["tea", "goal"])
    >>> made = AnonymisedLog(log=left, profile=np.array([0, 0, 1, 1], np.int32), method="by hand")
    >>> found = ProfileLinkage().of(log, None, made)
    >>> found.value, found.per_user.tolist(), found.parts["chance"]
    (87.5, [100.0, 100.0, 100.0, 50.0], 50.0)
    """

    name = "profile_linkage"
    title = "Linkage of users and profiles"
    traits = LogMeasureTraits(better="lower", is_risk=True)
    exact: bool = False
    sample: Annotated[int, Interval(1)] = 2000
    many: Annotated[int, Interval(1)] | None = None
    seed: Annotated[int, Interval(0)] = 0

    def measure(self, log: QueryLog, topics: Classified | None, anonymised: AnonymisedLog) -> LogFigure:
        """Link the users, or a sample of them, in both ways."""
        chosen = self._chosen(len(log.users))
        profile = anonymised.profile[chosen]
        ways = {"by texts": linked(*_texts(log, anonymised, chosen), profile)}
        if topics is not None and anonymised.topics is not None:
            ways["by topics"] = linked(*self._topics(log, topics, anonymised, chosen), profile)
        means = {way: float(share.mean()) if len(share) else 0.0 for way, share in ways.items()}
        strongest = max(means, key=lambda way: means[way])
        parts = {way: 100 * share for way, share in means.items()}
        parts["chance"] = 100.0 / len(anonymised.log.users) if len(anonymised.log.users) else 0.0
        per_user = np.full(len(log.users), np.nan)
        per_user[chosen] = 100 * ways[strongest]
        note = f"Strongest {strongest}."
        if len(chosen) < len(log.users):
            low, high = interval_of_share(means[strongest], len(chosen))
            parts |= {"95 % interval from": 100 * low, "95 % interval to": 100 * high}
            note += f" A sample of {len(chosen)} out of {len(log.users)} users; 'exact' looks at all."
        return LogFigure(value=parts[strongest], per_user=per_user, parts=parts, note=note)

    def _chosen(self, users: int) -> IntArray:
        """Return which users are looked at."""
        if self.exact or users <= max(5000 if self.many is None else self.many, self.sample):
            return np.arange(users, dtype=np.int64)
        rng = Streams(self.seed).stream(self.name, "users")
        return np.sort(rng.choice(users, self.sample, replace=False, shuffle=False))

    def _topics(
        self, log: QueryLog, topics: Classified, anonymised: AnonymisedLog, chosen: IntArray
    ) -> tuple[sparse.csr_array, sparse.csr_array]:
        """Return how often each chosen user, and each profile, has each category of any level."""
        before, after = same_tree(topics, anonymised.topics, self.speaker())
        depth = min(before.depth, after.depth)
        return _of_all_levels(log, before, depth)[chosen], _of_all_levels(anonymised.log, after, depth)


def _of_all_levels(log: QueryLog, topics: Classified, depth: int) -> sparse.csr_array:
    """Return how often each user has each category of the first levels."""
    found = topics_of_users(log, topics.levels[0])
    for level in topics.levels[1:depth]:
        found = found + topics_of_users(log, level)
    return found


def _texts(log: QueryLog, anonymised: AnonymisedLog, chosen: IntArray) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Return the weighted counts of the released texts, of each chosen user and of each profile."""
    from scipy import sparse  # loads when used

    left = anonymised.log
    place = text_places(left.texts, log.texts)
    known = np.flatnonzero(place >= 0)
    profiles = left.asked[:, known].astype(np.float64)
    having = np.bincount(profiles.indices, minlength=len(known))
    weight = np.log(np.maximum(len(left.users), 1) / np.maximum(having, 1)) + 1
    own = log.asked[chosen][:, place[known]].astype(np.float64)
    scaled = sparse.diags_array(weight)
    return sparse.csr_array(own @ scaled), sparse.csr_array(profiles @ scaled)
