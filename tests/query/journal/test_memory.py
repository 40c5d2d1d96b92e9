"""The journal in memory, and what all journals do (``tacita.query.journal.base``)."""

from __future__ import annotations

import itertools
import threading
from datetime import datetime

import pytest

from tacita._version import __version__
from tacita.core.errors import ParameterError
from tacita.query.journal.anchor import Anchor
from tacita.query.journal.base import utc_now
from tacita.query.journal.chain import ChainedLine, JournalKeys, flaws
from tacita.query.journal.entry import RuleOutcome, canonical_json
from tacita.query.journal.memory import MemoryJournal
from tests.query.journal.children import KEY, REQUEST, Ticks


def test_an_entry_says_what_happened() -> None:
    journal = MemoryJournal(key=KEY, now=Ticks())
    rules: list[RuleOutcome | tuple[str, str, object]] = [
        RuleOutcome("minimum_size", "allow"),
        ("universe_gamma", "deny", {"pieces": 2}),
    ]
    entry = journal.append(user="ada", request=REQUEST, status="refused", rules=rules, versions={"data": "v1"})
    assert (entry.number, entry.kind, entry.status, entry.time) == (
        1,
        "request",
        "refused",
        "2030-01-31T12:00:02.000000Z",
    )
    assert entry.user == journal.pseudonym("ada")
    assert entry.request == REQUEST
    assert entry.rules == (RuleOutcome("minimum_size", "allow"), RuleOutcome("universe_gamma", "deny", {"pieces": 2}))
    assert entry.answer is None
    assert entry.versions == {"data": "v1", "package": __version__}
    assert list(journal.entries())[-1] == entry


def test_an_answer_is_recognised_by_whoever_has_the_key() -> None:
    journal = MemoryJournal(key=KEY)
    entry = journal.append(request=REQUEST, status="answered", answer={"count": 7})
    digests = [journal.answer_digest(REQUEST, {"count": count}) for count in range(20)]
    assert digests.index(entry.answer or "") == 7
    others = [MemoryJournal().answer_digest(REQUEST, {"count": count}) for count in range(20)]
    assert entry.answer not in others


def test_no_identities_are_kept_when_told_so() -> None:
    journal = MemoryJournal(key=KEY, identities=False)
    assert journal.append(user="ada").user is None
    assert journal.pseudonym("ada") is None


def test_the_chain_holds_and_memory_is_bounded() -> None:
    journal = MemoryJournal(key=KEY, keep=4)
    workers = [threading.Thread(target=lambda: [journal.append(user="a") for _ in range(25)]) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    kept = list(journal.entries())
    assert [entry.number for entry in kept] == [97, 98, 99, 100]
    assert journal.head() == f"100:{kept[-1].hash}"
    for before, entry in itertools.pairwise(kept):
        line = ChainedLine(entry, canonical_json(entry.to_body()))
        assert flaws(line, Anchor(before.number, before.hash), JournalKeys(KEY)) == []


@pytest.mark.parametrize(
    "given",
    [{"kind": "Not a word"}, {"status": "no word"}, {"request": {"a": object()}}, {"answer": float("nan")},
     {"rules": [("gamma", "deny")]}, {"versions": {"data": 3}}, {"request": {"a": "x" * (1 << 20)}}],
    ids=range(7),
)  # fmt: skip
def test_what_is_no_entry_is_not_kept(given: dict[str, object]) -> None:
    journal = MemoryJournal(key=KEY)
    head = journal.head()
    with pytest.raises(ParameterError):
        journal.append(**given)  # type: ignore[arg-type]
    assert journal.head() == head


def test_a_clock_has_a_zone() -> None:
    assert utc_now().tzinfo is not None
    with pytest.raises(ParameterError, match="with a time zone"):
        MemoryJournal(now=lambda: datetime(2030, 1, 1))
    with pytest.raises(ParameterError, match="'keep' must be at least 1, got 0"):
        MemoryJournal(keep=0)
