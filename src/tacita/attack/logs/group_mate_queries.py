"""Group mates of a query log: users behind one profile put aside what they asked themselves, and read what is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.attack.logs.further_queries import rows_of_profiles
from tacita.attack.logs.log_target import LogTarget
from tacita.attack.logs.profile_reader import ProfileReader
from tacita.attack.logs.released_profiles import ReleasedProfiles, find_profiles, matching_seconds, texts_asked
from tacita.core.arrays import IntArray
from tacita.core.errors import AttackError
from tacita.core.traits import AttackTraits
from tacita.data.query_log.same_texts import are_categories

__all__ = ["GroupMateQueries", "chance_of_victim"]


def chance_of_victim(mates_who_asked: IntArray, mates: IntArray, *, k: int, askers: int) -> Any:
    """Return how likely it is at least that one certain user of a group asked a text that stands in its profile.

    Of k users m are known, and c of these asked it. A text was asked by a users at least, so that a - c of the k - m others
    did: each with a chance of (a - c) / (k - m). Where these are too few for it the profile is not theirs, and it says nothing.

    Parameters
    ----------
    mates_who_asked, mates
        c and m.
    k, askers
        The size of the group, and a: how many of it must have asked a text before it is released.

    Examples
    --------
    >>> chance_of_victim(np.array([0, 1, 1, 0]), np.array([1, 1, 4, 4]), k=5, askers=2).tolist()
    [0.5, 0.25, 1.0, 0.0]
    """
    needed, others = np.maximum(askers - mates_who_asked, 0), np.maximum(k - mates, 1)
    return np.where(needed <= others, needed / others, 0.0)


@dataclass(frozen=True, kw_only=True)
class GroupMateQueries(ProfileReader):
    """Put aside what some users of a group asked themselves: the rest of its profile is what the others asked.

    The mates find their profile by all that they asked. Of a text in it that c of m mates asked, and that a users of the group
    must have asked before it is released, at least a - c of the other k - m users did. The text for which that leaves the least
    doubt is said to be the victim's, the rarest one where several are equal.

    Returns
    -------
    Claims
        Of ``query`` and, where there is a directory, ``sensitive_query`` and ``sensitive_topic``; sure where the others who are
        left must have asked it.

    Complexity
    ----------
    O(sum over texts of mates who asked it x profiles that have it), and O(z) for z entries of the profiles that were found.

    Notes
    -----
    In the paper's mode a = 1: with k = 2 all that is left of the profile is the other's, for sure. In a mode that releases only
    what two users of the group asked a = 2: with k = 2 every line is the other's too, whoever the mate is. Groups may be larger
    than k, so that few claims that are called sure are not right. k and a are read in the documentation of the method.

    References
    ----------
    Erola, A., Castella-Roca, J., Navarro-Arribas, G. and Torra, V. (2011), Semantic microaggregation for the anonymization of
    query logs, section 3.3; the subtraction is that of an insider in magnitude tables, as in Hundepool, A. et al. (2012).

    Examples
    --------
    >>> from tacita.attack.judge.stage_log import stage_log
    >>> from tacita.attack.targets import KnownStep
    >>> from tacita.data.query_log.query_log import QueryLog
    >>> log = QueryLog.from_columns([f"u{i // 5}" for i in range(200)], [f"query {i}" for i in range(200)])
    >>> pairs = QueryLog.from_columns([f"p{i // 10}" for i in range(200)], [f"query {i}" for i in range(200)])
    >>> told = KnownStep("semantic_microaggregation", parameters={"k": 2, "mode": "paper"})
    >>> staged = stage_log(log, pairs, [i // 2 for i in range(40)], steps=[told], mates=1)
    >>> import tacita as tc
    >>> found = tc.attack.attack_once(GroupMateQueries(), staged.target, staged.answers, seed=1)
    >>> found.standing, found.sure_right
    ('broken', 40)
    """

    name = "group_mate_queries"
    title = "Users behind the same profile"
    traits = AttackTraits(
        against="log",
        learns="value",
        knows="all that others behind the victim's profile asked, and how many there are",
        breaks="profiles of two users, and of more where all but one attack together",
        held_by="profiles of which several others stay unknown, with lines that several of these asked",
    )

    def declined(self, target: LogTarget) -> str:
        if target.mates is None or target.mate_of is None:
            return "Nobody behind the same profile attacks."
        if target.k == 1:
            return "Nothing says that profiles stand for several users."
        return "" if len(target.released) else "Nothing was released."

    def cost(self, target: LogTarget) -> float:
        mates = target.known if target.mates is None else target.mates
        return matching_seconds(mates, target.released) + 1e-5 * target.victims

    def run(self, target: LogTarget, rng: Generator) -> tuple[Claims, ...]:
        from scipy import sparse

        if target.mates is None or target.mate_of is None:
            raise AttackError(self.declined(target))
        profiles = ReleasedProfiles.of_texts(target.released)
        asked = sparse.csr_array((texts_asked(target.mates, target.released) != 0).astype(np.int64))
        of_victims = _sums_of(target.mate_of, len(target.mates.users))
        together = sparse.csr_array(of_victims @ asked)
        mates = np.asarray(of_victims.sum(axis=1)).ravel()
        found = find_profiles(together, profiles, rng)
        rows = rows_of_profiles(found, profiles)
        chance = self._chances(target, rows, together, mates)
        contradicted = self._contradicted(target, rows, together, mates)
        best = np.zeros(target.victims)
        victim = np.repeat(np.arange(target.victims), np.diff(rows.indptr))
        np.maximum.at(best, victim, chance)
        rows.data = np.where((chance > 0) & (chance == best[victim]), rows.data, 0)
        rows.eliminate_zeros()
        sure = (best >= 1) & found.is_sure & ~contradicted
        return self.read(
            target,
            profiles,
            rows,
            is_sure=sure,
            rng=rng,
        )

    def _chances(self, target: LogTarget, rows: Any, together: Any, mates: IntArray) -> Any:
        """Return for each entry of the profiles the chance that the victim asked it."""
        victim = np.repeat(np.arange(target.victims), np.diff(rows.indptr))
        who = np.asarray(together[victim, rows.indices]).ravel() if rows.nnz else np.zeros(0, np.int64)
        return chance_of_victim(who, mates[victim], k=target.k, askers=target.askers)

    def _contradicted(self, target: LogTarget, rows: Any, together: Any, mates: IntArray) -> Any:
        """Return which victims' profiles have texts that too few of the group can have asked: they are those of others."""
        if target.askers == 1:
            return np.zeros(target.victims, bool)
        victim = np.repeat(np.arange(target.victims), np.diff(rows.indptr))
        who = np.asarray(together[victim, rows.indices]).ravel() if rows.nnz else np.zeros(0, np.int64)
        is_words = np.ones(len(who), bool)
        if target.topics is not None:
            is_words = ~are_categories(target.released.texts, target.topics.tree)[rows.indices]
        missing = (who + target.k - mates[victim] < target.askers) & is_words
        return np.bincount(victim[missing], minlength=target.victims) > 0


def _sums_of(places: IntArray, width: int) -> Any:
    """Return a sparse matrix that adds up the rows at some places, one sum for each row of places; -1 is none."""
    from scipy import sparse

    row = np.repeat(np.arange(len(places)), places.shape[1])
    column = places.ravel()
    there = column >= 0
    ones = np.ones(int(there.sum()), np.int64)
    return sparse.csr_array((ones, (row[there], column[there])), shape=(len(places), width))
