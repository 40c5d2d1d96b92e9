"""Verdicts on logs: promises and limits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tacita.compare.logs.judge_log import LogLimit, judge_log, log_limits
from tacita.compare.logs.measure_log import LogCard, measure_log
from tacita.core.errors import ParameterError, ReleaseError, UnknownMethodError
from tacita.logs.anonymiser import AnonymisedLog
from tacita.logs.log_measure import LogFigure
from tacita.logs.semantic_microaggregation import SemanticMicroaggregation
from tests.logs.material import interested_users


@pytest.fixture(scope="module")
def made() -> tuple[LogCard, AnonymisedLog]:
    log, topics = interested_users(40)
    found = SemanticMicroaggregation(k=4, time="none", identifying="keep").apply(log, topics, seed=1)
    return measure_log(log, found, topics, measures=["semantic_remain", "profile_linkage"]), found


def test_three_states(made: tuple[LogCard, AnonymisedLog]) -> None:
    card, log = made
    assert judge_log(card, log.certificate).state == "not judged"
    assert judge_log(card, log.certificate, ["profile_linkage <= 100"]).has_passed
    assert judge_log(card, log.certificate, {"profile_linkage": 0.0}).state == "failed"
    assert judge_log(card, log.certificate, {"lines_kept": 1}).state == "not judged"
    assert "Not computed" in str(judge_log(card, log.certificate, {"lines_kept": 1}))


def test_limits_alone_do_not_pass_what_promises_nothing(made: tuple[LogCard, AnonymisedLog]) -> None:
    assert judge_log(made[0], None, ["profile_linkage <= 100"]).state == "not judged"


def test_a_broken_promise_fails_whatever_the_limits(made: tuple[LogCard, AnonymisedLog]) -> None:
    card, log = made
    assert log.certificate is not None
    broken = replace(log.certificate, lonely_texts=1)
    verdict = judge_log(card, broken, ["profile_linkage <= 100"])
    assert verdict.state == "failed"
    assert "lonely texts: 1" in str(verdict)
    assert verdict.as_plain()["certificate"]["holds"] is False


def test_the_worse_end_of_an_interval_counts(made: tuple[LogCard, AnonymisedLog]) -> None:
    card, log = made
    figure = LogFigure(value=10.0, parts={"95 % interval from": 8.0, "95 % interval to": 12.0})
    sampled = replace(card, figures={**card.figures, "profile_linkage": figure})
    assert judge_log(sampled, log.certificate, ["profile_linkage <= 11"]).state == "failed"
    assert judge_log(sampled, log.certificate, ["profile_linkage <= 12"]).has_passed


def test_insisting_needs_words(made: tuple[LogCard, AnonymisedLog]) -> None:
    card, log = made
    failed = judge_log(card, log.certificate, {"profile_linkage": 0.0})
    with pytest.raises(ReleaseError, match="because"):
        failed.insisting(" ")
    assert failed.insisting(" the board  agreed ").because == "the board agreed"


@pytest.mark.parametrize("text", ["profile_linkage", "profile_linkage < 5", "profile_linkage <= x", "<= 5", ""])
def test_what_is_no_limit(text: str) -> None:
    with pytest.raises(ParameterError, match="written as"):
        LogLimit.parse(text)


def test_limits_ask_for_the_better() -> None:
    with pytest.raises(ParameterError, match="lower is better"):
        LogLimit.parse("profile_linkage >= 5")
    with pytest.raises(ParameterError, match="higher is better"):
        LogLimit.parse("semantic_remain <= 5 %")
    with pytest.raises(UnknownMethodError, match="profile_linkage"):
        LogLimit.parse("profile_linkages <= 5")
    with pytest.raises(ParameterError, match="finite"):
        log_limits({"profile_linkage": float("inf")})
    assert [str(one) for one in log_limits({"semantic_remain": 20})] == ["semantic_remain >= 20 %"]
    assert log_limits("profile_linkage =< 20 %") == log_limits(["profile_linkage <= 20"])
