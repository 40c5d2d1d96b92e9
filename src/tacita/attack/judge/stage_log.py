"""The scene of a released query log: what left, who knows which queries of whom, and the truth, which stays with the judge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.random import Generator

from tacita.attack.judge.answers import Answers
from tacita.attack.judge.right_codes import RightCodes
from tacita.attack.logs.further_queries import topic_of_texts
from tacita.attack.logs.log_target import LogTarget
from tacita.attack.logs.released_profiles import rows_less, texts_asked
from tacita.attack.targets import KnownStep
from tacita.core.arrays import BoolArray, IntArray
from tacita.core.errors import AttackError
from tacita.core.streams import Seed, Streams
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import Codes, QueryLog
from tacita.data.query_log.same_texts import lines_of_users, numbered_users, texts_in_use

__all__ = ["StagedLog", "WhichQueries", "stage_log"]

WhichQueries = Literal["random", "rare"]
"""Which of a victim's queries a neighbour knows: any of them, or those that the fewest users asked."""


@dataclass(frozen=True, eq=False)
class StagedLog:
    """A target, the truth about its victims, and a control whose victims' profiles were taken out of the log.

    Parameters
    ----------
    target, answers
        Somebody who attacks the log, and the truth about his victims: all users of the original.
    control
        The log without half of its profiles, and the truth about the users behind these: what is told of them nevertheless is
        what everybody could guess. None where there is one profile only.
    """

    target: LogTarget
    answers: Answers
    control: tuple[LogTarget, Answers] | None


