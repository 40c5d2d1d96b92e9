"""What follows from rulings: any deny wins, then any review."""

from __future__ import annotations

from itertools import permutations

import pytest

from tacita.query.outcome import Explanation, Outcome, decided, refusal
from tacita.query.question import RefusalError
from tacita.query.restrictions.restriction import ALLOW, deny, review

ALL = (
    Outcome("one", ALLOW),
    Outcome("two", review("why")),
    Outcome("three", deny("secret")),
    Outcome("four", deny("x")),
)


def test_all_allow_is_no_decision() -> None:
    assert decided([]) is None
    assert decided([Outcome("one", ALLOW)]) is None


@pytest.mark.parametrize("order", list(permutations(range(4)))[::5], ids=str)
def test_any_deny_wins_over_review_in_every_order(order: tuple[int, ...]) -> None:
    found = decided(ALL[i] for i in order)
    assert found is not None
    assert found.status == "refused"
    assert set(found.reasons) == {"three", "four"}


def test_a_review_wins_over_allow_and_tells_no_detail() -> None:
    found = decided(ALL[:2])
    assert found is not None
    assert (found.status, found.reasons, found.hint) == ("review", ("two",), "")
    assert "why" not in found.to_json()


def test_a_refusal_keeps_its_detail_for_the_journal() -> None:
    error = RefusalError("unknown_class", "for the steward", hint="for the user")
    answer = refusal(error)
    assert (answer.reasons, answer.hint) == (("unknown_class",), "for the user")
    assert Outcome.of_refusal(error).ruling == deny("for the steward")
    assert "steward" not in str(error)


def test_an_explanation_shows_details() -> None:
    plain = Explanation("refused", ALL, 7).to_plain()
    assert (plain["status"], plain["records"]) == ("refused", 7)
    assert plain["rules"][2] == {"rule": "three", "decision": "deny", "detail": "secret"}
