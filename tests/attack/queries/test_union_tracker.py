"""The union tracker beats size control and is held by the auditor of sums, which is named."""

from __future__ import annotations

from tacita.attack.queries.union_tracker import UnionTracker
from tacita.study.red_team.queries import size_control
from tests.attack.queries.servers import check_contract, graded


def test_size_control_alone_is_broken() -> None:
    found = graded(UnionTracker(), size_control())
    assert found.standing == "broken"
    assert (found.success, found.sure_right) == (1.0, 12)


def test_the_auditor_of_sums_holds_it() -> None:
    found = graded(UnionTracker(), "audited")
    assert (found.standing, found.success) == ("held", 0.0)
    assert found.refused["sum_audit"] > 0


def test_contract() -> None:
    check_contract(UnionTracker())
