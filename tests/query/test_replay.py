"""Which entries of a journal are answers that left."""

from __future__ import annotations

from typing import Any

from tacita.query.journal.memory import MemoryJournal
from tacita.query.replay import REPEATED, WITHDRAWN, answers_that_left, withdrawn


def _journal(*entries: dict[str, Any]) -> list[Any]:
    journal = MemoryJournal()
    for given in entries:
        journal.append(**{"kind": "request", "status": "answered", "answer": 1, "versions": {"data": "v1"}, **given})
    return list(journal.entries())


def test_answers_to_the_version_each_once() -> None:
    entries = _journal(
        {},
        {"status": "refused", "answer": None},
        {"versions": {"data": "v2"}},
        {"kind": "explain"},
        {"rules": [(REPEATED, "allow", None)]},
        {"rules": [("set_size", "allow", None)]},
    )
    assert [entry.number for entry in answers_that_left(entries, "v1")] == [1, 6]


def test_what_was_held_back_did_not_leave() -> None:
    entries = _journal({}, {}, {"status": "refused", "rules": [("sum_audit", "deny", "x"), (WITHDRAWN, "deny", "2")]})
    held_back = withdrawn(entries)
    assert held_back == {2}
    assert [entry.number for entry in answers_that_left(entries, "v1", held_back)] == [1]


def test_a_detail_that_is_no_number_withdraws_nothing() -> None:
    assert withdrawn(_journal({"rules": [(WITHDRAWN, "deny", "all"), (WITHDRAWN, "deny", None)]})) == frozenset()
