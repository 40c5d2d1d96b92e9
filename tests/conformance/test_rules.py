"""Every registered rule for tables, on every table, with every check that its traits ask for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tacita.core.errors import ParameterError
from tacita.core.method import Method
from tacita.core.traits import ABOUT, RuleTraits
from tacita.tables.rules.rule import Rule
from tests.conformance.examples import all_examples, label
from tests.conformance.method_checks import METHOD_CHECKS
from tests.conformance.rule_checks import ABOUT_CHECKS, RULE_CHECKS, RuleCheck
from tests.conformance.table_examples import TABLES, table

RULES = all_examples("rule")


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(
    ("rule", "check"),
    [
        pytest.param(rule, check, id=f"{label(rule)}-{check.name}")
        for rule in RULES
        for check in RULE_CHECKS
        if check.when(rule)  # type: ignore[arg-type]
    ],
)
def test_rule(rule: Rule, check: RuleCheck, name: str) -> None:
    check.body(rule, table(name))


@pytest.mark.parametrize("check", METHOD_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("rule", RULES, ids=label)
def test_method(rule: Rule, check: Callable[[Method], None]) -> None:
    check(rule)


def test_there_are_rules() -> None:
    assert {"p_percent", "dominance", "minimum_frequency"} <= {rule.name for rule in RULES}


def test_every_attack_has_a_check() -> None:
    assert set(ABOUT_CHECKS) == set(ABOUT)


def test_claims_are_out_of_a_list() -> None:
    for wrong in ({"about": "rumour"}, {"about": "group", "needs": ("luck",)}):
        with pytest.raises(ParameterError, match=r"must be out of"):
            RuleTraits(**wrong)
