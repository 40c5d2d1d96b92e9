"""Differences of universes: plain differencing is stopped, whoever asks."""

from __future__ import annotations

from tacita.query.requests.statistic import Statistic
from tacita.query.restrictions.differences import Differences
from tests.query.builders import opened, policy_of, ring

WHO = [f"r{i:02d}" for i in range(60)]


def _sum(*numbers: int) -> Statistic:
    return Statistic(response="wage", statistic="sum", where={"who": [WHO[i] for i in numbers]})


def test_a_universe_less_one_record_is_refused_and_less_three_is_not() -> None:
    db = opened(ring(), policy_of(Differences(least=3)))
    assert db.ask(_sum(*range(20)), user="ann").status == "answered"
    assert db.ask(_sum(*range(19)), user="bob").reasons == ("differences",)
    assert db.ask(_sum(*range(18)), user="bob").reasons == ("differences",)
    assert db.ask(_sum(*range(17)), user="bob").status == "answered"


def test_exchanged_records_and_complements_count() -> None:
    db = opened(ring(), policy_of(Differences(least=3)))
    assert db.ask(_sum(*range(20))).status == "answered"
    assert db.ask(_sum(*range(19), 30)).reasons == ("differences",)
    assert db.ask(_sum(*range(21, 60))).reasons == ("differences",)
    assert db.ask(_sum(*range(20, 60))).status == "answered"


def test_a_refused_question_is_not_remembered() -> None:
    db = opened(ring(), policy_of(Differences(least=3)))
    assert db.ask(_sum(0)).reasons == ("differences",)
    assert db.ask(_sum(*range(20))).status == "answered"
    assert db.ask(_sum(*range(19))).status == "refused"
    assert db.ask(_sum(*range(16))).status == "answered"
    assert db.history.answered == 2
