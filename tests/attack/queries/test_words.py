"""What can be said to a server: the same numbers in every way of asking, and what was refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.attack.queries.class_sets import everybody, people_of, published_classes
from tacita.attack.queries.words import ServerWords
from tacita.core.errors import AttackError
from tacita.query.policy.policy import Policy
from tacita.query.restrictions import TableSize
from tacita.study.red_team.queries import exact_answers, size_control
from tests.attack.queries.servers import target_of, words_of


@pytest.mark.parametrize("wanted", ["income", "ill"])
def test_tables_tell_what_single_numbers_tell(wanted: str) -> None:
    tables = Policy(requests=("tabulate",), restrictions=(TableSize(),))
    single = Policy(requests=("statistic",), restrictions=(TableSize(),))
    told = []
    for policy in (tables, single):
        words = words_of(policy, wanted=wanted)
        some = people_of(words.domain, {"sex": "male", "age": ["16-24", "65+"]})
        told.append(np.concatenate([words.look(some), words.look(everybody(words.domain))]))  # type: ignore[list-item]
    np.testing.assert_allclose(told[0], told[1])


def test_questions_are_counted_and_remembered() -> None:
    words = words_of()
    men = people_of(words.domain, {"sex": "male"})
    words.look(men)
    asked = words.queries
    assert words.look(men) is not None
    assert words.queries == asked
    words.look(men, again=True)
    assert words.queries > asked


def test_refusals_are_counted_by_their_rule() -> None:
    words = words_of(size_control(k=10_000))
    assert words.look(people_of(words.domain, {"sex": "male"})) is None
    assert words.refused["set_size"] > 0
    assert words.reasons(people_of(words.domain, {"sex": "male"})) == ()  # the count was not asked for
    words.count(people_of(words.domain, {"sex": "male"}))
    assert words.reasons(people_of(words.domain, {"sex": "male"})) == ("set_size",)


def test_what_is_not_offered_is_asked_once_and_listed() -> None:
    words = words_of("tables")
    for word in words.domain["age"]:
        words.count(people_of(words.domain, {"age": word}))
    assert words.refused["not_offered"] == 1
    assert words.not_worded


def test_nobody_is_not_asked_about_and_too_many_pieces_are_not_worded() -> None:
    words = words_of()
    nobody = everybody(words.domain) - everybody(words.domain)
    assert words.look(nobody).tolist() == [0.0, 0.0]  # type: ignore[union-attr]
    cells = [people_of(words.domain, {"age": a, "work": w}) for a in words.domain["age"] for w in words.domain["work"]]
    many = cells[0]
    for cell in cells[1:]:
        for sex in words.domain["sex"]:
            for region in words.domain["region"]:
                many = many | (cell & people_of(words.domain, {"sex": sex, "region": region}))
    assert words.look(many) is None
    assert any("64 pieces" in said for said in words.not_worded)


def test_he_stops_when_he_can_afford_no_more() -> None:
    target, _ = target_of()
    words = ServerWords(replace(target, most_queries=1))
    for word in words.domain["age"]:
        words.count(people_of(words.domain, {"age": word}))
    assert words.queries == 1
    assert words.refused["most_queries"] > 0


def test_intervals_are_read_by_their_middle_and_make_unsure() -> None:
    words = words_of("camouflage")
    exact = words_of()
    men = people_of(words.domain, {"sex": "male"})
    told, true = words.look(men), exact.look(men)
    assert words.is_vague
    assert told is not None
    assert true is not None
    assert np.isnan(told[0])  # there are no counts
    assert told[1] == pytest.approx(true[1], rel=0.2)


def test_width_and_shares_are_found_by_asking() -> None:
    words = words_of()
    assert sum((words.shares("age") or {}).values()) == pytest.approx(1)
    assert words.width() == 5  # four keys, and who is ill
    narrow = Policy(requests=("statistic",), restrictions=(TableSize(meeting=2),))
    assert words_of(narrow).width() == 2
    assert words_of("audited").shares("ill") is None


def test_bins_are_learned_from_a_table() -> None:
    from tacita.query.steward.attack_database import stage_database
    from tests.query.builders import opened, survey

    db = opened(survey(300), "internal")
    target, _ = stage_database(db, victims=2)
    cutpoints = {"variables": db.catalogue.to_plain()["variables"]}
    assert "age" not in published_classes(cutpoints)
    words = ServerWords(target)
    assert tuple(words.domain["age"]) == tuple(db.catalogue["age"].all_classes)


def test_what_is_wanted_must_be_there() -> None:
    target, _ = target_of(exact_answers())
    with pytest.raises(AttackError, match="no variable 'wealth'"):
        ServerWords(replace(target, wanted="wealth"))
