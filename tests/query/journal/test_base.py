"""Every kind of journal keeps the same promises; ``test_memory.py`` has the fields one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacita.query.journal.base import QueryJournal
from tacita.query.journal.journal import FileJournal, open_journal
from tacita.query.journal.memory import MemoryJournal
from tests.query.journal.children import KEY, REQUEST


@pytest.fixture(params=["file", "memory"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> QueryJournal:
    return open_journal(tmp_path / "j" if request.param == "file" else None, key=KEY)


def test_entries_come_back_in_their_order(journal: QueryJournal) -> None:
    given = [journal.append(user="ada", request={**REQUEST, "n": n}, status="answered", answer=n) for n in range(4)]
    read = list(journal.entries())
    assert read[1:] == given
    assert [entry.number for entry in read] == [0, 1, 2, 3, 4]
    assert [entry.previous for entry in read[1:]] == [entry.hash for entry in read[:-1]]
    assert journal.head() == f"4:{given[-1].hash}"


def test_a_repr_shows_no_key(journal: QueryJournal) -> None:
    assert "0123456789" not in repr(journal)
    assert "0123456789" not in repr(vars(journal))


def test_what_a_user_may_give(tmp_path: Path) -> None:
    made = MemoryJournal(key=KEY)
    assert open_journal(made, key=KEY) is made
    assert isinstance(open_journal(str(tmp_path / "j"), key=KEY), FileJournal)
    assert isinstance(open_journal(None, key=KEY), MemoryJournal)
    assert open_journal(None, key=KEY, identities=False).append(user="ada").user is None
