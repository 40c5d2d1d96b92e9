"""The shape of restrictions: rulings, what is recorded, where memory lies."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass

import pytest

from tacita.core import registry
from tacita.core.traits import STAGES, RestrictionTraits
from tacita.query.question import Question
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny, review
from tests.query.builders import asked, opened, people, policy_of

pytestmark = pytest.mark.usefixtures("clean_registry")


def test_rulings_are_allow_deny_and_review() -> None:
    assert Ruling("allow") == ALLOW
    assert deny("why") == Ruling("deny", "why")
    assert review("why").decision == "review"
    with pytest.raises(FrozenInstanceError):
        ALLOW.decision = "deny"  # type: ignore[misc]


def test_by_default_a_restriction_applies_to_everything_and_remembers_nothing() -> None:
    @dataclass(frozen=True, kw_only=True)
    class ToyRestriction(Restriction):
        """Allow everything."""

        name = "toy_restriction"
        traits = RestrictionTraits(stage="request", value_free=True)

        def judge(self, question: Question) -> Ruling:
            return ALLOW if question.text else deny("nothing was asked")

    db = opened(people({("a",): 4}, ["x"]), policy_of(ToyRestriction()))
    question = asked(db, Tabulate(by=["x"]))
    made = ToyRestriction()
    assert made.applies(question)
    made.record(question)
    assert db.history.answered == 0
    assert db.ask(Tabulate(by=["x"])).status == "answered"


def test_every_registered_restriction_says_which_stage_it_looks_at() -> None:
    found = list(registry.methods("restriction"))
    assert len(found) >= 16
    assert {method.traits.stage for method in found} <= set(STAGES)  # type: ignore[attr-defined]
