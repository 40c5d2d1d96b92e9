"""Semantic microaggregation of query logs: against the slow transcription of the paper, and stage by stage up to 100 000 users.

The logs are made ones with 50 lines a user on average. ``growth`` is the power of the number of users by which the seconds grow
from the size before; the last row carries it on to the 650 000 users and 21 million lines of the log that AOL released.
``peak_gb`` is the most memory that the process has had so far.
"""

from __future__ import annotations

import math
import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from tests.oracles.logs import semantic_microaggregation as oracle

import tacita as tc
from benchmarks.tables import ratio_of
from tacita.data.directory.classified import Classified
from tacita.data.directory.topic_index import TopicIndex
from tacita.data.query_log.query_log import QueryLog
from tacita.logs.microaggregation.interests import interests_of
from tacita.logs.semantic_microaggregation import SemanticMicroaggregation
from tacita.numeric.user_groups.partition import similar_groups

__all__ = ["run"]

_AOL = 650_000
_MOST_SECONDS, _NIGHT = 20 * 60.0, 12 * 3600.0


def _classified(users: int) -> tuple[QueryLog, Classified, float]:
    """A made log, its topics, and how long the classification took."""
    sample = tc.samples.query_log(users, seed=1, lines_per_user=50)
    begin = time.perf_counter()
    topics = TopicIndex.build(sample.directory).classify(sample.log.texts)
    return sample.log, topics, time.perf_counter() - begin


def _seconds(work: Callable[[], Any]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def _against_the_transcription(users: int) -> dict[str, Any]:
    """Incidence and exact groups, from the same interests."""
    log, topics, _ = _classified(users)
    interests = interests_of(log, topics)
    dense = [
        interests.counts[:, interests.level == level].toarray().tolist() for level in range(1, interests.depth + 1)
    ]
    named = [[oracle.Counter(dict(enumerate(row))) for row in rows] for rows in dense]
    similar_groups(interests.counts, 5)  # loads the kernels
    ours = _seconds(lambda: similar_groups(interests.counts, 5))
    theirs = _seconds(lambda: oracle.partition(oracle.incidence(named), 5))
    return {
        "case": "groups, against the transcription",
        "users": users,
        "seconds": ours,
        "transcription_s": theirs,
        "ratio": ratio_of(theirs, ours),
        "target": ">= 100",
    }


def _row(users: int, partition: str, before: dict[str, Any] | None) -> dict[str, Any]:
    log, topics, classifying = _classified(users)
    method = SemanticMicroaggregation(k=5, partition=partition)
    begin = time.perf_counter()
    made = method.apply(log, topics, seed=1)
    whole = time.perf_counter() - begin
    row = {
        "case": f"partition={partition}",
        "users": users,
        "lines": len(log),
        "seconds": whole,
        "topics_s": classifying,
        **{f"{stage}_s": seconds for stage, seconds in made.stages.items()},
        "peak_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
        "target": f"<= {_MOST_SECONDS:.0f} s",
    }
    if before is not None:
        row["growth"] = math.log(whole / before["seconds"]) / math.log(users / before["users"])
    return row


def run(quick: bool) -> list[dict[str, Any]]:
    """Time every size with both partitions."""
    rows = [_against_the_transcription(40 if quick else 80)]
    for partition in ("paper", "improved"):
        before = None
        for users in (1000, 4000) if quick else (1000, 10_000, 100_000):
            before = _row(users, partition, before)
            rows.append(before)
        if before is not None:
            expected = before["seconds"] * (_AOL / before["users"]) ** before["growth"]
            rows.append(
                {
                    "case": f"partition={partition}, carried on",
                    "users": _AOL,
                    "seconds": float(np.round(expected)),
                    "target": f"<= {_NIGHT:.0f} s",
                }
            )
    return rows
