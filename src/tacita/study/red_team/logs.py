"""Scenes of query logs: pseudonyms as AOL gave them, microaggregation as published and made safe, and its rivals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from tacita.attack.attacker import Attacker
from tacita.attack.judge.stage_log import stage_log
from tacita.attack.logs import (
    GroupMateQueries,
    KnownQueries,
    KnownTopics,
    OwnQueries,
    TimeTrace,
    TwoLogReleases,
    VanitySearch,
)
from tacita.compare.red_team.attack_log import told_of_anonymiser
from tacita.data.directory.classified import Classified
from tacita.data.directory.topic_index import TopicIndex
from tacita.data.query_log.query_log import QueryLog
from tacita.data.samples import query_log
from tacita.logs.anonymiser import AnonymisedLog, Anonymiser
from tacita.logs.rivals.infrequent_removal import InfrequentRemoval
from tacita.logs.rivals.private_queries import PrivateQueries
from tacita.logs.semantic_microaggregation import SemanticMicroaggregation
from tacita.study.red_team.scene import Scene, Staged

__all__ = ["SCENES", "searchers", "under_pseudonyms"]

_USERS = 1000
"""As many as the paper has."""

Make = Callable[[int], Staged]


@lru_cache(maxsize=2)
def searchers(seed: int) -> tuple[QueryLog, Classified]:
    """Return a log of the package's own making, and what its directory says of the queries."""
    sample = query_log(_USERS, seed=seed)
    return sample.log, TopicIndex.build(sample.directory).classify(sample.log.texts)


def under_pseudonyms(log: QueryLog, topics: Classified) -> AnonymisedLog:
    """Release a log as AOL did: a number for each user, everything else as it is."""
    numbers = np.arange(len(log.users), dtype=np.int32)
    return AnonymisedLog(log=replace(log, url=None, urls=None), profile=numbers, method="pseudonyms", topics=topics)


@lru_cache(maxsize=32)
def _made(method: Anonymiser | None, seed: int, drawn: int) -> AnonymisedLog:
    log, topics = searchers(seed)
    return under_pseudonyms(log, topics) if method is None else method.apply(log, topics, seed=drawn)


def _released(method: Anonymiser | None, *again: Anonymiser, **known: Any) -> Make:
    """Return what sets the scene for a method: what it releases, and what other releases tell."""

    def make(seed: int) -> Staged:
        log, topics = searchers(seed)
        made = _made(method, seed, seed)
        staged = stage_log(
            log,
            made.log,
            made.profile,
            steps=() if method is None else (told_of_anonymiser(method),),
            topics=topics,
            released_topics=made.topics,
            earlier=[_made(other, seed, seed + 1 + place).log for place, other in enumerate(again)],
            seed=seed,
            **known,
        )
        return staged.target, staged.answers, staged.control

    return make


@dataclass(frozen=True)
class _Treated:
    """A method, what it is called, what is known of it, and which attacks it holds."""

    words: str
    method: Anonymiser | None
    broken_by: tuple[str, ...]
    held: tuple[str, ...]
    why: str
    is_default: bool = False


def _paper(k: int, **options: Any) -> SemanticMicroaggregation:
    return SemanticMicroaggregation(k=k, mode="paper", **options)


_SAFE = SemanticMicroaggregation()
_CHOICE = PrivateQueries(selection_scale=2, count_scale=2, count_above=20)
_ALONE = "texts that one user of the group asked leave word for word"

