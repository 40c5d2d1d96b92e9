"""Entries on the disk: many share one ``fsync``, and one that fails holds back every answer that waited for it."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tacita.core.errors import FileError
from tacita.query.journal.entry import JournalEntry
from tacita.query.journal.journal import FileJournal
from tacita.query.journal.safe import SafeEntries
from tacita.query.journal.verify import verify
from tests.query.journal.children import KEY, written


def _write(journal: FileJournal) -> JournalEntry:
    with journal.turn() as turn:
        return turn.write(user="ada")


def _broken(handle: int) -> None:
    raise OSError(errno.EIO, "the disk is broken")


def _settles(journal: FileJournal, entry: JournalEntry) -> bool:
    try:
        journal.settle(entry)
    except FileError:
        return False
    return True


def test_one_fsync_is_enough_for_all_that_was_written_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = written(tmp_path / "j", 0)
    entries = [_write(journal) for _ in range(20)]
    sizes: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: sizes.append(os.fstat(handle).st_size))
    for entry in reversed(entries):
        journal.settle(entry)
    assert sizes == [journal.path.stat().st_size]
    journal.settle(_write(journal))
    assert len(sizes) == 2


def test_threads_that_wait_share_an_fsync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the disk is busy for the first entry the other ones are written; the second time serves them all."""
    journal = written(tmp_path / "j", 0)
    fsync, calls = os.fsync, [0]
    has_begun, may_go_on = threading.Event(), threading.Event()

    def slow(handle: int) -> None:
        calls[0] += 1
        has_begun.set()
        assert may_go_on.wait(30)
        fsync(handle)

    monkeypatch.setattr(os, "fsync", slow)
    with ThreadPoolExecutor(12) as pool:
        first = pool.submit(journal.settle, _write(journal))
        assert has_begun.wait(30)
        others = [_write(journal) for _ in range(10)]
        waiting = [pool.submit(journal.settle, entry) for entry in others]
        assert not any(one.done() for one in (first, *waiting)), "nothing leaves before the disk has it"
        may_go_on.set()
        for one in (first, *waiting):
            one.result(30)
    assert calls[0] == 2
    assert verify(journal.path, key=KEY).state == "verified"


def test_entries_written_while_the_disk_is_busy_are_not_taken_for_safe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = written(tmp_path / "j", 0)
    late: list[JournalEntry] = []
    sizes: list[int] = []

    def busy(handle: int) -> None:
        sizes.append(os.fstat(handle).st_size)
        if not late:
            late.append(_write(journal))

    monkeypatch.setattr(os, "fsync", busy)
    journal.settle(_write(journal))
    journal.settle(late[0])
    assert len(sizes) == 2
    assert sizes[0] < sizes[1] == journal.path.stat().st_size


def test_a_disk_that_fails_holds_back_every_answer_that_waits_and_the_next_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = written(tmp_path / "j", 2)
    head, size = journal.head(), journal.path.stat().st_size
    entries = [_write(journal) for _ in range(6)]
    with monkeypatch.context() as failing:
        failing.setattr(os, "fsync", _broken)
        with pytest.raises(FileError, match="cannot be brought to the disk"):
            journal.settle(entries[3])
    with ThreadPoolExecutor(5) as pool:
        settled = list(pool.map(lambda entry: _settles(journal, entry), entries[:3] + entries[4:]))
    assert settled == [False] * 5, "the disk works again, but may have told its failure only once"
    assert (journal.head(), journal.path.stat().st_size) == (head, size)
    with journal.turn() as turn:
        assert turn.cuts == (3,)
    assert journal.append(user="ada").number == 3
    assert verify(journal.path, key=KEY, anchor=head).state == "verified"


def test_what_others_wrote_behind_it_is_not_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the entry stays, though its answer never leaves; never the other way round."""
    journal, other = written(tmp_path / "j", 0), FileJournal(tmp_path / "j", key=KEY)
    held = _write(journal)
    assert other.append(user="bob").number == 2
    with monkeypatch.context() as failing:
        failing.setattr(os, "fsync", _broken)
        with pytest.raises(FileError, match="cannot be brought to the disk"):
            journal.settle(held)
    with journal.turn() as turn:
        assert turn.cuts == ()
        assert [entry.number for entry in turn.since(0)] == [1, 2]
    assert journal.append(user="ada").number == 3
    assert verify(journal.path, key=KEY).state == "verified"


@pytest.mark.parametrize("how", [KeyboardInterrupt, MemoryError])
def test_an_interruption_holds_back_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: type[BaseException]
) -> None:
    journal = written(tmp_path / "j", 0)
    entries = [_write(journal) for _ in range(2)]

    def interrupted(handle: int) -> None:
        raise how

    with monkeypatch.context() as failing:
        failing.setattr(os, "fsync", interrupted)
        with pytest.raises(how):
            journal.settle(entries[0])
    assert not _settles(journal, entries[1])


def _no_cut(handle: int, end: int, number: int) -> None:
    raise OSError(errno.EIO, "the disk is broken")


def _cut_nothing(handle: int, end: int, number: int) -> None:
    return


@pytest.mark.parametrize(("cut", "is_gone"), [(_no_cut, False), (_cut_nothing, True)])
def test_answers_are_held_back_though_nothing_can_be_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: Callable[[int, int, int], None], *, is_gone: bool
) -> None:
    journal = written(tmp_path / "j", 0)
    safe = SafeEntries(journal.path)
    entries = [journal.append(user="ada") for _ in range(2)]
    for entry in entries:
        safe.wrote(entry, 0)
    if is_gone:
        journal.path.rename(tmp_path / "away")
    else:
        monkeypatch.setattr(os, "fsync", _broken)
    with pytest.raises(FileError, match="cannot be brought to the disk"):
        safe.settle(entries[0], cut)
    monkeypatch.undo()
    with pytest.raises(FileError, match="so no answer leaves"):
        safe.settle(entries[1], cut)


def test_what_this_process_did_not_write_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = written(tmp_path / "j", 1)
    monkeypatch.setattr(os, "fsync", _broken)
    safe = SafeEntries(journal.path)
    assert safe.settle(next(iter(journal.entries())), _no_cut) is None
