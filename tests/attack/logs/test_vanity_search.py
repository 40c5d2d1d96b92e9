"""Vanity searches: who is named is found once, and names that several asked name nobody."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack.judge.stage_log import StagedLog, stage_log
from tacita.attack.judge.trial import attack_once
from tacita.attack.logs import VanitySearch
from tacita.data.directory.category_tree import CategoryTree
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog
from tests.attack.logs.searchers import told

USERS = ["ann", "ann", "ann", "bob", "bob", "cat", "cat", "dan"]
TEXTS = [
    *("mary harrowmoor", "mary harrowmoor leeds", "pizza leeds"),
    *("john lennon", "tom@example.com"),
    *("john lennon", "cheap flights"),
    "cheap flights",
]
LOG = QueryLog.from_columns(USERS, TEXTS)


def staged(released: QueryLog = LOG, profile: tuple[int, ...] = (0, 1, 2, 3), **options: object) -> StagedLog:
    return stage_log(LOG, released, profile, **options)  # type: ignore[arg-type]


def said(found: StagedLog) -> list[str]:
    (claims,) = VanitySearch().run(found.target, np.random.default_rng(1))
    return [found.target.released.texts[i].as_py() for i in claims.said.tolist() if i >= 0]


def test_addresses_come_first_and_what_two_profiles_have_does_not_come() -> None:
    found = said(staged())
    assert found[0] == "tom@example.com"
    assert found[1:] == ["mary harrowmoor"]


def test_a_user_is_counted_once() -> None:
    found = staged()
    grade = attack_once(VanitySearch(), found.target, found.answers, seed=1)
    assert grade.success == pytest.approx(2 / 4)
    assert grade.standing == "broken"


def test_behind_one_profile_names_are_names_all_the_same() -> None:
    merged = QueryLog.from_columns(["p"] * len(TEXTS), TEXTS)
    found = staged(merged, (0, 0, 0, 0), steps=[told(4)])
    assert attack_once(VanitySearch(), found.target, found.answers, seed=1).success >= 2 / 4


def test_a_name_that_two_asked_names_nobody() -> None:
    only = LOG.take(np.array([3, 5])).compact()
    merged = QueryLog.from_columns(["p", "p"], ["john lennon", "john lennon"])
    found = stage_log(only, merged, (0, 0), known=1)
    assert attack_once(VanitySearch(), found.target, found.answers, seed=1).success == 0


def test_a_surname_and_a_town_are_counted_together() -> None:
    tree = CategoryTree.from_paths([("Regional", "England"), ("Other",)])
    number = np.arange(len(LOG.texts))
    category = np.where([text == "pizza leeds" for text in LOG.texts.to_pylist()], 1, 2)
    topics = Classified.from_categories(tree, len(number), number, number, category, depth=2)
    (claims,) = VanitySearch().run(staged(released_topics=topics).target, np.random.default_rng(1))
    assert claims.figures["texts"] == 3
    assert claims.figures["with_a_place"] == 1


def test_it_says_no_more_than_there_are_victims() -> None:
    few = staged().target.among(np.array([0]))
    (claims,) = VanitySearch().run(few, np.random.default_rng(1))
    assert len(claims) == 1
    assert VanitySearch().cost(few) < VanitySearch().cost(staged().target)
