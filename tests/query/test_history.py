"""What a database has answered, as restrictions see it."""

from __future__ import annotations

from tacita.query.history import History
from tacita.query.requests.regress import Regress
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions import Differences, RelatedModels, SetSize
from tests.query.builders import asked, opened, policy_of, ring


def test_each_restriction_has_a_memory_of_its_own_for_each_version() -> None:
    history = History()
    one, other = Differences(least=3), Differences(least=4)
    first = history.memory(one, "version 1", list)
    first.append(1)
    assert history.memory(Differences(least=3), "version 1", list) is first
    assert history.memory(other, "version 1", list) == []
    assert history.memory(one, "version 2", list) == []


def test_times_are_kept_by_user() -> None:
    history = History()
    for now in (1.0, 2.0):
        history.was_asked("ann", now)
    history.was_asked("bob", 3.0)
    assert history.times("ann") == (1.0, 2.0)
    assert history.times("eve") == ()


def test_only_restrictions_that_apply_remember() -> None:
    rules = (Differences(), RelatedModels(), SetSize())
    db = opened(ring(), policy_of(*rules))
    db.history.remember(asked(db, Tabulate(by=["sex"])))
    assert db.history.answered == 1
    assert rules[1]._known(asked(db, Regress(response="wage", predictors=["sex"]))) == []
    assert rules[0].audit(asked(db, Tabulate(by=["sex"]))).judge(range(60)).outcome == "free"


def test_the_repr_shows_no_name_of_a_user() -> None:
    history = History()
    history.was_asked("ann", 1.0)
    assert "ann" not in repr(history)
