"""The scene of a log: attackers get what the scenario says, the judge keeps the rest, and the control has nobody in it."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from tacita.attack.judge.stage_log import stage_log
from tacita.core.errors import AttackError
from tacita.data.query_log.query_log import QueryLog
from tests.attack.logs.searchers import merged, people, scene

LOG = people(30)
NAMES = LOG.users.to_pylist()


def lines_of(log: QueryLog) -> list[list[str]]:
    made: list[list[str]] = [[] for _ in log.users]
    texts = log.texts.to_pylist()
    for user, query in zip(log.user.tolist(), log.query.tolist(), strict=True):
        made[user].append("" if query < 0 else texts[query])
    return made


def test_own_lines_known_lines_and_profiles_are_of_the_same_person() -> None:
    released, profile = merged(LOG, 3)
    staged = scene(LOG, released, profile, known=2)
    target, answers = staged.target, staged.answers
    assert target.own is not None
    people_of = {tuple(sorted(lines)): i for i, lines in enumerate(lines_of(LOG))}
    who = [people_of[tuple(sorted(lines))] for lines in lines_of(target.own)]
    assert sorted(who) == list(range(30))
    assert who != list(range(30)), "the order of the victims tells nothing"
    assert answers.truth["profile"].tolist() == profile[who].tolist()
    for person, known in zip(who, lines_of(target.known), strict=True):
        assert len(set(known)) == 2
        assert set(known) <= set(lines_of(LOG)[person])


def test_nobody_has_his_name_and_nobody_the_words_of_others() -> None:
    target = scene(LOG, *merged(LOG, 2)).target
    for name in ("known", "own", "mates", "seen"):
        log = getattr(target, name)
        assert not set(log.users.to_pylist()) & set(NAMES)
    assert target.seen is not None
    assert (target.seen.query == -1).all()
    assert len(target.seen.texts) == 0
    assert len(target.known.texts) == len(np.unique(target.known.query))


def test_the_truth_is_what_was_asked_less_what_is_known() -> None:
    released, profile = merged(LOG, 2)
    staged = scene(LOG, released, profile)
    assert staged.target.own is not None
    texts = released.texts.to_pylist()
    for victim, (own, known) in enumerate(zip(lines_of(staged.target.own), lines_of(staged.target.known), strict=True)):
        for text in (*own, "thing 0 1", "site 3"):
            code = np.full(30, -1)
            code[victim] = texts.index(text)
            assert staged.answers.right("query", code)[victim] == (text in own)
            assert staged.answers.right("further_query", code)[victim] == (text in own and text not in known)
            askers = sum(text in lines for lines in lines_of(LOG))
            assert staged.answers.right("own_query", code)[victim] == (text in own and askers == 1)


@pytest.mark.parametrize(("k", "is_alone"), [(1, True), (2, False)])
def test_an_identity_is_a_profile_of_ones_own(k: int, is_alone: bool) -> None:
    answers = scene(LOG, *merged(LOG, k)).answers
    assert ((answers.truth["identity"] >= 0) == is_alone).all()
    assert answers.guess("profile") == 1


def test_mates_stand_behind_the_same_profile() -> None:
    released, profile = merged(LOG, 4)
    staged = scene(LOG, released, profile, mates=5)
    target = staged.target
    assert target.mate_of is not None
    assert target.mates is not None
    assert lines_of(target.mates) == lines_of(LOG)
    size = np.bincount(profile)
    for mates, at in zip(target.mate_of.tolist(), staged.answers.truth["profile"].tolist(), strict=True):
        there = [mate for mate in mates if mate >= 0]
        assert len(set(there)) == len(there) == min(5, size[at] - 1)
        assert {int(profile[mate]) for mate in there} <= {at}


def test_the_profiles_of_the_control_are_gone() -> None:
    released, profile = merged(LOG, 2)
    control = scene(LOG, released, profile, earlier=[released]).control
    assert control is not None
    target, answers = control
    assert len(target.released.users) == 8
    assert target.victims == len(answers) == 14
    assert (answers.truth["profile"] == -1).all()
    assert target.earlier == ()
    assert target.own is not None
    left = {text for lines in lines_of(target.released) for text in lines}
    assert not any(text in left for lines in lines_of(target.own) for text in lines if text.startswith("thing"))


def test_one_profile_has_no_control() -> None:
    released, profile = merged(LOG, 30)
    assert scene(LOG, released, profile).control is None


def test_users_without_a_profile_are_victims_who_are_not_there() -> None:
    released, profile = merged(LOG, 1)
    gone = np.where(np.arange(30) < 5, -1, profile)
    answers = scene(LOG, released.take(np.flatnonzero(released.user >= 5)), gone).answers
    assert (answers.truth["profile"] == -1).sum() == 5
    assert (answers.truth["identity"] == -1).sum() == 5


def test_the_same_seed_sets_the_same_scene() -> None:
    one, two, other = (scene(LOG, *merged(LOG, 2), seed=seed).target for seed in (1, 1, 2))
    assert lines_of(one.known) == lines_of(two.known)
    assert lines_of(one.known) != lines_of(other.known)


def test_rare_queries_are_those_of_the_fewest_users() -> None:
    for lines in lines_of(scene(LOG, *merged(LOG, 2), known=3, which="rare").target.known):
        assert all(text.startswith("thing") or text.startswith("illness") for text in lines)


def test_a_log_without_times_shows_nobody_searching() -> None:
    log = QueryLog.from_columns(["a", "b"], ["x", "y"])
    assert stage_log(log, log, [0, 1]).target.seen is None
    assert "seen" in {field.name for field in fields(stage_log(log, log, [0, 1]).target)}


@pytest.mark.parametrize(
    ("profile", "options", "says"),
    [
        ([0], {}, "one entry for each user of the original, 30, got 1"),
        ([99] * 30, {}, "places of the released users"),
        ([-2] * 30, {}, "places of the released users"),
        (list(range(30)), {"known": 0}, "'known' must be at least 1"),
    ],
)
def test_what_cannot_be_judged_is_refused(profile: list[int], options: dict[str, int], says: str) -> None:
    with pytest.raises(AttackError, match=says):
        stage_log(LOG, LOG, profile, **options)
