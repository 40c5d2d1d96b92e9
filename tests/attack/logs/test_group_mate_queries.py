"""Group mates: what is left when they put their own queries aside."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.attack.judge.grade import Grade
from tacita.attack.judge.stage_log import stage_log
from tacita.attack.judge.trial import attack_each
from tacita.attack.logs import GroupMateQueries
from tacita.attack.logs.group_mate_queries import chance_of_victim
from tacita.core.arrays import IntArray
from tacita.data.query_log.query_log import QueryLog
from tests.attack.logs.searchers import by_rule, merged, people, scene, told

LOG = people(100)


def graded(released: QueryLog, profile: IntArray, **options: object) -> dict[str, Grade]:
    staged = scene(LOG, released, profile, **options)
    found = attack_each(GroupMateQueries(), staged.target, staged.answers, seed=1, control=staged.control)
    return {one.about: one for one in found}


@pytest.mark.parametrize(("k", "mates"), [(2, 1), (5, 4)])
def test_when_all_others_attack_the_rest_is_his_for_sure(k: int, mates: int) -> None:
    found = graded(*merged(LOG, k), steps=[told(k)], mates=mates)["query"]
    assert found.success == 1
    assert found.sure_right == found.sure > 80


def test_one_of_five_shares_the_rest_with_three() -> None:
    found = graded(*merged(LOG, 5), steps=[told(5)], mates=1)["query"]
    assert found.low <= 1 / 4 <= found.high
    assert found.sure == 0


def test_where_two_must_have_asked_the_only_other_one_did() -> None:
    """A release with what two asked, in groups of two: the mate's own lines that came out are the other's too."""
    users = ["a", "a", "a", "b", "b", "b", "c", "c", "d", "d"]
    log = QueryLog.from_columns(users, ["x", "z", "only a", "x", "z", "only b", "w", "v", "w", "v"])
    released, profile = by_rule(log, 2, askers=2)
    assert not any(text.startswith("only") for text in released.compact().texts.to_pylist())
    staged = stage_log(log, released, profile, steps=[told(2, "safe")], known=1)
    claims = {c.about: c for c in GroupMateQueries().run(staged.target, np.random.default_rng(1))}
    assert staged.answers.right("query", claims["query"].said).all()
    paper = replace(staged.target, steps=(told(2, "paper"),))
    assert (GroupMateQueries().run(paper, np.random.default_rng(1))[0].said == -1).all()


def test_among_five_the_other_askers_stay_hidden() -> None:
    found = graded(*by_rule(LOG, 5, askers=2), steps=[told(5, "safe")], mates=1)
    assert {one.standing for one in found.values()} == {"held"}


@pytest.mark.parametrize(
    ("c", "m", "k", "a", "chance"), [(0, 1, 2, 1, 1), (1, 1, 2, 1, 0), (1, 1, 5, 2, 0.25), (0, 3, 5, 2, 1)]
)
def test_the_chance_that_the_victim_asked(c: int, m: int, k: int, a: int, chance: float) -> None:
    assert chance_of_victim(np.array([c]), np.array([m]), k=k, askers=a).tolist() == [chance]


def test_it_declines_without_mates_or_groups() -> None:
    alone = scene(LOG, *merged(LOG, 1), mates=0).target
    assert "Nobody behind" in GroupMateQueries().declined(alone)
    untold = scene(LOG, *merged(LOG, 2)).target
    assert "several users" in GroupMateQueries().declined(untold)
