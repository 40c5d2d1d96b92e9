"""Removal of infrequent queries: who asked what is left is counted again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import DataError
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog
from tacita.logs import InfrequentRemoval
from tacita.logs.rivals.infrequent_removal import main_topics
from tests.logs.material import TREE, Material, made_material, materials
from tests.oracles.logs.measures import lines_of


@given(materials(), st.integers(2, 4))
def test_exactly_the_lines_of_frequent_queries_leave(material: Material, askers: int) -> None:
    log = material.log
    made = InfrequentRemoval(askers=askers).apply(log, material.topics, seed=1)
    asked = lines_of(log)
    frequent = {text for _, text in asked if len({user for user, other in asked if other == text}) >= askers}
    left = sorted((int(made.profile[user]), text) for user, text in asked if text in frequent)
    assert sorted(lines_of(made.log)) == left
    stays = {user for user, text in asked if text in frequent}
    assert {user for user in range(len(log.users)) if made.profile[user] >= 0} == stays
    assert len(set(made.profile[made.profile >= 0].tolist())) == len(stays) == len(made.log.users)
    assert sum(made.removed.values()) == len(log) - len(made.log)


@given(materials(), st.integers(2, 3))
def test_a_split_user_has_one_interest_a_number(material: Material, askers: int) -> None:
    log, topics = material
    made = InfrequentRemoval(askers=askers, splits_users=True).apply(log, topics, seed=1)
    whole = InfrequentRemoval(askers=askers).apply(log, topics, seed=1)
    assert made.topics is not None
    assert sorted(text for _, text in lines_of(made.log)) == sorted(text for _, text in lines_of(whole.log))
    interest = main_topics(made.topics)
    for pseudonym in range(len(made.log.users)):
        own = made.log.query[made.log.user == pseudonym]
        assert len(set(interest[own].tolist())) == 1
    assert ((made.profile >= 0) == (whole.profile >= 0)).all()
    apart = {(int(user), int(main_topics(topics)[query])) for user, query in zip(log.user, log.query, strict=True)}
    assert len(made.log.users) <= len(apart)


def test_the_main_topic_is_that_of_most_terms() -> None:
    health = TREE.places[("Health",)]
    text, term, category = np.array([0, 0, 2, 2, 2]), np.arange(5), np.array([2, 12, 2, 12, 14])
    topics = Classified.from_categories(TREE, 3, text, term, category, depth=3)
    assert main_topics(topics).tolist() == [0, -1, health]


def test_the_part_with_most_lines_stands_for_a_user() -> None:
    users, texts = [0, 0, 0, 1, 1], [0, 1, 1, 0, 1]
    log, topics = made_material(users, texts, [[2], [22]])
    made = InfrequentRemoval(askers=2, splits_users=True).apply(log, topics, seed=1)
    own = made.log.query[made.log.user == made.profile[0]]
    assert [made.log.texts[int(query)].as_py() for query in own] == ["query 1", "query 1"]


def test_splitting_needs_topics() -> None:
    log = QueryLog.from_columns(["a", "b"], ["tea", "tea"])
    with pytest.raises(DataError, match="'topics' must be given"):
        InfrequentRemoval(splits_users=True).apply(log, seed=1)


def test_nothing_may_be_left() -> None:
    log = QueryLog.from_columns(["a", "b"], ["tea", "milk"])
    made = InfrequentRemoval().apply(log, seed=1)
    assert len(made.log) == len(made.log.users) == 0
    assert made.profile.tolist() == [-1, -1]


def test_times_and_clicks_leave_on_request_only() -> None:
    time = np.array(["2006-03-01T07:17:12", "2006-03-02T08:00:00"], "datetime64[us]")
    log = QueryLog.from_columns(
        ["a", "b"], ["tea", "tea"], time=time, rank=[1, 2], url=["http://x.org/1", "http://x.org/2"]
    )
    plain = InfrequentRemoval(askers=2).apply(log, seed=1).log
    assert plain.time is None and plain.url is None and plain.rank is None  # noqa: PT018
    open_ = InfrequentRemoval(askers=2, time="day", clicks="hosts").apply(log, seed=1).log
    assert open_.time is not None
    assert sorted(open_.time.astype("datetime64[D]").astype(str)) == ["2006-03-01", "2006-03-02"]
    assert open_.urls is not None
    assert open_.urls.to_pylist() == ["x.org"]
