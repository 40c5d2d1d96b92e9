"""The red team before a database: what attackers are given, and that nothing is spent by it."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import AttackError, ParameterError
from tacita.query.steward.attack_database import asked_as_user, attack_database, stage_database
from tacita.query.steward.trial import exact_policy
from tests.query.builders import opened, people, policy_of, survey


def test_an_attacker_knows_every_published_variable_but_the_one_he_wants() -> None:
    db = opened(survey(300), exact_policy())
    target, answers = stage_database(db, victims=7)
    assert target.wanted == "earnings"
    assert target.victims == 7
    assert "earnings" not in target.known[0]
    assert {"sex", "marital", "region"} <= set(target.known[0])
    assert len(answers.truth["earnings"]) == 7
    assert set(np.unique(answers.truth["earnings"])) <= set(survey(300).numbers("earnings"))


def test_of_a_class_the_truth_is_whether_one_has_it() -> None:
    db = opened(survey(300), exact_policy())
    target, answers = stage_database(db, wanted="victim", of="no", victims=300)
    assert (target.wanted, target.of) == ("victim", "no")
    assert answers.truth["victim"].dtype == bool
    assert answers.truth["victim"].mean() == pytest.approx(np.mean([w == "no" for w in _words(survey(300), "victim")]))
    assert "victim" not in target.known[0]


def _words(data: tc.Microdata, name: str) -> list[str]:
    found = data.codes(name)
    return [str(found.categories[code]) if code >= 0 else "" for code in found.values]


def test_those_who_are_alone_come_first() -> None:
    data = people({("f",): 1, ("m",): 50}, ("sex",))
    target, answers = stage_database(opened(data, exact_policy()), wanted="wage", victims=1)
    assert target.known == ({"sex": "f"},)
    assert answers.truth["wage"] == data.numbers("wage")[0]


def test_who_has_what_most_have_is_no_victim() -> None:
    _, answers = stage_database(opened(survey(300), exact_policy()), wanted="earnings", victims=300)
    earnings = survey(300).numbers("earnings")
    assert (earnings == 0).mean() > 0.2
    assert len(answers.truth["earnings"]) == (earnings > 0).sum()


def test_nothing_of_the_database_is_spent() -> None:
    db = opened(survey(300), policy_of(tc.query.SetSize(k=10), requests=["statistic", "tabulate"]))
    before = db.journal.head()
    found = attack_database(db, victims=5, seconds=5, attacks=["individual_tracker", "universe_difference"])
    assert db.journal.head() == before
    assert found.against == "server"
    assert "the database under the policy" in found.words()


def test_another_server_can_be_asked() -> None:
    db, asked = opened(survey(300), exact_policy()), []

    def ask(request):  # type: ignore[no-untyped-def]
        asked.append(request)
        return {"status": "refused", "reasons": ["closed"]}

    found = attack_database(db, victims=3, attacks=["individual_tracker"], ask=lambda: ask, called="the server")
    assert asked
    assert found.target == "the server"
    assert found.state == "passed"


def test_what_is_asked_comes_back_as_it_leaves() -> None:
    ask = asked_as_user(opened(survey(300), exact_policy()))
    assert ask({"kind": "tabulate", "by": ["sex"]})["status"] == "answered"
    assert ask({"kind": "tabulate", "by": ["nothing"]})["status"] == "refused"


@pytest.mark.parametrize(
    ("given", "words"),
    [({"victims": 0}, "'victims' must be at least 1"), ({"margin": 1.0}, r"'margin' must be in \[0, 1\)")],
)
def test_bad_parameters(given: dict[str, object], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        attack_database(opened(survey(300), exact_policy()), **given)  # type: ignore[arg-type]


def test_nothing_to_want() -> None:
    data = tc.Microdata.from_frame(survey(300).to_frame(), keys=["sex", "age"])
    with pytest.raises(AttackError, match="confidential"):
        stage_database(opened(data, exact_policy()))
