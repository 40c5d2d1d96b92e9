"""The semantic remain percentage against its spelled-out form and the numbers of small examples."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from tacita.core.errors import MeasureError
from tacita.data.directory.category_tree import CategoryTree
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog
from tacita.logs import SemanticRemain
from tacita.logs.anonymiser import AnonymisedLog
from tests.logs.material import Material, made_material
from tests.logs.measures.material import MadeOf, by_hand, releases
from tests.oracles.logs import measures as slow


@given(releases())
def test_the_slow_version(found: MadeOf) -> None:
    (log, topics), made = found
    fast = SemanticRemain().of(log, topics, made)
    for level in (1, 2, 3):
        for name, levels in ((f"level_{level}", [level]), (f"cumulated_{level}", list(range(1, level + 1)))):
            shares = slow.semantic_remain(log, topics, made, levels)
            if shares:
                assert fast.parts[name] == pytest.approx(slow.mean(shares))
            else:
                assert name not in fast.parts
    assert fast.per_user is not None
    own = [slow.semantic_remain(log, topics, made, [level]) for level in (1, 2, 3)]
    for user, value in enumerate(fast.per_user):
        there = [shares[user] for shares in own if user in shares]
        assert np.isnan(value) if not there else value == pytest.approx(np.mean(there))


def soccer() -> Material:
    """Two users: three searches in one leaf and one in another, and two in the first leaf alone."""
    return made_material([0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 2, 2], [[2], [12], [2]])


def test_other_words_for_the_same_topic_match() -> None:
    log, topics = soccer()
    left = QueryLog.from_columns(["p", "p", "p"], ["query 2", "query 2", "query 1"])
    made = replace(by_hand(left, [0, 0]), topics=topics.at(np.array([2, 1])))
    found = SemanticRemain().of(log, topics, made)
    assert found.per_user is not None
    assert found.per_user.tolist() == [75.0, 100.0]  # (2 of 3, 1 of 1) out of 4; 2 out of 2
    assert found.value == pytest.approx(87.5)
    assert found.parts["bound"] == 50.0


def test_the_worst_case_is_the_bound() -> None:
    """Users without a common topic, each with his quota of 1/k: expression (5)."""
    log, topics = made_material([0] * 4 + [1] * 8, [0] * 4 + [1] * 8, [[2], [12]])
    left = QueryLog.from_columns(["p"] * 6, ["query 0"] * 2 + ["query 1"] * 4)
    found = SemanticRemain().of(log, topics, replace(by_hand(left, [0, 0]), topics=topics))
    assert found.value == found.parts["bound"] == 50.0


def test_nothing_remains_of_users_without_a_profile() -> None:
    log, topics = soccer()
    made = AnonymisedLog(log=log, profile=np.array([0, -1], np.int32), method="by hand", topics=topics)
    found = SemanticRemain().of(log, topics, made)
    assert found.per_user is not None
    assert found.per_user.tolist() == [100.0, 0.0]
    assert found.parts["bound"] == 50.0  # all of the one, nothing of the other


def test_a_log_without_topics_has_no_figure_and_says_so() -> None:
    log, topics = made_material([0, 1], [0, 1], [[], []])
    found = SemanticRemain().of(
        log, topics, AnonymisedLog(log=log, profile=np.arange(2, dtype=np.int32), method="x", topics=topics)
    )
    assert found.value == 0.0
    assert "classified" in found.note


def test_other_trees_are_refused() -> None:
    log, topics = soccer()
    other = Classified(CategoryTree.from_paths([("Else",)]), (topics.levels[0][:, :1],))
    made = AnonymisedLog(log=log, profile=np.arange(2, dtype=np.int32), method="x", topics=other)
    with pytest.raises(MeasureError, match="same tree"):
        SemanticRemain().of(log, topics, made)
