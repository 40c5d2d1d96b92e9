"""Refusals as an oracle: size control tells who is ill by what it refuses; rules that look at sets tell nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tacita.attack.queries.refusal_reading import RefusalReading
from tacita.query.policy.policy import Policy
from tacita.query.restrictions import SetSize, TableSize
from tacita.query.restrictions.confidential_universe import ConfidentialUniverse
from tacita.study.red_team.queries import size_control
from tests.attack.queries.servers import check_contract, graded, target_of


def test_size_control_alone_is_an_oracle() -> None:
    found = graded(RefusalReading(), size_control(), wanted="ill", victims=40)
    assert found.standing == "broken"
    assert found.success > 0.9
    assert found.sure == found.sure_right > 5


@pytest.mark.parametrize("policy", ["audited", "tables", "mas", "dp"])
def test_our_policies_tell_nothing_by_refusing(policy: str) -> None:
    """Under ``tables`` sparsity once counted the ill; it counts who is known to be in the universe now."""
    found = graded(RefusalReading(), policy, wanted="ill", victims=40)
    assert found.standing == "held"


def test_it_is_held_where_nobody_is_named_by_what_is_confidential() -> None:
    rules: tuple[Any, ...] = (TableSize(), ConfidentialUniverse(), SetSize(k=10))
    found = graded(RefusalReading(), Policy(requests=("statistic",), restrictions=rules), wanted="ill")
    assert (found.success, found.figures["bases"]) == (0.0, 0.0)


def test_an_amount_has_no_class() -> None:
    assert "class" in RefusalReading().declined(target_of()[0])
    check_contract(RefusalReading(bases=3), wanted="ill")
