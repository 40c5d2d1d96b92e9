"""Size of tables and universes."""

from __future__ import annotations

import pytest

from tacita.query.requests.regress import Regress
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.table_size import TableSize
from tests.query.builders import judged, opened, policy_of, ring

DB = opened(ring(60), policy_of(TableSize()))


@pytest.mark.parametrize(
    ("limits", "decision"),
    [
        ({"dimensions": 2}, "allow"),
        ({"dimensions": 1}, "deny"),
        ({"cells": 12}, "allow"),
        ({"cells": 11}, "deny"),
        ({"meeting": 3}, "allow"),
        ({"meeting": 2}, "deny"),
    ],
)
def test_a_table_of_two_by_six_in_a_universe_of_one_more_variable(limits: dict[str, int], decision: str) -> None:
    request = Tabulate(by=["sex", "block"], where={"who": [f"r{i:02d}" for i in range(40)]})
    assert judged(TableSize(**limits), DB, request).decision == decision


def test_a_condition_that_names_every_class_is_none() -> None:
    rule = TableSize(meeting=1)
    assert judged(rule, DB, Tabulate(by=["block"], where={"sex": ["f", "m"]})).decision == "allow"
    assert judged(rule, DB, Tabulate(by=["block"], where={"sex": "f"})).decision == "deny"


def test_a_model_is_judged_by_its_universe_only() -> None:
    rule = TableSize(meeting=1)
    assert judged(rule, DB, Regress(response="wage", predictors=["sex", "block"])).decision == "allow"
