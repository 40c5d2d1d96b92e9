"""A turn at a journal: nobody else writes meanwhile, and what others wrote before can be read."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tacita.query.journal import journal as journal_file
from tacita.query.journal.base import QueryJournal
from tacita.query.journal.entry import RuleOutcome
from tacita.query.journal.journal import FileJournal, open_journal
from tacita.query.journal.memory import MemoryJournal
from tacita.query.journal.reading import read_held
from tacita.query.journal.verify import verify
from tests.query.journal.children import KEY, REQUEST, written


def _since(journal: QueryJournal, number: int) -> list[int]:
    with journal.turn() as turn:
        return [entry.number for entry in turn.since(number)]


@pytest.mark.parametrize("is_file", [False, True])
def test_what_is_written_in_a_turn_is_the_next_entry(tmp_path: Path, *, is_file: bool) -> None:
    journal = open_journal(tmp_path / "j" if is_file else None, key=KEY)
    with journal.turn() as turn:
        made = turn.write(user="ada", request=REQUEST, status="refused", rules=[("size", "deny", None)])
        again = turn.write("explain")
        assert turn.cuts == ()
    for entry in (made, again):
        journal.settle(entry)
    assert (made.number, made.kind, made.status) == (1, "request", "refused")
    assert made.rules == (RuleOutcome("size", "deny"),)
    assert (again.number, again.previous) == (2, made.hash)
    assert journal.head() == f"2:{again.hash}"
    assert list(journal.entries())[1:] == [made, again]


@pytest.mark.parametrize("is_file", [False, True])
def test_since_gives_what_came_after_a_number(tmp_path: Path, *, is_file: bool) -> None:
    journal = open_journal(tmp_path / "j" if is_file else None, key=KEY)
    for _ in range(5):
        journal.append(user="ada")
    assert [_since(journal, number) for number in (-1, 0, 3, 4, 5, 9)] == [
        [0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5], [4, 5], [5], [], [],
    ]  # fmt: skip


def test_since_is_the_same_from_memory_and_from_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A journal that remembers three entries reads the file for older ones, and only for those."""
    written(tmp_path / "j", 3)
    monkeypatch.setattr(journal_file, "_RECENT", 3)
    read: list[int] = []

    def reading(path: Path, size: int) -> object:
        read.append(size)
        return read_held(path, size)

    monkeypatch.setattr(journal_file, "read_held", reading)
    journal = FileJournal(tmp_path / "j", key=KEY)
    for _ in range(4):
        journal.append(user="ada")
    assert _since(journal, 4) == [5, 6, 7]
    assert read == []
    assert _since(journal, 3) == [4, 5, 6, 7]
    assert _since(journal, -1) == list(range(8))
    assert len(read) == 2
    assert _since(FileJournal(tmp_path / "j", key=KEY), 0) == list(range(1, 8)), "opened at its last entry"


def test_a_turn_sees_what_another_journal_of_the_file_wrote(tmp_path: Path) -> None:
    one, other = (FileJournal(tmp_path / "j", key=KEY) for _ in range(2))
    for _ in range(3):
        other.append(user="bob")
    assert _since(one, 0) == [1, 2, 3]


@pytest.mark.parametrize("is_file", [False, True])
def test_nobody_writes_during_a_turn(tmp_path: Path, *, is_file: bool) -> None:
    """Each thread reads the last number and writes the next one: in a turn that is one step."""
    journal: QueryJournal = FileJournal(tmp_path / "j", key=KEY) if is_file else MemoryJournal(key=KEY)
    gaps: list[int] = []

    def work() -> None:
        for _ in range(10):
            with journal.turn() as turn:
                last = max(entry.number for entry in turn.since(-1))
                made = turn.write(user="ada")
            journal.settle(made)
            gaps.append(made.number - last)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert gaps == [1] * 40
    if is_file:
        assert verify(tmp_path / "j", key=KEY).state == "verified"


def test_a_turn_that_fails_lets_others_have_theirs(tmp_path: Path) -> None:
    for journal in (FileJournal(tmp_path / "j", key=KEY), MemoryJournal(key=KEY)):
        with pytest.raises(ZeroDivisionError), journal.turn():
            raise ZeroDivisionError
        assert journal.append(user="ada").number == 1
