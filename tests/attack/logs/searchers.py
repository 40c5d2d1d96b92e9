"""Small logs with known people in them, and ways to release them that everybody can follow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa

from tacita.attack.judge.stage_log import StagedLog, stage_log
from tacita.attack.targets import KnownStep
from tacita.core.arrays import IntArray
from tacita.data.directory.category_tree import CategoryTree
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog

__all__ = ["by_rule", "classified", "merged", "people", "scene", "told"]


def people(n: int = 60, *, own: int = 6, seed: int = 1) -> QueryLog:
    """Users with queries of their own, one of them about an illness, and some that many ask, all at times of their own."""
    rng = np.random.default_rng(seed)
    users: list[str] = []
    texts: list[str] = []
    for i in range(n):
        mine = [f"thing {i} {j}" for j in range(own)] + [f"illness {rng.integers(20)}", f"thing {i} 0"]
        common = [f"site {j}" for j in rng.choice(8, 3, replace=False)]
        users += [f"person {i}"] * (len(mine) + len(common))
        texts += mine + common
    times = np.datetime64("2006-03-01") + rng.choice(90 * 86_400, len(users), replace=False).astype("timedelta64[s]")
    return QueryLog.from_columns(users, texts, time=times)


def merged(log: QueryLog, k: int, *, shift: int = 1) -> tuple[QueryLog, IntArray]:
    """Put k users behind each profile with all that they asked; another shift makes other groups."""
    profile = (np.arange(len(log.users)) * shift % len(log.users)) // k
    names = pa.array([f"profile {number}" for number in range(profile.max() + 1)])
    return replace(log, user=profile[log.user].astype(np.int32), users=names), profile


def by_rule(log: QueryLog, k: int, *, askers: int) -> tuple[QueryLog, IntArray]:
    """Put k users behind each profile, with the queries that some of them at least asked."""
    whole, profile = merged(log, k)
    rows = np.zeros((len(whole.users), len(log.texts)), int)
    np.add.at(rows, profile, log.asked.toarray() != 0)
    return whole.take(np.flatnonzero(rows[whole.user, whole.query] >= askers)), profile


def classified(log: QueryLog) -> Classified:
    """File every text under Health, Sites or Things by its first word."""
    tree = CategoryTree.from_paths([("Health", "Illnesses"), ("Sites",), ("Things",)])
    first = [str(text).split()[0] for text in log.texts.to_pylist()]
    category = np.array([{"illness": 1, "site": 2, "thing": 3}[word] for word in first])
    number = np.arange(len(first))
    return Classified.from_categories(tree, len(first), number, number, category, depth=2)


def told(k: int, mode: str = "paper") -> KnownStep:
    """What the documentation says of a method that groups users."""
    return KnownStep("semantic_microaggregation", parameters={"k": k, "mode": mode})


def scene(log: QueryLog, released: QueryLog, profile: IntArray, **options: object) -> StagedLog:
    """Stage a release, with the classification of both logs."""
    return stage_log(
        log,
        released,
        profile,
        topics=classified(log),
        released_topics=classified(released),
        **options,  # type: ignore[arg-type]
    )
