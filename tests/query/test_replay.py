"""Which entries of a journal are answers that left."""

from __future__ import annotations

from typing import Any

from tacita.query.journal.memory import MemoryJournal
from tacita.query.replay import REPEATED, answers_that_left


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
