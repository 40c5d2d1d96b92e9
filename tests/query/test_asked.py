"""Questions by the ids of their answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tacita.query.answer import Answer
from tacita.query.asked import AskedQuestions
from tacita.query.journal.entry import JournalEntry
from tacita.query.journal.memory import MemoryJournal
from tacita.query.requests import Tabulate
from tacita.query.restrictions import Combinations, SetSize, TableSize
from tests.query.builders import KEY, opened, policy_of, ring


class _Counting(MemoryJournal):
    """A journal that counts how often it is read."""

    reads = 0

    def entries(self) -> Iterator[JournalEntry]:
        self.reads += 1
        return super().entries()


def test_a_question_is_found_by_its_id_in_memory_and_beyond_it_in_the_journal() -> None:
    journal, asked = _Counting(key=KEY), AskedQuestions(most=2)
    for place in range(4):
        asked.note(f"id {place}", journal.append(request={"kind": "tabulate", "by": [f"v{place} é"]}))
    journal.reads = 0
    found = [asked.request(f"id {place}", journal) for place in (3, 2)]
    assert found == [{"kind": "tabulate", "by": ["v3 é"]}, {"kind": "tabulate", "by": ["v2 é"]}]
    assert journal.reads == 0
    assert asked.request("id 0", journal) == {"kind": "tabulate", "by": ["v0 é"]}
    assert journal.reads == 1
    assert len(asked) == 4


def test_whoever_tries_ids_makes_nobody_read_the_journal() -> None:
    journal, asked = _Counting(key=KEY), AskedQuestions(most=1)
    asked.note("id", journal.append(request={"kind": "tabulate"}))
    journal.reads = 0
    assert [asked.request(word, journal) for word in ("", "id ", "ID", "7f" * 16)] == [None] * 4
    assert not asked.knows("ID")
    assert asked.knows("id")
    assert journal.reads == 0


def test_the_first_entry_of_an_id_is_kept() -> None:
    journal, asked = MemoryJournal(key=KEY), AskedQuestions()
    for place in range(2):
        asked.note("id", journal.append(request={"place": place}))
    assert len(asked) == 1
    assert asked.request("id", journal) == {"place": 0}


def _forms(answers: Iterable[Answer | None]) -> list[str | None]:
    """What left, letter by letter."""
    return [None if answer is None else answer.to_json() for answer in answers]


# --- by the database --------------------------------------------------------------------------------------------------------


def test_an_answer_is_given_again_by_its_id() -> None:
    db = opened(ring(), policy_of(SetSize(k=10)))
    first = db.ask(Tabulate(by=["sex"]), user="ann")
    assert db.answer(first.id, user="bob") == first
    assert db.history.answered == 1
    assert [entry.status for entry in db.journal.entries()][-2:] == ["answered"] * 2
    assert db.answer("0" * 32) is None


def test_what_was_refused_or_not_understood_has_no_address() -> None:
    db = opened(ring(), policy_of(SetSize(k=10)))
    refused = db.ask(Tabulate(by=["sex"], where={"who": ["r01", "r02"]}))
    unknown = db.ask({"kind": "tabulate", "by": ["nobody"]})
    assert (refused.status, unknown.status) == ("refused", "refused")
    head = db.journal.head()
    assert [db.answer(one.id) for one in (refused, unknown)] == [None, None]
    assert db.journal.head() == head


def test_ids_are_the_same_after_opening_again_and_lead_to_the_same_answers(tmp_path: Path) -> None:
    policy = policy_of(TableSize(), Combinations(ask=[["who"]]))
    path = tmp_path / "journal.jsonl"
    requests = [Tabulate(by=["sex"]), Tabulate(by=["block"], where={"sex": "f"}), Tabulate(by=["who"])]
    db = opened(ring(), policy, journal=path)
    before = [db.ask(request) for request in requests]
    assert [answer.status for answer in before] == ["answered", "answered", "review"]
    assert len({answer.id for answer in before}) == 3
    again = opened(ring(), policy, journal=path)
    assert _forms(again.answer(answer.id) for answer in before) == _forms(before)
    assert [again.ask(request).id for request in requests] == [answer.id for answer in before]


def test_ids_tell_nothing_to_who_has_no_key() -> None:
    policy = policy_of(TableSize())
    found = {opened(ring(), policy, key=key).ask(Tabulate(by=["sex"])).id for key in (KEY, KEY[::-1])}
    assert len(found) == 2


@pytest.mark.parametrize("others", [1, 3])
def test_what_another_process_answered_has_an_address_here(tmp_path: Path, others: int) -> None:
    policy, path = policy_of(TableSize()), tmp_path / "journal.jsonl"
    one, other = (opened(ring(), policy, journal=path) for _ in range(2))
    found = [other.ask(Tabulate(by=[name])) for name in ("sex", "block", "who")[:others]]
    one.ask(Tabulate(by=["sex", "block"]))
    assert _forms(one.answer(answer.id) for answer in found) == _forms(found)
