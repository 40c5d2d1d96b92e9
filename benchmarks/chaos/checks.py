"""What must hold after faults: every answer has its entry, budgets count it, and the same question has the same answer."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from benchmarks.chaos.askers import Askers
from benchmarks.server.http_client import HttpConnection
from benchmarks.server.survey import DATASET, SCOPES
from tacita.core.keyed import Key, KeyLike
from tacita.query.journal.entry import canonical_json
from tacita.query.journal.reading import read_entries
from tacita.query.journal.verify import verify
from tacita.web.accounts import open_accounts

__all__ = [
    "budget_flaws",
    "changed_answers",
    "journal_flaws",
    "periods_spent",
    "questions_spent",
    "reply_flaws",
    "violations",
]

_EXPECTED = {200, 403, 503}
"""Answered, refused by a rule, unavailable."""

Answers = Mapping[bytes, Mapping[bytes, int]]
"""For each question the bodies that were received, and how often."""


def violations(folder: Path, asked: Askers, url: str, *, journal: Path, accounts: str = "") -> list[str]:
    """Return what does not hold; the server must run, and nobody else ask it.

    Parameters
    ----------
    folder
        Where the key and the accounts are.
    asked
        Everybody who asked since the journal began.
    url
        The server as it runs now.
    journal, accounts
        Where these are.
    """
    place = accounts or str(folder / "accounts.sqlite")
    found = journal_flaws(journal, asked.answers, key=Key.read(folder / "key"))
    found += reply_flaws(asked.answers, asked.codes, asked.misshapen)
    for scope in SCOPES:
        found += budget_flaws(received=asked.received, spent=questions_spent(place, scope), sent=asked.sent)
    return found + _count("answers that changed", changed_answers(url, asked.answers))


def journal_flaws(journal: Path, answers: Answers, *, key: KeyLike) -> list[str]:
    """Return what is wrong with a journal: answers that left without an entry, and a chain that is not whole."""
    entered = Counter(
        canonical_json(dict(entry.request)) for entry in read_entries(journal, status="answered") if entry.request
    )
    got: Counter[bytes] = Counter()
    for bodies in answers.values():
        for body, times in bodies.items():
            got[canonical_json(json.loads(body)["request"])] += times
    state = verify(journal, key=key).state
    missing = _count("answers without an entry", (got - entered).total())
    return missing if state == "verified" else [*missing, f"the journal is {state}"]


def reply_flaws(answers: Answers, codes: Mapping[int, int], misshapen: int) -> list[str]:
    """Return what is wrong with what was received.

    Examples
    --------
    >>> reply_flaws({b"?": {b"1": 2, b"2": 1}}, {200: 3, 500: 1}, 1)
    ['questions with two answers: 1', 'replies of another shape: 1', 'replies with status 500: 1']
    """
    found = _count("questions with two answers", sum(len(bodies) > 1 for bodies in answers.values()))
    found += _count("replies of another shape", misshapen)
    others: Iterable[int] = sorted(set(codes) - _EXPECTED)
    return found + [f"replies with status {code}: {codes[code]}" for code in others if codes[code]]


def budget_flaws(*, received: int, spent: int, sent: int) -> list[str]:
    """Return what is wrong with a budget: every answer is counted, and no question twice.

    Examples
    --------
    >>> budget_flaws(received=3, spent=4, sent=5), budget_flaws(received=3, spent=6, sent=5)
    ([], ['spent 6, but received 3 and sent 5'])
    """
    return [] if received <= spent <= sent else [f"spent {spent}, but received {received} and sent {sent}"]


def periods_spent(accounts: str) -> list[str]:
    """Return the periods of which something was spent."""
    with open_accounts(accounts, create=False) as opened:
        return sorted({row.period for row in opened.spending(DATASET)})


def _count(what: str, number: int) -> list[str]:
    return [f"{what}: {number}"] if number else []


def questions_spent(accounts: str, scope: str = SCOPES[0]) -> int:
    """Return how many questions about the data set the budgets of a scope have counted."""
    with open_accounts(accounts, create=False) as opened:
        return sum(row.spent for row in opened.spending(DATASET) if row.scope == scope)


def changed_answers(url: str, answers: Answers) -> int:
    """Ask everything once more; return how many answers are not byte for byte what they were."""
    return asyncio.run(_changed(url, answers))


async def _changed(url: str, answers: Answers) -> int:
    connection, changed = HttpConnection(url), 0
    for question, bodies in answers.items():
        reply = await asyncio.wait_for(connection.post("/tabulate", question), 60)
        changed += reply.body not in bodies
    connection.close()
    return changed
