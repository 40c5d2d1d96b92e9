"""What a steward sees, before it is a page."""

from __future__ import annotations

from tacita.web.accounts.budget import BudgetRule, SpendingRow
from tacita.web.pages.steward_views import budget_rows, entry_rows, rule_rows
from tacita.web.pages.wording import Labels

ENTRY = {"number": 3, "time": "2030-01-31T12:00:00.000000Z", "user": None, "rules": []}


def test_entries_are_told_in_words_whatever_they_hold() -> None:
    entries = [
        {**ENTRY, "kind": "request", "request": {"kind": "tabulate", "by": ["sex"]}, "status": "answered"},
        {**ENTRY, "kind": "request", "request": {"kind": "tabulate", "is_cut": True}, "status": "refused"},
        {**ENTRY, "kind": "request", "request": {"kind": "unreadable"}, "status": "refused"},
        {**ENTRY, "kind": "request", "request": {"kind": "quantiles"}, "status": "refused"},
        {**ENTRY, "kind": "switch", "request": {"closed": True, "why": "x"}, "status": None},
        {**ENTRY, "kind": "switch", "request": {"closed": False, "why": "x"}, "status": None},
        {**ENTRY, "kind": "version", "request": {"records": 5}, "status": None},
        {**ENTRY, "kind": "journal", "request": None, "status": None},
    ]
    rows = entry_rows(entries, Labels([{"name": "sex", "label": "Sex"}]))
    assert "by Sex" in rows[0].words
    assert [row.words for row in rows[1:4]] == [
        "A question that was too long to be kept",
        "A question that could not be read",
        "A question that could not be read",
    ]
    assert [row.words for row in rows[4:]] == ["The data set was closed.", "The data set was opened.", "", ""]
    assert (rows[0].time, rows[0].user, rows[7].status) == ("2030-01-31 12:00:00", "", "")


def test_rules_of_entries_and_of_reviews_have_one_form() -> None:
    said = [["a", "deny", 5], {"rule": "b", "detail": ""}, ["c", "allow", None]]
    (row,) = entry_rows([{**ENTRY, "request": {}, "rules": said}], Labels([]))
    assert row.rules == (("a", "deny", "5"), ("b", "review", ""), ("c", "allow", ""))


def test_rules_stand_by_how_often_they_refused() -> None:
    rows = rule_rows({"waits": {"allow": 9}, "combinations": {"review": 2}, "table_size": {"deny": 1, "allow": 3}})
    assert [(row.rule, row.denied, row.left, row.allowed) for row in rows] == [
        ("table_size", 1, 0, 3),
        ("combinations", 0, 2, 0),
        ("waits", 0, 0, 9),
    ]
    assert all(row.sentence for row in rows)


def test_spending_stands_beside_the_smallest_budget_of_its_period() -> None:
    rules = [
        BudgetRule(scope="user", questions=100, per="day"),
        BudgetRule(scope="user", questions=10, per="day"),
        BudgetRule(scope="user", questions=7, per="hour"),
        BudgetRule(scope="dataset", questions=0, per="ever"),
    ]
    spent = [
        SpendingRow("user", "ann", "town", "2030-01-31", 10),
        SpendingRow("user", "bob", "town", "2030-01-31", 11),
        SpendingRow("user", "ann", "town", "2030-01-31T12", 3),
        SpendingRow("user", "ann", "town", "2030-01", 50),
        SpendingRow("dataset", "town", "town", "ever", 0),
    ]
    rows = {(row.subject, row.period): row for row in budget_rows(spent, rules)}
    assert rows["ann", "2030-01-31"].questions == 10
    assert rows["ann", "2030-01-31"].is_used_up
    assert (rows["ann", "2030-01-31T12"].questions, rows["ann", "2030-01-31T12"].is_used_up) == (7, False)
    assert rows["ann", "2030-01"].questions is None
    assert rows["town", "ever"].is_used_up
    days = [row.subject for row in budget_rows(spent, rules) if row.period == "2030-01-31"]
    assert days == ["bob", "ann"]
