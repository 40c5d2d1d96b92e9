"""The red team's town: victims are alone with their keys, and what is told of them stays with the judge."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.study.red_team.town import KEYS, town, town_target


@pytest.mark.parametrize("alone", [1, 2])
def test_so_many_people_have_the_keys_of_a_victim(alone: int) -> None:
    here = town(1, people=900, victims=10, alone=alone)
    target, answers = town_target(here)
    for known in target.known:
        assert set(known) == set(KEYS)
        same = np.ones(len(here.data), bool)
        for name, word in known.items():
            found = here.data.codes(name)
            same &= np.array([str(category) == word for category in found.categories])[found.values]
        assert same.sum() == alone
    assert len(answers.truth["income"]) == 10
    assert len(target.insiders) == (10 if alone == 2 else 0)
    assert len(here.without(here.victims)) == len(here.data) - 10


def test_the_same_seed_is_the_same_town() -> None:
    one, two, other = (town(seed, people=300, victims=5) for seed in (1, 1, 2))
    assert one.data.to_arrow().equals(two.data.to_arrow())
    assert not one.data.to_arrow().equals(other.data.to_arrow())
