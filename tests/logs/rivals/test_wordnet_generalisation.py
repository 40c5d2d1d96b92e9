"""Generalisation of users along a tree: k users have the same set, and what is told of them is true."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import DataError
from tacita.logs import WordnetGeneralisation
from tests.logs.material import TREE, Material, interested_users, made_material, materials
from tests.oracles.logs.measures import deepest, grouped, lines_of
from tests.oracles.logs.rivals import Generalisation


def above(path: str, categories: list[int]) -> list[int]:
    """The categories that lie at or below the one of a path."""
    place = TREE.places[tuple(path.split(": "))]
    return [category for category in categories if TREE.at_level(int(TREE.levels[place]))[category] == place]


@given(materials(), st.integers(2, 4))
def test_k_users_are_told_alike_and_truly(material: Material, k: int) -> None:
    log, topics = material
    k = min(k, len(log.users))
    made = WordnetGeneralisation(k=k).apply(log, topics, seed=1)
    assert (made.profile >= 0).all()
    assert made.smallest >= k
    own = grouped(deepest(log, topics), lambda user: user)
    told = lines_of(made.log)
    assert len(set(told)) == len(told), "a category stands twice in a profile"
    for user in range(len(log.users)):
        for path in (text for profile, text in told if profile == made.profile[user]):
            assert above(path, own[user]), "a user is told to have what he never searched for"


@given(materials())
def test_the_loss_is_that_of_the_slow_version(material: Material) -> None:
    log, topics = material
    own = grouped(deepest(log, topics), lambda user: user)
    if len(own) < len(log.users):
        return  # the slow version knows no users without a category
    made = WordnetGeneralisation(k=2).apply(log, topics, seed=1)
    slow = Generalisation(TREE, [set(own[user]) for user in range(len(log.users))], 2)
    assert made.notes[0].startswith(f"Generalisation loses {100 * slow.total_loss():.1f} %")
    assert len(made.log.users) == len(slow.parts)


def test_users_that_no_directory_knows_are_told_as_nothing() -> None:
    log, topics = made_material([0, 1, 2, 3], [0, 0, 1, 2], [[2], [], []])
    made = WordnetGeneralisation(k=2).apply(log, topics, seed=1)
    assert made.log.texts.to_pylist() == ["Arts: East: Old"]
    assert made.profile[0] == made.profile[1] != made.profile[2] == made.profile[3]
    assert made.removed == {"without a topic": 2}


def test_nobody_is_told_as_anything_when_all_differ() -> None:
    log, topics = made_material([0, 1], [0, 1], [[2], [12]])
    made = WordnetGeneralisation(k=2).apply(log, topics, seed=1)
    assert len(made.log) == 0
    assert made.profile.tolist() == [0, 0]


def test_fewer_than_k_who_ask_are_refused() -> None:
    log, topics = interested_users(4)
    with pytest.raises(DataError, match="at least k = 5"):
        WordnetGeneralisation(k=5).apply(log, topics, seed=1)


def test_levels_of_a_profile_are_those_of_its_categories() -> None:
    log, topics = interested_users(60)
    made = WordnetGeneralisation(k=3).apply(log, topics, seed=1)
    assert made.topics is not None
    for text, path in enumerate(made.log.texts.to_pylist()):
        place = TREE.places[tuple(path.split(": "))]
        for level, matrix in enumerate(made.topics.levels, 1):
            at = TREE.at_level(level)[place]
            assert np.flatnonzero(matrix[[text]].toarray()).tolist() == ([at] if at >= 0 else [])
