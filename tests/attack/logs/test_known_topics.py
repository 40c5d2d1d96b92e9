"""Known topics: who looks for what nobody else does is found by that alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tacita.attack.judge.stage_log import stage_log
from tacita.attack.judge.trial import attack_each
from tacita.attack.logs import KnownQueries, KnownTopics
from tacita.data.directory.category_tree import CategoryTree
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog
from tests.attack.logs.searchers import merged, people, scene, told


def test_topics_alone_find_who_has_others_than_everybody() -> None:
    """Forty people who each look for a topic of their own; only the topic of three queries is known."""
    n = 40
    users = [f"u{i}" for i in range(n) for _ in range(6)]
    log = QueryLog.from_columns(users, [f"q {i}" for i in range(6 * n)])
    tree = CategoryTree.from_paths([(f"Topic {i}",) for i in range(n)])
    number = np.arange(6 * n)
    topics = Classified.from_categories(tree, 6 * n, number, number, number // 6, depth=1)
    staged = stage_log(log, log, range(n), topics=topics, released_topics=topics)
    found = attack_each(KnownTopics(), staged.target, staged.answers, seed=1, control=staged.control)
    assert {one.about: one.success for one in found}["query"] == 1
    assert KnownTopics().declined(replace(staged.target, interests=None)) != ""
    assert KnownTopics().cost(staged.target) >= KnownQueries().cost(staged.target) > 0


def test_common_interests_find_nobody() -> None:
    staged = scene(people(60), *merged(people(60), 3), steps=[told(3)])
    found = attack_each(KnownTopics(), staged.target, staged.answers, seed=1, control=staged.control)
    assert {one.standing for one in found} == {"held"}