def stage_log(
    original: QueryLog,
    released: QueryLog,
    profile: Iterable[int] | Codes | IntArray,
    *,
    steps: Iterable[KnownStep] = (),
    topics: Classified | None = None,
    released_topics: Classified | None = None,
    known: int = 3,
    which: WhichQueries = "random",
    mates: int = 1,
    watched: int = 3,
    earlier: Iterable[QueryLog] = (),
    seed: Seed = 1,
) -> StagedLog:
    """Give attackers what a scenario says, and keep the truth.

    Parameters
    ----------
    original, released
        The log as it is and as it leaves.
    profile
        For each user of the original the profile that stands for him, as a place in the released users; -1 where none does.
    steps
        What is documented of the method.
    topics, released_topics
        What a directory says of the texts of the original and of the release, by one tree; the directory is public.
    known, which
        How many different queries of each victim a neighbour knows, and which.
    mates
        How many other users behind the victim's profile attack together, each with all that he asked.
    watched
        How many of a victim's lines somebody saw him write, who knows the times; 0 where nobody did.
    earlier
        Other releases of the same log.
    seed
        Of all that is chosen, and of the order of the victims.

    Raises
    ------
    AttackError
        When it is not known which profile stands for whom, or nothing is known of anybody.
    """
    stands = np.asarray(profile if isinstance(profile, np.ndarray) else list(profile), np.int64)
    _check(original, released, stands, known)
    rng = Streams(seed).within("tacita-stage-1").stream("log")
    order = rng.permutation(len(original.users))
    told, others = _known_lines(original, known, which, rng), numbered_users(original)
    seen = _seen_lines(original, watched, rng)
    mate_of = _mates(stands, mates, rng) if mates else None
    tree_is_one = topics is not None and released_topics is not None and len(topics.tree) == len(released_topics.tree)
    interests = _interests(told, topics) if topics is not None and tree_is_one else None
    about = None if topics is None or interests is None else _interests(original, topics)
    truth = _Truth.of(original, released, stands, told, (about, interests))

    def scene(
        log: QueryLog, chosen: IntArray, place: IntArray, others_left: Iterable[QueryLog]
    ) -> tuple[LogTarget, Answers]:
        target = LogTarget(
            released=log,
            known=_of_victims(told, chosen),
            own=_of_victims(others, chosen),
            mates=None if mate_of is None else others,
            mate_of=None if mate_of is None else mate_of[chosen],
            seen=None if seen is None else _of_victims(seen, chosen),
            steps=tuple(steps),
            earlier=tuple(others_left),
            topics=released_topics,
            interests=None if interests is None else interests[chosen],
        )
        return target, truth.about(chosen, place, len(log.users))

    target, answers = scene(released, order, stands, earlier)
    gone = rng.permutation(len(released.users))[: len(released.users) // 2]
    if not len(gone):
        return StagedLog(target, answers, None)
    left = np.setdiff1d(np.arange(len(released.users)), gone)
    victims = order[np.isin(stands[order], gone)]
    without, held = scene(lines_of_users(released, left), victims, np.full(len(stands), -1), ())
    # Whoever is named in the profiles that are left is none of these victims.
    return StagedLog(target, answers, (without, replace(held, judged={})))


def _check(original: QueryLog, released: QueryLog, profile: IntArray, known: int) -> None:
    """See to it that it is known which profile stands for whom, and that something is known of the victims."""
    if len(profile) != len(original.users):
        raise AttackError(
            f"stage_log: 'profile' must have one entry for each user of the original, {len(original.users)}, got {len(profile)}."
        )
    if len(profile) and not -1 <= profile.min() <= profile.max() < len(released.users):
        raise AttackError("stage_log: 'profile' must hold places of the released users, or -1.")
    if known < 1:
        raise AttackError("stage_log: 'known' must be at least 1, so that there is something to find a victim by.")


@dataclass(frozen=True, eq=False)
class _Truth:
    """What is true of all users of the original: what they asked, and whether others did."""

    asked: Any
    further: Any
    askers: IntArray
    owner: IntArray
    stands_for: IntArray
    topics: tuple[Any, Any]

    @classmethod
    def of(
        cls, original: QueryLog, released: QueryLog, profile: IntArray, told: QueryLog, topics: tuple[Any, Any]
    ) -> _Truth:
        from scipy import sparse

        asked = sparse.csr_array((texts_asked(original, released) != 0).astype(np.int64))
        further = rows_less(asked, texts_asked(told, released))
        askers = np.bincount(asked.indices, minlength=asked.shape[1]).astype(np.int64)
        owner = np.full(asked.shape[1] + 1, -1, np.int64)  # the last one for what is not said
        owner[asked.indices] = np.repeat(np.arange(asked.shape[0]), np.diff(asked.indptr))
        owner[:-1][askers != 1] = -1
        stands_for = np.bincount(profile[profile >= 0], minlength=len(released.users)).astype(np.int64)
        return cls(asked, further, askers, owner, stands_for, topics)

    def about(self, chosen: IntArray, place: IntArray, profiles: int) -> Answers:
        """Return the truth about some users whose profiles stand at some places."""
        at = place[chosen]
        alone = (at >= 0) & (np.append(self.stands_for, 0)[at] == 1)
        n = max(self.asked.shape[0], 1)
        is_alone: BoolArray = self.askers == 1
        any_query = RightCodes(self.asked[chosen], self.askers / n)
        further = RightCodes(self.further[chosen], self.askers / n)
        lonely = RightCodes(self.asked[chosen].multiply(is_alone).tocsr(), is_alone / n)
        return Answers(
            truth={"identity": np.where(alone, at, -1), "profile": at},
            # That a profile stands for somebody among others is what the method says: to find it is no disclosure by itself.
            baseline={"identity": 1 / max(profiles, 1), "profile": 1.0},
            several={
                **{"query": any_query, "sensitive_query": any_query, "own_query": lonely},
                **{"further_query": further, "further_sensitive_query": further},
                **self._about_topics(chosen),
            },
            judged={"named": lambda said: _first_of_owner(self.owner[np.asarray(said, np.int64)])},
            beside=("profile",),
        )

    def _about_topics(self, chosen: IntArray) -> dict[str, RightCodes]:
        """Return which categories some users asked about, and which beside those of the queries that are known."""
        asked, known = self.topics
        if asked is None:
            return {}
        shares = np.bincount(asked.indices, minlength=asked.shape[1]) / max(asked.shape[0], 1)
        further = rows_less(asked, known)
        return {
            "sensitive_topic": RightCodes(asked[chosen], shares),
            "further_sensitive_topic": RightCodes(further[chosen], shares),
        }


def _first_of_owner(owner: IntArray) -> BoolArray:
    """Return which claims name a user whom no claim before them named; -1 is nobody."""
    first = np.zeros(len(owner), bool)
    first[np.unique(owner, return_index=True)[1]] = True
    return first & (owner >= 0)


def _of_victims(log: QueryLog, chosen: IntArray) -> QueryLog:
    """Return the lines of some users under numbers of their own, with no text that none of them asked."""
    return texts_in_use(numbered_users(lines_of_users(log, chosen)))


def _known_lines(original: QueryLog, known: int, which: WhichQueries, rng: Generator) -> QueryLog:
    """Return a line for each of a few different queries of each user."""
    asked = original.asked
    user = np.repeat(np.arange(len(original.users)), np.diff(asked.indptr))
    text = asked.indices
    chance = rng.random(len(text))
    askers = np.bincount(text, minlength=len(original.texts))
    keys = (chance, askers[text], user) if which == "rare" else (chance, user)
    first = _first_of_each(np.lexsort(keys), user, known)
    return replace(
        original,
        user=user[first].astype(np.int32),
        query=text[first].astype(np.int32),
        time=None,
        rank=None,
        url=None,
        urls=None,
    )


def _seen_lines(original: QueryLog, watched: int, rng: Generator) -> QueryLog | None:
    """Return some lines of each user with their times, and without what was asked; None where there are no times."""
    if original.time is None or not watched:
        return None
    lines = np.flatnonzero(~np.isnat(original.time))
    user = original.user[lines].astype(np.int64)
    first = lines[_first_of_each(np.lexsort((rng.random(len(lines)), user)), user, watched)]
    taken = original.take(np.sort(first))
    return replace(taken, query=np.full(len(first), -1, np.int32), rank=None, url=None, urls=None)


def _first_of_each(order: IntArray, group: IntArray, count: int) -> IntArray:
    """Return the first few of each group in an order in which groups stand together."""
    sorted_group = group[order]
    starts = np.flatnonzero(np.diff(sorted_group, prepend=-1))
    rank = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    return np.asarray(order[rank < count], np.int64)


def _mates(profile: IntArray, mates: int, rng: Generator) -> IntArray:
    """Return for each user some others behind his profile, -1 where there are no more."""
    order = np.lexsort((rng.random(len(profile)), profile))
    order = order[profile[order] >= 0]
    starts = np.flatnonzero(np.diff(profile[order], prepend=-1))
    size = np.diff(np.append(starts, len(order)))
    start, size = np.repeat(starts, size), np.repeat(size, size)
    place = np.arange(len(order)) - start
    step = 1 + np.arange(mates)
    found = order[start[:, None] + (place[:, None] + step) % size[:, None]]
    made = np.full((len(profile), mates), -1, np.int64)
    made[order] = np.where(step < size[:, None], found, -1)
    return made


def _interests(told: QueryLog, topics: Classified) -> Any:
    """Return which categories the known queries of each user fall into, at all levels together."""
    from scipy import sparse

    found = sparse.csr_array(told.asked @ topic_of_texts(topics))
    found.sort_indices()  # whoever computes with it would do so in place
    return found
