"""Two versions of the data: subtracting them tells who joined, unless a rule looks at the earlier answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tacita.attack.judge.grade import Grade
from tacita.attack.judge.trial import attack_once
from tacita.attack.queries.version_difference import VersionDifference
from tacita.query.policy.policy import Policy
from tacita.study.red_team.queries import size_control, two_versions
from tests.attack.queries.servers import target_of


def found(policy: Any, wanted: str = "income") -> Grade:
    return attack_once(VersionDifference(), *two_versions(lambda: policy, wanted=wanted)(1), seed=1)


def without_rule() -> Policy:
    """The policy audited as it was before it looked at earlier versions."""
    from dataclasses import replace

    preset = Policy.preset("audited")
    return replace(preset, restrictions=tuple(r for r in preset.restrictions if r.name != "across_versions"))


@pytest.mark.parametrize("policy", [size_control(), without_rule()])
def test_an_auditor_of_each_version_does_not_see_it(policy: Policy) -> None:
    grade = found(policy)
    assert (grade.standing, grade.success, grade.sure_right) == ("broken", 1.0, 12)


def test_a_rule_across_versions_holds_it() -> None:
    grade = found("audited")
    assert (grade.standing, grade.success) == ("held", 0.0)
    assert grade.refused["across_versions"] > 0


def test_it_needs_a_later_version_and_repeats() -> None:
    target, _ = target_of()
    assert "no later version" in VersionDifference().declined(target)
    claims = [
        VersionDifference().run(two_versions(size_control)(2)[0], np.random.default_rng(1))[0].said.tolist()
        for _ in range(2)
    ]
    assert claims[0] == claims[1]
