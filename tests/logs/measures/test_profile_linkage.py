"""Linkage by cosines of rows against all pairs one by one, and samples with their interval."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given

from tacita.data.query_log.query_log import QueryLog
from tacita.logs import ProfileLinkage
from tacita.logs.anonymiser import AnonymisedLog
from tacita.logs.measures import profile_linkage
from tests.logs.material import interested_users
from tests.logs.measures.material import MadeOf, by_hand, releases
from tests.oracles.logs import measures as slow


def texts_of(log: QueryLog) -> list[slow.Counts]:
    found: list[slow.Counts] = [slow.Counter() for _ in range(len(log.users))]
    for user, text in slow.lines_of(log):
        found[user][text] += 1
    return found


@given(releases())
def test_the_slow_version(found: MadeOf) -> None:
    (log, topics), made = found
    assert made.topics is not None
    fast = ProfileLinkage().of(log, topics, made)
    users, profiles = texts_of(log), texts_of(made.log)
    weight = {t: math.log(len(profiles) / sum(t in p for p in profiles)) + 1 for t in set().union(*profiles)}
    rows = [[{t: n * weight[t] for t, n in row.items() if t in weight} for row in side] for side in (users, profiles)]
    by_texts = slow.linked(*rows, made.profile.tolist())
    both = [(log, topics), (made.log, made.topics)]
    topic_rows: list[list[dict[slow.Hashable, float]]] = []
    for side, classified in both:
        levels = [slow.categories_of(side, classified, level) for level in (1, 2, 3)]
        topic_rows.append(
            [dict(slow.together({i: c[u] for i, c in enumerate(levels)})) for u in range(len(side.users))]
        )
    by_topics = slow.linked(*topic_rows, made.profile.tolist())
    assert fast.parts["by texts"] == pytest.approx(100 * np.mean(by_texts))
    assert fast.parts["by topics"] == pytest.approx(100 * np.mean(by_topics))
    assert fast.value == pytest.approx(100 * max(np.mean(by_texts), np.mean(by_topics)))
    assert fast.parts["chance"] == pytest.approx(100 / len(profiles))


def itself(users: int) -> MadeOf:
    material = interested_users(users)
    every = np.arange(users, dtype=np.int32)
    return material, AnonymisedLog(log=material.log, profile=every, method="x", topics=material.topics)


def test_an_unchanged_log_links_everybody() -> None:
    material, made = itself(60)
    assert ProfileLinkage().of(*material, made).value > 98


def test_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    material, made = itself(50)
    whole = ProfileLinkage().of(*material, made)
    monkeypatch.setattr(profile_linkage, "_CELLS", 170)
    assert ProfileLinkage().of(*material, made).parts == whole.parts


def test_a_sample_has_an_interval_that_holds_the_whole() -> None:
    material, _ = itself(200)
    rng = np.random.default_rng(1)
    mixed = AnonymisedLog(
        log=material.log, profile=np.where(rng.random(200) < 0.5, np.arange(200), 0).astype(np.int32), method="x"
    )
    whole = ProfileLinkage().of(*material, mixed)
    found = ProfileLinkage(sample=80, many=100).of(*material, mixed)
    assert found.parts["95 % interval from"] <= whole.value <= found.parts["95 % interval to"]
    assert found.per_user is not None
    assert (~np.isnan(found.per_user)).sum() == 80
    assert "95 % interval from" not in ProfileLinkage(sample=80, many=100, exact=True).of(*material, mixed).parts


def test_profiles_that_look_alike_share_the_guess() -> None:
    log = QueryLog.from_columns(["a", "b"], ["tea", "tea"])
    found = ProfileLinkage().of(log, None, by_hand(QueryLog.from_columns(["p", "q"], ["tea", "tea"]), [0, 1]))
    assert found.value == found.parts["chance"] == 50.0


def test_nothing_in_common_is_a_guess_and_nothing_released_links_nobody() -> None:
    log = QueryLog.from_columns(["a", "b"], ["tea", "milk"])
    left = by_hand(QueryLog.from_columns(["p", "q"], ["x", "y"]), [0, 1])
    assert ProfileLinkage().of(log, None, left).value == 50.0
    nothing = by_hand(log.take(np.zeros(0, int)).compact(), [-1, -1])
    assert ProfileLinkage().of(log, None, nothing).value == 0.0
