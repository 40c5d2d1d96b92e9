"""Overlap control: answered universes have few records in common."""

from __future__ import annotations

from tacita.query.requests.statistic import Statistic
from tacita.query.restrictions.overlap import Overlap
from tests.query.builders import opened, policy_of, ring

WHO = [f"r{i:02d}" for i in range(60)]


def _sum(first: int, last: int) -> Statistic:
    return Statistic(response="wage", statistic="sum", where={"who": WHO[first:last]})


def test_universes_may_have_few_records_in_common() -> None:
    db = opened(ring(), policy_of(Overlap(most=3)))
    assert db.ask(_sum(0, 20)).status == "answered"
    assert db.ask(_sum(16, 40)).reasons == ("overlap",)
    assert db.ask(_sum(17, 40)).status == "answered"
    assert db.ask(_sum(0, 20), user="another").status == "answered"


def test_after_everybody_nothing_else_is_answered() -> None:
    db = opened(ring(), policy_of(Overlap(most=3)))
    assert db.ask(Statistic(response="wage", statistic="sum")).status == "answered"
    assert db.ask(_sum(0, 30)).reasons == ("overlap",)
