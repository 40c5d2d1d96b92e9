"""Combinations of variables that may not meet."""

from __future__ import annotations

import pytest

from tacita.core.errors import ParameterError
from tacita.query.requests.regress import Regress
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.combinations import Combinations
from tests.query.builders import judged, opened, policy_of, ring

RULE = Combinations(never=[["sex", "block"]], ask=[["wage", "sex"]])
DB = opened(ring(), policy_of(RULE))


def test_variables_meet_in_the_table_the_universe_and_the_model() -> None:
    for request in (
        Tabulate(by=["sex", "block"]),
        Tabulate(by=["sex"], where={"block": "b1"}),
        Regress(response="wage", predictors=["sex", "block"]),
    ):
        assert judged(RULE, DB, request).decision == "deny"
    assert judged(RULE, DB, Tabulate(by=["sex"])).decision == "allow"
    assert judged(RULE, DB, Tabulate(by=["sex"], where={"block": [f"b{i}" for i in range(6)]})).decision == "allow"


def test_a_meeting_may_be_left_to_a_person_and_a_refusal_wins() -> None:
    looked_at = Tabulate(by=["sex"], response="wage", statistic="mean")
    assert judged(RULE, DB, looked_at).decision == "review"
    answer = DB.ask(looked_at)
    assert (answer.status, answer.reasons) == ("review", ("combinations",))
    both = Tabulate(by=["sex", "block"], response="wage", statistic="mean")
    assert DB.ask(both).status == "refused"


def test_a_set_names_at_least_one_variable() -> None:
    with pytest.raises(ParameterError, match="must name at least one"):
        Combinations(never=[[]])
