"""Two releases: whoever stays while the others change is found out."""

from __future__ import annotations

import numpy as np

from tacita.attack.judge.trial import attack_each
from tacita.attack.logs import KnownQueries, TwoLogReleases
from tests.attack.logs.searchers import merged, people, scene, told

LOG = people(100)


def success(attack, released, profile, **options: object) -> float:  # type: ignore[no-untyped-def]
    staged = scene(LOG, released, profile, steps=[told(5)], **options)
    found = attack_each(attack, staged.target, staged.answers, seed=1, control=staged.control)
    return {one.about: one for one in found}["further_query"].success


def test_other_groups_leave_only_the_victim() -> None:
    other, _ = merged(LOG, 5, shift=7)
    assert success(TwoLogReleases(), *merged(LOG, 5), earlier=[other]) > 0.9
    assert success(KnownQueries(), *merged(LOG, 5)) < 0.35


def test_the_same_groups_tell_nothing_new() -> None:
    same, _ = merged(LOG, 5)
    assert success(TwoLogReleases(), *merged(LOG, 5), earlier=[same]) < 0.35


def test_three_releases_tell_more_than_two_of_large_groups() -> None:
    others = [merged(LOG, 25, shift=shift)[0] for shift in (7, 11)]
    two = success(TwoLogReleases(), *merged(LOG, 25), earlier=others[:1])
    three = success(TwoLogReleases(), *merged(LOG, 25), earlier=others)
    assert two < three


def test_it_declines_without_another_release_and_costs_more_with_each() -> None:
    one = scene(LOG, *merged(LOG, 5)).target
    assert "no other release" in TwoLogReleases().declined(one)
    two = scene(LOG, *merged(LOG, 5), earlier=[merged(LOG, 5)[0]]).target
    assert TwoLogReleases().cost(two) > TwoLogReleases().cost(one)
    sure = TwoLogReleases().run(two, np.random.default_rng(1))[2].is_sure
    assert sure is not None
    assert not sure.any()
