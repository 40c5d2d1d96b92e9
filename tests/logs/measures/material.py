"""Logs beside what a random hand made of them, for measures that must not care how a release came about."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from tacita.data.query_log.query_log import QueryLog
from tacita.logs.anonymiser import AnonymisedLog
from tests.logs.material import Material, materials

__all__ = ["MadeOf", "by_hand", "releases"]

MadeOf = tuple[Material, AnonymisedLog]


def by_hand(left: QueryLog, profile: list[int]) -> AnonymisedLog:
    """A release that somebody wrote down."""
    return AnonymisedLog(log=left, profile=np.array(profile, np.int32), method="by hand")


@st.composite
def releases(draw: st.DrawFn) -> MadeOf:
    """A log, and some of its lines under the names of a few profiles; some users have no profile, some lines are new."""
    material = draw(materials(most_users=6, most_lines=25))
    log = material.log
    profiles = draw(st.integers(1, 3))
    profile = draw(st.lists(st.integers(-1, profiles - 1), min_size=len(log.users), max_size=len(log.users)))
    chosen = draw(st.lists(st.integers(0, len(log) - 1), min_size=profiles, max_size=20))
    texts = log.texts.to_pylist()
    names = [f"profile {i if i < profiles else draw(st.integers(0, profiles - 1))}" for i in range(len(chosen))]
    left = QueryLog.from_columns(names, [texts[log.query[line]] for line in chosen])
    kept = [texts.index(text) for text in left.texts.to_pylist()]
    made = by_hand(left, profile)
    return material, AnonymisedLog(
        log=left, profile=made.profile, method="by hand", topics=material.topics.at(np.array(kept, np.int64))
    )
