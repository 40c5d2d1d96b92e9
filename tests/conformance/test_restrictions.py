"""Every registered restriction of questions, with every check that its traits ask for."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, fields

import pytest
from typer.testing import CliRunner

from tacita.core import registry
from tacita.core.errors import ParameterError
from tacita.core.method import Method
from tacita.core.traits import STAGES, RestrictionTraits
from tacita.query.policy.policy import Policy
from tacita.query.question import Question
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny
from tests.conformance.examples import all_examples, label
from tests.conformance.method_checks import METHOD_CHECKS
from tests.conformance.restriction_checks import (
    CLAIM_CHECKS,
    RESTRICTION_CHECKS,
    RestrictionCheck,
    database,
    decisions,
    judging_changes_nothing,
    memory_lies_in_the_history,
    policy_with,
    value_free,
)

RESTRICTIONS: list[Restriction] = all_examples("restriction")  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("restriction", "check"),
    [
        pytest.param(restriction, check, id=f"{label(restriction)}-{check.name}")
        for restriction in RESTRICTIONS
        for check in RESTRICTION_CHECKS
        if check.when(restriction)
    ],
)
def test_restriction(restriction: Restriction, check: RestrictionCheck) -> None:
    check.body(restriction)


@pytest.mark.parametrize("check", METHOD_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("restriction", RESTRICTIONS, ids=label)
def test_method(restriction: Restriction, check: Callable[[Method], None]) -> None:
    check(restriction)


@pytest.mark.parametrize("restriction", RESTRICTIONS, ids=label)
def test_parameters_come_back_from_a_policy_file(restriction: Restriction) -> None:
    policy = policy_with(restriction)
    assert Policy.from_toml(policy.to_toml()).restrictions == (restriction,)


def test_methods_lists_them() -> None:
    from tacita.cli.main import app

    found = CliRunner().invoke(app, ["methods", "--json"])
    assert found.exit_code == 0
    listed = {(row["kind"], row["name"]) for row in json.loads(found.output)}
    assert {("restriction", restriction.name) for restriction in RESTRICTIONS} <= listed


def test_the_workload_is_refused_and_allowed() -> None:
    """Checks that see one decision only would see nothing."""
    one_sided = {"across_versions", "waits", "small_marginals"}  # their tests of their own show both
    for restriction in RESTRICTIONS:
        if restriction.name not in one_sided:
            found = set(decisions(restriction, database(restriction)))
            assert {"allow", "deny"} <= found, restriction.name


def test_every_claim_has_a_check() -> None:
    assert {claim.name for claim in fields(RestrictionTraits)} - {"stage"} == set(CLAIM_CHECKS)


def test_stages_are_out_of_a_list() -> None:
    with pytest.raises(ParameterError, match="must be out of"):
        RestrictionTraits(stage="afterwards")  # type: ignore[arg-type]
    assert list(STAGES) == ["request", "universe", "history", "result"]


# --- the checks can fail ------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("clean_registry")
def test_checks_find_a_restriction_that_looks_at_values() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Peeking(Restriction):
        """Refuse where the sum of wages is odd."""

        name = "peeking"
        traits = RestrictionTraits(stage="universe", value_free=True)

        def judge(self, question: Question) -> Ruling:
            total = question.version.values("wage")[question.members.rows].sum()
            return deny("odd") if int(total) % 2 else ALLOW

    with pytest.raises(AssertionError):
        value_free(Peeking())


@pytest.mark.usefixtures("clean_registry")
def test_checks_find_a_restriction_of_the_request_that_counts_records() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Counting(Restriction):
        """Refuse universes of an odd number of records."""

        name = "counting"
        traits = RestrictionTraits(stage="request", value_free=True)

        def judge(self, question: Question) -> Ruling:
            return deny("odd") if len(question.members) % 2 else ALLOW

    with pytest.raises(AssertionError):
        value_free(Counting())


@pytest.mark.usefixtures("clean_registry")
def test_checks_find_a_restriction_that_remembers_by_judging() -> None:
    asked: list[int] = []

    @dataclass(frozen=True, kw_only=True)
    class Impatient(Restriction):
        """Refuse after so many judgements, wherever they were."""

        name = "impatient"
        traits = RestrictionTraits(stage="history")

        def judge(self, question: Question) -> Ruling:
            asked.append(len(question.text))
            return deny("enough") if len(asked) > 40 else ALLOW

    for check in (judging_changes_nothing, memory_lies_in_the_history):
        asked.clear()
        with pytest.raises(AssertionError):
            check(Impatient())
    assert registry.find("restriction", "impatient") is Impatient
