"""Own queries: whose lines stand alone finds himself; what two asked is nobody's alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.attack.judge.trial import attack_each, attack_once
from tacita.attack.logs import OwnQueries
from tacita.core.arrays import IntArray
from tacita.data.query_log.query_log import QueryLog
from tests.attack.logs.searchers import by_rule, merged, people, scene, told

LOG = people(60)


def graded(released: QueryLog, profile: IntArray, **options: object):  # type: ignore[no-untyped-def]
    staged = scene(LOG, released, profile, **options)
    found = attack_each(OwnQueries(), staged.target, staged.answers, seed=1, control=staged.control)
    return {one.about: one for one in found}


def test_a_pseudonym_is_somebody_alone() -> None:
    found = graded(*merged(LOG, 1))
    assert found["identity"].success == found["own_query"].success == 1
    assert found["identity"].affected == 60
    assert found["identity"].figures["profile told rightly"] == 1


@pytest.mark.parametrize("k", [2, 5])
def test_among_others_a_line_is_his_alone_and_the_profile_is_not(k: int) -> None:
    found = graded(*merged(LOG, k), steps=[told(k)])
    assert found["identity"].success == 0
    assert found["identity"].sure == 0
    assert found["own_query"].standing == "broken"
    assert found["own_query"].success > 0.95


@pytest.mark.parametrize("k", [2, 5])
def test_what_two_of_a_group_asked_is_nobodys_alone(k: int) -> None:
    found = graded(*by_rule(LOG, k, askers=2), steps=[told(k, "safe")])
    assert found["own_query"].success == 0
    assert {one.standing for one in found.values()} == {"held"}


def test_it_declines_where_nobody_has_all_lines_or_nothing_left() -> None:
    target = scene(LOG, *merged(LOG, 1)).target
    assert OwnQueries().declined(target) == ""
    assert "all that a victim asked" in OwnQueries().declined(replace(target, own=None))
    nothing = target.released.take(np.arange(0))
    assert OwnQueries().declined(replace(target, released=nothing)) == "Nothing was released."


def test_the_strongest_claim_is_graded() -> None:
    staged = scene(LOG, *merged(LOG, 2), steps=[told(2)])
    assert attack_once(OwnQueries(), staged.target, staged.answers, seed=1).about == "own_query"
