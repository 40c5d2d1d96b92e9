"""The campaign against a query log: what fails, what passes, what is told, and its page."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from tacita.compare.red_team.attack_log import attack_log, told_of_anonymiser
from tacita.core.errors import AttackError, ParameterError
from tacita.logs.anonymiser import AnonymisedLog
from tacita.logs.semantic_microaggregation import SemanticMicroaggregation
from tacita.report.red_team import campaign_page
from tests.attack.logs.searchers import classified, merged, people

LOG = people(60)
TOPICS = classified(LOG)
PAPER = SemanticMicroaggregation(k=2, mode="paper")


def released(k: int) -> AnonymisedLog:
    log, profile = merged(LOG, k)
    return AnonymisedLog(log=log, profile=profile.astype(np.int32), method="merged")


def test_every_attack_on_logs_is_run_or_says_why() -> None:
    found = attack_log(LOG, released(2), method=PAPER, topics=TOPICS, earlier=[merged(LOG, 2, shift=7)[0]])
    by_name = {grade.attack: grade for grade in found.grades}
    assert set(by_name) == {
        *("own_queries", "known_queries", "known_topics", "vanity_search"),
        *("group_mate_queries", "two_log_releases", "time_trace"),
    }
    assert found.state == "failed"
    for name in ("own_queries", "known_queries", "group_mate_queries", "two_log_releases", "time_trace"):
        assert by_name[name].standing == "broken"
    assert by_name["own_queries"].figures["profile told rightly"] > 0.9
    assert "2 users at least" in " ".join(found.notes)


def test_without_a_method_a_directory_or_times_less_is_tried() -> None:
    log = replace(LOG, time=None)
    found = attack_log(log, replace(released(2), log=replace(released(2).log, time=None)))
    left = {grade.attack for grade in found.grades if grade.standing == "not run"}
    assert left == {"group_mate_queries", "known_topics", "time_trace", "two_log_releases"}
    assert "Nothing is told of the method" in " ".join(found.notes)
    assert "Without a directory" in " ".join(found.notes)


def test_topics_of_released_texts_are_those_of_the_same_texts() -> None:
    found = attack_log(LOG, released(3), topics=TOPICS, attacks=["known_topics"])
    assert found.grades[0].standing != "not run"
    texts = released(3).log.texts.to_pylist()
    other = replace(released(3).log, texts=pa.array([*texts[:-1], "unknown"]))
    assert (
        attack_log(LOG, replace(released(3), log=other), topics=TOPICS, attacks=["known_topics"]).state == "not judged"
    )


def test_a_release_of_what_all_ask_passes() -> None:
    log, profile = merged(LOG, 30)
    is_common = np.array([text.startswith("site") for text in log.texts.to_pylist()])
    safe = AnonymisedLog(
        log=log.take(np.flatnonzero(is_common[log.query])), profile=profile.astype(np.int32), method=""
    )
    assert attack_log(LOG, safe, topics=TOPICS, without=["time_trace"]).state == "passed"


def test_the_documentation_is_told_as_it_stands() -> None:
    told = told_of_anonymiser(PAPER)
    assert told.name == "semantic_microaggregation"
    assert (told.parameters["k"], told.parameters["mode"], told.parameters["askers"]) == (2, "paper", 2)


def test_a_campaign_has_its_page_and_repeats_itself_without_a_text_of_the_log() -> None:
    one, two = (attack_log(LOG, released(2), method=PAPER, topics=TOPICS, seed=5) for _ in range(2))
    page = campaign_page(one, "Red team")
    assert page == campaign_page(two, "Red team")
    assert "a neighbour knows 3 of each victim" in page
    told = page + one.to_json() + one.words()
    for text in ("thing 1 2", "illness 3", "site 4", "person 7"):
        assert text not in told
    assert json.loads(one.to_json())["against"] == "log"


def test_what_cannot_be_attacked_is_refused() -> None:
    with pytest.raises(ParameterError, match="'margin' must be"):
        attack_log(LOG, released(2), margin=1.0)
    with pytest.raises(ParameterError, match="'topics' must have a row for each different query"):
        attack_log(LOG, released(2), topics=TOPICS.at(np.arange(3)))
    with pytest.raises(AttackError, match="one entry for each user"):
        attack_log(LOG, replace(released(2), profile=np.zeros(3, np.int32)))
    with pytest.raises(ParameterError, match="no attack 'own_querys'"):
        attack_log(LOG, released(2), attacks=["own_querys"])
