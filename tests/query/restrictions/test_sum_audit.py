"""The auditor of sums in a database: trackers, coalitions of users, variables that are sums of others."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack.queries.tracker_formulas import double_tracker, general_tracker, individual_tracker
from tacita.query.database import Database
from tacita.query.requests.correlate import Correlate
from tacita.query.requests.statistic import Statistic
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.set_size import SetSize
from tacita.query.restrictions.sum_audit import SumAudit
from tests.query.builders import asked, judged, opened, policy_of, ring, survey

N = 60
DATA = ring(N)
WAGE = DATA.float("wage")
EVERYBODY = set(range(N))


def _database(*rules: SumAudit | SetSize) -> Database:
    return opened(DATA, policy_of(*rules, standard_errors=False))


def _ask(db: Database, members: set[int], user: str = "eve") -> float | None:
    words = [f"r{i:02d}" for i in sorted(members)]
    answer = db.ask(Statistic(response="wage", statistic="sum", where={"who": words}), user=user)
    return answer.value


TRACKERS = {
    "individual": lambda ask: individual_tracker(ask, set(range(20)), {5}),
    "general": lambda ask: general_tracker(ask, {5}, set(range(10, 40)), EVERYBODY),
    "double": lambda ask: double_tracker(ask, {5}, set(range(5, 25)), set(range(40))),
}


@pytest.mark.parametrize("tracker", TRACKERS)
def test_set_size_control_alone_is_beaten_by_trackers(tracker: str) -> None:
    db = _database(SetSize(k=10))
    assert _ask(db, {5}) is None
    assert TRACKERS[tracker](lambda members: _ask(db, members)) == pytest.approx(WAGE[5])


@pytest.mark.parametrize("tracker", TRACKERS)
def test_the_auditor_stops_trackers(tracker: str) -> None:
    db = _database(SetSize(k=10), SumAudit(limit=3))
    assert TRACKERS[tracker](lambda members: _ask(db, members)) is None


@pytest.mark.parametrize("tracker", TRACKERS)
def test_several_users_share_one_auditor(tracker: str) -> None:
    db = _database(SetSize(k=10), SumAudit(limit=3))
    users = iter(range(100))
    assert TRACKERS[tracker](lambda members: _ask(db, members, f"user {next(users)}")) is None


def test_what_follows_from_answers_is_free_and_a_refusal_is_not_remembered() -> None:
    db = _database(SumAudit(limit=3))
    assert _ask(db, EVERYBODY) is not None
    assert _ask(db, set(range(1, N))) is None
    assert _ask(db, set(range(30))) == pytest.approx(WAGE[:30].sum())
    assert _ask(db, set(range(30, N))) == pytest.approx(WAGE[30:].sum())
    assert db.history.answered == 3


def test_tables_are_judged_cell_by_cell_and_all_together() -> None:
    rule = SumAudit(limit=3)
    db = _database(rule)
    assert db.ask(Tabulate(by=["block"], response="wage", statistic="mean")).status == "answered"
    assert judged(rule, db, Tabulate(by=["who"], response="wage", statistic="mean")).decision == "deny"
    assert judged(rule, db, Tabulate(by=["sex", "block"], response="wage", statistic="total")).decision == "allow"
    nearly = {"who": [f"r{i:02d}" for i in range(1, N)]}
    assert judged(rule, db, Tabulate(by=["block"], response="wage", statistic="total", where=nearly)).decision == "deny"


def test_tables_with_weights_or_standard_errors_are_refused() -> None:
    request = Tabulate(by=["sex"], response="income", statistic="mean")
    with_errors = opened(DATA, policy_of(SumAudit(), standard_errors=True))
    assert with_errors.ask(Tabulate(by=["sex"], response="wage", statistic="mean")).reasons == ("sum_audit",)
    assert opened(survey(), "audited").ask(request).reasons == ("sum_audit",)
    detail = judged(SumAudit(), opened(survey(), "audited"), request).detail
    assert "weighted" in detail


@pytest.mark.parametrize("statistic", ["variance", "sd"])
def test_other_statistics_of_the_response_are_refused(statistic: str) -> None:
    db = _database(SumAudit())
    assert db.ask(Statistic(response="wage", statistic=statistic)).reasons == ("sum_audit",)  # type: ignore[arg-type]


def test_correlations_cannot_be_audited() -> None:
    rule = SumAudit()
    db = opened(survey(), policy_of(rule))
    assert rule.applies(asked(db, Correlate(columns=["age", "income"])))
    assert db.ask(Correlate(columns=["age", "income"])).reasons == ("sum_audit",)


def test_counts_are_not_audited() -> None:
    db = _database(SumAudit())
    assert not SumAudit().applies(asked(db, Statistic()))
    assert db.ask(Statistic()).reasons == ("no_rule",)


def test_a_table_of_too_many_cells_is_refused_unseen() -> None:
    rule = SumAudit(cells=5)
    assert (
        "too large" in judged(rule, _database(rule), Tabulate(by=["block"], response="wage", statistic="mean")).detail
    )


def _by_parts(variables: str) -> list[str]:
    """Income is earnings and other income: two sums of one set, and the income of that set and one record more."""
    data = survey()
    rule = SumAudit(limit=3, variables=variables)  # type: ignore[arg-type]
    db = opened(data, policy_of(SetSize(k=10), rule, standard_errors=False))
    codes = np.bincount(db.version.codes("birth_country"))
    names = db.catalogue["birth_country"].all_classes
    alone = next(name for name, count in zip(names, codes, strict=True) if count == 1)
    large = {"birth_country": ["this country"]}
    more = {"birth_country": ["this country", alone]}
    return [
        db.ask(Statistic(response=response, statistic="sum", where=where)).status
        for response, where in (("earnings", large), ("other_income", large), ("income", more))
    ]


def test_a_variable_that_is_a_sum_of_others_is_found_by_an_auditor_of_each() -> None:
    """The attack: income of one person = income(C and x) - earnings(C) - other income(C)."""
    assert _by_parts("apart") == ["answered", "answered", "answered"]


def test_variables_audited_together_are_safe_from_that() -> None:
    assert _by_parts("together") == ["answered", "answered", "refused"]


def test_together_the_same_sets_of_other_variables_are_free() -> None:
    db = opened(survey(), "audited")
    for response in ("income", "earnings", "tax", "savings"):
        for sex in ("female", "male"):
            request = Statistic(response=response, statistic="mean", where={"sex": sex})
            assert db.ask(request).status == "answered", response