_DEFENCES = (
    _Treated(
        "pseudonyms, as AOL gave them",
        None,
        ("own_queries", "known_queries", "known_topics", "vanity_search", "time_trace"),
        (),
        "all that somebody asked stands together, and some of it is his alone",
    ),
    _Treated(
        "queries of fewer than 5 users removed",
        InfrequentRemoval(askers=5),
        ("own_queries",),
        ("vanity_search",),
        "common queries are a user's own when they are taken together",
    ),
    _Treated(
        "microaggregation as published, k = 2",
        _paper(2),
        ("own_queries", "known_queries", "known_topics", "vanity_search", "group_mate_queries"),
        (),
        _ALONE,
    ),
    _Treated(
        "microaggregation as published, k = 5",
        _paper(5),
        ("own_queries", "known_queries", "known_topics", "group_mate_queries"),
        ("time_trace",),
        f"{_ALONE}, and one in five is more than nobody",
    ),
    _Treated(
        "safe microaggregation, k = 5",
        _SAFE,
        ("known_topics",),
        ("own_queries", "vanity_search", "group_mate_queries", "time_trace"),
        "a query leaves where two users of the group asked it; interests leave, which is what they are kept for",
        is_default=True,
    ),
    _Treated(
        "safe microaggregation, k = 40",
        SemanticMicroaggregation(k=40),
        (),
        ("known_queries", "known_topics"),
        "the profile of somebody's interests is that of forty",
    ),
    _Treated(
        "a private choice of queries, epsilon = 5",
        _CHOICE,
        (),
        ("own_queries", "known_queries", "known_topics", "vanity_search"),
        "no profile leaves, and what leaves hardly depends on one user",
    ),
)

_EVERY: tuple[Attacker, ...] = (
    OwnQueries(),
    KnownQueries(),
    KnownTopics(),
    VanitySearch(),
    GroupMateQueries(),
    TimeTrace(),
)

_CROSSED = tuple(
    Scene(
        attack=attack,
        defence=defence.words,
        weak=attack.name in defence.broken_by,
        make=_released(defence.method),
        why=defence.why,
        is_default=defence.is_default,
    )
    for attack in _EVERY
    for defence in _DEFENCES
    if attack.name in (*defence.broken_by, *defence.held)
)

_OTHERS = (
    Scene(
        attack=KnownTopics(),
        defence="safe microaggregation, k = 5, the topics of ten queries known",
        weak=True,
        make=_released(_SAFE, known=10),
        why="interests are kept, so that who knows them finds the profile; a line in it is that of two of five",
        is_default=True,
    ),
    Scene(
        attack=KnownQueries(only_sensitive=True),
        defence="safe microaggregation, k = 5, for sensitive queries",
        weak=False,
        make=_released(_SAFE),
        why="what is asked about illnesses is hardly ever asked by two of five in the same words",
        is_default=True,
    ),
    Scene(
        attack=GroupMateQueries(),
        defence="safe microaggregation, k = 2",
        weak=True,
        make=_released(SemanticMicroaggregation(k=2)),
        why="what leaves was asked by both, so that each reads his own lines as the other's",
    ),
    Scene(
        attack=GroupMateQueries(),
        defence="safe microaggregation, k = 5, all four others together",
        weak=True,
        make=_released(_SAFE, mates=4),
        why="where one of them asked a released text, the second who must have is the victim",
        is_default=True,
    ),
    Scene(
        attack=TimeTrace(),
        defence="microaggregation as published, k = 5, times to the second",
        weak=True,
        make=_released(_paper(5, time="second")),
        why="times are dealt out anew among lines, but a profile has those of its users",
    ),
    Scene(
        attack=TwoLogReleases(),
        defence="microaggregation as published, k = 5, then k = 6",
        weak=True,
        make=_released(_paper(5), _paper(6)),
        why="the others behind a profile change, and the victim stays",
    ),
    Scene(
        attack=TwoLogReleases(),
        defence="safe microaggregation, k = 10, twice",
        weak=False,
        make=_released(SemanticMicroaggregation(k=10), SemanticMicroaggregation(k=10)),
        why="what two of a group asked is no more one user's for standing there twice",
    ),
    Scene(
        attack=TwoLogReleases(),
        defence="a private choice of queries, epsilon = 5, twice",
        weak=False,
        make=_released(_CHOICE, _CHOICE),
        why="what leaves hardly depends on one user",
    ),
)

SCENES = (*_CROSSED, *_OTHERS)
"""Attacks on query logs, each where it is known to succeed and where it is known to fail."""
