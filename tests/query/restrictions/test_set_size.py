"""Query-set-size control: few, all but few, and everybody."""

from __future__ import annotations

import pytest

from tacita.query.requests.statistic import Statistic
from tacita.query.restrictions.set_size import SetSize
from tests.query.builders import judged, opened, policy_of, ring

RULE = SetSize(k=10)
DB = opened(ring(60), policy_of(RULE))
WHO = [f"r{i:02d}" for i in range(60)]


@pytest.mark.parametrize(("size", "decision"), [(9, "deny"), (10, "allow"), (50, "allow"), (51, "deny"), (60, "allow")])
def test_sizes_that_are_answered(size: int, decision: str) -> None:
    found = judged(RULE, DB, Statistic(response="wage", statistic="sum", where={"who": WHO[:size]}))
    assert found.decision == decision


def test_the_reason_is_for_the_steward_and_has_no_count() -> None:
    answer = DB.ask(Statistic(response="wage", statistic="sum", where={"who": WHO[:3]}))
    assert answer.reasons == ("set_size",)
    assert answer.hint == ""
