"""Grades: when a target is broken, partly broken or held, and what is said of it."""

from __future__ import annotations

import json

from tacita.attack.judge.grade import Grade


def of(**facts: object) -> Grade:
    return Grade(attack="toy", target="a file", **{"victims": 100, "of": 100, **facts})  # type: ignore[arg-type]


def test_the_margin_decides() -> None:
    assert of(success=0.15, baseline=0.1).standing == "held"
    assert of(success=0.16, baseline=0.1).standing == "broken"
    assert of(success=0.16, baseline=0.1, margin=0.1).standing == "held"


def test_of_a_sample_the_upper_end_counts() -> None:
    assert of(success=0.14, high=0.2, baseline=0.1, of=1000).standing == "broken"
    assert of(success=0.14, high=0.2, baseline=0.1).counted == 0.14 - 0.1


def test_few_victims_that_are_told_for_sure_are_told() -> None:
    assert of(success=0.02, sure=2, sure_right=2).standing == "partly"
    assert of(success=0.02, sure=10, sure_right=2).standing == "held"
    assert of(success=0.05, sure=5, sure_right=5, baseline=0.4).standing == "partly"
    assert of(success=0.02, sure=2, sure_right=2, baseline=0.4).standing == "held"


def test_what_could_not_be_tried_did_not_hold() -> None:
    assert of(not_worded=("a dummy for one record",)).standing == "not worded"
    assert of(victims=0, of=0).standing == "not run"
    assert of(reason="There is no key.").standing == "not run"


def test_a_sentence_for_the_steward() -> None:
    broken = of(success=0.5, baseline=0.1, queries=12, refused={"set_size": 3}, sure=3, sure_right=3).words()
    assert broken == (
        "toy: broken; 50.0 % of 100 victims told rightly, 10.0 % by guessing; 3 for sure; 12 questions; stopped by set_size."
    )
    assert of(reason="There is no key.").words() == "toy: not run; There is no key."
    assert "no words for it (x)" in of(not_worded=("x",)).words()


def test_json_has_what_was_computed() -> None:
    plain = json.loads(json.dumps(of(success=0.5, baseline=0.1).as_plain()))
    assert (plain["standing"], plain["advantage"], plain["counted"], plain["affected"]) == ("broken", 0.4, 0.4, 0)
