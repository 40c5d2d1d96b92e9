"""Equivalent cells: the same people in other words; noise keyed by words is beaten, noise keyed by sets is not."""

from __future__ import annotations

import json

import numpy as np

from tacita.attack.judge.trial import attack_once
from tacita.attack.queries.class_sets import everybody, people_of
from tacita.attack.queries.equivalent_cells import EquivalentCells, other_words
from tacita.study.red_team.queries import noisy
from tests.attack.queries.servers import check_contract, graded, words_of


def test_noise_of_the_words_is_averaged_away() -> None:
    found = attack_once(EquivalentCells(), *noisy("words")(1), seed=1)
    assert found.standing == "broken"
    assert found.success > 0.9


def test_noise_of_the_set_stays() -> None:
    for policy in ("tables", "mas"):
        assert graded(EquivalentCells(times=10), policy, wanted="ill").standing == "held"
    words = words_of("tables", wanted="ill")
    men = people_of(words.domain, {"sex": "male", "age": ["16-24", "65+"]})
    told = {tuple(words.look(other)) for other in other_words(men, np.random.default_rng(2), 10)}  # type: ignore[arg-type]
    assert len(told) == 1


def test_other_words_are_other_and_mean_the_same() -> None:
    words = words_of()
    for people in (people_of(words.domain, {"sex": "male", "work": ["farm", "shop"]}), everybody(words.domain)):
        others = list(other_words(people, np.random.default_rng(1), 40))
        assert len({json.dumps(one.plain()) for one in others}) > 10
        assert all(not one - people and not people - one for one in others)


def test_contract() -> None:
    check_contract(EquivalentCells(times=3))
